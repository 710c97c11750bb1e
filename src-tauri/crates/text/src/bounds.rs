//! The greatest or the least figure that is allowed, if a Chinese question asks for one: 最长几年, 最少几名.

use crate::figures::figures;
use crate::lists::Word;
use crate::word_lists;

word_lists! {
    /// Words that ask for the greatest figure.
    ASKS_AT_MOST: Vec<Word> = "chinese/asks_at_most.txt";
    /// Words that ask for the least one.
    ASKS_AT_LEAST: Vec<Word> = "chinese/asks_at_least.txt";
    /// Words before the greatest figure.
    AT_MOST: Vec<Word> = "chinese/at_most.txt";
    /// Words after it.
    UP_TO: Vec<Word> = "chinese/up_to.txt";
    /// Words before the least figure.
    AT_LEAST: Vec<Word> = "chinese/at_least.txt";
    /// Words after it.
    FROM_THERE_ON: Vec<Word> = "chinese/from_there_on.txt";
}

/// A word that makes a number a bound follows the number and its unit within this many characters.
const NEAR: usize = 7;

/// Whether a text tells the bound that a Chinese question asks for. `None` if it asks for none.
pub fn is_told(question: &str, text: &str) -> Option<bool> {
    let has = |text: &str, list: &[Word]| list.iter().any(|word| text.contains(word));
    let (most, least) = (has(question, &ASKS_AT_MOST), has(question, &ASKS_AT_LEAST));
    if !most && !least {
        return None;
    }
    let is_bound = |before: &str, after: &str| {
        let near: String = after.chars().take(NEAR).collect();
        (most && (has(before, &AT_MOST) || has(&near, &UP_TO)))
            || (least && (has(before, &AT_LEAST) || has(&near, &FROM_THERE_ON)))
    };
    let is_told = figures(text).any(|figure| {
        let (before, after) = figure.part();
        is_bound(before, after)
    });
    Some(is_told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_that_is_asked_for_is_told() {
        for (question, text, expected) in [
            ("停泊最长几天？", "停泊一般不超过十天。", Some(true)),
            ("停泊最长几天？", "停泊满十天的，应当登记。", Some(false)),
            ("最晚几天内登记？", "船长应当在三日内登记。", Some(true)),
            ("停泊最长几天？", "停泊不少于十天。", Some(false)),
            ("引航员最少几名？", "引航员不得少于2人。", Some(true)),
            ("引航员最少几名？", "引航员2人以上。", Some(true)),
            ("引航员最少几名？", "引航员不超过2人。", Some(false)),
            // The word belongs to another part of the sentence.
            (
                "停泊最长几天？",
                "停泊不超过期限的，缴费三日。",
                Some(false),
            ),
            ("停泊几天？", "停泊不超过十天。", None),
            ("How long at most?", "Ten days.", None),
        ] {
            assert_eq!(is_told(question, text), expected, "{question} {text}");
        }
    }
}

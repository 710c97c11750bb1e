//! Words for things that a Chinese question asks a list of: 条件 in "有哪些条件", 职责 in "职责是什么". Also recognises a text that
//! introduces such a list, for example "履行下列职责：".

use crate::lists::Word;
use crate::script::is_han;
use crate::word_lists;

word_lists! {
    /// The words that come before the word for such things.
    BEFORE: Vec<Word> = "chinese/which_before.txt";
    /// The words that come after the word for such things.
    AFTER: Vec<Word> = "chinese/which_after.txt";
    /// Words after 什么 that are part of the word that asks.
    OF_ASKING: Vec<Word> = "chinese/of_asking.txt";
    /// The words that come before it in a text that introduces them.
    LEADS_IN_BEFORE: Vec<Word> = "chinese/leads_in_before.txt";
    /// The words that come after it in such a text.
    LEADS_IN_AFTER: Vec<Word> = "chinese/leads_in_after.txt";
}

/// The word for the things that a Chinese question asks for; `None` if it names none.
pub fn of_question(question: &str) -> Option<&str> {
    let after = BEFORE.iter().flat_map(|word| {
        let places = question.match_indices(*word);
        places.filter_map(move |(at, word)| first_word(&question[at + word.len()..]))
    });
    let mut after = after.filter(|word| !OF_ASKING.contains(word) && !word.starts_with('是'));
    after.next().or_else(|| {
        AFTER.iter().find_map(|word| {
            let at = question.find(*word)?;
            last_word(&question[..at])
        })
    })
}

/// Whether a text introduces the things that such a word names, or says what they are.
pub fn is_led_in(aspect: &str, text: &str) -> bool {
    text.match_indices(aspect).any(|(at, aspect)| {
        let (before, after) = (&text[..at], &text[at + aspect.len()..]);
        LEADS_IN_BEFORE.iter().any(|word| before.ends_with(*word))
            || LEADS_IN_AFTER.iter().any(|word| after.starts_with(*word))
    })
}

/// The two ideographs that a text begins with.
fn first_word(text: &str) -> Option<&str> {
    let mut places = text.char_indices();
    let both = places.by_ref().take(2).filter(|(_, c)| is_han(*c)).count() == 2;
    let end = places.next().map_or(text.len(), |(at, _)| at);
    both.then(|| &text[..end])
}

/// The two that it ends with.
fn last_word(text: &str) -> Option<&str> {
    let (at, _) = text.char_indices().rev().nth(1)?;
    let word = &text[at..];
    word.chars().all(is_han).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_named() {
        for (question, expected) in [
            ("船舶停泊要符合哪些条件？", Some("条件")),
            ("港务机构的职责是什么？", Some("职责")),
            ("停泊费的种类有哪些", Some("种类")),
            ("船长有什么义务？", Some("义务")),
            ("什么时候缴费？", None),
            ("停泊费由谁缴？", None),
            ("什么？", None),
            ("Which duties?", None),
            ("", None),
        ] {
            assert_eq!(of_question(question), expected, "{question}");
        }
    }

    #[test]
    fn a_list_is_led_in_by_its_name() {
        for (text, led_in) in [
            ("港务机构履行下列职责：（一）登记船舶。", true),
            ("职责主要包括登记船舶。", true),
            ("职责: 登记船舶。", true),
            ("港务机构依照职责登记船舶。", false),
            ("履行下列义务：", false),
        ] {
            assert_eq!(is_led_in("职责", text), led_in, "{text}");
        }
    }
}

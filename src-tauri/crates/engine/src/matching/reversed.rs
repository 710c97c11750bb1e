//! Words that reverse the meaning of a rule if the words next to them are the same: "before it outsources" and "after
//! it outsources", 外包之前 and 外包之后.

use lexforge_store::words;
use lexforge_text::lists::{Swap, Word};
use lexforge_text::{is_han, word_lists};

word_lists! {
    REVERSED: Vec<Swap> = "reversed.txt";
}

/// Whether the words in which a rule and a statement differ reverse the meaning of the rule. `differing` holds the
/// differing words of the rule and of the statement, `texts` the rule and the statement themselves. A statement that
/// contains both words ("before" and "after") does not reverse the rule.
pub(super) fn turns_round(differing: [&str; 2], texts: [&str; 2]) -> bool {
    let [rule, statement] = texts;
    REVERSED.iter().any(|(forms, others)| {
        let (Some(one), Some(other)) = (begins(differing[0], forms), begins(differing[1], others))
        else {
            return false;
        };
        let demanded = beside(rule, one);
        demanded.is_some()
            && beside(statement, other) == demanded
            && beside(statement, one) != demanded
            && beside(rule, other) != demanded
    })
}

/// The words of a list with which a part of a text begins.
fn begins(part: &str, list: &[Word]) -> Option<Word> {
    let part = format!("{} ", part.trim().to_lowercase());
    let mut known = list.iter().copied();
    known.find(|words| part.starts_with(&format!("{words} ")))
}

/// What the words `these` refer to in a text: the first content word after them, in the form used by the index. In
/// Chinese it is the two characters after them; for words that end in 前 or 后 (before, after), the two characters before
/// them.
fn beside(text: &str, these: &str) -> Option<String> {
    if these.starts_with(is_han) {
        let (before, behind) = text.split_once(these)?;
        let mut two: String = match these.ends_with(['前', '后']) {
            true => before.chars().rev().take(2).collect(),
            false => behind.chars().take(2).collect(),
        };
        two.retain(is_han);
        return (two.chars().count() == 2).then_some(two);
    }
    let text = format!(" {} ", text.to_lowercase());
    let (_, rest) = text.split_once(&format!(" {these} "))?;
    words(rest).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_matter_is_turned_round() {
        let rule = "A pilot must tell the master before the vessel moors.";
        let all = "All logs must be kept unless the vessel is idle.";
        for (differing, rule, statement, expected) in [
            (
                ["before", "after"],
                rule,
                "The pilot tells the master after the vessel moors.",
                true,
            ),
            // It speaks of another matter, or says both.
            (
                ["before", "after"],
                rule,
                "The pilot tells the master after the storm.",
                false,
            ),
            (
                ["before", "after"],
                rule,
                "The pilot tells the master before the vessel moors and after the vessel moors.",
                false,
            ),
            (["all", "some"], all, "Some logs are kept.", true),
            (
                ["all", "some"],
                all,
                "Logs are kept for some vessels.",
                false,
            ),
            (
                ["unless", "if the vessel is idle"],
                all,
                "Logs are kept if the vessel is idle.",
                true,
            ),
            (["unless", ""], all, "Logs are kept.", false),
            (["", "some"], rule, "The pilot tells some masters.", false),
            (
                ["之前", "之后"],
                "引航员应当在靠泊之前通知船长。",
                "引航员在靠泊之后通知船长。",
                true,
            ),
            (
                ["之前", "之后"],
                "引航员应当在靠泊之前通知船长。",
                "引航员在离港之后通知船长。",
                false,
            ),
            (
                ["全部", "部分"],
                "船长应当保存全部日志。",
                "船长保存部分日志。",
                true,
            ),
        ] {
            assert_eq!(
                turns_round(differing, [rule, statement]),
                expected,
                "{statement}"
            );
        }
    }
}

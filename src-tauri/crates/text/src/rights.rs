//! Questions for the rights that somebody has, and sentences that grant them.

use crate::is_han;
use crate::stem::stem;
use crate::words::words;

/// How an English question for the rights of somebody begins and ends; who has them stands between.
const ENGLISH: [(&str, &str); 10] = [
    ("what rights do ", " have"),
    ("what rights does ", " have"),
    ("which rights do ", " have"),
    ("which rights does ", " have"),
    ("what rights have ", ""),
    ("which rights have ", ""),
    ("what are the rights of ", ""),
    ("what are ", " rights"),
    ("what is ", " entitled to"),
    ("what are ", " entitled to"),
];
/// What stands behind the holder in a Chinese question for their rights.
const CHINESE: [&str; 10] = [
    "享有哪些权利",
    "享有什么权利",
    "拥有哪些权利",
    "拥有什么权利",
    "具有哪些权利",
    "有哪些权利",
    "有什么权利",
    "的权利有哪些",
    "的权利是什么",
    "的权利包括哪些",
];
/// Words that name nobody: who asks, and who does not say whose rights are meant.
const NOBODY: [&str; 12] = [
    "we", "i", "you", "they", "he", "she", "it", "our", "my", "your", "their", "these",
];
/// Words that bind the rights to a matter. Such a question asks for fewer than all of them.
const IN_A_MATTER: [&str; 16] = [
    "under",
    "when",
    "if",
    "in",
    "regarding",
    "concerning",
    "to",
    "against",
    "over",
    "with",
    "about",
    "for",
    "after",
    "where",
    "during",
    "on",
];
/// The most words by which the holder is named.
const MOST_WORDS: usize = 5;
/// The most words that a sentence may have beside those of the holder: "each", "of the Union".
const BESIDE: usize = 3;
/// What an English sentence says before what the holder may do.
const GRANTS: [&str; 8] = [
    "shall have the right",
    "should have the right",
    "has the right",
    "have the right",
    "has a right",
    "have a right",
    "is entitled",
    "are entitled",
];
/// What ends the part of a sentence before its subject.
const ENDS: [char; 8] = [',', ';', ':', '.', '(', ')', '，', '；'];
/// Characters before 权 that deny the right: 没有权, 无有权.
const DENIES_HAN: [&str; 3] = ["没", "无", "未"];
/// The most characters between a Chinese holder and the word that grants.
const BETWEEN: usize = 8;

/// Who has the rights that a question asks for: "data subjects" in "What rights do data subjects have?". `None` for
/// other questions, also for those that ask for the rights in one matter alone.
pub fn asked_of(question: &str) -> Option<&str> {
    let question = question
        .trim()
        .trim_end_matches(['?', '？', '.', '。'])
        .trim_end();
    if question.chars().any(is_han) {
        let holder = CHINESE.iter().find_map(|end| question.strip_suffix(end))?;
        return (!holder.is_empty() && !holder.contains(['，', ',', '？'])).then_some(holder);
    }
    let lower = question.to_lowercase();
    if lower.len() != question.len() {
        return None;
    }
    let holder = ENGLISH.iter().find_map(|(begin, end)| {
        let inside = lower.strip_prefix(begin)?.strip_suffix(end)?;
        (!inside.is_empty()).then(|| &question[begin.len()..begin.len() + inside.len()])
    })?;
    let holder = holder
        .trim_end_matches(['’', '\''])
        .trim_end_matches("’s")
        .trim_end_matches("'s");
    let named = words(holder);
    let names =
        |word: &String| !NOBODY.contains(&word.as_str()) && !IN_A_MATTER.contains(&word.as_str());
    (!named.is_empty() && named.len() <= MOST_WORDS && named.iter().all(names)).then_some(holder)
}

/// Whether a sentence grants a right to this holder: "The data subject shall have the right to …".
pub fn are_granted(sentence: &str, holder: &str) -> bool {
    if holder.chars().any(is_han) {
        return sentence.match_indices(holder).any(|(at, holder)| {
            let rest: String = sentence[at + holder.len()..]
                .chars()
                .take(BETWEEN)
                .collect();
            let granted = rest.split(ENDS).next().unwrap_or_default();
            granted.contains("有权") && !granted.contains("没有权") || granted.contains("享有")
        });
    }
    let holder = stems(holder);
    let lower = sentence.to_lowercase();
    GRANTS.iter().any(|grants| {
        lower.match_indices(grants).any(|(at, _)| {
            let subject = lower[..at].rsplit(ENDS).next().unwrap_or_default();
            let subject = stems(subject);
            subject.len() <= holder.len() + BESIDE
                && holder.iter().all(|word| subject.contains(word))
        })
    })
}

/// To whom a sentence grants a right: "data subject" in "The data subject shall have the right to …", empty if a Chinese
/// sentence does not name the holder. `None` if it grants none.
pub fn holder(sentence: &str) -> Option<&str> {
    if sentence.chars().any(is_han) {
        let (before, _) = sentence.split_once("有权")?;
        let holder = before.rsplit(ENDS).next().unwrap_or_default().trim();
        let denied = DENIES_HAN.iter().any(|word| before.ends_with(word));
        return (!denied).then_some(holder);
    }
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let mut grants = GRANTS.iter().chain(&["be entitled to"]);
    let at = grants.find_map(|grants| lower.find(grants))?;
    let subject = sentence[..at].rsplit(ENDS).next().unwrap_or_default();
    let subject = subject
        .trim()
        .trim_end_matches(" shall")
        .trim_end_matches(" should");
    let named = ["the ", "each ", "every ", "any ", "a ", "an ", "all "];
    let begin = subject.to_lowercase();
    let cut = named.iter().find(|word| begin.starts_with(**word));
    let holder = &subject[cut.map_or(0, |word| word.len())..];
    (!holder.is_empty()).then_some(holder)
}

/// The stems of a text's words, without articles.
fn stems(text: &str) -> Vec<String> {
    let all = words(text).into_iter();
    let own = all.filter(|word| !matches!(word.as_str(), "the" | "a" | "an"));
    own.map(|word| stem(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_rights_are_asked_for() {
        for (question, holder) in [
            ("What rights do data subjects have?", Some("data subjects")),
            (
                "Which rights does the master of a ship have?",
                Some("the master of a ship"),
            ),
            ("What are the rights of pilots?", Some("pilots")),
            ("What are the passenger's rights?", Some("the passenger")),
            ("What are passengers’ rights?", Some("passengers")),
            ("What is a passenger entitled to?", Some("a passenger")),
            ("What rights do passengers have if a ship is late?", None),
            ("What rights do passengers have under Article 4?", None),
            ("What rights do we have?", None),
            ("What right does a pilot have?", None),
            ("What are rights?", None),
            ("乘客享有哪些权利？", Some("乘客")),
            ("乘客的权利有哪些", Some("乘客")),
            ("误点时，乘客有哪些权利？", None),
            ("乘客有哪些义务？", None),
        ] {
            assert_eq!(asked_of(question), holder, "{question}");
        }
    }

    #[test]
    fn who_holds_a_granted_right() {
        for (sentence, expected) in [
            (
                "Where a ship is late, the passenger shall have the right to a meal.",
                Some("passenger"),
            ),
            ("Each passenger is entitled to a seat.", Some("passenger")),
            ("Passengers shall be entitled to leave.", Some("Passengers")),
            ("The passenger has no right to a cabin.", None),
            ("The master shall sail.", None),
            ("误点时，乘客有权要求退票。", Some("乘客")),
            ("船长应当返航。", None),
        ] {
            assert_eq!(holder(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn rights_are_granted_to_their_holder() {
        for (sentence, holder, granted) in [
            (
                "The passenger shall have the right to a cabin.",
                "passengers",
                true,
            ),
            (
                "Where a ship is late, each passenger is entitled to a meal.",
                "the passenger",
                true,
            ),
            (
                "The agent of the owner of the passenger shall have the right to sell.",
                "passengers",
                false,
            ),
            (
                "The passenger has no right to a cabin.",
                "passengers",
                false,
            ),
            (
                "The master, and not the passenger, shall have the right to sail.",
                "passengers",
                false,
            ),
            (
                "The master shall have the right to sail.",
                "passengers",
                false,
            ),
            ("乘客有权要求退票。", "乘客", true),
            ("乘客依法享有下列权利：", "乘客", true),
            ("乘客应当购票，船长有权检查。", "乘客", false),
        ] {
            assert_eq!(are_granted(sentence, holder), granted, "{sentence}");
        }
    }
}

//! Whether a question asks if something is allowed or required, and whether a sentence says that of anything.

use crate::lists::Word;
use crate::word_lists;
use crate::words::words;
use std::collections::HashSet;

word_lists! {
    /// How such a question begins.
    ASKS: Vec<Word> = "english/asks_whether.txt";
    /// Words that bind.
    BINDS: HashSet<Word> = "english/binds.txt";
    /// The words after the actor that grant a permission.
    BEHIND_WHOM: Vec<Word> = "english/behind_whom.txt";
}

/// Verbs before the actor of such a question: "is the master allowed to".
const BEFORE_WHOM: [&str; 6] = ["is", "are", "does", "do", "has", "have"];

/// Whether an English question asks if something is allowed, forbidden or required.
pub fn asks_whether(question: &str) -> bool {
    let asked = words(question);
    let text = format!("{} ", asked.join(" "));
    let begins = ASKS.iter().any(|begin| {
        let rest = text.strip_prefix(*begin);
        rest.is_some_and(|rest| rest.starts_with(' '))
    });
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    let of_whom = asked.first().is_some_and(|word| is_in(&BEFORE_WHOM, word))
        && asked.iter().skip(1).any(|word| is_in(&BEHIND_WHOM, word));
    begins || of_whom
}

/// Whether an English text allows, forbids or requires something.
pub fn binds(text: &str) -> bool {
    words(text).iter().any(|word| BINDS.contains(word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_a_permission_is_told() {
        for (question, so) in [
            ("Can a pilot refuse a vessel?", true),
            ("Are we allowed to moor at night?", true),
            ("Is the master allowed to moor at night?", true),
            ("Does a barge need a pilot?", true),
            ("Do barges have to pay dues?", true),
            ("What may a pilot refuse?", false),
            ("Is a barge a vessel?", false),
            ("Candles at night?", false),
            ("", false),
        ] {
            assert_eq!(asks_whether(question), so, "{question}");
        }
        assert!(binds("A pilot shall not refuse a vessel."));
        assert!(binds("Mooring at night is prohibited."));
        assert!(!binds("A barge is a vessel."));
    }
}

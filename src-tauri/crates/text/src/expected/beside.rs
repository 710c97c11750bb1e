//! What may stand beside the figure that a question asks for.

use super::{
    AMOUNTS_IN_WORDS, Expected, HOW_OFTEN, HOW_SOON, OFTEN_IN_WORDS, SUMS, TIMES_IN_WORDS,
    has_date, of_question, recurs,
};
use crate::money;
use crate::script::is_han;

/// What an English question asks for, if the answer may be in another sentence of the same paragraph: a time, an amount
/// or a permission. This finds more questions for a time or an amount than [`of_question`], which looks only at their
/// first words. `None` if the question asks for something else, or is not English.
pub fn beside(question: &str) -> Option<Beside> {
    if question.chars().any(is_han) {
        return None;
    }
    let lower = question.trim().to_lowercase();
    let begins = |begins: &[&str]| begins.iter().any(|begin| lower.starts_with(begin));
    match of_question(question) {
        Some(Expected::List) => return None,
        Some(Expected::Amount) => return Some(Beside::Amount),
        Some(Expected::Time) if begins(&["how often ", "how frequently ", "how many times "]) => {
            return Some(Beside::Frequency);
        }
        Some(Expected::Time) => return Some(Beside::Time),
        Some(Expected::Extent) => return Some(Beside::Extent),
        None if begins(&["when ", "by when ", "until when "]) => return Some(Beside::Time),
        None if money::asks_for_a_charge(question) => return Some(Beside::Amount),
        None => {}
    }
    // Finds the word for the amount ("penalty", "fines"). In "What is the civil penalty for a late report?" it is the
    // last word before "for". In "What penalty does a vessel pay?" it is the second word. "What fines are there?" asks
    // for a list and not for an amount.
    let head = lower.split([' ', '?']).take_while(|word| {
        let ends = ["for", "of", "on", "if", "when", "under", "in", "to", "at"];
        !word.is_empty() && !ends.contains(word)
    });
    let is_sum = |word: &str| SUMS.contains(word);
    let second = lower
        .split(' ')
        .nth(1)
        .filter(|_| !lower.contains(" there"));
    let sum = head.last().is_some_and(is_sum) || second.is_some_and(is_sum);
    (sum && begins(&["what is the ", "what are the ", "what "])).then_some(Beside::Amount)
}

/// The content that another sentence of the same paragraph may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// A number that is no number of a clause.
    Amount,
    /// A length of time, a date, or a word for how soon.
    Time,
    /// A length of time, or a word for how often.
    Frequency,
    /// A number of characters, pages, metres or the like.
    Extent,
}

impl Beside {
    /// Whether a sentence holds it.
    pub fn is_in(self, sentence: &str) -> bool {
        let words = || {
            let words = sentence.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| !word.is_empty()).map(str::to_lowercase)
        };
        let has = |list: &[&str]| words().any(|word| list.contains(&word.as_str()));
        match self {
            Self::Amount => Expected::Amount.is_in(sentence),
            Self::Extent => Expected::Extent.is_in(sentence),
            Self::Time => {
                Expected::Time.is_in(sentence)
                    || has(&HOW_SOON)
                    || has_date(&words().collect::<Vec<_>>())
            }
            Self::Frequency => {
                let all: Vec<String> = words().collect();
                Expected::Time.is_in(sentence) || has(&HOW_OFTEN) || recurs(&all)
            }
        }
    }

    /// Whether a text can contain the amount, time or frequency that is asked for, also in words without a number:
    /// "until it is withdrawn", "once a year", "free of charge". A text for which the result is false cannot answer the
    /// question.
    pub fn may_be_told_in(self, text: &str) -> bool {
        let list = match self {
            Self::Amount => &AMOUNTS_IN_WORDS,
            Self::Extent => return self.is_in(text),
            Self::Time => &TIMES_IN_WORDS,
            Self::Frequency => &OFTEN_IN_WORDS,
        };
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let mut words = parts.map(str::to_lowercase);
        self.is_in(text) || words.any(|word| list.contains(word.as_str()))
    }
}

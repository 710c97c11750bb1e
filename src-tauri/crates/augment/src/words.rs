//! Words that carry content and their comparison, for both languages: Latin script by words, Chinese by characters.

use crate::english::lexicon::STOP_WORDS;
use lexforge_text::likeness::jaccard_of_sets;
use lexforge_text::plural::singular;
use lexforge_text::{is_han, words};
use std::collections::HashSet;

/// Whether an English word carries no content (`word` in lower case).
pub(crate) fn is_stop(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words that carry content, plural folded; for Chinese the pairs of neighbouring characters.
pub(crate) fn content(text: &str) -> HashSet<String> {
    let words = words(text);
    let mut found: HashSet<String> = words
        .iter()
        .filter(|w| {
            !w.chars().any(is_han)
                && !is_stop(w)
                && (w.chars().count() > 1 || w.chars().all(char::is_numeric))
        })
        .map(|w| singular(w))
        .collect();
    for pair in words.windows(2) {
        if let [a, b] = pair
            && a.chars().any(is_han)
            && b.chars().any(is_han)
        {
            found.insert(format!("{a}{b}"));
        }
    }
    found
}

/// Share of the content words of `text` that `source` has, 0 to 1; 0 for a text without any.
pub fn borne_out(text: &str, source: &str) -> f64 {
    let (own, source) = (content(text), content(source));
    if own.is_empty() {
        return 0.0;
    }
    own.intersection(&source).count() as f64 / own.len() as f64
}

/// A text as it is compared: words in lower case joined by a space.
pub(crate) fn normal(text: &str) -> String {
    words(text).join(" ")
}

/// Share of common content words, 0 to 1 (Jaccard).
pub(crate) fn likeness(a: &str, b: &str) -> f64 {
    jaccard_of_sets(&content(a), &content(b))
}

/// Whether the words of `part` stand in `whole` one after the other; English plurals count as the same.
pub(crate) fn contains_words(whole: &str, part: &str) -> bool {
    let (whole, part) = (words(whole), words(part));
    // Most comparisons end here, before the singulars are made.
    whole.len() >= part.len() && stand_in(&singulars(&whole), &singulars(&part))
}

fn singulars(words: &[String]) -> Vec<String> {
    words.iter().map(|w| singular(w)).collect()
}

fn stand_in(whole: &[String], part: &[String]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|w| w == part)
}

/// A text in which many phrases are looked for.
pub(crate) struct Searched {
    text: String,
    words: Vec<String>,
}

impl Searched {
    pub(crate) fn new(text: String) -> Self {
        Self {
            words: singulars(&words(&text)),
            text,
        }
    }

    /// Whether the text contains a phrase. A phrase of letters and blanks must match whole words, so that "context a"
    /// does not contain "text a". Any other phrase (with digits, punctuation marks or Chinese characters) may begin and
    /// end anywhere in the text.
    pub(crate) fn says(&self, phrase: &str) -> bool {
        let of_words = phrase.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        if of_words {
            stand_in(&self.words, &singulars(&words(phrase)))
        } else {
            self.text.contains(phrase)
        }
    }
}

/// Length in scalar values.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn parts_are_found_whatever_their_number() {
        let check = |whole, part, expected| {
            assert_eq!(contains_words(whole, part), expected, "{part} in {whole}")
        };
        check("all personal data breaches", "personal data breach", true);
        check("the supervisory authorities", "supervisory authority", true);
        check("subprocessor", "processor", false);
        check("银行业监督管理机构", "监督管理", true);
        check("银行业监督管理机构", "监督机构", false);
    }

    #[test]
    fn likeness_ignores_function_words() {
        assert!((likeness("the bank of a state", "a bank in the state") - 1.0).abs() < 1e-9);
        assert!(likeness("the bank", "the insurer") < 1e-9);
    }
}

//! The words of a question that say what it is about, and how many of them a text has.

use lexforge_domain::document::Sentence;
use lexforge_store::{stands_instead, words};
use lexforge_text::asked;
use std::collections::HashSet;

/// The words of a question that say what it is about.
pub(super) fn own_words(question: &str) -> HashSet<String> {
    let subject = asked::subject(question);
    let parts = subject.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    parts
        .filter(|word| !asked::helps_to_ask(word))
        .flat_map(words)
        .collect()
}

/// The share of these words that a sentence contains, either directly or as the word that rules use instead.
pub(super) fn share_in(own: &HashSet<String>, sentence: &Sentence) -> f64 {
    share_of(own, &sentence.text)
}

/// The share of these words that a text contains, in the same way.
pub(super) fn share_of(own: &HashSet<String>, text: &str) -> f64 {
    let has: HashSet<String> = words(text).into_iter().collect();
    let stands =
        |word: &&String| has.contains(*word) || stands_instead(word, |other| has.contains(other));
    own.iter().filter(stands).count() as f64 / own.len().max(1) as f64
}

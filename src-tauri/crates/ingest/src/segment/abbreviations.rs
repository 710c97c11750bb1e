//! Abbreviations of English legal and financial text, without their last stop.

use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    OPEN: HashSet<Word> = "english/open_abbreviations.txt";
    CLOSING: HashSet<Word> = "english/closing_abbreviations.txt";
    REPORTERS: HashSet<Word> = "english/citation_abbreviations.txt";
    STARTERS: HashSet<Word> = "english/sentence_starters.txt";
}

/// Abbreviations of [`OPEN`] that are also ordinary words in lower case, or that end a phrase (`et al.`). The full stop
/// after such an abbreviation ends the sentence if the next word is one that often begins sentences.
const ORDINARY: &[&str] = &[
    "al", "app", "art", "col", "ed", "ex", "fed", "fig", "no", "ref", "rep", "reps", "res", "st",
    "sig",
];

/// Whether a stop after `word` (lower case) never ends a sentence.
pub fn is_open(word: &str) -> bool {
    OPEN.contains(word)
}

/// Whether `word`, as written, may be a whole word although it looks like an abbreviation.
pub(crate) fn is_ordinary(word: &str) -> bool {
    ORDINARY.contains(&word)
}

/// Whether a stop after `word` (lower case) may or may not end a sentence.
pub(crate) fn is_closing(word: &str) -> bool {
    CLOSING.contains(word)
}

/// Whether `word`, as written, is a court, state, reporter or code in a citation.
pub(crate) fn is_reporter(word: &str) -> bool {
    REPORTERS.contains(word)
}

/// Whether `word` (lower case) usually begins a sentence when it has a capital.
pub(crate) fn is_starter(word: &str) -> bool {
    STARTERS.contains(word)
}

/// Whether `word` is a form of address.
pub fn is_title(word: &str) -> bool {
    ["Mr", "Mrs", "Ms", "Dr"].contains(&word)
}

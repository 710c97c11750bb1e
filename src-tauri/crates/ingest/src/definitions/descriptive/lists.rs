//! Word lists of the descriptions in running text; what each is for stands at the head of its file.

use crate::definitions::subject;
use lexforge_text::lists::Word;
use lexforge_text::plural::singular;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    NEVER: HashSet<Word> = "english/definition_never.txt";
    ADVERB: HashSet<Word> = "english/definition_adverb.txt";
    VAGUE: HashSet<Word> = "english/definition_vague.txt";
    EVALUATIVE: HashSet<Word> = "english/definition_evaluative.txt";
    RESTRICTOR: HashSet<Word> = "english/definition_restrictor.txt";
    RELATIVE: HashSet<Word> = "english/definition_relative.txt";
    KIND: HashSet<Word> = "english/definition_kind.txt";
    VERB: HashSet<Word> = "english/definition_verb.txt";
    PREPOSITION: HashSet<Word> = "english/definition_preposition.txt";
    BEFORE: HashSet<Word> = "english/definition_before.txt";
    ANAPHOR: HashSet<Word> = "english/definition_anaphor.txt";
    INSTRUMENT: HashSet<Word> = "english/definition_instrument.txt";
    PROVIDES: HashSet<Word> = "english/definition_provides.txt";
}

pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

pub(super) fn is_copula(word: &str) -> bool {
    matches!(word, "is" | "are")
}

/// Whether a word joins the parts of a name and does not begin or end one.
pub(super) fn joins(word: &str) -> bool {
    subject::joins(word) || is_article(word)
}

/// Whether a word names a kind of thing, in the singular or the plural.
pub(super) fn names_kind(word: &str) -> bool {
    KIND.contains(word) || word.ends_with('s') && KIND.contains(singular(word).as_str())
}

/// Whether a word looks like a plural.
pub(super) fn is_plural(word: &str) -> bool {
    matches!(
        word,
        "people" | "those" | "bacteria" | "phenomena" | "criteria" | "data" | "media"
    ) || word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
}

//! One piece of an English text.

use super::fact::Fact;
use super::lexicon::Mark;
use lexforge_text::calendar::MONTHS;
use lexforge_text::deeds::is_same_deed;

/// One piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word with content: as written in lower case, and its stem.
    Word(String, String),
    /// A word without content.
    Little(String),
    /// A word or phrase that binds.
    Mark(Mark, String),
    /// A figure with its unit.
    Fact(Fact),
    /// A sign that ends a part of the sentence.
    Break(char),
}

impl Token {
    pub(super) fn stem(&self) -> Option<&str> {
        match self {
            Self::Word(_, stem) => Some(stem),
            _ => None,
        }
    }

    /// Whether two words have one stem, or are verbs of one deed.
    pub(super) fn is_one_deed(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Word(word, stem), Self::Word(other, own)) => {
                stem == own || is_same_deed(word, other)
            }
            _ => false,
        }
    }

    /// The piece as it was written, in lower case; a break says nothing.
    pub(super) fn written(&self) -> Option<&str> {
        match self {
            Self::Word(word, _) | Self::Little(word) | Self::Mark(_, word) => Some(word),
            Self::Fact(fact) => Some(&fact.said),
            Self::Break(_) => None,
        }
    }

    pub(super) fn mark(&self) -> Option<Mark> {
        match self {
            Self::Mark(mark, _) => Some(*mark),
            _ => None,
        }
    }

    pub(super) fn is_little(&self, word: &str) -> bool {
        matches!(self, Self::Little(w) if w == word)
    }
}

/// The name of a month that a word is, if it is one.
pub(super) fn month(word: &str) -> Option<&'static str> {
    if word == "may" {
        return None;
    }
    MONTHS
        .iter()
        .find(|name| **name == word.trim_start_matches('#'))
        .copied()
}

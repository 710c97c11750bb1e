//! A question as a file says it, before it is looked at.

use lexforge_text::fold::tidy;
use unicode_normalization::UnicodeNormalization;

/// Most choices: a letter each.
pub(super) const MOST_CHOICES: usize = 26;

/// An answer as a file gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Given {
    /// None.
    #[default]
    Nothing,
    /// A text: letters, a number, or the choice's own words.
    Text(String),
    Number(i64),
    /// Several.
    Many(Vec<Given>),
    /// Something else, as it is there.
    Other(String),
}

/// A question as a file says it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) question: String,
    pub(super) choices: Vec<String>,
    /// The choices are named by letters in the file, so that a letter cannot mean a text.
    pub(super) lettered: bool,
    pub(super) answer: Given,
    pub(super) subject: String,
    pub(super) kind: String,
}

/// The letter of a choice: A for the first.
pub(super) fn letter(place: usize) -> char {
    char::from(b'A' + (place % MOST_CHOICES) as u8)
}

/// How texts of choices are compared: blanks, invisible signs and the width of letters do not count.
pub(super) fn alike(text: &str) -> String {
    tidy(&text.nfkc().collect::<String>())
}

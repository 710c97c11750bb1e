//! How long a thing is, in characters, pages or metres: "How long must a password be?" asks for no time.

use crate::figures::{Figure, begins_with_unit};
use crate::lists::Word;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Things of which "How long must it be?" asks for no time.
    THINGS_OF_LENGTH: HashSet<Word> = "english/things_of_length.txt";
    /// English units of a length that is no time.
    UNITS_OF_EXTENT: HashSet<Word> = "english/units_of_extent.txt";
}

/// Whether an English question asks how long a thing is, and not for how long something is done: "How long must a
/// password be?" These are its words in lower case.
pub(super) fn is_asked_for(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let asked = match words.as_slice() {
        [asked @ .., "at", "least" | "most"] => asked,
        asked => asked,
    };
    let ["how", "long" | "short", middle @ .., "be"] = asked else {
        return false;
    };
    let thing = middle
        .iter()
        .rev()
        .find(|word| !matches!(**word, "have" | "has" | "need" | "needs" | "to"));
    thing.is_some_and(|thing| {
        let one = thing.strip_suffix('s').unwrap_or(thing);
        THINGS_OF_LENGTH.contains(thing) || THINGS_OF_LENGTH.contains(one)
    })
}

/// Whether a text behind or before a number says that it is an extent: "12 or more characters", "a length of 12".
pub(super) fn is_one(figure: &Figure<'_>) -> bool {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let mut behind = words(figure.after).into_iter().take(WORDS_TO_A_UNIT);
    let before = words(figure.before);
    behind.any(|word| UNITS_OF_EXTENT.contains(word.as_str()))
        || (before.iter().rev().take(WORDS_BEHIND_LENGTH)).any(|word| word == "length")
            && !begins_with_unit(figure.after)
}

/// Words between a number and its unit: "12 or more alphanumeric characters".
const WORDS_TO_A_UNIT: usize = 4;
/// Words between "length" and a number: "the length of a password is 12".
const WORDS_BEHIND_LENGTH: usize = 6;

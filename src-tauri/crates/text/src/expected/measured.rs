//! What is counted or measured in the answer to a question.

use crate::figures::ENGLISH_UNITS;

/// The noun whose number an English question asks for: "branches" in "How many branches may a bank open?" `None` for
/// units of time, because an answer may use another unit.
pub fn counted(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, behind) = lower.split_once("how many ")?;
    let word = behind.split(|c: char| !c.is_alphanumeric()).next()?;
    let of_time = ENGLISH_UNITS.contains(&word);
    // "How many times" asks how often.
    let names = word.chars().nth(2).is_some() && !of_time && word != "times";
    names.then(|| word.to_owned())
}

/// The thing that an English question measures in units of time: "leave" in "How many working days of paid leave does a
/// master get?" `None` if the question names no such thing.
pub fn measured(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let (_, behind) = lower.split_once("how many ")?;
    let words: Vec<&str> = behind
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let of = words.iter().take(3).position(|word| *word == "of")?;
    let unit = words.get(of.checked_sub(1)?)?;
    let behind = &words[of + 1..];
    let end = behind
        .iter()
        .take(LONGEST_NAME + 1)
        .position(|word| BEHIND_A_NAME.contains(word))?;
    let thing = behind[..end].last()?;
    let is_named = thing.chars().nth(2).is_some()
        && !ENGLISH_UNITS.contains(thing)
        && !OFTEN_UNNAMED.contains(thing);
    (ENGLISH_UNITS.contains(unit) && is_named).then(|| (*thing).to_owned())
}

/// Words of the name of such a thing, at most.
const LONGEST_NAME: usize = 4;
/// Things that rules tell without their name: "at least 48 hours before departure" is a notice.
const OFTEN_UNNAMED: [&str; 4] = ["notice", "warning", "delay", "grace"];
/// Words that follow such a name.
const BEHIND_A_NAME: [&str; 26] = [
    "do", "does", "did", "is", "are", "was", "were", "must", "may", "can", "could", "shall",
    "should", "will", "would", "has", "have", "had", "per", "in", "for", "a", "each", "every",
    "before", "after",
];

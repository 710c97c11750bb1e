//! Whether a question asks when something is done or how long it lasts, and whether a text answers this. A text can
//! answer with a time, a case or a duration.

use crate::expected::{self, Beside, Expected};
use crate::figures::ENGLISH_UNITS;
use crate::lists::Word;
use crate::numerals::english;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// English words for a length of time without a figure.
    LENGTHS: HashSet<Word> = "english/lengths_in_words.txt";
}

/// Whether an English word is a unit of time, as it stands behind a number: "days".
pub fn is_unit_of_time(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    ENGLISH_UNITS.contains(&word.to_lowercase().as_str())
}

/// Whether a question asks for the time at which something is done. The result is false for a question such as "When is
/// a log needed?", because it asks in which cases and not at which time.
pub fn asks_when_it_is_done(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    WHEN_DONE.iter().any(|begin| lower.starts_with(begin))
}

/// How such a question begins.
const WHEN_DONE: [&str; 11] = [
    "by when ",
    "until when ",
    "when must ",
    "when shall ",
    "when should ",
    "when do ",
    "when does ",
    "when did ",
    "when was ",
    "when were ",
    "when will ",
];

/// Whether a text says when something is done: at what time, or in which case.
pub fn tells_when(text: &str) -> bool {
    let mut parts = text.split([',', ';', '.', ':', '(', ')']);
    Beside::Time.may_be_told_in(text) || parts.any(names_a_case)
}

/// Whether a part of a sentence names a case. A part that ends with "when appropriate" leaves the case open.
fn names_a_case(part: &str) -> bool {
    let lower = part.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let told = match words.as_slice() {
        [before @ .., case, last] if CASES.contains(case) && OPEN.contains(last) => before,
        all => all,
    };
    told.iter().any(|word| CASES.contains(word))
}

/// Recognises questions that ask when something is needed, and returns the needed thing or action: "a log" for "When is
/// a log required?", "keep a log" for "When is it necessary to keep a log?" `None` for other questions.
pub fn needed(question: &str) -> Option<String> {
    let lower = question.trim().to_lowercase();
    let asked = lower.trim_end_matches(|c: char| !c.is_alphanumeric());
    let rest = asked
        .strip_prefix("when is ")
        .or_else(|| asked.strip_prefix("when are "))?;
    let done = rest
        .strip_prefix("it ")
        .and_then(|rest| rest.split_once(" to "))
        .filter(|(word, _)| NEEDED.contains(word));
    if let Some((_, done)) = done {
        return Some(done.to_owned());
    }
    let (thing, last) = rest.rsplit_once(' ')?;
    NEEDED.contains(&last).then(|| thing.to_owned())
}

/// Words that say that something is needed.
const NEEDED: [&str; 6] = [
    "required",
    "needed",
    "necessary",
    "mandatory",
    "compulsory",
    "obligatory",
];

/// Finds the sentences of a text that say what is needed or must be done. If a sentence begins with "It" or "They", the
/// sentence before it is put in front. If a sentence introduces a list, the results also contain it together with each
/// item that names a time or a case. Sentences that say that something is not needed are left out, because they name no
/// case in which it is needed.
pub fn needs_told(text: &str) -> Vec<String> {
    let mut told = Vec::new();
    let (mut before, mut rest) = ("", text);
    while let Some(sentence) = rest.split_inclusive(['.', ';', ':']).next() {
        rest = &rest[sentence.len()..];
        if tells_a_need(sentence) {
            let whole = match goes_on(sentence) {
                true => format!("{before}{sentence}"),
                false => sentence.to_owned(),
            };
            if sentence.ends_with(':') {
                let list = rest.split('.').next().unwrap_or_default();
                let items = list.split(';').map(|item| format!("{whole}{item}"));
                told.extend(items.filter(|item| tells_when(item)));
            }
            told.push(whole);
        }
        before = sentence;
    }
    told
}

/// Whether a sentence says that something is needed or done, and not that it is not. "Not later than" denies nothing.
fn tells_a_need(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
    let is_need = |word: &&str| NEEDED.contains(word) || DEMANDS.contains(word);
    let is_bound = |at: usize| words.get(at).is_some_and(|word| BOUNDS.contains(word));
    let mut denials = (0..words.len()).filter(|at| matches!(words[*at], "no" | "not"));
    words.iter().any(is_need) && denials.all(|at| is_bound(at + 1))
}

/// Words by which a rule demands something, apart from those that say that something is needed.
const DEMANDS: [&str; 4] = ["shall", "must", "requires", "require"];
/// Words behind "no" or "not" in a bound: "not later than five days".
const BOUNDS: [&str; 5] = ["later", "more", "less", "longer", "only"];

/// Whether a sentence begins with a pronoun for something in the sentence before it.
fn goes_on(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    let first = words.find(|word| !word.is_empty());
    matches!(first, Some("It" | "They"))
}

/// Whether a question asks how long something lasts, and not how long before something else.
pub fn asks_how_long(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    let rest = HOW_LONG.iter().find_map(|begin| lower.strip_prefix(begin));
    let of_a_time = expected::of_question(question) != Some(Expected::Extent);
    rest.filter(|_| of_a_time).is_some_and(|rest| {
        let mut words = rest.split(|c: char| !c.is_alphanumeric());
        !words.any(|word| matches!(word, "before" | "beforehand" | "advance" | "after"))
    })
}

/// How such a question begins.
const HOW_LONG: [&str; 5] = [
    "how long ",
    "for how long ",
    "until when ",
    "how much time ",
    "what is the retention period ",
];

/// Other words that rules may use for the action in a question for a duration. For "How long must a log be kept?" these
/// are words with the meaning of "kept". The list is empty if the question does not name the action in this form.
pub fn done_so_long(question: &str) -> Vec<String> {
    if !asks_how_long(question) {
        return Vec::new();
    }
    let lower = question.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let done = match words.find(|word| *word == "be") {
        Some(_) => words.next(),
        None => None,
    };
    let kept: &[&str] = match done {
        Some(done) if KEPT.contains(&done) => &KEPT,
        _ => &[],
    };
    done.iter()
        .chain(kept)
        .map(|word| (*word).to_owned())
        .collect()
}

/// Words that may replace each other where something is kept.
const KEPT: [&str; 8] = [
    "kept",
    "retained",
    "retention",
    "stored",
    "held",
    "preserved",
    "archived",
    "maintained",
];

/// Whether a text says how long something lasts. A time before or after something, or "once a year", is no duration.
pub fn tells_how_long(text: &str) -> bool {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
    let recurs = |at: usize| {
        let before = &words[at.saturating_sub(2)..at];
        before.iter().any(|word| RECURRING.contains(word))
    };
    Expected::Time.is_in(text)
        || AS_LONG_AS.iter().any(|phrase| lower.contains(phrase))
        || words.iter().enumerate().any(|(at, word)| {
            let is_again = ENGLISH_UNITS.contains(word) && recurs(at);
            LENGTHS.contains(*word) && !is_again
        })
}

/// Words before a unit of time at which something is done again: "once a year", "each month".
const RECURRING: [&str; 5] = ["once", "twice", "each", "every", "per"];

/// A text without its deadlines and lengths of time, which do not say how often something is done: "within 30 days
/// after the day of the first call", "for at least twelve months". A period after which something is repeated stays.
pub fn without_deadlines(text: &str) -> String {
    let parts: Vec<&str> = text.split(' ').collect();
    let words: Vec<String> = parts
        .iter()
        .map(|part| {
            part.trim_matches(|c: char| !c.is_alphanumeric())
                .to_lowercase()
        })
        .collect();
    let mut kept = Vec::with_capacity(parts.len());
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        match end_of_deadline(&words, at) {
            Some(end) => at = end,
            None => {
                kept.push(*part);
                at += 1;
            }
        }
    }
    kept.join(" ")
}

/// The place behind a deadline or a length of time that begins with the number at `at`.
fn end_of_deadline(words: &[String], at: usize) -> Option<usize> {
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let is_number = word(at).parse::<u32>().is_ok() || english(word(at)).is_some();
    let unit = (at + 1..at + 4).find(|place| ENGLISH_UNITS.contains(&word(*place)))?;
    let before = words[..at]
        .iter()
        .rev()
        .map(String::as_str)
        .find(|word| !BEFORE_A_NUMBER.contains(word));
    let is_from = FROM.contains(&word(unit + 1));
    let is_limit = is_from || matches!(before, Some("within" | "for"));
    let mut behind = words.iter().skip(unit + 1).take(MOST_BEHIND);
    let recurs = before.is_some_and(|word| AGAIN.contains(&word))
        || behind.any(|word| AGAIN.contains(&word.as_str()));
    if !is_number || !is_limit || recurs {
        return None;
    }
    let mut end = unit + 1;
    if is_from {
        // "After the day of" names no unit either.
        end += 1;
        for of_a_day in [&["the"][..], &["day", "date", "end"], &["of"]] {
            if of_a_day.contains(&word(end)) {
                end += 1;
            }
        }
    }
    Some(end)
}

/// Words between "within" or "for" and the number.
const BEFORE_A_NUMBER: [&str; 10] = [
    "at", "least", "most", "a", "the", "period", "of", "up", "to", "about",
];
/// Words behind a time that begins with something else.
const FROM: [&str; 5] = ["after", "before", "from", "following", "prior"];
/// Words with which something is done again.
const AGAIN: [&str; 9] = [
    "last",
    "previous",
    "preceding",
    "thereafter",
    "every",
    "each",
    "per",
    "once",
    "twice",
];
/// Words behind a time among which one of these may stand.
const MOST_BEHIND: usize = 6;

/// Phrases for a time that something else ends.
const AS_LONG_AS: [&str; 3] = ["as long as", "so long as", "as soon as"];

/// Words before a case.
const CASES: [&str; 9] = [
    "if", "when", "where", "unless", "whenever", "wherever", "case", "cases", "event",
];
/// Words that name no case if they end a part of a sentence directly after one of [`CASES`]: "if necessary".
const OPEN: [&str; 16] = [
    "any",
    "applicable",
    "appointed",
    "appropriate",
    "available",
    "designated",
    "feasible",
    "necessary",
    "needed",
    "permitted",
    "possible",
    "practicable",
    "present",
    "relevant",
    "required",
    "warranted",
];

#[cfg(test)]
mod tests;

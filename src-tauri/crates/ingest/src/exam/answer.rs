//! Which choices are right, as a file says it: by letters, by numbers or by their texts.

use super::draft::{Draft, Given, alike, letter};
use std::collections::BTreeSet;

/// Signs between several answers.
const BETWEEN: [char; 8] = [',', '、', '，', ';', '；', '/', '|', '+'];

/// From where the numbers of a file count its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// No answer of the file is a number.
    None,
    /// The first choice is 0.
    FromZero,
    /// The first choice is 1.
    FromOne,
}

impl Numbers {
    /// Whether the numbers in a file count the choices from 0 or from 1. All answers of a file count in the same way.
    /// If one answer equals the number of its question's choices, they count from 1, unless another answer is 0.
    pub(super) fn of<'d>(drafts: impl Iterator<Item = &'d Draft>) -> Self {
        let (mut any, mut zero, mut past) = (false, false, false);
        for draft in drafts {
            for number in numbers_in(&draft.answer) {
                any = true;
                zero |= number == 0;
                past |= usize::try_from(number).is_ok_and(|n| n == filled(&draft.choices));
            }
        }
        match (any, past && !zero) {
            (false, _) => Self::None,
            (true, true) => Self::FromOne,
            (true, false) => Self::FromZero,
        }
    }

    /// The note for the user about this.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::FromZero => {
                Some("Answers that are numbers were read as counting the choices from 0.")
            }
            Self::FromOne => {
                Some("Answers that are numbers were read as counting the choices from 1.")
            }
        }
    }

    fn place(self, number: i64, choices: usize) -> Result<usize, String> {
        let first = i64::from(self == Self::FromOne);
        usize::try_from(number - first)
            .ok()
            .filter(|place| *place < choices)
            .ok_or_else(|| {
                format!("The answer is number {number}, and there are {choices} choices.")
            })
    }
}

/// How many choices there are without the empty cells behind them.
fn filled(choices: &[String]) -> usize {
    let last = choices.iter().rposition(|choice| !choice.trim().is_empty());
    last.map_or(0, |last| last + 1)
}

/// The numbers in an answer, which may be places.
fn numbers_in(given: &Given) -> Vec<i64> {
    match given {
        Given::Number(number) => vec![*number],
        Given::Text(text) => parts(text)
            .iter()
            .filter_map(|part| part.parse().ok())
            .collect(),
        Given::Many(many) => many.iter().flat_map(numbers_in).collect(),
        Given::Nothing | Given::Other(_) => Vec::new(),
    }
}

/// The places of the right choices, in ascending order.
///
/// `choices` must have been folded by [`alike`].
pub(super) fn places(
    given: &Given,
    choices: &[String],
    lettered: bool,
    numbers: Numbers,
) -> Result<Vec<usize>, String> {
    let mut found = BTreeSet::new();
    match given {
        Given::Nothing => return Err("It has no right answer.".to_owned()),
        Given::Other(what) => {
            return Err(format!(
                "The answer is neither letter, number nor text: {what}."
            ));
        }
        Given::Number(number) => {
            found.extend(one_reading(
                &number.to_string(),
                [
                    Some(numbers.place(*number, choices.len()).map(|at| vec![at])),
                    text(&number.to_string(), choices).map(Ok),
                ],
            )?);
        }
        Given::Text(written) => {
            let written = alike(written);
            if written.is_empty() {
                return Err("It has no right answer.".to_owned());
            }
            let by_letter = letters(&written, choices.len());
            let whole = text(&written, choices).map(Ok);
            let by_number = numbers_of(&written, choices.len(), numbers);
            if lettered && by_letter.as_ref().is_some_and(Result::is_ok) {
                found.extend(by_letter.into_iter().flatten().flatten());
            } else {
                found.extend(one_reading(&written, [by_letter, by_number, whole])?);
            }
        }
        Given::Many(many) => {
            if many.is_empty() {
                return Err("It has no right answer.".to_owned());
            }
            for one in many {
                found.extend(places(one, choices, lettered, numbers)?);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// The reading that applies. It is an error if there is none, or if two readings lead to different choices.
fn one_reading<const N: usize>(
    written: &str,
    readings: [Option<Result<Vec<usize>, String>>; N],
) -> Result<Vec<usize>, String> {
    let readings: Vec<Result<Vec<usize>, String>> = readings.into_iter().flatten().collect();
    let good: BTreeSet<&Vec<usize>> = readings.iter().filter_map(|r| r.as_ref().ok()).collect();
    match (good.len(), good.first()) {
        (1, Some(one)) => Ok((*one).clone()),
        (0, _) => match readings.into_iter().find_map(Result::err) {
            Some(reason) => Err(reason),
            None => Err(format!(
                "The answer “{}” is none of its choices.",
                short(written)
            )),
        },
        _ => Err(format!(
            "The answer “{}” means one choice by its place and another by its text; say it by a letter.",
            short(written)
        )),
    }
}

/// By the choice's own words.
fn text(written: &str, choices: &[String]) -> Option<Vec<usize>> {
    let at = choices.iter().position(|choice| choice == written);
    at.map(|at| vec![at])
}

/// Reads answers that are given as letters: `B`, `b`, `ABD`, `A, B`, `(C)`. Capitals without a sign between them are
/// several answers. Small letters are several answers only with a sign between them, because together they could be a
/// word.
fn letters(written: &str, choices: usize) -> Option<Result<Vec<usize>, String>> {
    let mut found = Vec::new();
    for part in parts(written) {
        let together = part.len() == 1 || part.chars().all(|c| c.is_ascii_uppercase());
        if part.is_empty() || !together || !part.chars().all(|c| c.is_ascii_alphabetic()) {
            return None;
        }
        for c in part.chars() {
            let at = usize::from(c.to_ascii_uppercase() as u8 - b'A');
            if found.contains(&at) {
                return None;
            }
            found.push(at);
        }
    }
    if found.is_empty() {
        return None;
    }
    match found.iter().find(|at| **at >= choices) {
        Some(beyond) => Some(Err(format!(
            "The answer is {}, and there are {choices} choices.",
            letter(*beyond)
        ))),
        None => Some(Ok(found)),
    }
}

/// By numbers: `2`, `1, 3`.
fn numbers_of(
    written: &str,
    choices: usize,
    numbers: Numbers,
) -> Option<Result<Vec<usize>, String>> {
    let all: Option<Vec<i64>> = parts(written)
        .iter()
        .map(|part| part.parse().ok())
        .collect();
    let all = all.filter(|all| !all.is_empty())?;
    Some(all.into_iter().map(|n| numbers.place(n, choices)).collect())
}

/// The parts between the separators, without brackets and full stops around them.
fn parts(written: &str) -> Vec<String> {
    written
        .split(|c: char| BETWEEN.contains(&c) || c.is_whitespace())
        .map(|part| {
            part.trim_matches(|c: char| !c.is_alphanumeric() && c != '-')
                .to_owned()
        })
        .filter(|part| !part.is_empty())
        .collect()
}

fn short(written: &str) -> String {
    const SHOWN: usize = 60;
    let mut text: String = written.chars().take(SHOWN).collect();
    if written.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}

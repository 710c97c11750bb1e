//! Spellings of one word: typed wrongly, and British or American.

use crate::lists::{Pair, Word};
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Endings and words, British and American.
    SPELLINGS: Vec<Pair> = "english/spellings.txt";
    /// Words that are no slips.
    NO_SLIPS: HashSet<Word> = "english/no_slips.txt";
    /// Pieces of words that are the only difference between two words.
    TOLD_APART: Vec<Pair> = "english/told_apart.txt";
}

/// A shorter word has too many others a letter away from it.
const SHORTEST: usize = 6;
/// From this length on two letters may be wrong.
const LONG: usize = 10;
/// In a word of this length or longer, a typing mistake may replace any letter by any other. In a shorter word it may
/// only replace a vowel by another vowel. So "lender" is not a mistyped "leader": "n" is not a vowel.
const WITH_ANOTHER_LETTER: usize = 8;
/// An ending is changed only where this much of a word is before it.
const STEM: usize = 3;

/// The number of typing mistakes by which one word becomes another; both are in lower case. `None` if the difference is
/// not a typing mistake. Two neighbouring letters in the wrong order are one mistake. A different last letter is not a
/// mistake, because it makes another form of the word ("insurer", "insured").
pub fn slips(typed: &str, meant: &str) -> Option<usize> {
    let plain = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase());
    if typed.len() < SHORTEST
        || typed.len().abs_diff(meant.len()) > 2
        || typed.as_bytes().first() != meant.as_bytes().first()
        || !plain(typed)
        || !plain(meant)
        || is_no_slip(typed)
    {
        return None;
    }
    let most = if typed.len() >= LONG { 2 } else { 1 };
    let slips = distance(typed.as_bytes(), meant.as_bytes());
    let is_slip = (1..=most).contains(&slips)
        && !differ_at_the_end(typed, meant)
        && !are_told_apart(typed, meant)
        && (typed.len() >= WITH_ANOTHER_LETTER || !has_another_sound(typed, meant));
    is_slip.then_some(slips)
}

/// The other spellings of a word, in lower case: "organisation" for "organization", "behaviour" for "behavior". Some of
/// the results are not words.
pub fn others(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let mut others: Vec<String> = Vec::new();
    for (british, american) in SPELLINGS.iter() {
        for (from, to) in [(british, american), (american, british)] {
            let Some(stem) = word.strip_suffix(from) else {
                continue;
            };
            let other = format!("{stem}{to}");
            let whole = stem.is_empty() || stem.chars().count() >= STEM;
            if whole && other != word && !others.contains(&other) {
                others.push(other);
            }
        }
    }
    others
}

/// Whether a word, or its basic form, is in the list of words that are not typing mistakes: "contracts", "expended".
fn is_no_slip(typed: &str) -> bool {
    let forms = ["", "s", "d", "ed", "ing"].into_iter();
    let mut stems = forms.filter_map(|form| typed.strip_suffix(form));
    stems.any(|stem| NO_SLIPS.contains(stem))
}

/// Whether two words differ only in a part that makes them mean different things: "employers" and "employees",
/// "hypertension" and "hypotension".
fn are_told_apart(typed: &str, meant: &str) -> bool {
    let becomes = |from: &str, to: &str| {
        let mut places = typed.match_indices(from);
        places.any(|(at, from)| {
            let (before, after) = (&typed[..at], &typed[at + from.len()..]);
            let rest = meant.strip_prefix(before).and_then(|m| m.strip_prefix(to));
            rest == Some(after)
        })
    };
    TOLD_APART
        .iter()
        .any(|(one, other)| becomes(one, other) || becomes(other, one))
}

/// Whether two words differ in nothing but the last letter of one of them.
fn differ_at_the_end(one: &str, other: &str) -> bool {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    same.count() + 1 >= one.len().max(other.len())
}

/// Whether two words of one length differ in one letter, which is not a vowel in both.
fn has_another_sound(one: &str, other: &str) -> bool {
    let is_vowel = |letter: u8| b"aeiouy".contains(&letter);
    let mut differing = one.bytes().zip(other.bytes()).filter(|(a, b)| a != b);
    let first = differing.next();
    one.len() == other.len()
        && differing.next().is_none()
        && first.is_some_and(|(a, b)| !is_vowel(a) || !is_vowel(b))
}

/// How many letters are to be changed, left out, added or swapped with their neighbour to make one word of the other.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_word() {
        for (typed, meant, expected) in [
            ("notifcation", "notification", Some(1)),
            ("protction", "protection", Some(1)),
            ("recieve", "receive", Some(1)),
            ("breech", "breach", Some(1)),
            ("processer", "processor", Some(1)),
            ("comittment", "commitment", Some(2)),
            ("berths", "berths", None),
            // Other forms, and other words.
            ("insurer", "insured", None),
            ("director", "directory", None),
            ("lending", "leading", None),
            ("fairing", "failing", None),
            ("personnel", "personal", None),
            ("complaint", "compliant", None),
            ("employers", "employees", None),
            ("franchisor", "franchisee", None),
            ("interstate", "intrastate", None),
            ("maximising", "minimising", None),
            ("hypertension", "hypotension", None),
            ("macroprudential", "microprudential", None),
            ("supervisor", "supervised", None),
            ("contracts", "contacts", None),
            ("expended", "extended", None),
            ("infections", "injections", None),
            // Too short, too far, another beginning.
            ("fien", "fine", None),
            ("notfcaton", "notification", None),
            ("protection", "detection", None),
            ("vessél", "vessel", None),
        ] {
            assert_eq!(slips(typed, meant), expected, "{typed}: {meant}");
        }
    }

    #[test]
    fn british_and_american_are_one() {
        for (word, other) in [
            ("Organization", "organisation"),
            ("authorised", "authorized"),
            ("behavior", "behaviour"),
            ("licence", "license"),
            ("centre", "center"),
            ("programme", "program"),
            ("analyzing", "analysing"),
        ] {
            assert!(others(word).contains(&other.to_owned()), "{word}");
            assert!(others(other).contains(&word.to_lowercase()), "{other}");
        }
        assert!(others("for").is_empty() && others("berth").is_empty());
    }
}

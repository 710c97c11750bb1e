//! Finds out which small capitals of a heading stand for small letters. Roman numerals and abbreviations must stay
//! capitals. An abbreviation is recognised because the document writes it in capitals elsewhere. If it occurs nowhere
//! else, it is recognised by its brackets or because it has no vowel.

use crate::layout::Line;
use lexforge_text::numerals::roman;
use std::collections::HashMap;
use std::ops::Range;

/// The evidence in a document about words in capitals.
#[derive(Default)]
pub struct SmallLetters {
    /// For each word (in small letters): how often it is written in capitals and how often not. Only lines that contain
    /// small letters are counted.
    counts: HashMap<String, (usize, usize)>,
}

impl SmallLetters {
    /// The evidence in the lines of a document.
    pub fn of(lines: &[Line]) -> Self {
        let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
        if lines.iter().all(|line| line.small.is_empty()) {
            return Self { counts };
        }
        // A heading in capitals tells nothing of its words.
        let mixed = |line: &&Line| line.chars.iter().any(|c| c.ch.is_lowercase());
        for line in lines.iter().filter(mixed) {
            for word in words(line) {
                let text: String = line.chars[word].iter().map(|c| c.ch).collect();
                let count = counts.entry(text.to_lowercase()).or_default();
                if text.chars().all(char::is_uppercase) {
                    count.0 += 1;
                } else {
                    count.1 += 1;
                }
            }
        }
        Self { counts }
    }

    /// The places of the small capitals of a line that stand for small letters.
    pub fn places(&self, line: &Line) -> Vec<usize> {
        let stays = |word: &Range<usize>| {
            let text: String = line.chars[word.clone()].iter().map(|c| c.ch).collect();
            let abbreviation = match self.counts.get(&text.to_lowercase()) {
                Some((capitals, others)) => capitals > others,
                None => in_brackets(line, word) || spelled(&text),
            };
            abbreviation || roman(&text).is_some()
        };
        let mut places = line.small.clone();
        for word in words(line).into_iter().filter(stays) {
            places.retain(|at| !word.contains(at));
        }
        places
    }
}

/// Most letters of an abbreviation that only its brackets tell.
const LETTERS: usize = 6;

/// Whether brackets enclose this short word alone: `(GDPR)`.
fn in_brackets(line: &Line, word: &Range<usize>) -> bool {
    let at = |place: Option<usize>| place.and_then(|at| line.chars.get(at)).map(|c| c.ch);
    let before = at(word.start.checked_sub(1));
    let enclosed = before.is_some_and(|c| "([（".contains(c))
        && at(Some(word.end)).is_some_and(|c| ")]）".contains(c));
    enclosed && word.len() <= LETTERS
}

/// Whether a word of three letters and more is spelled letter by letter, as it has no vowel.
fn spelled(word: &str) -> bool {
    let ascii = word.chars().all(|c| c.is_ascii_alphabetic());
    ascii && word.len() >= 3 && !word.chars().any(|c| "AEIOUYaeiouy".contains(c))
}

/// The runs of letters of a line.
fn words(line: &Line) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in line.chars.iter().enumerate() {
        if !c.ch.is_alphabetic() {
            continue;
        }
        match words.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end = at + 1,
            None => words.push(at..at + 1),
        }
    }
    words
}

/// The small letter that a small capital stands for, where that is one character.
pub(crate) fn small_letter(capital: char) -> char {
    let mut letters = capital.to_lowercase();
    letters
        .next()
        .filter(|_| letters.next().is_none())
        .unwrap_or(capital)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_and_abbreviations_stay_in_capitals() {
        // The large letters of the heading are its capitals here.
        for (heading, text, expected) in [
            (
                "Title Ii \u{2013} Gdpr",
                "Banks follow the GDPR.",
                "Title II \u{2013} GDPR",
            ),
            (
                "Title Ii \u{2013} Gdpr",
                "LIMITS OF THE GDPR",
                "Title II \u{2013} GDPR",
            ),
            (
                "Title Ii \u{2013} Emir",
                "LIMITS OF THE EMIR",
                "Title II \u{2013} Emir",
            ),
            (
                "Civil Law (Eba, Draft)",
                "no word of it",
                "Civil Law (Eba, Draft)",
            ),
            ("Banking (Eba)", "no word of it", "Banking (EBA)"),
            ("Banking (Draft)", "a draft of it", "Banking (Draft)"),
            ("Banking (Excerpts)", "no word of it", "Banking (Excerpts)"),
            (
                "Use of It",
                "Banks of ICT use it and IT: if it fails",
                "Use of It",
            ),
            ("Use of It", "IT risk is a risk of IT.", "Use of IT"),
            (
                "Civil Law (Part Iv)",
                "no word of it",
                "Civil Law (Part IV)",
            ),
        ] {
            let mut head = Line::plain(1, 0, &heading.to_uppercase());
            let chars = heading.chars().enumerate();
            head.small = chars.filter(|c| c.1.is_lowercase()).map(|c| c.0).collect();
            let lines = [head, Line::plain(1, 1, text)];
            let places = SmallLetters::of(&lines).places(&lines[0]);
            let chars = lines[0].chars.iter().enumerate();
            let read: String = chars
                .map(|(at, c)| {
                    if places.contains(&at) {
                        small_letter(c.ch)
                    } else {
                        c.ch
                    }
                })
                .collect();
            assert_eq!(read, expected, "{text}");
        }
    }
}

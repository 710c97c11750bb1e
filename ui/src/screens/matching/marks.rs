//! Finds the words that differ in a text.

use lexforge_text::numerals::english;

/// A stretch of a text (in Unicode scalar values) with the number of its difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first scalar value.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The number of the difference, from 1.
    pub number: usize,
}

/// The places in a text where the words of `wanted` occur; each entry has the number of a difference and its words.
/// Only whole words, or words that begin with the given words, are found. A place that overlaps one found before is
/// left out.
pub fn marks(text: &str, wanted: &[(usize, String)]) -> Vec<Mark> {
    let chars = folded(text);
    let mut found: Vec<Mark> = Vec::new();
    for (number, words) in wanted {
        let needle = folded(words.trim());
        let written = || figure_place(&chars, &needle, &found);
        if let Some((start, end)) = place(&chars, &needle, &found).or_else(written) {
            found.push(Mark {
                start,
                end,
                number: *number,
            });
        }
    }
    found.sort_by_key(|mark| mark.start);
    found
}

/// The text cut at its marks: each piece with the number of its difference, if it has one.
pub fn cut(text: &str, marks: &[Mark]) -> Vec<(String, Option<usize>)> {
    let chars: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| -> String { chars[from..to].iter().collect() };
    let mut pieces = Vec::new();
    let mut at = 0;
    for mark in marks {
        if mark.start > at {
            pieces.push((part(at, mark.start), None));
        }
        pieces.push((part(mark.start, mark.end), Some(mark.number)));
        at = mark.end;
    }
    if at < chars.len() {
        pieces.push((part(at, chars.len()), None));
    }
    pieces
}

/// The place of a figure in a text, which may write the figure as a word. For "1 working day", the word "one" in "one
/// business day" is found. The number of a paragraph in brackets does not count.
fn figure_place(text: &[char], needle: &[char], taken: &[Mark]) -> Option<(usize, usize)> {
    let figure: String = needle.iter().take_while(|c| c.is_ascii_digit()).collect();
    let value: u32 = figure.parse().ok()?;
    let ends = |c: &char| !c.is_alphanumeric() && *c != '-';
    let mut from = 0;
    while from < text.len() {
        let length = text[from..].iter().position(ends);
        let to = length.map_or(text.len(), |length| from + length);
        let word: String = text[from..to].iter().collect();
        let label = text.get(to) == Some(&')');
        let free = taken.iter().all(|t| to <= t.start || t.end <= from);
        if free && !label && (word == figure || english(&word) == Some(value)) {
            return Some((from, to));
        }
        from = to + 1;
    }
    None
}

/// One scalar value for each, so that places stay.
fn folded(text: &str) -> Vec<char> {
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    text.chars().map(lower).collect()
}

fn place(text: &[char], needle: &[char], taken: &[Mark]) -> Option<(usize, usize)> {
    let (first, last) = (needle.first()?, needle.last()?);
    let in_word = |at: usize| text.get(at).is_some_and(|c| c.is_ascii_alphanumeric());
    let starts = 0..(text.len() + 1).checked_sub(needle.len())?;
    starts
        .filter(|from| text[*from..].starts_with(needle))
        .filter(|from| !first.is_ascii_alphanumeric() || *from == 0 || !in_word(from - 1))
        .map(|from| {
            let mut end = from + needle.len();
            // A word may go on: "classify" is found in "classifying". A figure may not.
            while last.is_ascii_alphabetic() && in_word(end) {
                end += 1;
            }
            (from, end)
        })
        .filter(|(_, end)| !(last.is_ascii_digit() && in_word(*end)))
        .find(|(from, end)| taken.iter().all(|t| *end <= t.start || t.end <= *from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_once() {
        for (text, words, expected) in [
            ("The firm shall act.", "Shall", Some((9, 14))),
            ("marshalled, it shall", "shall", Some((15, 20))),
            ("within 24 hours", "4", None),
            ("within 4 hours", "4", Some((7, 8))),
            ("in 24 hours or 4", "4", Some((15, 16))),
            ("It is classifying", "classify", Some((6, 17))),
            ("应当在二十四小时内报告", "二十四小时", Some((3, 8))),
            ("within one business day", "1 working day", Some((7, 10))),
            (
                "(1) It acts within one working day",
                "1 business day",
                Some((19, 22)),
            ),
            ("within Four hours", "4 hour", Some((7, 11))),
            ("within 3 business days", "3 working day", Some((7, 8))),
            ("nothing", "", None),
        ] {
            let found = marks(text, &[(1, words.to_owned())]);
            let place = found.first().map(|m| (m.start, m.end));
            assert_eq!(place, expected, "{words} in {text}");
        }
    }

    #[test]
    fn what_is_marked_twice_is_marked_for_the_first() {
        let found = marks(
            "shall act within four hours",
            &[
                (1, "four hours".to_owned()),
                (2, "hours".to_owned()),
                (3, "shall".to_owned()),
            ],
        );
        let pieces = cut("shall act within four hours", &found);
        let want = [
            ("shall", Some(3)),
            (" act within ", None),
            ("four hours", Some(1)),
        ];
        assert_eq!(pieces, want.map(|(piece, n)| (piece.to_owned(), n)));
    }
}

//! Small capitals that are drawn as capitals in a smaller size, as most programs that write texts draw them.

use super::line::Line;
use crate::reader::Glyph;

/// Small capitals have this share of the size of the capitals beside them.
const SHARE: std::ops::RangeInclusive<f32> = 0.6..=0.92;
/// Letters of one size differ by less than this share.
const SAME: f32 = 0.04;
/// Fewest small capitals of a line.
const FEWEST: usize = 3;
/// Shorter words, such as `of`, may begin small.
const WORD: usize = 4;
/// Small capitals stand on the line of the others, within this share of their size. Subscripts stand lower.
const LEVEL: f32 = 0.05;

/// Marks the letters of a line that are small capitals. In such a line all letters are capitals, in two sizes on one
/// baseline, and the larger ones begin words. `glyphs` holds the characters of the line in order.
pub fn mark<'a>(line: &mut Line, glyphs: impl Iterator<Item = &'a Glyph>) {
    let drawn = glyphs.filter(|g| g.ch != ' ').map(|g| (g.size, g.y));
    let places = (0..line.chars.len()).filter(|&at| line.chars[at].ch != ' ');
    let (letters, heights): (Vec<(usize, f32)>, Vec<f32>) = places
        .zip(drawn)
        .filter(|&(at, _)| line.chars[at].ch.is_alphabetic())
        .map(|(at, (size, height))| ((at, size), height))
        .unzip();
    let large = letters.iter().map(|l| l.1).fold(0.0, f32::max);
    let small: Vec<(usize, f32)> = letters
        .iter()
        .copied()
        .filter(|l| SHARE.contains(&(l.1 / large.max(0.1))))
        .collect();
    let Some(&(_, size)) = small.first().filter(|_| small.len() >= FEWEST) else {
        return;
    };
    let capitals = letters.iter().all(|l| line.chars[l.0].ch.is_uppercase());
    let is = |length: f32, of: f32| (length - of).abs() <= SAME * of;
    let two = letters.iter().all(|l| is(l.1, large) || is(l.1, size));
    // Inside of a word no larger letter stands behind a smaller one.
    let ordered = letters
        .windows(2)
        .all(|w| w[0].0 + 1 != w[1].0 || w[1].1 < w[0].1 * (1.0 + SAME));
    let highest = heights.iter().copied().fold(f32::MAX, f32::min);
    let lowest = heights.iter().copied().fold(f32::MIN, f32::max);
    let level = lowest - highest <= LEVEL * large;
    let small: Vec<usize> = small.into_iter().map(|(at, _)| at).collect();
    if capitals && two && ordered && level && begins_large(line, &small) {
        line.small = small;
    }
}

/// Whether at least half of the words with small capitals begin with a larger letter. Otherwise the smaller capitals
/// are separate words in a smaller size and not small capitals.
fn begins_large(line: &Line, small: &[usize]) -> bool {
    let is_small = |at: &usize| small.binary_search(at).is_ok();
    let places: Vec<usize> = (0..line.chars.len()).collect();
    let words: Vec<Vec<usize>> = places
        .split(|&at| line.chars[at].ch == ' ')
        .map(|word| word.iter().copied())
        .map(|word| {
            word.filter(|&at| line.chars[at].ch.is_alphabetic())
                .collect()
        })
        .filter(|word: &Vec<usize>| word.iter().any(is_small))
        .collect();
    let is_long = |word: &&Vec<usize>| word.len() >= WORD;
    let begin_large = |words: &[&Vec<usize>]| {
        let large = words.iter().filter(|word| !is_small(&word[0])).count();
        large * 2 >= words.len()
    };
    let long: Vec<&Vec<usize>> = words.iter().filter(is_long).collect();
    if long.is_empty() {
        return begin_large(&words.iter().collect::<Vec<_>>());
    }
    begin_large(&long)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of small capitals in a text whose small letters stand for them.
    fn marked(text: &str, share: f32) -> Vec<usize> {
        lowered(text, share, 0.0)
    }

    /// The same where the small letters stand this much lower.
    fn lowered(text: &str, share: f32, lower: f32) -> Vec<usize> {
        let mut line = Line::plain(1, 0, &text.to_uppercase());
        if share > 1.0 {
            line = Line::plain(1, 0, text);
        }
        let glyphs: Vec<Glyph> = text
            .chars()
            .map(|ch| Glyph {
                ch,
                x: 0.0,
                y: if ch.is_lowercase() { lower } else { 0.0 },
                advance: 1.0,
                size: if ch.is_lowercase() {
                    12.0 * share.min(1.0)
                } else {
                    12.0
                },
                turn: 0,
                vertical: false,
                bold: false,
                italic: false,
                capital: false,
            })
            .collect();
        mark(&mut line, glyphs.iter());
        line.small
    }

    #[test]
    fn capitals_in_two_sizes_are_small_capitals() {
        assert_eq!(marked("Use of EU-wide", 0.8), [1, 2, 4, 5, 10, 11, 12, 13]);
        for (text, share, why) in [
            ("Use of Limits", 1.0, "one size"),
            ("Use of Limits", 0.4, "too small"),
            ("Use of Limits", 2.0, "small letters"),
            ("uSE OF liMITS", 0.8, "larger inside of words"),
            ("EU Limit of IT", 0.99, "no difference"),
            ("ABc", 0.8, "too few"),
            (
                "ARTICLE 5 eba reporting under gdpr",
                0.8,
                "words in another size",
            ),
            ("EU: use of it", 0.8, "short words in another size"),
            ("Title of acts on banks", 0.8, "most words begin small"),
        ] {
            assert!(marked(text, share).is_empty(), "{why}");
        }
        assert!(!marked("Title of Acts on banks", 0.8).is_empty());
    }

    #[test]
    fn capitals_below_the_line_are_subscripts() {
        for (lower, count) in [(0.2, 3), (1.5, 0), (-1.5, 0)] {
            assert_eq!(lowered("REAcva", 0.8, lower).len(), count, "{lower}");
        }
    }
}

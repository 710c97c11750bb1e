//! Small capitals that are drawn as capitals in a smaller size, as most programs that write texts draw them.

use super::line::Line;
use crate::reader::Glyph;

/// Small capitals have this share of the size of the capitals beside them.
const SHARE: std::ops::RangeInclusive<f32> = 0.6..=0.92;
/// Letters of one size differ by less than this share.
const SAME: f32 = 0.04;
/// Fewest small capitals of a line.
const FEWEST: usize = 3;

/// Notes which letters of a line are small capitals. `glyphs` are its characters in their order. All letters of such a
/// line are capitals in two sizes, and the larger ones begin words.
pub fn mark<'a>(line: &mut Line, glyphs: impl Iterator<Item = &'a Glyph>) {
    let sizes = glyphs.filter(|g| g.ch != ' ').map(|g| g.size);
    let places = (0..line.chars.len()).filter(|&at| line.chars[at].ch != ' ');
    let letters: Vec<(usize, f32)> = places
        .zip(sizes)
        .filter(|&(at, _)| line.chars[at].ch.is_alphabetic())
        .collect();
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
    if capitals && two && ordered {
        line.small = small.into_iter().map(|(at, _)| at).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of small capitals in a text whose small letters stand for them.
    fn marked(text: &str, share: f32) -> Vec<usize> {
        let mut line = Line::plain(1, 0, &text.to_uppercase());
        if share > 1.0 {
            line = Line::plain(1, 0, text);
        }
        let glyphs: Vec<Glyph> = text
            .chars()
            .map(|ch| Glyph {
                ch,
                x: 0.0,
                y: 0.0,
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
        ] {
            assert!(marked(text, share).is_empty(), "{why}");
        }
    }
}

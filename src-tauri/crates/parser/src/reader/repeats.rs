//! Text drawn twice to look bold.
//!
//! Word processors and web printers imitate a bold face by drawing the same string again with a tiny shift. The second
//! drawing is dropped, and the first is marked bold.

use super::Glyph;
use std::collections::HashMap;

/// How many earlier places of the same character are remembered.
const REMEMBERED: usize = 16;
/// Distance, in font sizes, within which the same character counts as drawn again.
const NEAR: f32 = 0.12;

/// Collects glyphs of one page and drops those drawn again.
#[derive(Default)]
pub struct Repeats {
    seen: HashMap<char, ([u32; REMEMBERED], u8)>,
}

impl Repeats {
    /// Adds a glyph unless it repeats an earlier one, which is then marked bold.
    pub fn push(&mut self, glyphs: &mut Vec<Glyph>, glyph: Glyph) {
        if glyph.ch == ' ' {
            glyphs.push(glyph);
            return;
        }
        let near = NEAR * glyph.size;
        let (places, count) = self.seen.entry(glyph.ch).or_insert(([0; REMEMBERED], 0));
        for place in places.iter().take(usize::from(*count).min(REMEMBERED)) {
            let earlier = &mut glyphs[*place as usize];
            let same_place =
                (earlier.x - glyph.x).abs() < near && (earlier.y - glyph.y).abs() < near;
            if same_place && (earlier.size - glyph.size).abs() < 0.2 * glyph.size {
                earlier.bold = true;
                return;
            }
        }
        let slot = usize::from(*count) % REMEMBERED;
        places[slot] = u32::try_from(glyphs.len()).unwrap_or(u32::MAX);
        *count = if usize::from(*count) + 1 >= 2 * REMEMBERED {
            REMEMBERED as u8
        } else {
            *count + 1
        };
        glyphs.push(glyph);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(ch: char, x: f32) -> Glyph {
        Glyph {
            ch,
            x,
            y: 100.0,
            advance: 10.0,
            size: 10.0,
            turn: 0,
            vertical: false,
            bold: false,
            italic: false,
            capital: false,
        }
    }

    #[test]
    fn the_second_drawing_goes_and_the_first_is_bold() {
        let (mut glyphs, mut repeats) = (Vec::new(), Repeats::default());
        for (ch, x) in [
            ('第', 0.0),
            ('一', 10.0),
            ('第', 0.4),
            ('一', 10.4),
            ('一', 20.0),
        ] {
            repeats.push(&mut glyphs, glyph(ch, x));
        }
        let kept: Vec<(char, bool)> = glyphs.iter().map(|g| (g.ch, g.bold)).collect();
        assert_eq!(kept, [('第', true), ('一', true), ('一', false)]);
    }

    #[test]
    fn a_long_line_of_one_character_is_kept() {
        let (mut glyphs, mut repeats) = (Vec::new(), Repeats::default());
        for i in 0..100 {
            repeats.push(&mut glyphs, glyph('.', 3.0 * i as f32));
        }
        assert_eq!(glyphs.len(), 100);
    }
}

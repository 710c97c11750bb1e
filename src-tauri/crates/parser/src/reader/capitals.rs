//! Capitals that a font's own map to characters takes for small letters.
//!
//! In some fonts the byte of a capital and the byte of the small letter both stand for the small letter. Two glyphs then
//! have one meaning, and what is drawn for the capital's byte is the capital. The character stays what the map says, since
//! this is what a search in the file finds; the glyph is marked.

use super::Glyph;
use super::faces::Face;
use std::collections::HashMap;

/// What a document tells of its letters.
#[derive(Default)]
pub struct Capitals {
    /// How often the byte of a small letter stood for it, by the look of the font.
    small: HashMap<(bool, bool, char), usize>,
    /// Glyphs of the page whose byte is that of the capital.
    doubtful: Vec<(usize, (bool, bool, char))>,
}

impl Capitals {
    /// Takes in a character, its byte, and its place among the glyphs of its page.
    pub fn take(&mut self, code: u32, ch: char, face: Face, place: usize) {
        if !ch.is_ascii_lowercase() {
            return;
        }
        let key = (face.bold, face.italic, ch);
        if code == u32::from(ch) {
            *self.small.entry(key).or_default() += 1;
        } else if code == u32::from(ch.to_ascii_uppercase()) {
            self.doubtful.push((place, key));
        }
    }

    /// Marks the capitals of a page.
    pub fn mark(&mut self, glyphs: &mut [Glyph]) {
        let doubtful = std::mem::take(&mut self.doubtful);
        let mut counts: HashMap<(bool, bool, char), usize> = HashMap::new();
        for (_, key) in &doubtful {
            *counts.entry(*key).or_default() += 1;
        }
        for (place, key) in doubtful {
            // More capitals than small letters: the bytes of the font mean something else.
            let small = self.small.get(&key).copied().unwrap_or_default();
            if counts.get(&key).is_some_and(|capitals| *capitals <= small)
                && let Some(glyph) = glyphs.get_mut(place)
            {
                glyph.capital = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the bytes of a text are read as, where those of some capitals stand for small letters.
    fn read(text: &str, small: &str) -> String {
        let mut capitals = Capitals::default();
        let mut glyphs = Vec::new();
        for (place, code) in text.chars().enumerate() {
            let ch = if small.contains(code) {
                code.to_ascii_lowercase()
            } else {
                code
            };
            capitals.take(u32::from(code), ch, Face::default(), place);
            glyphs.push(Glyph {
                ch,
                x: 0.0,
                y: 0.0,
                advance: 5.0,
                size: 10.0,
                turn: 0,
                vertical: false,
                bold: false,
                italic: false,
                capital: false,
            });
        }
        capitals.mark(&mut glyphs);
        let shown = |g: &Glyph| {
            if g.capital {
                g.ch.to_ascii_uppercase()
            } else {
                g.ch
            }
        };
        glyphs.iter().map(shown).collect()
    }

    #[test]
    fn the_byte_of_a_capital_stands_for_the_capital() {
        let text = "No bank in Norway lends more than another one.";
        assert_eq!(read(text, "N"), text);
        // Nothing shows that the small letter has a byte of its own.
        assert_eq!(read("NOTE", "N"), "nOTE");
        // More capitals than small letters: the bytes are not those of letters.
        assert_eq!(read("NaNd, and", "N"), "nand, and");
    }
}

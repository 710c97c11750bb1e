//! Weight and slope of the standard fonts. A file that names one of them (Helvetica, Times, Arial-BoldMT) need not hold it; its
//! glyphs then come from a font of the reader's own, and tell nothing else of how they look.

use hayro_font::{Font, FontCache, FontGlyph};
use hayro_interpret as hi;
use hi::font::{OutlineGlyph, StandardFont};

/// How a font looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
}

/// The standard fonts that are bold or italic.
pub struct StandardFaces(Vec<(Font<'static>, Face)>);

impl StandardFaces {
    /// Loads them.
    pub fn load() -> Self {
        use StandardFont as S;
        let resolver = hi::InterpreterSettings::default().font_resolver;
        let fonts = FontCache::new();
        let looks = [
            (S::HelveticaBold, true, false),
            (S::HelveticaOblique, false, true),
            (S::HelveticaBoldOblique, true, true),
            (S::TimesBold, true, false),
            (S::TimesItalic, false, true),
            (S::TimesBoldItalic, true, true),
            (S::CourierBold, true, false),
            (S::CourierOblique, false, true),
            (S::CourierBoldOblique, true, true),
        ];
        let loaded = looks.into_iter().filter_map(|(font, bold, italic)| {
            let font = fonts.standard_font(font, &resolver)?;
            Some((font, Face { bold, italic }))
        });
        Self(loaded.collect())
    }

    /// The look of a glyph: that of the font whose glyph of this number is the same.
    pub fn of(&self, glyph: &OutlineGlyph) -> Face {
        let known = glyph.identifier();
        let same = |font: &Font<'static>| match font.glyph(glyph.glyph_id(), glyph.char_code()) {
            FontGlyph::Outline(outline) => outline.identifier() == known,
            FontGlyph::Type3(_) => false,
        };
        let found = self.0.iter().find(|(font, _)| same(font));
        found.map_or(Face::default(), |(_, face)| *face)
    }
}

//! Finds out whether a font is bold or slanted if its glyphs do not show this. There are two kinds of such fonts. The
//! standard fonts (Helvetica, Times, Arial-BoldMT) are named by a file, but need not be contained in it. For Type 1
//! fonts in the file, name and weight are only in the file's description of the font.

use hayro_font::{Font, FontCache, FontGlyph};
use hayro_interpret as hi;
use hayro_syntax::object::{Dict, Name, ObjectIdentifier, Stream};
use hayro_syntax::page::Resources;
use hi::font::{OutlineGlyph, StandardFont};
use std::collections::HashSet;

/// Weight from which on a font is bold.
const BOLD: f32 = 600.0;
/// Forms within forms whose fonts are looked at.
const NESTED: u8 = 3;
/// Most fonts and forms of a document that are looked at.
const MOST: usize = 2_000;

/// How a font looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    pub bold: bool,
    pub italic: bool,
}

impl Face {
    /// The look that the name of a font shows.
    pub fn named(name: &str) -> Self {
        let name = name.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|w| name.contains(w));
        // Short forms stand at the end: `Schoolbook-Bd`, `Roman9L-MediItal`.
        let end = name.rsplit(['-', ',']).next().unwrap_or_default();
        let short = end.len() < name.len()
            && (end == "b" || ["bd", "bi", "medi"].iter().any(|w| end.starts_with(w)))
            && !end.starts_with("medium");
        // The fonts of TeX: `CMBX12`, `SFBX1000`.
        let tex = name.rsplit('+').next().unwrap_or_default();
        let tex = ["cmbx", "cmb1", "sfbx", "ecbx"]
            .iter()
            .any(|w| tex.starts_with(w));
        Self {
            bold: short || tex || says(&["bold", "black", "heavy", "demi"]),
            italic: says(&["italic", "oblique"]),
        }
    }

    /// The description in a font's dictionary.
    fn described(font: &Dict<'_>) -> Self {
        let name = font.get::<Name<'_>>("BaseFont");
        let mut face = name.map_or(Self::default(), |n| Self::named(n.as_str()));
        if let Some(descriptor) = font.get::<Dict<'_>>("FontDescriptor") {
            let flags = descriptor.get::<u32>("Flags").unwrap_or_default();
            face.bold |= flags & (1 << 18) != 0
                || descriptor
                    .get::<f32>("FontWeight")
                    .is_some_and(|w| w >= BOLD);
            face.italic |= descriptor
                .get::<f32>("ItalicAngle")
                .is_some_and(|angle| angle != 0.0);
        }
        face
    }
}

/// The bold and italic ones among the fonts of a document that say nothing when their glyphs are drawn.
pub struct Faces<'a> {
    cache: FontCache<'a>,
    settings: hi::InterpreterSettings,
    seen: HashSet<ObjectIdentifier>,
    held: Vec<(Font<'a>, Face)>,
    /// Loaded for the first glyph that is of none of the fonts that the file holds.
    standard: Option<Vec<(Font<'static>, Face)>>,
}

impl<'a> Faces<'a> {
    /// None known yet.
    pub fn none() -> Self {
        Self {
            cache: FontCache::new(),
            settings: hi::InterpreterSettings::default(),
            seen: HashSet::new(),
            held: Vec::new(),
            standard: None,
        }
    }

    /// Takes in the fonts of a page, and of the forms that it draws.
    pub fn take(&mut self, resources: &Resources<'a>) {
        self.take_nested(resources, 0);
    }

    fn take_nested(&mut self, resources: &Resources<'a>, depth: u8) {
        for name in resources.fonts.keys() {
            if let Some(font) = resources.get_font(&name) {
                self.take_font(&font);
            }
        }
        if depth == NESTED {
            return;
        }
        for name in resources.x_objects.keys() {
            let Some(form) = resources.get_x_object(&name) else {
                continue;
            };
            let dict = form.dict();
            let is_form = dict
                .get::<Name<'_>>("Subtype")
                .is_some_and(|s| s.as_str() == "Form");
            if is_form
                && self.is_new(dict)
                && let Some(own) = dict.get::<Dict<'a>>("Resources")
            {
                self.take_nested(&Resources::new(own), depth + 1);
            }
        }
    }

    fn is_new(&mut self, dict: &Dict<'_>) -> bool {
        let id = dict.obj_id();
        self.seen.len() < MOST && id.is_some_and(|id| self.seen.insert(id))
    }

    fn take_font(&mut self, font: &Dict<'a>) {
        let type1 = font
            .get::<Name<'_>>("Subtype")
            .is_some_and(|s| ["Type1", "MMType1"].contains(&s.as_str()));
        if !type1 || !self.is_new(font) {
            return;
        }
        let Some(descriptor) = font.get::<Dict<'_>>("FontDescriptor") else {
            return;
        };
        let held = ["FontFile", "FontFile3"]
            .iter()
            .any(|key| descriptor.get::<Stream<'_>>(key).is_some());
        let face = Face::described(font);
        if !held || face == Face::default() {
            return;
        }
        let (fonts, maps) = (&self.settings.font_resolver, &self.settings.cmap_resolver);
        if let Some(loaded) = self.cache.font(font, fonts, maps) {
            self.held.push((loaded, face));
        }
    }

    /// The look of a glyph: that of the font whose glyph of this number is the same.
    pub fn of(&mut self, glyph: &OutlineGlyph) -> Face {
        let standard = self.standard.get_or_insert_with(standard);
        let held = found(&self.held, glyph);
        held.or_else(|| found(standard, glyph)).unwrap_or_default()
    }
}

fn found(fonts: &[(Font<'_>, Face)], glyph: &OutlineGlyph) -> Option<Face> {
    let known = glyph.identifier();
    let same = |font: &Font<'_>| match font.glyph(glyph.glyph_id(), glyph.char_code()) {
        FontGlyph::Outline(outline) => outline.identifier() == known,
        FontGlyph::Type3(_) => false,
    };
    let font = fonts.iter().find(|(font, _)| same(font));
    font.map(|(_, face)| *face)
}

/// The standard fonts that are bold or italic.
fn standard() -> Vec<(Font<'static>, Face)> {
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
    loaded.collect()
}

#[cfg(test)]
mod tests {
    use super::Face;

    #[test]
    fn names_of_fonts_say_how_they_look() {
        for (name, bold, italic) in [
            ("ABCDEF+MyriadPro-Semibold", true, false),
            ("ABCDEF+MyriadPro-BoldIt", true, false),
            ("CenturySchoolbook-Bd", true, false),
            ("NimbusRomNo9L-Medi", true, false),
            ("NimbusRomNo9L-MediItal", true, false),
            ("ABCDEF+CMBX12", true, false),
            ("Arial,BoldItalic", true, true),
            ("Univers-BlackOblique", true, true),
            ("ABCDEF+CMR10", false, false),
            ("AvenirNext-Medium", false, false),
            ("Garamond-BookItalic", false, true),
            ("B", false, false),
        ] {
            assert_eq!(Face::named(name), Face { bold, italic }, "{name}");
        }
    }
}

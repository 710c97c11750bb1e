//! Readers: they turn the bytes of a PDF into characters with places, page by page.
//!
//! Two independent engines implement [`Reader`]. The main one supplies the text. The second one is used to measure how
//! far both agree on a page ([`compare`]), and supplies the text of pages that it reads measurably better
//! ([`quality`]). Pages without a text layer are read from their image ([`ocr`]).

mod capitals;
mod clips;
pub mod compare;
mod faces;
pub mod fold;
pub mod hayro;
pub mod ink;
mod letter_pairs;
pub mod ocr;
mod outlines;
pub mod overprint;
pub mod owner;
mod patience;
pub mod pdf_extract;
pub mod quality;
pub mod repeats;
pub mod strokes;

use lexforge_domain::document::ReadEngine;
use lexforge_ingest::error::IngestError;
use std::sync::Arc;

/// A character where it stands on the page as displayed (points, origin top left).
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    /// The character, compatibility forms of letters resolved.
    pub ch: char,
    /// Origin on the baseline.
    pub x: f32,
    /// Origin on the baseline.
    pub y: f32,
    /// Advance along the direction of writing.
    pub advance: f32,
    /// Font size.
    pub size: f32,
    /// Direction of writing in quarter turns clockwise: 0 rightwards, 1 downwards, 2 leftwards, 3 upwards.
    pub turn: u8,
    /// Upright characters set from top to bottom.
    pub vertical: bool,
    /// Set in a bold font, or drawn twice to look bold.
    pub bold: bool,
    /// Set in an italic font.
    pub italic: bool,
    /// The page shows the capital of this small letter.
    pub capital: bool,
}

/// A straight line drawn on the page, level or upright (points, origin top left); its thickness is the shorter side.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Left edge.
    pub x0: f32,
    /// Upper edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Lower edge.
    pub y1: f32,
}

/// An upright rectangle of the page (points, origin top left).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x0: f32,
    /// Upper edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Lower edge.
    pub y1: f32,
}

impl Area {
    /// Width in points, never negative.
    pub fn width(&self) -> f32 {
        (self.x1 - self.x0).max(0.0)
    }

    /// Height in points, never negative.
    pub fn height(&self) -> f32 {
        (self.y1 - self.y0).max(0.0)
    }

    /// Whether a point lies in it.
    pub fn holds(&self, x: f32, y: f32) -> bool {
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }

    /// Whether two of them share more than an edge once each is `wider` points wider on every side.
    pub fn meets(&self, other: &Area, wider: f32) -> bool {
        let gap = 2.0 * wider;
        self.x0 < other.x1 + gap
            && other.x0 < self.x1 + gap
            && self.y0 < other.y1 + gap
            && other.y0 < self.y1 + gap
    }
}

/// An image where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Where.
    pub area: Area,
    /// The identity of the image: an image drawn on several pages has one key.
    pub key: u128,
}

/// A page as a reader gives it.
#[derive(Clone, Debug, Default)]
pub struct RawPage {
    /// Width as displayed, in points.
    pub width: f32,
    /// Height as displayed, in points.
    pub height: f32,
    /// Characters in the order of the content stream, doubled ones removed.
    pub glyphs: Vec<Glyph>,
    /// Level and upright lines, as far as they are visible, where the reader looks for them.
    pub strokes: Vec<Stroke>,
    /// Share of the page that images cover, 0 to 1.
    pub image_share: f32,
    /// Its images, if the reader looks for them.
    pub pictures: Vec<Drawn>,
    /// The number of filled shapes that form rows as letters do. If there are many, the text of the page is drawn and
    /// has no characters. The reader counts them only on pages with hardly any characters.
    pub outlined: usize,
    /// Origins of glyphs for which no character is known.
    pub unmapped: Vec<[f32; 2]>,
}

/// Pages of a document as a reader gives them; a page that could not be read is `None`.
#[derive(Clone, Debug, Default)]
pub struct RawDocument {
    /// Title from the document's own metadata.
    pub title: Option<String>,
    /// Pages in order.
    pub pages: Vec<Option<RawPage>>,
    /// How many pages the file says that it has, if the reader looks for it.
    pub stated: Option<usize>,
}

/// The file that a reader gets.
#[derive(Clone)]
pub struct Source {
    /// The file.
    pub bytes: Arc<Vec<u8>>,
    /// Its password; `None` = the empty password.
    pub password: Option<String>,
    /// A document of more pages is refused.
    pub max_pages: u32,
}

/// An engine that reads PDFs.
pub trait Reader {
    /// Its name.
    fn engine(&self) -> ReadEngine;

    /// Reads all pages, and calls `on_page(done, of)` after each.
    ///
    /// # Errors
    /// When the file as a whole cannot be read; a single bad page is `None` in the result.
    fn read(
        &self,
        source: &Source,
        on_page: &mut dyn FnMut(u32, u32),
    ) -> Result<RawDocument, IngestError>;
}

/// Whether a character means nothing to a person, because only the file's own fonts give it a meaning.
pub(crate) fn is_meaningless(ch: char) -> bool {
    matches!(ch, '\0' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}

/// The direction of writing in clockwise quarter turns, from the vector along which text runs on the page (`y` grows
/// downwards). `None` for slanted text such as watermarks.
pub(crate) fn quarter_turn(a: f64, b: f64) -> Option<u8> {
    let (ax, bx) = (a.abs(), b.abs());
    if bx <= 0.2 * ax {
        Some(if a >= 0.0 { 0 } else { 2 })
    } else if ax <= 0.2 * bx {
        Some(if b >= 0.0 { 1 } else { 3 })
    } else {
        None
    }
}

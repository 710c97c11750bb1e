//! The second reader: pdf-extract on lopdf. It shares no code with the main reader, not even the object parser.
//!
//! It panics on some files, so each page is read under a guard that catches panics. Fonts that were read for one page
//! are kept for the next. (A stack overflow cannot be caught here. The supervising process notices that the child
//! ended, and reads the file again without this reader.)

use super::fold::fold;
use super::repeats::Repeats;
use super::{Glyph, RawDocument, RawPage, Reader, Source, is_meaningless, quarter_turn};
use lexforge_domain::document::ReadEngine;
use lexforge_ingest::error::IngestError;
use pdf_extract::{
    Document, LoadOptions, MediaBox, Object, ObjectId, OutputDev, OutputError, Pages, Transform,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How far up the page tree an inherited value is looked for.
const DEEPEST_TREE: usize = 64;

/// The second reader.
pub struct PdfExtract;

impl Reader for PdfExtract {
    fn engine(&self) -> ReadEngine {
        ReadEngine::PdfExtract
    }

    fn read(
        &self,
        source: &Source,
        on_page: &mut dyn FnMut(u32, u32),
    ) -> Result<RawDocument, IngestError> {
        let document = guarded(|| load(source))??;
        let pages = guarded(|| document.get_pages())?;
        let numbers: Vec<u32> = pages.keys().copied().collect();
        let of = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let mut device = Collector {
            pages: vec![None; numbers.len()],
            placements: pages
                .values()
                .map(|&id| Placement::of(&document, id))
                .collect(),
            open: None,
        };
        let mut reader = guarded(|| Pages::of(&document))?;
        for number in numbers {
            device.open = None;
            // A page that fails stays `None`, which is the answer.
            let _ = guarded(|| reader.output(number, &mut device));
        }
        on_page(of, of);
        Ok(RawDocument {
            pages: device.pages,
            ..RawDocument::default()
        })
    }
}

fn load(source: &Source) -> Result<Document, IngestError> {
    // The password is needed while the file is loaded, or the objects of a locked one are left out.
    let given = source.password.as_deref().unwrap_or("");
    let document =
        Document::load_mem_with_options(&source.bytes, LoadOptions::with_password(given))
            .map_err(|e| IngestError::Damaged(format!("second reader: {e}")))?;
    if document.is_encrypted() {
        return Err(IngestError::Password {
            given: source.password.is_some(),
        });
    }
    Ok(document)
}

/// Runs `work`, turning a panic into an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, IngestError> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| IngestError::Damaged("the second reader gave up".to_owned()))
}

/// How a page's user space lies on the page as displayed: after the crop and the page's own rotation.
#[derive(Clone, Copy)]
struct Placement {
    /// Left, lower, right and upper edge in user space.
    edges: [f64; 4],
    /// Quarter turns clockwise.
    turns: u8,
}

impl Placement {
    /// `None` where the page says nothing that makes sense.
    fn of(document: &Document, page: ObjectId) -> Option<Self> {
        let media = rectangle(document, page, b"MediaBox")?;
        let edges = rectangle(document, page, b"CropBox")
            .map(|crop| {
                [
                    media[0].max(crop[0]),
                    media[1].max(crop[1]),
                    media[2].min(crop[2]),
                    media[3].min(crop[3]),
                ]
            })
            .unwrap_or(media);
        let turned = inherited(document, page, b"Rotate")
            .and_then(|r| r.as_i64().ok())
            .unwrap_or(0);
        let turns = u8::try_from(turned.rem_euclid(360) / 90).unwrap_or(0);
        let wide = edges[2] - edges[0] > 0.0 && edges[3] - edges[1] > 0.0;
        wide.then_some(Self { edges, turns })
    }

    /// Width and height as displayed.
    fn size(self) -> (f64, f64) {
        let (width, height) = (self.edges[2] - self.edges[0], self.edges[3] - self.edges[1]);
        if self.turns.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        }
    }

    /// A point of user space on the page.
    fn point(self, x: f64, y: f64) -> (f64, f64) {
        let [left, low, right, high] = self.edges;
        match self.turns {
            1 => (y - low, x - left),
            2 => (right - x, y - low),
            3 => (high - y, right - x),
            _ => (x - left, high - y),
        }
    }

    /// A direction of user space on the page.
    fn direction(self, x: f64, y: f64) -> (f64, f64) {
        let (origin, end) = (self.point(0.0, 0.0), self.point(x, y));
        (end.0 - origin.0, end.1 - origin.1)
    }
}

/// A page's own value, or the one of the nearest node above it.
fn inherited<'a>(document: &'a Document, page: ObjectId, key: &[u8]) -> Option<&'a Object> {
    let mut at = page;
    for _ in 0..DEEPEST_TREE {
        let node = document.get_dictionary(at).ok()?;
        if let Ok(value) = node.get(key) {
            return document.dereference(value).ok().map(|(_, value)| value);
        }
        at = node.get(b"Parent").ok()?.as_reference().ok()?;
    }
    None
}

/// Left, lower, right and upper edge.
fn rectangle(document: &Document, page: ObjectId, key: &[u8]) -> Option<[f64; 4]> {
    let values = inherited(document, page, key)?.as_array().ok()?;
    let mut sides = [0.0; 4];
    for (side, value) in sides.iter_mut().zip(values) {
        *side = f64::from(document.dereference(value).ok()?.1.as_float().ok()?);
    }
    let [a, b, c, d] = sides;
    (values.len() >= 4).then_some([a.min(c), b.min(d), a.max(c), b.max(d)])
}

struct Collector {
    pages: Vec<Option<RawPage>>,
    placements: Vec<Option<Placement>>,
    open: Option<Open>,
}

/// The page that is being read.
struct Open {
    number: u32,
    page: RawPage,
    placement: Placement,
    repeats: Repeats,
}

impl OutputDev for Collector {
    fn begin_page(
        &mut self,
        number: u32,
        media: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        let own = self
            .placements
            .get(number.saturating_sub(1) as usize)
            .copied()
            .flatten();
        let placement = own.unwrap_or(Placement {
            edges: [media.llx, media.lly, media.urx, media.ury],
            turns: 0,
        });
        let (width, height) = placement.size();
        let page = RawPage {
            width: width as f32,
            height: height as f32,
            ..RawPage::default()
        };
        self.open = Some(Open {
            number,
            page,
            placement,
            repeats: Repeats::default(),
        });
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        if let Some(open) = self.open.take()
            && let Some(slot) = self.pages.get_mut(open.number.saturating_sub(1) as usize)
        {
            *slot = Some(open.page);
        }
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let Some(Open {
            page,
            placement,
            repeats,
            ..
        }) = &mut self.open
        else {
            return Ok(());
        };
        let along = placement.direction(place.m11, place.m12);
        let across = placement.direction(place.m21, place.m22);
        let Some(turn) = quarter_turn(along.0, along.1) else {
            return Ok(());
        };
        let size = (across.0.hypot(across.1) * font_size.abs()) as f32;
        let (x, y) = placement.point(place.m31, place.m32);
        let (x, y) = (x as f32, y as f32);
        let outside = x < -1.0 || y < -1.0 || x > page.width + 1.0 || y > page.height + 1.0;
        if outside || size < 0.5 || !size.is_finite() {
            return Ok(());
        }
        if text.is_empty() {
            page.unmapped.push([x, y]);
        }
        let advance = (width * along.0.hypot(along.1) * font_size.abs()) as f32;
        let mut chars: Vec<char> = Vec::new();
        for ch in text.chars() {
            // A control character that a font draws is one that its map gets wrong.
            if is_meaningless(ch) || (ch.is_control() && !ch.is_whitespace()) {
                page.unmapped.push([x, y]);
            } else {
                fold(ch, |ch| chars.push(ch));
            }
        }
        // A ligature's letters share its advance.
        let share = advance / chars.len().max(1) as f32;
        let (ux, uy) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][usize::from(turn)];
        for (i, ch) in chars.into_iter().enumerate() {
            let (x, y) = (x + ux * share * i as f32, y + uy * share * i as f32);
            let glyph = Glyph {
                ch,
                x,
                y,
                advance: share,
                size,
                turn,
                vertical: false,
                bold: false,
                italic: false,
                capital: false,
            };
            repeats.push(&mut page.glyphs, glyph);
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

//! The second reader: pdf-extract on lopdf, independent of the main one down to the object parser.
//!
//! It panics on some files, so every call is guarded; after a page that fails the rest is read page by
//! page. (A stack overflow cannot be guarded here: the supervisor notices the lost child and reads the
//! file again without this reader.)

use super::fold::fold;
use super::repeats::Repeats;
use super::{Glyph, RawDocument, RawPage, Reader, Source};
use crate::error::IngestError;
use lexforge_domain::document::ReadEngine;
use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The second reader.
pub struct PdfExtract;

impl Reader for PdfExtract {
    fn engine(&self) -> ReadEngine {
        ReadEngine::PdfExtract
    }

    fn read(&self, source: &Source, on_page: &mut dyn FnMut(u32, u32)) -> Result<RawDocument, IngestError> {
        let document = guarded(|| load(source))??;
        let numbers: Vec<u32> = guarded(|| document.get_pages().keys().copied().collect())?;
        let of = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let mut device = Collector { pages: vec![None; numbers.len()], ..Collector::default() };
        let whole = guarded(|| pdf_extract::output_doc(&document, &mut device));
        if !matches!(whole, Ok(Ok(()))) {
            let first_bad = device.pages.iter().position(Option::is_none).unwrap_or(numbers.len());
            for &number in numbers.iter().skip(first_bad + 1) {
                device.open = None;
                // A page that fails stays `None`, which is the answer.
                let _ = guarded(|| pdf_extract::output_doc_page(&document, &mut device, number));
            }
        }
        on_page(of, of);
        Ok(RawDocument { title: None, pages: device.pages })
    }
}

fn load(source: &Source) -> Result<Document, IngestError> {
    let mut document =
        Document::load_mem(&source.bytes).map_err(|e| IngestError::Damaged(format!("second reader: {e}")))?;
    if document.is_encrypted() {
        document
            .decrypt(source.password.as_deref().unwrap_or(""))
            .map_err(|_| IngestError::Password { given: source.password.is_some() })?;
    }
    Ok(document)
}

/// Runs `work`, turning a panic into an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, IngestError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| IngestError::Damaged("the second reader gave up".to_owned()))
}

#[derive(Default)]
struct Collector {
    pages: Vec<Option<RawPage>>,
    open: Option<(u32, RawPage, Repeats)>,
}

impl OutputDev for Collector {
    fn begin_page(
        &mut self,
        number: u32,
        media: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        let page = RawPage {
            width: (media.urx - media.llx) as f32,
            height: (media.ury - media.lly) as f32,
            ..RawPage::default()
        };
        self.open = Some((number, page, Repeats::default()));
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        if let Some((number, page, _)) = self.open.take()
            && let Some(slot) = self.pages.get_mut(number.saturating_sub(1) as usize)
        {
            *slot = Some(page);
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
        let Some((_, page, repeats)) = &mut self.open else { return Ok(()) };
        let size = (place.m11.hypot(place.m12) * font_size) as f32;
        let (x, y) = (place.m31 as f32, page.height - place.m32 as f32);
        let glyphs = &mut page.glyphs;
        for ch in text.chars() {
            fold(ch, |ch| {
                let glyph = Glyph {
                    ch,
                    x,
                    y,
                    advance: (width as f32) * size,
                    size,
                    turn: 0,
                    vertical: false,
                    bold: false,
                    italic: false,
                };
                repeats.push(glyphs, glyph);
            });
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

//! Which pages of a PDF go through optical character recognition, and what becomes of them.

use super::reading::{Reading, page_number, warning};
use super::side_by_side::side_by_side;
use crate::reader::hayro::open;
use crate::reader::ocr::{self, DPI, Picture, Recognised};
use crate::reader::{Area, RawPage, Source};
use crate::render::grey_png;
use lexforge_domain::document::{DocumentWarning, ReadEngine};
use lexforge_domain::text::Language;
use lexforge_ingest::options::ParseOptions;
use lexforge_ingest::tesseract::Tesseract;
use lexforge_text::language;

/// Share of a page's area from which images without text count as a scan.
const SCAN_SHARE: f32 = 0.3;
/// Share of a page's area from which an image below a few words counts as a scan with a stamp or a signature's text.
const WHOLE_PAGE: f32 = 0.85;
/// Fewer characters on a whole-page image are a stamp.
const STAMP: usize = 60;
/// A page is read from its image if at least this many glyphs, and most of its glyphs, have no meaning.
const MEANINGLESS: usize = 20;
/// Shapes in rows as letters are from which on the text of a page counts as drawn; a logo has fewer.
const DRAWN: usize = 40;
/// Mean confidence below which what was recognised is no text at all, in percent.
const NO_TEXT: f32 = 35.0;

/// Whether a page is an image without a text layer, or has its text drawn as shapes.
pub(crate) fn is_scanned(page: &RawPage) -> bool {
    let shown = page.image_share > SCAN_SHARE || is_drawn(page);
    letters(page) == 0 && page.unmapped.is_empty() && shown
}

/// Whether the text of a page is drawn as shapes, beside at most a number or a stamp of characters.
pub(crate) fn is_drawn(page: &RawPage) -> bool {
    page.outlined >= DRAWN && letters(page) < STAMP.min(page.outlined)
}

fn letters(page: &RawPage) -> usize {
    page.glyphs.iter().filter(|g| g.ch != ' ').count()
}

/// Whether the image of a page says more than its text layer.
fn is_wanted(page: &RawPage) -> bool {
    let letters = letters(page);
    let stamped = letters < STAMP && page.image_share >= WHOLE_PAGE;
    let meaningless = page.unmapped.len() >= MEANINGLESS.max(letters);
    is_scanned(page) || is_drawn(page) || stamped || meaningless
}

/// Reads the pages whose text is missing or doubtful from their images, two or more at a time.
/// Calls `on_page(done, of)` after each page. If all remaining pages stay unread for one reason, the result gives this
/// reason.
pub fn recognise(
    readings: &mut [Reading],
    source: &Source,
    options: &ParseOptions,
    on_page: &mut dyn FnMut(u32, u32),
    warnings: &mut Vec<DocumentWarning>,
) -> Option<String> {
    let wanted: Vec<usize> = (0..readings.len())
        .filter(|&i| is_wanted(&readings[i].page) || readings[i].doubt.is_some())
        .collect();
    if wanted.is_empty() {
        return None;
    }
    let Some(program) = options.ocr.clone() else {
        return Some("Tesseract, which reads images, is not installed or switched off".to_owned());
    };
    let tesseract = match Tesseract::open(program, options.guard.clone()) {
        Ok(tesseract) => tesseract,
        Err(why) => return Some(why),
    };
    let of = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
    on_page(0, of);
    let work = Work {
        tesseract,
        source,
        seconds: options.ocr_page_seconds,
    };
    let mut done = 0;
    let mut failure = None;
    let mut take = |index: usize, outcome: Result<Recognised, String>, readings: &mut [Reading]| {
        done += 1;
        on_page(done, of);
        let number = page_number(index);
        match outcome {
            Ok(recognised) => keep(&mut readings[index], recognised, number, warnings),
            Err(why) => {
                let message = format!("Optical character recognition of the page failed: {why}.");
                warnings.push(warning("ocr_failed", Some(number), &message));
                failure = Some(why);
            }
        }
    };
    // The text of other pages shows the language; otherwise the first page that is recognised shows it.
    let mut known = language_of(readings);
    let mut rest = wanted.as_slice();
    while let (None, Some((&first, others))) = (known, rest.split_first()) {
        let outcome = work.page(&readings[first].page, first, None);
        known = outcome
            .as_ref()
            .ok()
            .filter(|r| !r.glyphs.is_empty())
            .and_then(|r| Tesseract::language(r.language));
        take(first, outcome, readings);
        rest = others;
    }
    let pages: Vec<(usize, (f32, f32))> = rest
        .iter()
        .map(|&i| (i, (readings[i].page.width, readings[i].page.height)))
        .collect();
    side_by_side(
        &pages,
        |&(index, size)| work.image_of(index, size, known),
        |at, outcome| take(pages[at].0, outcome, readings),
    );
    // The order in which pages were finished is nobody's concern.
    warnings.sort_by_key(|w| (w.code == "ocr_page" || w.code == "ocr_failed", w.page));
    failure
}

/// Data that every page needs.
struct Work<'a> {
    tesseract: Tesseract,
    source: &'a Source,
    seconds: u64,
}

impl Work<'_> {
    fn page(
        &self,
        page: &RawPage,
        index: usize,
        known: Option<Language>,
    ) -> Result<Recognised, String> {
        self.image_of(index, (page.width, page.height), known)
    }

    fn image_of(
        &self,
        index: usize,
        size: (f32, f32),
        known: Option<Language>,
    ) -> Result<Recognised, String> {
        let pdf = open(self.source).map_err(|e| e.to_string())?;
        let (image, pixels) = grey_png(&pdf, page_number(index), DPI).map_err(|e| e.to_string())?;
        let picture = Picture {
            png: &image,
            pixels,
            area: Area {
                x0: 0.0,
                y0: 0.0,
                x1: size.0,
                y1: size.1,
            },
            language: known,
            seconds: self.seconds,
        };
        ocr::read(&self.tesseract, picture)
    }
}

/// The language of the text layers, if they say enough.
pub(super) fn language_of(readings: &[Reading]) -> Option<Language> {
    let with_text = readings
        .iter()
        .filter(|r| !is_wanted(&r.page) && r.doubt.is_none());
    let sample: String = with_text
        .flat_map(|r| r.page.glyphs.iter().map(|g| g.ch))
        .take(4000)
        .collect();
    let language = language::detect(&sample);
    (sample.chars().count() >= 200 && language != Language::Other).then_some(language)
}

/// Puts what was recognised in the text layer's place where it says more.
fn keep(
    reading: &mut Reading,
    recognised: Recognised,
    number: u32,
    warnings: &mut Vec<DocumentWarning>,
) {
    let found = recognised
        .glyphs
        .iter()
        .filter(|g| g.ch.is_alphanumeric())
        .count();
    let says_more = match reading.doubt {
        Some(_) => 3 * found >= letters(&reading.page) && recognised.confidence >= ocr::DOUBTFUL,
        None => found >= 3 * letters(&reading.page).max(1) && recognised.confidence >= NO_TEXT,
    };
    if !says_more {
        return;
    }
    let unmapped = reading.page.unmapped.len();
    let mut message = recognised.message();
    if unmapped > 0 {
        message.push_str(&format!(
            " {unmapped} characters of its text layer have no known meaning."
        ));
    }
    if let Some(why) = &reading.doubt {
        message.push_str(&format!(" Its text layer can hardly be right: {why}."));
    }
    warnings.push(warning("ocr_page", Some(number), &message));
    reading.page = recognised.on(&reading.page);
    reading.engine = ReadEngine::Ocr;
    reading.comparison = crate::reader::compare::Comparison::default();
}

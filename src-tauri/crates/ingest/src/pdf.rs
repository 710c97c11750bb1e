//! PDFs to documents: both readers, their agreement, layout, structure.

use crate::error::IngestError;
use crate::layout::{Line, furniture, lines::lines, order::order};
use crate::options::ParseOptions;
use crate::reader::hayro::Hayro;
use crate::reader::pdf_extract::PdfExtract;
use crate::reader::{RawDocument, RawPage, Reader, Source};
use crate::similarity;
use crate::structure::assemble::assemble;
use crate::whole::breaks_off;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ParsedDocument, ParsedPage, ReadEngine,
};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Agreement below which a page is marked.
pub const READERS_DIFFER: f64 = 0.98;
/// Share of a page's area from which an image without text counts as a scan.
const SCAN_SHARE: f32 = 0.3;
/// Name of the second reader's thread.
pub const SECOND_READER: &str = "second-reader";
/// Stack of a reader's thread: deeply nested files recurse.
const STACK: usize = 64 << 20;

/// Reads a PDF in this process, calling `on_page(done, of)` as pages are read.
///
/// # Errors
/// When the file cannot be read at all, or carries no text.
pub fn parse(
    stem: &str,
    bytes: Vec<u8>,
    options: &ParseOptions,
    on_page: &mut dyn FnMut(u32, u32),
) -> Result<ParsedDocument, IngestError> {
    if breaks_off(&bytes) {
        return Err(IngestError::Damaged(
            "the file breaks off before its end, so pages or clauses are missing".to_owned(),
        ));
    }
    let source = Source { bytes: Arc::new(bytes), password: options.password.clone(), max_pages: options.max_pages };
    let started = Instant::now();
    let second = options.second_reader.then(|| start(PdfExtract, source.clone())).flatten();
    let document = Hayro.read(&source, on_page)?;
    let patience = Duration::from_secs(20) + 6 * started.elapsed();
    let second = second.map(|answer| answer.recv_timeout(patience).ok().and_then(Result::ok));
    compose(stem, document, second)
}

/// Runs a reader on a thread of its own; nothing comes back where it fails.
fn start(
    reader: impl Reader + Send + 'static,
    source: Source,
) -> Option<mpsc::Receiver<Result<RawDocument, IngestError>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .name(SECOND_READER.to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let result = reader.read(&source, &mut |_, _| {});
            // Nobody waits any more when the main reader failed.
            let _ = sender.send(result);
        })
        .ok()?;
    Some(receiver)
}

/// Makes the document of the main reading; `second` is `None` where no second reading was asked for,
/// `Some(None)` where it failed.
fn compose(
    stem: &str,
    document: RawDocument,
    second: Option<Option<RawDocument>>,
) -> Result<ParsedDocument, IngestError> {
    let mut warnings = Vec::new();
    let count = document.pages.len();
    let mut pages: Vec<ParsedPage> = Vec::with_capacity(count);
    let mut page_lines: Vec<Vec<Line>> = Vec::with_capacity(count);
    if matches!(second, Some(None)) {
        warnings.push(warning(
            "second_reader_failed",
            None,
            "The second reader could not read the file; nothing was compared.",
        ));
    }
    let second = second.flatten();
    let mut unread = 0u32;
    for (index, page) in document.pages.into_iter().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let page = page.unwrap_or_default();
        let other = second.as_ref().and_then(|d| d.pages.get(index)).and_then(Option::as_ref);
        let agreement = other.and_then(|other| agreement(&page, other));
        if second.is_some() && other.is_none() && !page.glyphs.is_empty() {
            unread += 1;
        }
        let scanned = is_scanned(&page);
        if scanned {
            warnings.push(warning("scanned_page", Some(number), "The page is an image without a text layer."));
        }
        if page.unmapped > 0 {
            let message = format!("{} characters of the page have no known meaning in its fonts.", page.unmapped);
            warnings.push(warning("unmapped_characters", Some(number), &message));
        }
        if let Some(agreement) = agreement.filter(|a| *a < READERS_DIFFER) {
            let message = format!("The two readers agree on only {:.1} % of the page.", agreement * 100.0);
            warnings.push(warning("readers_differ", Some(number), &message));
        }
        page_lines.push(order(lines(&page, number)));
        pages.push(ParsedPage {
            number,
            width: page.width,
            height: page.height,
            text: String::new(),
            engine: ReadEngine::Hayro,
            agreement,
            scanned,
            differences: Vec::new(),
        });
    }
    if unread > 0 {
        let message = format!("The second reader could not read {unread} of {count} pages; they were not compared.");
        warnings.push(warning("second_reader_failed", None, &message));
    }
    if page_lines.iter().all(Vec::is_empty) {
        return Err(no_text(&pages, &warnings));
    }
    furniture::remove(&mut page_lines);
    let assembled = assemble(page_lines);
    for (page, text) in pages.iter_mut().zip(assembled.pages) {
        page.text = text;
    }
    let compared: Vec<f64> = pages.iter().filter_map(|p| p.agreement).collect();
    let scanned_pages = u32::try_from(pages.iter().filter(|p| p.scanned).count()).unwrap_or(u32::MAX);
    Ok(ParsedDocument {
        title: title(assembled.title, document.title, stem),
        format: DocumentFormat::Pdf,
        language: assembled.language,
        metadata: DocumentMetadata::default(),
        engines: EngineCounts {
            hayro: u32::try_from(count).unwrap_or(u32::MAX) - scanned_pages,
            ..EngineCounts::default()
        },
        reader_agreement: (!compared.is_empty()).then(|| compared.iter().sum::<f64>() / compared.len() as f64),
        pages,
        sections: assembled.sections,
        sentences: assembled.sentences,
        scanned_pages,
        warnings,
    })
}

fn warning(code: &str, page: Option<u32>, message: &str) -> DocumentWarning {
    DocumentWarning { code: code.to_owned(), page, message: message.to_owned() }
}

fn is_scanned(page: &RawPage) -> bool {
    let text = page.glyphs.iter().filter(|g| g.ch != ' ').count();
    text == 0 && page.unmapped == 0 && page.image_share > SCAN_SHARE
}

fn no_text(pages: &[ParsedPage], warnings: &[DocumentWarning]) -> IngestError {
    let scanned = pages.iter().filter(|p| p.scanned).count();
    let count = pages.len();
    let unmapped = warnings.iter().any(|w| w.code == "unmapped_characters");
    if scanned > 0 {
        IngestError::Scanned(format!("no text: {scanned} of {count} pages are scanned images without a text layer"))
    } else if unmapped {
        IngestError::Scanned(
            "no text: the fonts of the file do not say which characters their glyphs stand for".to_owned(),
        )
    } else {
        IngestError::NoText(format!("no text: none of the {count} pages carries any"))
    }
}

/// Share of characters on which two readings of a page agree, blanks aside; none where both are empty.
fn agreement(page: &RawPage, other: &RawPage) -> Option<f64> {
    let text = |page: &RawPage| -> Vec<char> {
        page.glyphs.iter().map(|g| narrowed(g.ch)).filter(|c| !c.is_whitespace() && *c != '\u{AD}').collect()
    };
    let (a, b) = (text(page), text(other));
    (a.len() + b.len() > 0).then(|| similarity::ratio(&a, &b))
}

/// Full-width ASCII as ASCII: fonts map the same comma either way.
fn narrowed(ch: char) -> char {
    match ch {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(ch as u32 - 0xFEE0).unwrap_or(ch),
        _ => ch,
    }
}

/// The title on the first page, else the one in the metadata if it reads like one, else the file's stem.
fn title(printed: Option<String>, metadata: Option<String>, stem: &str) -> String {
    let sensible = |t: &String| {
        let lower = t.to_lowercase();
        let machine = [".doc", ".pdf", ".indd", ".xml", ".qxd", ".ppt", ".htm", "microsoft word", "untitled", "_"];
        t.chars().filter(|c| c.is_alphabetic()).count() >= 4 && !machine.iter().any(|m| lower.contains(m))
    };
    let tidy = |t: String| t.split_whitespace().collect::<Vec<_>>().join(" ");
    printed.map(tidy).or(metadata.filter(sensible).map(tidy)).unwrap_or_else(|| stem.to_owned())
}

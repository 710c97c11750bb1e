//! PDFs to documents: both readers, their agreement, recognition of scans, layout, structure.

mod doubt;
mod looked;
mod pictures;
mod reading;
mod recognition;
mod side_by_side;

use crate::about;
use crate::layout::{Line, framed, furniture, lines::units, order, underlined};
use crate::reader::compare::{Comparison, compare};
use crate::reader::hayro::Hayro;
use crate::reader::pdf_extract::PdfExtract;
use crate::reader::quality::{Vocabulary, second_is_better};
use crate::reader::{RawDocument, RawPage, Reader, Source, owner};
use crate::structure::assemble::assemble_under;
use crate::whole::breaks_off;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, DocumentWarning, EngineCounts, ParsedDocument, ParsedPage,
    ReadEngine, RemovedWhy,
};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::options::ParseOptions;
use lexforge_text::fold::spaced;
use reading::{Reading, page_number, warning};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub use side_by_side::processors;

/// Agreement below which a page is marked.
pub(crate) const READERS_DIFFER: f64 = 0.98;
/// Name of the second reader's thread.
pub const SECOND_READER: &str = "second-reader";
/// Stack of a reader's thread: deeply nested files recurse.
const STACK: usize = 64 << 20;

/// Reads a PDF in this process, and calls `on_page(done, of)` as pages are read.
///
/// # Errors
/// When the file cannot be read at all, or has no text.
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
    let bytes = Arc::new(bytes);
    let source = Source {
        password: owner::for_readers(&bytes, options.password.clone()),
        bytes,
        max_pages: options.max_pages,
    };
    let started = Instant::now();
    let second = options
        .second_reader
        .then(|| start(PdfExtract, source.clone()))
        .flatten();
    let mut document = Hayro.read(&source, on_page)?;
    let patience = Duration::from_secs(20) + 6 * started.elapsed();
    let second = second.map(|answer| answer.recv_timeout(patience).ok().and_then(Result::ok));
    let mut warnings = Vec::new();
    if matches!(second, Some(None)) {
        warnings.push(warning(
            "second_reader_failed",
            None,
            "The second reader could not read the file; nothing was compared.",
        ));
    }
    let found = document.pages.len();
    if let Some(stated) = document.stated.filter(|stated| *stated > found) {
        let message = format!(
            "The file says that it has {stated} pages, and {found} can be found: the text of the others is missing."
        );
        warnings.push(warning("page_unreadable", None, &message));
    }
    let main = std::mem::take(&mut document.pages);
    let mut readings = choose(main, second.flatten().map(|d| d.pages), &mut warnings);
    doubt::mark(&mut readings);
    let unread = recognition::recognise(&mut readings, &source, options, on_page, &mut warnings);
    doubt::warn(&readings, &mut warnings);
    pictures::read(&mut readings, &source, options, on_page, &mut warnings);
    compose(stem, document.title, readings, warnings, unread)
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

/// Makes the document of the readings that are kept; `unread` says why pages without a text layer stay without text.
fn compose(
    stem: &str,
    own_title: Option<String>,
    readings: Vec<Reading>,
    mut warnings: Vec<DocumentWarning>,
    unread: Option<String>,
) -> Result<ParsedDocument, IngestError> {
    let count = readings.len();
    let mut pages: Vec<ParsedPage> = Vec::with_capacity(count);
    let mut page_lines: Vec<Vec<Line>> = Vec::with_capacity(count);
    for (index, reading) in readings.into_iter().enumerate() {
        let number = page_number(index);
        let Reading {
            page,
            engine,
            comparison,
            insets,
            doubt: _,
        } = reading;
        let scanned = recognition::is_scanned(&page);
        let drawn = recognition::is_drawn(&page);
        if scanned || drawn {
            let why = unread.as_deref().unwrap_or("no text was found in it");
            let message = if drawn {
                format!("The text of the page is drawn as shapes, and was not read: {why}.")
            } else {
                format!("The page is an image without a text layer, and was not read: {why}.")
            };
            warnings.push(warning("scanned_page", Some(number), &message));
        }
        if !page.unmapped.is_empty() {
            let message = format!(
                "{} characters of the page have no known meaning in its fonts.",
                page.unmapped.len()
            );
            warnings.push(warning("unmapped_characters", Some(number), &message));
        }
        let mut lines = order::order(units(&page, number));
        framed::mark(&page.strokes, &mut lines);
        underlined::mark(&page.strokes, &mut lines);
        pictures::insert(&mut lines, &insets, number);
        page_lines.push(lines);
        pages.push(ParsedPage {
            number,
            width: page.width,
            height: page.height,
            text: String::new(),
            engine,
            agreement: comparison.agreement,
            scanned,
            differences: comparison.differences,
            removed: Vec::new(),
        });
    }
    if page_lines.iter().all(Vec::is_empty) {
        return Err(no_text(&pages, &warnings, unread.as_deref()));
    }
    let printed = first_lines(&page_lines);
    let removed = furniture::remove(&mut page_lines);
    page_lines.iter_mut().for_each(|p| order::titles_first(p));
    let kept = first_lines(&page_lines);
    // The time of printing says nothing of the document.
    let by_program = |line: &String| {
        let mut all = removed.lines.iter().flatten();
        all.any(|l| l.why == RemovedWhy::Printed && l.text == *line)
    };
    let running: Vec<String> = printed
        .into_iter()
        .filter(|line| !kept.contains(line) && !by_program(line))
        .collect();
    let assembled = assemble_under(page_lines, &removed.heads);
    for (page, text) in pages.iter_mut().zip(assembled.pages) {
        page.text = text;
    }
    for (page, lines) in pages.iter_mut().zip(removed.lines) {
        page.removed = lines;
    }
    let compared: Vec<f64> = pages.iter().filter_map(|p| p.agreement).collect();
    let mut document = ParsedDocument {
        title: title(assembled.title, own_title, stem),
        format: DocumentFormat::Pdf,
        language: assembled.language,
        metadata: DocumentMetadata::default(),
        engines: engines(&pages),
        reader_agreement: (!compared.is_empty())
            .then(|| compared.iter().sum::<f64>() / compared.len() as f64),
        scanned_pages: pages.iter().map(|p| u32::from(p.scanned)).sum(),
        pages,
        sections: assembled.sections,
        sentences: assembled.sentences,
        tables: assembled.tables,
        warnings,
    };
    about::describe(&mut document, &running);
    Ok(document)
}

fn first_lines(pages: &[Vec<Line>]) -> Vec<String> {
    pages
        .iter()
        .take(about::FIRST_PAGES)
        .flatten()
        .map(Line::text)
        .collect()
}

/// How many pages each engine gave the text of.
fn engines(pages: &[ParsedPage]) -> EngineCounts {
    let mut counts = EngineCounts::default();
    for page in pages.iter().filter(|p| !p.scanned) {
        match page.engine {
            ReadEngine::Hayro => counts.hayro += 1,
            ReadEngine::PdfExtract => counts.pdf_extract += 1,
            ReadEngine::Ocr => counts.ocr += 1,
            ReadEngine::Plain => {}
        }
    }
    counts
}

/// Compares the two readings of every page and keeps the better one.
fn choose(
    main: Vec<Option<RawPage>>,
    second: Option<Vec<Option<RawPage>>>,
    warnings: &mut Vec<DocumentWarning>,
) -> Vec<Reading> {
    let compared = second.is_some();
    let mut others = second.unwrap_or_default().into_iter();
    let mut doubtful: Vec<(usize, RawPage)> = Vec::new();
    let mut unread = 0u32;
    let mut readings: Vec<Reading> = Vec::with_capacity(main.len());
    for (index, page) in main.into_iter().enumerate() {
        let page = page.unwrap_or_default();
        let other = others.next().flatten();
        if compared && other.is_none() && !page.glyphs.is_empty() {
            unread += 1;
        }
        let comparison = other
            .as_ref()
            .map(|other| compare(&page, other, page_number(index)))
            .unwrap_or_default();
        let in_doubt =
            !page.unmapped.is_empty() || comparison.agreement.is_some_and(|a| a < READERS_DIFFER);
        if let Some(other) = other.filter(|_| in_doubt) {
            doubtful.push((index, other));
        }
        readings.push(Reading {
            page,
            engine: ReadEngine::Hayro,
            comparison,
            insets: Vec::new(),
            doubt: None,
        });
    }
    if !doubtful.is_empty() {
        let agreed = |r: &&Reading| r.comparison.agreement.is_some_and(|a| a >= READERS_DIFFER);
        let vocabulary = Vocabulary::of(readings.iter().filter(agreed).map(|r| &r.page));
        for (index, other) in doubtful {
            if let Some(reading) = readings.get_mut(index) {
                keep_the_better(reading, other, &vocabulary, page_number(index), warnings);
            }
        }
    }
    for (index, reading) in readings.iter().enumerate() {
        warnings.extend(readers_differ(&reading.comparison, page_number(index)));
    }
    if unread > 0 {
        let count = readings.len();
        let message = format!(
            "The second reader could not read {unread} of {count} pages; they were not compared."
        );
        warnings.push(warning("second_reader_failed", None, &message));
    }
    readings
}

/// Puts the second reading in the main one's place where it is measurably better, and says why.
fn keep_the_better(
    reading: &mut Reading,
    other: RawPage,
    vocabulary: &Vocabulary,
    number: u32,
    warnings: &mut Vec<DocumentWarning>,
) {
    let Some((main, second)) = second_is_better(&reading.page, &other, vocabulary) else {
        warnings.extend(inferred(&reading.page, &other, number));
        return;
    };
    let kept = RawPage {
        image_share: reading.page.image_share,
        outlined: reading.page.outlined,
        strokes: std::mem::take(&mut reading.page.strokes),
        pictures: std::mem::take(&mut reading.page.pictures),
        ..other
    };
    reading.comparison = compare(&kept, &reading.page, number);
    reading.page = kept;
    reading.engine = ReadEngine::PdfExtract;
    let message = format!(
        "The page is taken from the second reader: {:.0} % of its letters stand in words, {:.0} % of the main reader's, \
         which leaves {} characters without a meaning.",
        100.0 * second.share(),
        100.0 * main.share(),
        main.meaningless
    );
    warnings.push(warning("second_reader_kept", Some(number), &message));
}

/// Warns if the characters of many glyphs on a page were only inferred. Some files do not say which characters their
/// glyphs stand for. If the font has a known character collection, the main reader infers the characters from it, and
/// the second reader does not. So glyphs that only the second reader could not map are such glyphs.
fn inferred(main: &RawPage, other: &RawPage, number: u32) -> Option<DocumentWarning> {
    let letters = main.glyphs.iter().filter(|g| g.ch != ' ').count();
    let open = other.unmapped.len();
    (open > 0 && main.unmapped.is_empty() && 10 * open >= letters).then(|| {
        let message = format!(
            "The file does not say which characters {open} glyphs of the page stand for; they are inferred from the \
             font's character collection. Check them against the image."
        );
        warning("unmapped_characters", Some(number), &message)
    })
}

fn readers_differ(comparison: &Comparison, number: u32) -> Option<DocumentWarning> {
    let agreement = comparison.agreement?;
    let (count, kept) = (comparison.count, comparison.differences.len());
    if agreement >= READERS_DIFFER && count == kept {
        return None;
    }
    let places = match (count, kept) {
        (1, 1) => "; they differ in one place".to_owned(),
        (_, 0) => String::new(),
        _ if count == kept => format!("; they differ in {count} places"),
        _ => format!("; they differ in {count} places, the {kept} largest are kept"),
    };
    let message = format!(
        "The two readers agree on {:.1} % of the page{places}.",
        agreement * 100.0
    );
    Some(warning("readers_differ", Some(number), &message))
}

fn no_text(
    pages: &[ParsedPage],
    warnings: &[DocumentWarning],
    unread: Option<&str>,
) -> IngestError {
    let scanned = pages.iter().filter(|p| p.scanned).count();
    let count = pages.len();
    let unmapped = warnings.iter().any(|w| w.code == "unmapped_characters");
    let why = unread.map(|why| format!(", and {why}")).unwrap_or_default();
    if scanned > 0 {
        IngestError::Scanned(format!(
            "no text: {scanned} of {count} pages have no text layer, only images or drawn shapes{why}"
        ))
    } else if unmapped {
        IngestError::Scanned(format!(
            "no text: the fonts of the file do not say which characters their glyphs stand for{why}"
        ))
    } else if count == 1 {
        IngestError::NoText("no text: its only page carries none".to_owned())
    } else {
        IngestError::NoText(format!("no text: none of the {count} pages carries any"))
    }
}

/// The title on the first page, else the one in the metadata if it reads like one, else the file's stem.
fn title(printed: Option<String>, metadata: Option<String>, stem: &str) -> String {
    let sensible = |t: &String| {
        let lower = t.to_lowercase();
        let machine = [
            ".doc",
            ".pdf",
            ".indd",
            ".xml",
            ".qxd",
            ".ppt",
            ".htm",
            "microsoft word",
            "untitled",
            "_",
        ];
        t.chars().filter(|c| c.is_alphabetic()).count() >= 4
            && !machine.iter().any(|m| lower.contains(m))
    };
    let tidy = |text: String| spaced(&text);
    printed
        .map(tidy)
        .or(metadata.filter(sensible).map(tidy))
        .unwrap_or_else(|| stem.to_owned())
}

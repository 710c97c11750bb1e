//! Any file to a document, in this process. The parser program calls this behind its limits.

use crate::{about, complete, docx, html, markdown, pdf, plain};
use lexforge_domain::document::{DocumentFormat, ParsedDocument};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::options::ParseOptions;
use lexforge_ingest::{corpus, format};

/// Reads a file of any supported format, and calls `on_page(done, of)` as pages are read. Pages for optical character
/// recognition are then counted separately, beginning with `on_page(0, of)`.
///
/// # Errors
/// When the format is not supported or the file cannot be read.
pub fn read(
    file_name: &str,
    bytes: Vec<u8>,
    options: &ParseOptions,
    on_page: &mut dyn FnMut(u32, u32),
) -> Result<ParsedDocument, IngestError> {
    let stem = format::stem(file_name);
    let described = |document: Result<ParsedDocument, IngestError>| {
        document.map(|mut document| {
            about::describe(&mut document, &[]);
            document
        })
    };
    let mut document = match format::sniff(file_name, &bytes)? {
        DocumentFormat::Pdf => pdf::parse(&stem, bytes, options, on_page),
        DocumentFormat::Jsonl => corpus::parse(&stem, &bytes),
        DocumentFormat::Text => described(plain::parse(&stem, &bytes)),
        DocumentFormat::Markdown => described(markdown::parse(&stem, &bytes)),
        DocumentFormat::Html => described(html::parse(&stem, &bytes)),
        DocumentFormat::Docx => described(docx::parse(&stem, &bytes)),
    }?;
    complete::fill(&mut document);
    Ok(document)
}

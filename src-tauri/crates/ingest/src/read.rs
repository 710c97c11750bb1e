//! Any file to a document, in this process. The parser program calls this behind its limits.

use crate::error::IngestError;
use crate::options::ParseOptions;
use crate::{corpus, format, pdf, plain};
use lexforge_domain::document::{DocumentFormat, ParsedDocument};

/// Reads a file of any supported format, calling `on_page(done, of)` as pages are read. Where pages go through optical
/// character recognition, these are counted anew, beginning with `on_page(0, of)`.
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
    match format::sniff(file_name, &bytes)? {
        DocumentFormat::Pdf => pdf::parse(&stem, bytes, options, on_page),
        DocumentFormat::Text => plain::parse(&stem, &bytes),
        DocumentFormat::Jsonl => corpus::parse(&stem, &bytes),
        DocumentFormat::Markdown | DocumentFormat::Html | DocumentFormat::Docx => {
            Err(IngestError::Unsupported("documents of this format cannot be read yet".to_owned()))
        }
    }
}

//! Word processor documents (Office Open XML): paragraphs with the numbers that the word processor computes, headings
//! by their outline level, tables row by row, notes separately. Tracked insertions are kept, and tracked deletions are
//! left out. Page headers and footers, comments, hidden text and what is struck out are also left out.

mod body;
mod numbering;
mod package;
mod parts;
mod styles;

pub use parts::Parts;

use crate::flow::{Flow, struck_out};
use body::Body;
use lexforge_domain::document::{DocumentFormat, DocumentWarning, ParsedDocument};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::xml::{Event, Xml};
use numbering::Numbering;
use package::Package;
use styles::Styles;

/// Reads a document.
///
/// # Errors
/// When the package or its main part is damaged, larger than any document, or without text.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let mut package = Package::open(bytes)?;
    let parts = package.parts()?;
    read(&parts)?.document(stem, DocumentFormat::Docx)
}

/// The blocks of a document.
///
/// # Errors
/// When a part is not XML, or is nested too deeply.
pub fn read(parts: &Parts) -> Result<Flow, IngestError> {
    let styles = parts
        .styles
        .as_deref()
        .map_or(Ok(Styles::default()), Styles::read)?;
    let mut numbering = parts
        .numbering
        .as_deref()
        .map_or(Ok(Numbering::default()), Numbering::read)?;
    numbering.link_styles(&styles);
    let mut body = Body::new(&styles, numbering);
    for (part, kind) in [(&parts.footnotes, "footnote"), (&parts.endnotes, "endnote")] {
        if let Some(part) = part {
            body.read_notes(part, kind)?;
        }
    }
    body.read(&parts.document)?;
    let (blocks, counts) = body.finish();
    let mut flow = Flow {
        blocks,
        ..Flow::default()
    };
    let mut warn = |code: &str, count: usize, message: String| {
        if count > 0 {
            flow.warnings.push(DocumentWarning {
                code: code.to_owned(),
                page: None,
                message,
            });
        }
    };
    warn(
        "tracked_changes",
        counts.deleted,
        format!(
            "The document has tracked changes that are not accepted: {} deletions were left out, {} insertions were kept.",
            counts.deleted, counts.inserted
        ),
    );
    warn(
        "tracked_changes",
        if counts.deleted == 0 {
            counts.inserted
        } else {
            0
        },
        format!(
            "The document has tracked changes that are not accepted: {} insertions were kept.",
            counts.inserted
        ),
    );
    warn(
        "hidden_text",
        counts.hidden,
        format!("{} characters of hidden text were left out.", counts.hidden),
    );
    warn(
        "embedded_part",
        counts.embedded,
        format!(
            "{} embedded documents within the document were not read.",
            counts.embedded
        ),
    );
    flow.warnings.extend(struck_out(counts.struck));
    if let Some(core) = &parts.core {
        flow.title = core_title(core);
    }
    Ok(flow)
}

/// The title among the document's properties.
fn core_title(core: &str) -> Option<String> {
    let mut xml = Xml::new(core);
    let mut inside = false;
    let mut title = String::new();
    // Properties that are damaged are no reason to refuse the text.
    while let Ok(Some(event)) = xml.next_event() {
        match event {
            Event::Open(tag) => inside = tag.name() == "title",
            Event::Close(_) => inside = false,
            Event::Text(text) if inside => title.push_str(&text),
            Event::Text(_) => {}
        }
    }
    (!title.trim().is_empty()).then_some(title)
}

#[cfg(test)]
mod tests;

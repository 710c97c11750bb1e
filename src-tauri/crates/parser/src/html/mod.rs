//! Web pages: what a reader sees of them, as blocks. Scripts, styles, comments, navigation and hidden content never
//! become text. Headings, lists with their computed numbers, tables, definition lists and notes keep their kind.

mod elements;
mod lists;
mod page;
mod state;

use crate::flow::{Block, Flow};
use lexforge_domain::document::{DocumentFormat, ParsedDocument};
use lexforge_ingest::encoding;
use lexforge_ingest::error::IngestError;
use page::Page;

pub(crate) use elements::is_element;
pub(crate) use page::hidden_characters;

/// Bytes at the beginning in which the encoding must be declared; the standard asks for 1024.
const DECLARED_WITHIN: usize = 4096;
/// Blanks within one tag from which the file is an attack on its reader and no page.
const BLANKS_IN_TAG: usize = 20_000;
/// Bytes that are handed to the tokenizer at a time.
const PORTION: usize = 64 << 10;

/// Reads a web page.
///
/// # Errors
/// When it is not text, is nested too deeply, or shows nothing.
pub fn parse(stem: &str, bytes: &[u8]) -> Result<ParsedDocument, IngestError> {
    let decoded = encoding::decode(bytes, declared(bytes).as_deref())?;
    crate::flow::check_length(decoded.text.len() / 16)?;
    let mut flow = read(&decoded.text)?;
    flow.warnings.splice(0..0, decoded.warnings);
    flow.document(stem, DocumentFormat::Html)
}

/// The blocks of a page or of a part of a page.
///
/// # Errors
/// When it is nested too deeply.
pub fn read(text: &str) -> Result<Flow, IngestError> {
    Ok(page_of(text)?.finish())
}

fn page_of(text: &str) -> Result<Page, IngestError> {
    check_tags(text)?;
    let page = Page::read(text, PORTION, true)?;
    // An element that is left out and never closed would take the rest of the page with it.
    if page.ended_in_skipped() {
        Page::read(text, PORTION, false)
    } else {
        Ok(page)
    }
}

/// The blocks of a piece of a page that is part of another document. Also returns how many characters were left out
/// because they are hidden, and how many because they are struck out.
///
/// # Errors
/// When it is nested too deeply.
pub fn fragment(text: &str) -> Result<(Vec<Block>, [usize; 2]), IngestError> {
    let page = page_of(text)?;
    let left_out = page.left_out();
    Ok((page.finish().blocks, left_out))
}

/// The encoding that a `meta` element or an XML declaration names.
fn declared(bytes: &[u8]) -> Option<String> {
    let head =
        String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARED_WITHIN)]).to_ascii_lowercase();
    let after = |mark: &str| head.find(mark).map(|at| &head[at + mark.len()..]);
    let xml = head
        .starts_with("<?xml")
        .then(|| after("encoding="))
        .flatten();
    let rest = after("charset=").or(xml)?;
    let name: String = rest
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_:".contains(*c))
        .collect();
    (!name.is_empty()).then_some(name)
}

/// A tag's attributes are compared each with each: a tag of a million of them would take hours.
fn check_tags(text: &str) -> Result<(), IngestError> {
    let (mut in_tag, mut blanks) = (false, 0usize);
    let bytes = text.as_bytes();
    for (at, b) in bytes.iter().enumerate() {
        match b {
            b'<' if !in_tag => {
                in_tag = bytes.get(at + 1).is_some_and(|n| n.is_ascii_alphabetic());
                blanks = 0;
            }
            b'>' => in_tag = false,
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'/' | b'"' | b'\'' if in_tag => {
                blanks += 1;
                if blanks > BLANKS_IN_TAG {
                    return Err(IngestError::Damaged(
                        "the page has a tag of more than 20,000 parts".to_owned(),
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

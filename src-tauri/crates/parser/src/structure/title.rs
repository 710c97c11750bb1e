//! The document's title: the most prominent text of its first pages, or of the head that all of them share.

use super::blocks::{Block, BlockKind, BlockText, document_number};
use super::captions::{is_caption, is_inset, is_remark};
use crate::layout::Line;
use lexforge_ingest::numbering::Scheme;
use lexforge_text::calendar::is_date;
use lexforge_text::is_set_solid;
use std::ops::Range;

/// A longer text is no title.
const LONGEST: usize = 400;

/// Whether this block must not become the heading of the text after it. This is so for the rows of tables. It is also
/// so for the captions of tables, pictures, boxes and examples, because it is not known where the captioned part ends
/// and the other text goes on.
pub(crate) fn heads_nothing(block: &Block, text: &str) -> bool {
    match block.kind {
        BlockKind::TableRow => true,
        BlockKind::Heading => block.label.is_none() && (is_caption(text) || is_inset(text)),
        _ => false,
    }
}

/// The title and its blocks; `size` is the usual font size, `heads` are the running heads of the first page.
pub fn title(
    blocks: &[Block],
    texts: &[BlockText],
    size: f32,
    heads: &[Line],
) -> Option<(String, Range<usize>)> {
    let first_page = texts.first()?.page;
    let mut best: Option<(f32, usize)> = None;
    for (i, (block, text)) in blocks.iter().zip(texts).enumerate() {
        if text.page > first_page + 1 {
            break;
        }
        if !may_be_title(block, &text.text, size) {
            continue;
        }
        let later = if text.page > first_page { 0.8 } else { 1.0 };
        let weight = block.prominence * later * brevity(&text.text);
        if best.is_none_or(|(p, _)| weight > p) {
            best = Some((weight, i));
        }
    }
    let head = shared_head(heads, size);
    if let Some((weight, text)) = head
        && best.is_none_or(|(p, _)| weight >= p)
    {
        return Some((without_rule(&text), 0..0));
    }
    let (_, at) = best?;
    let prominence = blocks[at].prominence;
    // A title often runs over several blocks of one look.
    let mut parts: Vec<&str> = Vec::new();
    for (block, text) in blocks[at..].iter().zip(&texts[at..]) {
        let alike = block.kind == blocks[at].kind && (block.prominence - prominence).abs() < 0.05;
        let long = parts.iter().map(|p| p.chars().count()).sum::<usize>()
            + text.text.chars().count()
            > LONGEST;
        if !alike
            || block.label.is_some()
            || parts.len() == 3
            || long
            || text.page != texts[at].page
        {
            break;
        }
        parts.push(text.text.trim());
    }
    let count = parts.len();
    Some((without_rule(&parts.join(" ")), at..at + count))
}

/// A title without the typed line and the footnote mark at its end.
fn without_rule(title: &str) -> String {
    let title = title.trim_end_matches(|c: char| c.is_whitespace() || "_-–—*".contains(c));
    title.to_owned()
}

/// A short line without the end of a sentence.
pub fn title_like(block: &Block, text: &str) -> bool {
    let words = text.split_whitespace().count();
    let end = text.chars().last().unwrap_or('.');
    block
        .label
        .as_ref()
        .is_none_or(|l| matches!(l.scheme, Scheme::Named(_)))
        && block.lines.len() <= 4
        && words <= 40
        && text.chars().count() <= 250
        && !".;:,。；：，".contains(end)
        && !text.starts_with(char::is_lowercase)
}

fn may_be_title(block: &Block, text: &str, size: f32) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let looks = match block.kind {
        BlockKind::Heading => block.prominence > size,
        // A title of several lines may be set in one large paragraph.
        BlockKind::Text => {
            block.scale > 1.15 && !text.trim_end().ends_with(['.', ';', ':', '。', '；', '：'])
        }
        _ => false,
    };
    looks
        && block.label.is_none()
        && letters >= 4
        && text.chars().count() <= LONGEST
        && !document_number(text)
        && !is_date(text)
        && !is_caption(text)
        && !is_inset(text)
        && !is_remark(text)
}

/// One or two words (`REGULATIONS`, `Final report`) name the kind of document, not the document.
fn brevity(text: &str) -> f32 {
    let brief = text.split_whitespace().count() < 3 && !text.chars().any(is_set_solid);
    if brief { 0.5 } else { 1.0 }
}

/// The head of the first page that is larger than the text, and its weight.
fn shared_head(heads: &[Line], size: f32) -> Option<(f32, String)> {
    let first = heads
        .iter()
        .filter(|l| l.size > 1.1 * size)
        .max_by(|a, b| a.size.total_cmp(&b.size))?;
    let alike = |l: &&Line| (l.size - first.size).abs() < 0.05 * size && l.bold == first.bold;
    let words: Vec<String> = heads
        .iter()
        .filter(alike)
        .filter_map(|l| crate::layout::rows::split(l).first().map(Line::text))
        .collect();
    let text = words.join(" ");
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let weight = (first.size * 2.0).round() / 2.0 + if first.bold { 0.2 } else { 0.0 };
    (letters >= 8 && text.chars().count() <= LONGEST).then(|| (weight * brevity(&text), text))
}

//! Covers and tables of contents: they name the sections that follow and head none of them.

use super::blocks::{Block, BlockKind, BlockText};
use lexforge_text::numerals::roman;
use std::collections::HashSet;
use std::ops::Range;

/// Pages at the beginning that carry nothing but a title, dates and names.
pub fn cover(blocks: &[Block], texts: &[BlockText]) -> HashSet<u32> {
    let mut out = HashSet::new();
    let Some(first) = texts.first().map(|t| t.page) else {
        return out;
    };
    let last = texts.last().map_or(first, |t| t.page);
    let on_first = || blocks.iter().zip(texts).filter(|(_, t)| t.page == first);
    let running = on_first().any(|(b, t)| b.label.is_some() || t.text.chars().count() > 160);
    if last > first + 2 && !running && on_first().count() <= 12 {
        out.insert(first);
    }
    out
}

/// Longest line of front matter, in characters.
const FRONT: usize = 60;
/// Most lines of it before the title.
const FRONT_LINES: usize = 6;

/// Short lines around the `title` on its page that are not clauses: those above it, and additions in brackets.
pub fn front(blocks: &[Block], texts: &[BlockText], title: &Range<usize>) -> HashSet<usize> {
    let Some(page) = texts.get(title.start).map(|t| t.page) else {
        return HashSet::new();
    };
    let short = |i: usize| {
        let text = texts[i].text.trim();
        let line = matches!(blocks[i].kind, BlockKind::Text | BlockKind::Heading);
        let end = text.chars().last().unwrap_or('.');
        let plain = line && blocks[i].label.is_none() && texts[i].page == page;
        plain && text.chars().count() <= FRONT && !".;:,。；：，".contains(end)
    };
    let above = 0..title.start;
    let mut out = HashSet::new();
    if !title.is_empty() && above.len() <= FRONT_LINES && above.clone().all(short) {
        out.extend(above);
    }
    let bracketed = |text: &str| {
        let text = text.trim();
        (text.starts_with('(') && text.ends_with(')'))
            || (text.starts_with('（') && text.ends_with('）'))
    };
    let added = (title.end..blocks.len().min(title.end + 2)).take_while(|&i| short(i));
    out.extend(added.take_while(|&i| !title.is_empty() && bracketed(&texts[i].text)));
    out
}

/// For each block, whether it belongs to a table of contents. This is so for lines with leaders (dots). It is also so
/// for the lines below a heading `Contents` that end with a page number. If the lines below this heading have no page
/// numbers, they belong to the table of contents up to the block where the first label occurs again, because the text
/// itself begins there.
pub fn contents(blocks: &[Block], texts: &[BlockText]) -> Vec<bool> {
    let mut out: Vec<bool> = blocks
        .iter()
        .map(|b| b.kind == BlockKind::Contents)
        .collect();
    for i in 0..blocks.len() {
        let name: String = texts[i]
            .text
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .to_lowercase();
        if !["contents", "tableofcontents", "目录", "目次", "목차"]
            .contains(&name.trim_end_matches(':'))
        {
            continue;
        }
        let short = |j: usize| texts[j].text.chars().count() < 200;
        let numbered = |j: usize| short(j) && (out[j] || ends_with_page_number(&texts[j].text));
        let mut end = i + 1;
        while let Some(next) = (end..(end + 4).min(blocks.len())).find(|&j| numbered(j)) {
            if !(end..next).all(short) {
                break;
            }
            end = next + 1;
        }
        if end == i + 1
            && let Some(first) = blocks.get(i + 1).and_then(|b| b.label.as_ref())
        {
            let again = (i + 2..blocks.len()).find(|&j| {
                blocks[j]
                    .label
                    .as_ref()
                    .is_some_and(|l| l.scheme == first.scheme && l.text == first.text)
            });
            end = again.filter(|&end| (i + 1..end).all(short)).unwrap_or(end);
        }
        // A document has only one table of contents. A later heading "Contents" without entries below it may belong to
        // a section about something else.
        if end > i + 1 || !out[..i].contains(&true) {
            out[i..end].fill(true);
        }
    }
    out
}

/// The text ends with a number set apart, and something else stands before it.
fn ends_with_page_number(text: &str) -> bool {
    let Some((before, last)) = text.trim().rsplit_once(' ') else {
        return false;
    };
    let number = !last.is_empty() && last.len() <= 4 && last.chars().all(|c| c.is_ascii_digit());
    (number || roman(last).is_some()) && before.chars().any(char::is_alphabetic)
}

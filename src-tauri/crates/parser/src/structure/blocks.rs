//! Lines to blocks: paragraphs, headings, table rows, footnotes.

mod around;
mod block;
mod cut_rows;
mod ends;
mod entries;
mod looks;
mod parting;
mod usual;

pub use block::{Block, BlockKind, BlockText};
pub(crate) use parting::document_number;
pub use usual::{Usual, usual};

use super::tables::{contents_lines, separator};
use crate::layout::{Line, Role};
use around::{is_lettered, is_underlined, stands_out};
use entries::close_entries;
use lexforge_ingest::numbering::{Scheme, paragraph_label};
use looks::{style, styled_line};
use parting::{gap_above, parts};
use std::collections::HashSet;
use usual::runs;

/// The blocks of a document whose lines are in reading order. `notes` says which lines are footnotes.
///
/// If a page break or column break divides a paragraph or a table row, footnotes may come between its two parts. The
/// block then continues after them.
pub fn blocks(lines: &[Line], notes: &[Option<bool>], usual: Usual) -> Vec<Block> {
    let contents = contents_lines(lines);
    let runs = runs(lines);
    let mut blocks: Vec<Block> = Vec::new();
    let mut entries: HashSet<usize> = HashSet::new();
    let (mut body, mut note, mut inset): (Option<usize>, Option<usize>, Option<usize>) =
        (None, None, None);
    for i in 0..lines.len() {
        let kind = if lines[i].figure.is_some() {
            BlockKind::TableRow
        } else if notes[i].is_some() {
            BlockKind::Footnote
        } else if contents[i] || lines[i].role == Role::Contents {
            BlockKind::Contents
        } else if lines[i].cell.is_some() {
            BlockKind::TableRow
        } else {
            BlockKind::Text
        };
        let chars: Vec<char> = lines[i].chars.iter().map(|c| c.ch).collect();
        let found = if kind == BlockKind::Text {
            paragraph_label(&chars, styled_line(&lines[i], usual, runs[i]))
                .filter(|l| !(matches!(l.scheme, Scheme::Named(_)) && ends_quotation(&chars)))
        } else {
            None
        };
        // A frame does not divide the paragraph around it.
        let open = match (kind, lines[i].framed) {
            (BlockKind::Footnote, _) => &mut note,
            (_, Some(_)) => &mut inset,
            _ => &mut body,
        };
        let last = *open;
        let goes_on = last.filter(|&at| {
            let block = &blocks[at];
            block.kind == kind
                && match kind {
                    BlockKind::Contents => false,
                    BlockKind::TableRow => {
                        separator(&lines[block.lines[block.lines.len() - 1]], &lines[i]) != '\n'
                    }
                    BlockKind::Footnote => notes[i] == Some(false),
                    BlockKind::Text | BlockKind::Heading => {
                        !parts(lines, block, i, found.as_ref(), &runs, usual)
                    }
                }
        });
        let left = lines[i].x0 / lines[i].size.max(0.1);
        if let Some(at) = goes_on {
            let block = &mut blocks[at];
            block.lines.push(i);
            block.hang = Some(block.hang.map_or(left, |h| h.min(left)));
            continue;
        }
        // Neither of two entries is a heading for its capitals alone.
        if let Some(at) = last.filter(|&at| blocks[at].kind == kind && kind == BlockKind::Text)
            && found.is_none()
            && close_entries(lines, &blocks[at], i, &runs, usual.size)
        {
            entries.extend([at, blocks.len()]);
        }
        *open = Some(blocks.len());
        blocks.push(Block {
            kind,
            lines: vec![i],
            label: found,
            indent: left,
            gap: gap_above(lines, i),
            scale: lines[i].size / usual.size.max(0.1),
            hang: None,
            styled: false,
            framed: lines[i].framed,
            prominence: 0.0,
        });
    }
    for at in 0..blocks.len() {
        let apart = stands_out(&blocks, at, lines, usual)
            || is_lettered(&blocks, at, lines, usual)
            || is_underlined(&blocks, at, lines, usual);
        let entry = entries.contains(&at);
        style(&mut blocks[at], lines, usual, &runs, (apart, entry));
    }
    join_headings(cut_rows::join(blocks, lines), lines, usual)
}

/// A quotation ends in the line that did not begin there: what names an article in it is cited.
fn ends_quotation(chars: &[char]) -> bool {
    let count = |sign: char| chars.iter().filter(|c| **c == sign).count();
    count('”') > count('“')
}

/// A block in a heading's look that begins in the middle of a sentence goes on with the heading above it.
fn join_headings(blocks: Vec<Block>, lines: &[Line], usual: Usual) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let small = lines[block.lines[0]]
            .chars
            .first()
            .is_some_and(|c| c.ch.is_lowercase());
        let chars: usize = block.lines.iter().map(|&i| lines[i].chars.len()).sum();
        let end = block
            .lines
            .last()
            .and_then(|&i| lines[i].chars.last())
            .map_or('.', |c| c.ch);
        let set_off = !".;:,".contains(end)
            && block.prominence > usual.size + 0.1
            && block.label.is_none()
            && chars <= 300;
        match out.last_mut() {
            Some(head)
                if small
                    && set_off
                    && block.kind == BlockKind::Text
                    && head.kind == BlockKind::Heading
                    && (head.prominence - block.prominence).abs() < 0.15
                    && block.gap.is_some_and(|g| g < 3.0) =>
            {
                head.lines.extend(block.lines);
            }
            _ => out.push(block),
        }
    }
    out
}

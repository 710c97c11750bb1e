//! Rows of tables that the end of a page cuts. Each cell of such a row continues in its column on the next page, below
//! the heads of the columns if these are repeated.

use super::block::{Block, BlockKind};
use crate::layout::Line;
use crate::layout::rows::first_word;
use lexforge_text::is_set_solid;
use std::collections::{BTreeMap, HashSet};

/// Columns of the two pages may overlap their neighbours by less than this, in ems.
const OVERLAP: f32 = 1.0;
/// Fewest words, or ideographs, of a line of running text.
const WORDS: usize = 2;
/// Lines of a cell from which on the last one shows whether it is full.
const LINES: usize = 2;

/// The lines of a row by column, as indices into the document's lines.
type Columns = BTreeMap<u32, Vec<usize>>;

/// Joins every row that a page's end cuts with the rest of it on the next page.
pub(super) fn join(blocks: Vec<Block>, lines: &[Line]) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut seen: HashSet<String> = HashSet::new();
    // The last row of a page, while nothing of the text is below it.
    let mut open: Option<usize> = None;
    for block in blocks {
        if block.kind == BlockKind::Footnote {
            out.push(block);
            continue;
        }
        let Some(own) = columns(&block, lines) else {
            open = None;
            out.push(block);
            continue;
        };
        let page = lines[block.lines[0]].page;
        let next = open.filter(|&at| last_page(&out[at], lines) + 1 == page);
        let come_again = !seen.insert(text(&own, lines));
        if let Some(at) = next {
            if come_again {
                out.push(block);
                continue;
            }
            if goes_on(&out[at], &own, lines) {
                let whole = merged(&out[at], own, lines);
                out[at].lines = whole;
                continue;
            }
        }
        open = Some(out.len());
        out.push(block);
    }
    out
}

/// The lines of a block by column, where it is the row of a table on a page.
fn columns(block: &Block, lines: &[Line]) -> Option<Columns> {
    if block.kind != BlockKind::TableRow {
        return None;
    }
    let mut out = Columns::new();
    for &i in &block.lines {
        let cell = lines[i].cell.filter(|_| lines[i].frame.width > 0.0)?;
        out.entry(cell.column).or_default().push(i);
    }
    Some(out)
}

fn last_page(block: &Block, lines: &[Line]) -> u32 {
    let pages = block.lines.iter().map(|&i| lines[i].page);
    pages.max().unwrap_or(0)
}

fn text(columns: &Columns, lines: &[Line]) -> String {
    let mut out = String::new();
    for own in columns.values() {
        for &i in own {
            out.push_str(&lines[i].text());
            out.push(' ');
        }
        out.push('\t');
    }
    out
}

/// Whether the row `below`, the first one of its page, is the rest of `row`, the last one of the page before.
fn goes_on(row: &Block, below: &Columns, lines: &[Line]) -> bool {
    let Some(all) = columns(row, lines) else {
        return false;
    };
    let page = last_page(row, lines);
    let above: Columns = all
        .iter()
        .map(|(column, own)| {
            let here = own.iter().copied().filter(|&i| lines[i].page == page);
            (*column, here.collect::<Vec<usize>>())
        })
        .filter(|(_, own)| !own.is_empty())
        .collect();
    // The rest of a cell is below that cell, so no column begins only on the next page.
    let known = below.keys().all(|column| above.contains_key(column));
    if !known || !aligned(&above, below, lines) {
        return false;
    }
    let (small, any) = below
        .iter()
        .filter_map(|(column, own)| Some(runs_on(above.get(column)?, own, lines)))
        .fold((false, false), |(small, any), how| match how {
            Some(RunsOn::Small) => (true, true),
            Some(RunsOn::Full) => (small, true),
            None => (small, any),
        });
    // A row begins with its label, unless the label was cut by the end of the page. If labels begin with capitals, a
    // small letter or a bracket at the beginning shows that the label was cut.
    let Some(label) = below.get(&0) else {
        return any;
    };
    let first = |own: &[usize]| {
        let line = own.first().map(|&i| &lines[i]);
        line.and_then(|l| l.chars.first()).map_or(' ', |c| c.ch)
    };
    let cut = first(label).is_lowercase() || ['(', '（'].contains(&first(label));
    let capital = all.get(&0).is_some_and(|own| first(own).is_uppercase());
    let others = below.keys().any(|column| *column > 0);
    small && cut && capital && others && is_open(above.get(&0).map(Vec::as_slice), lines)
}

/// Every column stands below its own, and below no other.
fn aligned(above: &Columns, below: &Columns, lines: &[Line]) -> bool {
    let extent = |own: &[usize]| {
        let own = own.iter().map(|&i| &lines[i]);
        own.fold((f32::MAX, f32::MIN), |(a, b), l| (a.min(l.x0), b.max(l.x1)))
    };
    below.iter().all(|(column, own)| {
        let (x0, x1) = extent(own);
        let line = &lines[own[0]];
        above.iter().all(|(other, theirs)| {
            let (a, b) = extent(theirs);
            let (over, before) = (x1.min(b) - x0.max(a), &lines[theirs[0]]);
            let fits = if column == other {
                let spans = |l: &Line| l.cell.map(|c| c.columns);
                over > 0.0 && spans(line) == spans(before)
            } else {
                over < OVERLAP * line.size
            };
            fits && line.frame == before.frame
        })
    })
}

/// How a cell shows that it goes on.
enum RunsOn {
    /// Its sentence has not ended, and continues with a small letter.
    Small,
    /// Its sentence has not ended, and the next word did not fit into the line.
    Full,
}

fn runs_on(above: &[usize], below: &[usize], lines: &[Line]) -> Option<RunsOn> {
    let (last, first) = (&lines[*above.last()?], &lines[*below.first()?]);
    let solid = last.chars.iter().filter(|c| is_set_solid(c.ch)).count();
    let words = last.text().split_whitespace().count() + solid;
    let alike = (last.size - first.size).abs() < 0.1 * last.size && last.bold == first.bold;
    if !is_open(Some(above), lines) || words < WORDS || !alike {
        return None;
    }
    let begins = first.chars.first()?.ch;
    if begins.is_lowercase() {
        return Some(RunsOn::Small);
    }
    let right = above.iter().map(|&i| lines[i].x1).fold(f32::MIN, f32::max);
    let full = last.x1 + 0.3 * last.size + first_word(first) > right;
    (above.len() >= LINES && full && begins.is_alphanumeric()).then_some(RunsOn::Full)
}

/// The text of the cell has not come to the end of a sentence.
fn is_open(cell: Option<&[usize]>, lines: &[Line]) -> bool {
    let last = cell.and_then(|own| own.last()).map(|&i| &lines[i]);
    let end = last.and_then(|l| {
        l.chars
            .iter()
            .rev()
            .find(|c| !"\"'”’)）]」》".contains(c.ch))
    });
    end.is_some_and(|c| !".!?;:。！？；：".contains(c.ch))
}

/// The lines of both parts, cell by cell.
fn merged(row: &Block, below: Columns, lines: &[Line]) -> Vec<usize> {
    let mut all = columns(row, lines).unwrap_or_default();
    for (column, own) in below {
        all.entry(column).or_default().extend(own);
    }
    all.into_values().flatten().collect()
}

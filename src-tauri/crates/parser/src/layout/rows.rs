//! Rows of tables without rules: lines on one baseline to rows of cells, wrapped cells kept with their row.

use super::line::{CELL_EDGE, Cell, Line};
use lexforge_text::is_set_solid;
use std::collections::BTreeMap;

/// What stands in one column on one baseline.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its text.
    pub line: Line,
    /// First column that it takes.
    pub column: usize,
    /// Columns that it takes.
    pub span: usize,
}

/// Everything on one baseline of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The baseline.
    pub baseline: f32,
    /// From left to right.
    pub parts: Vec<Part>,
}

impl Part {
    /// A part in one column.
    pub fn new(line: Line, column: usize) -> Self {
        Self {
            line,
            column,
            span: 1,
        }
    }

    /// A quantity, a year, or the sign for none.
    pub fn is_number(&self) -> bool {
        let (mut digits, mut letters) = (0usize, 0usize);
        for c in &self.line.chars {
            digits += usize::from(c.ch.is_numeric());
            letters += usize::from(c.ch.is_alphabetic());
        }
        (digits > 0 && letters <= 1 && letters < digits)
            || (letters == 0 && !self.line.chars.is_empty() && self.line.chars.len() <= 3)
    }

    /// It begins in the middle of a sentence.
    pub fn goes_on(&self) -> bool {
        self.line
            .chars
            .iter()
            .map(|c| c.ch)
            .find(|c| !"\"'“‘([".contains(*c))
            .is_some_and(char::is_lowercase)
    }

    /// The text asks for more: it ends with a comma, a hyphen or a joining word.
    fn is_open(&self) -> bool {
        let text = self.line.text();
        let last = text.rsplit(' ').next().unwrap_or_default();
        text.ends_with([',', '-', '–', '/', '('])
            || [
                "and", "or", "of", "the", "in", "to", "for", "by", "with", "from", "on", "at", "a",
                "an", "per", "&",
            ]
            .contains(&last)
    }
}

impl Row {
    fn part(&self, column: usize) -> Option<&Part> {
        self.parts.iter().find(|p| p.column == column)
    }
}

/// Rows on single baselines to rows of the table.
pub fn logical(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut edges: BTreeMap<usize, f32> = BTreeMap::new();
    for part in rows.iter().flat_map(|r| &r.parts).filter(|p| p.span == 1) {
        let right = edges.entry(part.column).or_insert(f32::MIN);
        *right = right.max(part.line.x1);
    }
    let head = rows.iter().position(|r| {
        r.parts
            .iter()
            .filter(|p| p.column > 0 && p.is_number())
            .count()
            > 0
    });
    let mut out: Vec<Vec<Row>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        let in_head = head.is_some_and(|h| i < h);
        match out.last_mut() {
            Some(open) if belongs(open, &row, &edges, in_head) => open.push(row),
            _ => out.push(vec![row]),
        }
    }
    out
}

/// Whether what stands on the next baseline goes on with the row that is open.
fn belongs(open: &[Row], next: &Row, edges: &BTreeMap<usize, f32>, in_head: bool) -> bool {
    let Some(last) = open.last() else {
        return false;
    };
    let (Some(above), Some(below)) = (last.parts.first(), next.parts.first()) else {
        return false;
    };
    let size = above.line.size.max(below.line.size);
    let pitch = next.baseline - last.baseline;
    if pitch > 1.75 * size || (above.line.size - below.line.size).abs() > 0.25 * size {
        return false;
    }
    let ruled = |p: &Part| {
        p.line
            .rule_above
            .is_some_and(|at| at > last.baseline - 0.2 * size)
    };
    if next.parts.iter().any(ruled) {
        return false;
    }
    let apart = next.parts.iter().all(|p| {
        last.parts
            .iter()
            .all(|o| o.line.x1 <= p.line.x0 || o.line.x0 >= p.line.x1)
    });
    if pitch < 0.8 * size && apart {
        return true;
    }
    let in_open = |column: usize| open.iter().rev().find_map(|r| r.part(column));
    let clash = next
        .parts
        .iter()
        .any(|p| p.is_number() && in_open(p.column).is_some_and(Part::is_number));
    if clash {
        return false;
    }
    // The next line would have begun with a word for which there was no room.
    let wraps = |p: &Part| {
        in_open(p.column).is_some_and(|before| {
            let right = edges.get(&p.column).copied().unwrap_or(before.line.x1);
            let word = first_word(&p.line);
            let same_start = (before.line.x0 - p.line.x0).abs() < 1.6 * size;
            // Short keys fill their column without ever being wrapped.
            let wordy = before.line.chars.iter().filter(|c| c.ch == ' ').count() >= 2
                || before
                    .line
                    .chars
                    .iter()
                    .filter(|c| is_set_solid(c.ch))
                    .count()
                    >= 6;
            before.line.x1 + 0.3 * size + word > right && same_start && wordy
        })
    };
    let continued = |p: &Part| p.goes_on() || in_open(p.column).is_some_and(Part::is_open);
    let only_label = |r: &[Row]| r.iter().all(|r| r.parts.iter().all(|p| p.column == 0));
    if next.part(0).is_none() {
        if in_head {
            return pitch < 1.4 * size && stacks(open, next);
        }
        return next
            .parts
            .iter()
            .all(|p| !p.is_number() && in_open(p.column).is_some() && (continued(p) || wraps(p)));
    }
    if next.parts.len() == 1 && below.column == 0 {
        return !only_label(open)
            && !below.is_number()
            && (continued(below) || (wraps(below) && !below.line.bold));
    }
    if only_label(open) {
        return !below.is_number() && continued(below);
    }
    if in_head {
        return pitch < 1.4 * size && stacks(open, next);
    }
    // Where every column goes on, the key does, too: a key in small letters begins a row of its own.
    next.parts.iter().all(|p| {
        let key = p.column == 0 && !wraps(p) && !in_open(0).is_some_and(Part::is_open);
        !key && !p.is_number() && in_open(p.column).is_some() && (continued(p) || wraps(p))
    })
}

/// Heads of columns over several lines: every part of the next line stands below one part, or below none.
fn stacks(open: &[Row], next: &Row) -> bool {
    let over = |a: &Part, b: &Part| a.line.x1.min(b.line.x1) - a.line.x0.max(b.line.x0) > 0.0;
    let spans = open
        .iter()
        .flat_map(|r| &r.parts)
        .any(|o| next.parts.iter().filter(|p| over(o, p)).count() > 1);
    let under = next
        .parts
        .iter()
        .any(|p| open.iter().flat_map(|r| &r.parts).any(|o| over(o, p)));
    let numbers = next.parts.iter().any(Part::is_number);
    !spans && under && !numbers
}

/// Width of the first word.
pub fn first_word(line: &Line) -> f32 {
    if line.chars.first().is_some_and(|c| is_set_solid(c.ch)) {
        return line.chars[0].x1 - line.x0;
    }
    let end = line
        .chars
        .iter()
        .position(|c| c.ch == ' ')
        .unwrap_or(line.chars.len());
    line.chars
        .get(end.saturating_sub(1))
        .map_or(0.0, |c| c.x1 - line.x0)
}

/// The cells of the lines of a table, which stand on their baselines in reading order: row by row, each cell's lines
/// together.
pub fn cells(lines: Vec<Line>, table: u32) -> Vec<Line> {
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        let parts: Vec<Part> = split(&line).into_iter().map(|l| Part::new(l, 0)).collect();
        match rows.last_mut() {
            Some(row) if (row.baseline - line.baseline).abs() < 0.3 * line.size => {
                row.parts.extend(parts)
            }
            _ => rows.push(Row {
                baseline: line.baseline,
                parts,
            }),
        }
    }
    columns(&mut rows);
    let mut out = Vec::new();
    for (number, rows) in (0u32..).zip(logical(rows)) {
        let mut by_column: BTreeMap<usize, (usize, Vec<Line>)> = BTreeMap::new();
        for part in rows.into_iter().flat_map(|r| r.parts) {
            let cell = by_column.entry(part.column).or_default();
            cell.0 = cell.0.max(part.span);
            cell.1.push(part.line);
        }
        for (column, (span, lines)) in by_column {
            for mut line in lines {
                line.cell = Some(Cell {
                    table,
                    row: number,
                    column: u32::try_from(column).unwrap_or(u32::MAX),
                    rows: 1,
                    columns: u32::try_from(span).unwrap_or(u32::MAX),
                });
                out.push(line);
            }
        }
    }
    out
}

/// Least number of lines in columns of running text.
const COLUMN_LINES: usize = 8;
/// Least number of characters that a column's lines have on the mean.
const COLUMN_CHARS: usize = 20;

/// Columns of running text that were written line by line across the page, column by column; none where the lines
/// are rows of a table, in which cells end and begin on the way down.
pub fn text_columns(lines: &[Line]) -> Option<Vec<Line>> {
    if lines.len() < COLUMN_LINES {
        return None;
    }
    let mut rows: Vec<Row> = lines
        .iter()
        .map(|l| Row {
            baseline: l.baseline,
            parts: split(l).into_iter().map(|p| Part::new(p, 0)).collect(),
        })
        .collect();
    columns(&mut rows);
    let count = rows.iter().map(|r| r.parts.len()).max()?;
    let full = rows.iter().filter(|r| r.parts.len() == count).count();
    if !(2..=4).contains(&count) || full * 10 < rows.len() * 7 {
        return None;
    }
    let mut by_column: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
    for part in rows.into_iter().flat_map(|r| r.parts) {
        if part.span > 1 {
            return None;
        }
        by_column.entry(part.column).or_default().push(part.line);
    }
    let text = |lines: &Vec<Line>| {
        let chars: usize = lines.iter().map(|l| l.chars.len()).sum();
        let right = lines.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
        let wraps = |w: &&[Line]| {
            w[1].baseline - w[0].baseline < 1.7 * w[0].size
                && w[0].x1 + 0.3 * w[0].size + first_word(&w[1]) > right
                && (w[1].x0 - w[0].x0).abs() < 3.0 * w[0].size
        };
        let numbers = lines
            .iter()
            .filter(|l| Part::new((*l).clone(), 0).is_number())
            .count();
        let steps = lines.len().saturating_sub(1).max(1);
        chars >= COLUMN_CHARS * lines.len()
            && lines.windows(2).filter(wraps).count() * 10 >= steps * 8
            && numbers * 10 < lines.len()
    };
    by_column
        .values()
        .all(text)
        .then(|| by_column.into_values().flatten().collect())
}

/// The pieces of a line between wide gaps.
pub fn split(line: &Line) -> Vec<Line> {
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in line.chars.iter().enumerate() {
        if c.ch == ' ' && c.x1 - c.x0 > CELL_EDGE * line.size {
            out.extend(piece(line, start, i));
            start = i + 1;
        }
    }
    out.extend(piece(line, start, line.chars.len()));
    out
}

fn piece(line: &Line, from: usize, to: usize) -> Option<Line> {
    let chars = line.chars.get(from..to)?.to_vec();
    let (first, last) = (chars.first()?, chars.last()?);
    let (x0, x1) = (first.x0, last.x1);
    Some(Line {
        x0,
        x1,
        chars,
        cells: 1,
        last_cell: x0,
        ..Line::bare(line)
    })
}

/// Gives every part its column: narrow parts tell where columns stand, wide ones may span several.
fn columns(rows: &mut [Row]) {
    let mut order: Vec<(usize, usize)> = rows
        .iter()
        .enumerate()
        .flat_map(|(r, row)| (0..row.parts.len()).map(move |p| (r, p)))
        .collect();
    let width =
        |rows: &[Row], (r, p): (usize, usize)| rows[r].parts[p].line.x1 - rows[r].parts[p].line.x0;
    // A line alone on its baseline tells nothing of columns.
    order.retain(|&(r, _)| rows[r].parts.len() > 1);
    order.sort_by(|&a, &b| width(rows, a).total_cmp(&width(rows, b)));
    let mut found: Vec<(f32, f32)> = Vec::new();
    for at in order {
        let line = &rows[at.0].parts[at.1].line;
        let hits: Vec<usize> = overlapping(&found, line.x0, line.x1);
        match hits.as_slice() {
            [] => found.push((line.x0, line.x1)),
            [one] => {
                let (x0, x1) = found[*one];
                let wider = (x0.min(line.x0), x1.max(line.x1));
                if overlapping(&found, wider.0, wider.1).len() == 1 {
                    found[*one] = wider;
                }
            }
            _ => {}
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Neighbours that never stand side by side are one column.
    let mut at = 0;
    while at + 1 < found.len() {
        let in_column = |row: &Row, c: usize| {
            row.parts
                .iter()
                .filter(|p| overlapping(&found, p.line.x0, p.line.x1) == [c])
                .count()
                > 0
        };
        if rows
            .iter()
            .any(|row| in_column(row, at) && in_column(row, at + 1))
        {
            at += 1;
        } else {
            found[at] = (found[at].0, found[at + 1].1);
            found.remove(at + 1);
        }
    }
    for row in rows {
        let mut next = 0;
        for part in &mut row.parts {
            let hits = overlapping(&found, part.line.x0, part.line.x1);
            let nearest = || {
                found
                    .iter()
                    .take_while(|c| c.1 <= part.line.x0)
                    .count()
                    .min(found.len().saturating_sub(1))
            };
            part.column = hits.first().copied().unwrap_or_else(nearest).max(next);
            part.span = hits.len().max(1);
            next = part.column + 1;
        }
    }
}

fn overlapping(columns: &[(f32, f32)], x0: f32, x1: f32) -> Vec<usize> {
    (0..columns.len())
        .filter(|&i| x1.min(columns[i].1) - x0.max(columns[i].0) > 0.5)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

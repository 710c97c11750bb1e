//! Rows of tables without rules: lines on one baseline to rows of cells, wrapped cells kept with their row.

use super::line::{CELL_EDGE, Cell, Line};
use super::narrow;
use super::parts::{Part, Row};
use super::stacked;
use lexforge_text::is_set_solid;
use std::collections::BTreeMap;

/// Lines of one row stand closer than this share of the usual distance of baselines.
const CLOSE: f32 = 0.8;

/// Rows on single baselines to rows of the table.
pub(crate) fn logical(rows: Vec<Row>) -> Vec<Vec<Row>> {
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
    let mut steps: Vec<f32> = rows
        .windows(2)
        .map(|w| w[1].baseline - w[0].baseline)
        .collect();
    steps.sort_by(f32::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or_default();
    let mut out: Vec<Vec<Row>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        let in_head = head.is_some_and(|h| i < h);
        match out.last_mut() {
            Some(open) if belongs(open, &row, &edges, in_head, usual) => open.push(row),
            _ => out.push(vec![row]),
        }
    }
    out
}

/// Whether the text on the next baseline continues the open row; `usual` is the usual distance of two baselines.
fn belongs(
    open: &[Row],
    next: &Row,
    edges: &BTreeMap<usize, f32>,
    in_head: bool,
    usual: f32,
) -> bool {
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
    // The next line would have begun with a word that did not fit.
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
    // If a row has the same columns as the open row and begins each with a capital, it continues none of them.
    let filled = |r: &Row| r.parts.iter().map(|p| p.column).collect::<Vec<usize>>();
    let capital = |p: &Part| p.line.chars.first().is_some_and(|c| c.ch.is_uppercase());
    let anew = next.parts.len() > 1
        && filled(&open[0]) == filled(next)
        && next
            .parts
            .iter()
            .all(|p| capital(p) && !in_open(p.column).is_some_and(Part::is_open));
    if anew {
        return false;
    }
    // The line continues the open row only if each of its cells continues a cell of the row. A cell in the first column
    // that begins a new entry does not. Even a first cell with a small first letter counts as a new entry, unless the
    // line is closer to the line above than rows usually are.
    let close = pitch < CLOSE * usual;
    next.parts.iter().all(|p| {
        let begins = p.column == 0 && !wraps(p) && !in_open(0).is_some_and(Part::is_open);
        let key = begins && !(close && p.goes_on());
        !key && !p.is_number() && in_open(p.column).is_some() && (continued(p) || wraps(p))
    })
}

/// Heads of columns over several lines: every part of the next line is below one part, or below none.
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

/// The cells of the lines of a table, from top to bottom: row by row, with the lines of each cell together. The first
/// `heads` lines are known to be column heads.
pub fn cells(mut lines: Vec<Line>, heads: usize, table: u32) -> Vec<Line> {
    let head_end = lines[..heads].iter().map(|l| l.baseline).reduce(f32::max);
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
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
    for row in &mut rows {
        row.parts.sort_by(|a, b| a.line.x0.total_cmp(&b.line.x0));
    }
    let mut found = columns(&mut rows);
    if narrow::split(&mut rows, &found) {
        found = columns(&mut rows);
    }
    let known = rows
        .iter()
        .take_while(|r| head_end.is_some_and(|end| r.baseline <= end))
        .count();
    let mut head = known.max(head_rows(&rows));
    // A label alone above the first quantities begins their row, or names the rows below it.
    let label = |r: &Row| r.parts.len() == 1 && r.parts[0].column == 0 && r.parts[0].span == 1;
    while head > 0 && label(&rows[head - 1]) {
        head -= 1;
    }
    let body = rows.split_off(head);
    for part in rows.iter_mut().flat_map(|r| &mut r.parts) {
        (part.column, part.span) = head_columns(&part.line, &found);
    }
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    let mut place = |lines: Vec<Line>, rows: (usize, usize), columns: (usize, usize)| {
        out.extend(lines.into_iter().map(|line| Line {
            cell: Some(Cell {
                table,
                row: count(rows.0),
                column: count(columns.0),
                rows: count(rows.1),
                columns: count(columns.1),
            }),
            ..line
        }));
    };
    let mut first = 0;
    if !rows.is_empty() {
        let (heads, height) = stacked::heads(rows);
        first = height;
        heads
            .into_iter()
            .for_each(|h| place(h.lines, h.rows, h.columns));
    }
    for (number, rows) in (first..).zip(logical(body)) {
        let mut by_column: BTreeMap<usize, (usize, Vec<Line>)> = BTreeMap::new();
        for part in rows.into_iter().flat_map(|r| r.parts) {
            let cell = by_column.entry(part.column).or_default();
            cell.0 = cell.0.max(part.span);
            cell.1.push(part.line);
        }
        for (column, (span, lines)) in by_column {
            place(lines, (number, 1), (column, span));
        }
    }
    out
}

/// Heads of columns take up at most so many baselines (rows of print).
const HEAD: usize = 5;

/// Number of baselines before the first quantity, where most of what follows has some.
fn head_rows(rows: &[Row]) -> usize {
    let counts = |r: &Row| r.parts.iter().any(|p| p.column > 0 && p.is_number());
    let head = rows.iter().position(counts).unwrap_or(0);
    let body = &rows[head..];
    let counted = body.iter().filter(|r| counts(r)).count();
    let close = |w: &[Row]| w[1].baseline - w[0].baseline < 2.0 * w[0].parts[0].line.size;
    let several = rows[..head].iter().any(|r| r.parts.len() > 1);
    let set = rows[..head].windows(2).all(close);
    if head <= HEAD && several && set && counted >= 2 && counted * 2 >= body.len() {
        head
    } else {
        0
    }
}

/// First column and number of columns of a head, which may stand in the middle of several.
pub(crate) fn head_columns(line: &Line, found: &[(f32, f32)]) -> (usize, usize) {
    let middle = |i: usize| (found[i].1 + found[i + 1].0) / 2.0;
    let mut hits = overlapping(found, line.x0, line.x1);
    let near: Vec<usize> = (0..found.len())
        .filter(|&i| {
            let from = if i == 0 { f32::MIN } else { middle(i - 1) };
            let to = if i + 1 == found.len() {
                f32::MAX
            } else {
                middle(i)
            };
            line.x1.min(to) - line.x0.max(from) > 0.35 * line.size
        })
        .collect();
    // It extends equally far into its neighbours on both sides, or it is between two columns.
    let beyond = |to: fn(&[usize]) -> Option<&usize>| to(&near) != to(&hits);
    if hits.is_empty() || (beyond(|c| c.first()) && beyond(|c| c.last())) {
        hits = near;
    } else if let (Some(&first), Some(&last)) = (hits.first(), hits.last()) {
        // It extends into one column, but is above the middle of this column and the next.
        let off = |first: usize, last: usize| {
            ((found[first].0 + found[last].1) - (line.x0 + line.x1)).abs() / 2.0
        };
        let here = off(first, last);
        let wider = [
            (first.saturating_sub(1), last),
            (first, (last + 1).min(found.len() - 1)),
        ];
        let best = wider
            .into_iter()
            .min_by(|a, b| off(a.0, a.1).total_cmp(&off(b.0, b.1)));
        if let Some((from, to)) =
            best.filter(|b| here > 0.6 * line.size && off(b.0, b.1) < 0.5 * here)
        {
            return (from, to - from + 1);
        }
    }
    match (hits.first(), hits.last()) {
        (Some(first), Some(last)) => (*first, last - first + 1),
        _ => (0, 1),
    }
}

/// Least number of lines in columns of running text.
const COLUMN_LINES: usize = 8;
/// Least number of characters that a column's lines have on the mean.
const COLUMN_CHARS: usize = 20;

/// Sorts the lines of a page by columns. Some programs write text of several columns line by line across the page, so
/// each line contains pieces of all columns. `None` if the lines are rows of a table and not columns of running text.
/// In a table, one cell ends and the next begins within a column.
pub(crate) fn text_columns(lines: &[Line]) -> Option<Vec<Line>> {
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

/// The pieces of a line between wide gaps and at known gutters.
pub fn split(line: &Line) -> Vec<Line> {
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in line.chars.iter().enumerate() {
        if c.ch == ' ' && (c.x1 - c.x0 > CELL_EDGE * line.size || line.gutters.contains(&i)) {
            out.extend(line.piece(start, i));
            start = i + 1;
        }
    }
    out.extend(line.piece(start, line.chars.len()));
    out
}

/// Gives every part its column: narrow parts tell where columns stand, wide ones may span several.
fn columns(rows: &mut [Row]) -> Vec<(f32, f32)> {
    let mut order: Vec<(usize, usize)> = rows
        .iter()
        .enumerate()
        .flat_map(|(r, row)| (0..row.parts.len()).map(move |p| (r, p)))
        .collect();
    let width =
        |rows: &[Row], (r, p): (usize, usize)| rows[r].parts[p].line.x1 - rows[r].parts[p].line.x0;
    // A line that is alone on its baseline shows no columns.
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
    found
}

fn overlapping(columns: &[(f32, f32)], x0: f32, x1: f32) -> Vec<usize> {
    (0..columns.len())
        .filter(|&i| x1.min(columns[i].1) - x0.max(columns[i].0) > 0.5)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

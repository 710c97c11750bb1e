//! Reading order.
//!
//! Programs that typeset documents write the text in reading order, columns and cells included, so the
//! order of the content stream is kept when it runs downwards within its columns. Where it jumps about
//! the page, lines are ordered by position: columns are found as strips that no line crosses.

use super::line::Line;

/// Share of upward jumps from which the stream's order is not trusted.
const JUMPY: f32 = 0.12;

/// A line, or a ruled table whose lines stand in order already.
#[derive(Clone, Debug)]
pub struct Unit {
    lines: Vec<Line>,
    table: bool,
    x0: f32,
    x1: f32,
    /// First and last baseline.
    top: f32,
    bottom: f32,
    size: f32,
    turn: u8,
    chars: usize,
}

impl Unit {
    /// A line.
    pub fn line(line: Line) -> Self {
        Self::of(vec![line], false)
    }

    /// A table.
    pub fn table(lines: Vec<Line>) -> Self {
        Self::of(lines, true)
    }

    fn of(lines: Vec<Line>, table: bool) -> Self {
        let fold = |from: f32, pick: &dyn Fn(f32, f32) -> f32, value: &dyn Fn(&Line) -> f32| {
            lines.iter().map(value).fold(from, pick)
        };
        Self {
            table,
            x0: fold(f32::MAX, &f32::min, &|l| l.x0),
            x1: fold(f32::MIN, &f32::max, &|l| l.x1),
            top: fold(f32::MAX, &f32::min, &|l| l.baseline),
            bottom: fold(f32::MIN, &f32::max, &|l| l.baseline),
            size: lines.first().map_or(1.0, |l| l.size),
            turn: lines.first().map_or(0, |l| l.frame.turn),
            chars: lines.iter().map(|l| l.chars.len()).sum(),
            lines,
        }
    }
}

/// Puts the text of one page into reading order.
pub fn order(units: Vec<Unit>) -> Vec<Line> {
    let ordered = if jumps(&units) <= JUMPY { units } else { by_position(units) };
    ordered.into_iter().flat_map(|u| u.lines).collect()
}

/// Share of units that stand above their predecessor though in the same column.
fn jumps(units: &[Unit]) -> f32 {
    if units.len() < 6 {
        return if units.windows(2).any(|w| goes_up(&w[0], &w[1])) { 1.0 } else { 0.0 };
    }
    let up = units.windows(2).filter(|w| goes_up(&w[0], &w[1])).count();
    up as f32 / units.len() as f32
}

fn goes_up(before: &Unit, after: &Unit) -> bool {
    let higher = after.top < before.bottom - 0.5 * before.size;
    let overlap = before.x1.min(after.x1) - before.x0.max(after.x0);
    let narrower = (before.x1 - before.x0).min(after.x1 - after.x0).max(1.0);
    before.turn == after.turn && higher && overlap > 0.3 * narrower
}

fn by_position(units: Vec<Unit>) -> Vec<Unit> {
    let mut out = Vec::with_capacity(units.len());
    let mut rest = units;
    // Each direction of writing is a page of its own.
    while let Some(turn) = rest.first().map(|u| u.turn) {
        let (same, other): (Vec<Unit>, Vec<Unit>) = rest.into_iter().partition(|u| u.turn == turn);
        cut(same, &mut out, 0);
        rest = other;
    }
    out
}

/// Orders a region: along a strip that no line crosses if there is one, else from top to bottom.
fn cut(mut lines: Vec<Unit>, out: &mut Vec<Unit>, depth: u8) {
    lines.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.x0.total_cmp(&b.x0)));
    if depth > 6 || lines.len() < 4 {
        out.extend(merge_rows(lines));
        return;
    }
    if let Some(at) = gutter(&lines) {
        let (left, right): (Vec<Unit>, Vec<Unit>) = lines.into_iter().partition(|l| l.x1 <= at);
        cut(left, out, depth + 1);
        cut(right, out, depth + 1);
        return;
    }
    // Lines that cross the page (titles, full-width tables) part the region into bands.
    let (x0, x1) = extent(&lines);
    let wide = |l: &Unit| l.x1 - l.x0 > 0.6 * (x1 - x0);
    let wide_count = lines.iter().filter(|l| wide(l)).count();
    if wide_count == 0 || wide_count == lines.len() {
        out.extend(merge_rows(lines));
        return;
    }
    let mut band: Vec<Unit> = Vec::new();
    let mut band_wide = wide(&lines[0]);
    for line in lines {
        if wide(&line) != band_wide {
            flush(std::mem::take(&mut band), band_wide, out, depth);
            band_wide = wide(&line);
        }
        band.push(line);
    }
    flush(band, band_wide, out, depth);
}

fn flush(band: Vec<Unit>, wide: bool, out: &mut Vec<Unit>, depth: u8) {
    if wide { out.extend(merge_rows(band)) } else { cut(band, out, depth + 1) }
}

fn extent(lines: &[Unit]) -> (f32, f32) {
    lines.iter().fold((f32::MAX, f32::MIN), |(a, b), l| (a.min(l.x0), b.max(l.x1)))
}

/// The middle of the widest strip that no line crosses, if text of some length stands on both sides.
fn gutter(lines: &[Unit]) -> Option<f32> {
    let mut spans: Vec<(f32, f32)> = lines.iter().map(|l| (l.x0, l.x1)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = lines[lines.len() / 2].size;
    let mut right = spans.first()?.1;
    let mut best: Option<(f32, f32)> = None;
    for &(x0, x1) in &spans[1..] {
        let gap = x0 - right;
        if gap > 0.8 * size && best.is_none_or(|(g, _)| gap > g) {
            best = Some((gap, right + gap / 2.0));
        }
        right = right.max(x1);
    }
    let (_, at) = best?;
    let side = |left: bool| {
        let part: Vec<&Unit> = lines.iter().filter(|l| (l.x1 <= at) == left).collect();
        let chars: usize = part.iter().map(|l| l.chars).sum();
        // A column of running text has long lines; a column of a table does not.
        part.len() >= 3 && chars >= 22 * part.len()
    };
    (side(true) && side(false)).then_some(at)
}

/// Lines on one baseline become one row, from left to right.
fn merge_rows(units: Vec<Unit>) -> Vec<Unit> {
    let mut rows: Vec<Unit> = Vec::new();
    for mut unit in units {
        if let Some(row) = rows.last_mut()
            && !row.table
            && !unit.table
            && (row.bottom - unit.top).abs() < 0.3 * row.size.max(unit.size)
            && let ([left], [right]) = (row.lines.as_mut_slice(), unit.lines.as_mut_slice())
        {
            if right.x0 >= left.x1 - 0.3 * left.size {
                append(left, std::mem::take(right));
                *row = Unit::of(std::mem::take(&mut row.lines), false);
                continue;
            } else if left.x0 >= right.x1 - 0.3 * left.size {
                append(right, std::mem::take(left));
                *row = Unit::of(std::mem::take(&mut unit.lines), false);
                continue;
            }
        }
        rows.push(unit);
    }
    rows
}

fn append(row: &mut Line, right: Line) {
    let edge = row.x1;
    row.chars.push(super::LineChar::space(edge, right.x0));
    if right.chars.len() > row.chars.len() {
        (row.size, row.baseline, row.bold) = (right.size, right.baseline, right.bold);
    }
    row.x1 = row.x1.max(right.x1);
    row.cells += right.cells;
    row.last_cell = right.last_cell;
    row.chars.extend(right.chars);
}

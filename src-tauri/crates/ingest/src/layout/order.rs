//! Reading order.
//!
//! Programs that typeset documents write the text in reading order, columns and cells included, so the
//! order of the content stream is kept when it runs downwards within its columns. Where it jumps about
//! the page, lines are ordered by position: columns are found as strips that no line crosses.

use super::line::Line;

/// Share of upward jumps from which the stream's order is not trusted.
const JUMPY: f32 = 0.12;

/// Puts the lines of one page into reading order.
pub fn order(lines: Vec<Line>) -> Vec<Line> {
    if jumps(&lines) <= JUMPY { lines } else { by_position(lines) }
}

/// Share of lines that stand above their predecessor though in the same column.
fn jumps(lines: &[Line]) -> f32 {
    if lines.len() < 6 {
        return if lines.windows(2).any(|w| goes_up(&w[0], &w[1])) { 1.0 } else { 0.0 };
    }
    let up = lines.windows(2).filter(|w| goes_up(&w[0], &w[1])).count();
    up as f32 / lines.len() as f32
}

fn goes_up(before: &Line, after: &Line) -> bool {
    let higher = after.baseline < before.baseline - 0.5 * before.size;
    let overlap = before.x1.min(after.x1) - before.x0.max(after.x0);
    let narrower = (before.x1 - before.x0).min(after.x1 - after.x0).max(1.0);
    before.frame.turn == after.frame.turn && higher && overlap > 0.3 * narrower
}

fn by_position(lines: Vec<Line>) -> Vec<Line> {
    let mut out = Vec::with_capacity(lines.len());
    let mut rest = lines;
    // Each direction of writing is a page of its own.
    while let Some(turn) = rest.first().map(|l| l.frame.turn) {
        let (same, other): (Vec<Line>, Vec<Line>) = rest.into_iter().partition(|l| l.frame.turn == turn);
        cut(same, &mut out, 0);
        rest = other;
    }
    out
}

/// Orders a region: along a strip that no line crosses if there is one, else from top to bottom.
fn cut(mut lines: Vec<Line>, out: &mut Vec<Line>, depth: u8) {
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.x0.total_cmp(&b.x0)));
    if depth > 6 || lines.len() < 4 {
        out.extend(merge_rows(lines));
        return;
    }
    if let Some(at) = gutter(&lines) {
        let (left, right): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(|l| l.x1 <= at);
        cut(left, out, depth + 1);
        cut(right, out, depth + 1);
        return;
    }
    // Lines that cross the page (titles, full-width tables) part the region into bands.
    let (x0, x1) = extent(&lines);
    let wide = |l: &Line| l.x1 - l.x0 > 0.6 * (x1 - x0);
    let wide_count = lines.iter().filter(|l| wide(l)).count();
    if wide_count == 0 || wide_count == lines.len() {
        out.extend(merge_rows(lines));
        return;
    }
    let mut band: Vec<Line> = Vec::new();
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

fn flush(band: Vec<Line>, wide: bool, out: &mut Vec<Line>, depth: u8) {
    if wide { out.extend(merge_rows(band)) } else { cut(band, out, depth + 1) }
}

fn extent(lines: &[Line]) -> (f32, f32) {
    lines.iter().fold((f32::MAX, f32::MIN), |(a, b), l| (a.min(l.x0), b.max(l.x1)))
}

/// The middle of the widest strip that no line crosses, if text of some length stands on both sides.
fn gutter(lines: &[Line]) -> Option<f32> {
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
        let part: Vec<&Line> = lines.iter().filter(|l| (l.x1 <= at) == left).collect();
        let chars: usize = part.iter().map(|l| l.chars.len()).sum();
        // A column of running text has long lines; a column of a table does not.
        part.len() >= 3 && chars >= 22 * part.len()
    };
    (side(true) && side(false)).then_some(at)
}

/// Lines on one baseline become one row, from left to right.
fn merge_rows(lines: Vec<Line>) -> Vec<Line> {
    let mut rows: Vec<Line> = Vec::new();
    for line in lines {
        if let Some(row) = rows.last_mut()
            && (row.baseline - line.baseline).abs() < 0.3 * row.size.max(line.size)
        {
            if line.x0 >= row.x1 - 0.3 * row.size {
                append(row, line);
                continue;
            } else if row.x0 >= line.x1 - 0.3 * row.size {
                let right = std::mem::replace(row, line);
                append(row, right);
                continue;
            }
        }
        rows.push(line);
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

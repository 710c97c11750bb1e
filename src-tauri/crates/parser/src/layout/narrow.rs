//! Narrow gutters: where one row of a table leaves no more than a blank between two columns that other rows hold apart.

use super::line::Line;
use super::parts::{Part, Row};

/// Narrowest blank, in ems, that can part two columns.
const BLANK: f32 = 0.3;
/// Narrowest blank, in ems, that parts two columns wherever they begin.
const WIDE: f32 = 0.6;
/// Edges closer than this, in ems, are on one line.
const ALIGNED: f32 = 0.15;
/// A column counts as set flush if at least this number of its parts begin (or end) at its edge.
const FLUSH: usize = 3;

/// Divides parts of rows that cover two columns although they are two cells with only a narrow blank between them. A
/// part is cut at a blank where the second column begins or the first one ends. Returns whether anything was divided.
pub fn split(rows: &mut [Row], found: &[(f32, f32)]) -> bool {
    let (lefts, rights) = edges(rows, found.len());
    let mut done = false;
    for row in rows {
        let mut at = 0;
        while at < row.parts.len() {
            let part = &row.parts[at];
            let cut = (part.span > 1)
                .then(|| {
                    (part.column + 1..(part.column + part.span).min(found.len()))
                        .find_map(|c| blank(&part.line, lefts[c], rights[c - 1]))
                        .or_else(|| at_gutter(&part.line, found))
                })
                .flatten();
            if let Some((left, right)) = cut.and_then(|i| cut_at(&part.line, i)) {
                row.parts
                    .splice(at..=at, [Part::new(left, 0), Part::new(right, 0)]);
                done = true;
            }
            at += 1;
        }
    }
    done
}

/// For every column the left edge, and the right edge, that several parts share.
fn edges(rows: &[Row], columns: usize) -> (Vec<Option<f32>>, Vec<Option<f32>>) {
    let shared = |of: fn(&Line) -> f32, column: usize| {
        let mut all: Vec<(f32, f32)> = rows
            .iter()
            .flat_map(|r| &r.parts)
            .filter(|p| p.column == column && p.span == 1)
            .map(|p| (of(&p.line), p.line.size))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = |i: usize| {
            all[i..]
                .iter()
                .take_while(|e| e.0 - all[i].0 < ALIGNED * all[i].1)
                .count()
        };
        let best = (0..all.len()).max_by_key(|&i| count(i))?;
        (count(best) >= FLUSH && count(best) * 2 >= all.len()).then(|| all[best].0)
    };
    (
        (0..columns).map(|c| shared(|l| l.x0, c)).collect(),
        (0..columns).map(|c| shared(|l| l.x1, c)).collect(),
    )
}

/// The blank of a line after which a column begins, or before which one ends.
fn blank(line: &Line, left: Option<f32>, right: Option<f32>) -> Option<usize> {
    let near = |edge: Option<f32>, at: f32| {
        edge.is_some_and(|e| (e - at).abs() < 2.0 * ALIGNED * line.size)
    };
    (1..line.chars.len().saturating_sub(1)).find(|&i| {
        let c = &line.chars[i];
        c.ch == ' '
            && c.x1 - c.x0 >= BLANK * line.size
            && (near(left, line.chars[i + 1].x0) || near(right, line.chars[i - 1].x1))
    })
}

/// The first blank of some width that holds the middle of the gutter between two columns.
fn at_gutter(line: &Line, found: &[(f32, f32)]) -> Option<usize> {
    (1..line.chars.len().saturating_sub(1)).find(|&i| {
        let c = &line.chars[i];
        let holds = |w: &[(f32, f32)]| {
            let middle = (w[0].1 + w[1].0) / 2.0;
            w[0].1 <= w[1].0 && c.x0 - 0.2 * line.size <= middle && middle <= c.x1 + 0.2 * line.size
        };
        c.ch == ' ' && c.x1 - c.x0 >= WIDE * line.size && found.windows(2).any(holds)
    })
}

/// The pieces of a line at the blanks over the gutters between columns.
pub fn pieces(line: Line, found: &[(f32, f32)]) -> Vec<Line> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some((left, right)) = at_gutter(&rest, found).and_then(|i| cut_at(&rest, i)) {
        out.push(left);
        rest = right;
    }
    out.push(rest);
    out
}

/// The parts before and after a blank.
fn cut_at(line: &Line, blank: usize) -> Option<(Line, Line)> {
    Some((
        line.piece(0, blank)?,
        line.piece(blank + 1, line.chars.len())?,
    ))
}

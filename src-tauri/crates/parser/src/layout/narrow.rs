//! Narrow gutters: where one row of a table leaves no more than a blank between two columns that other rows hold apart.

use super::line::Line;
use super::parts::{Part, Row};

/// Narrowest blank, in ems, that can part two columns.
const BLANK: f32 = 0.3;
/// Edges closer than this, in ems, are on one line.
const ALIGNED: f32 = 0.15;
/// Parts that begin (or end) where the column does, so that it counts as set flush.
const FLUSH: usize = 3;

/// Parts what runs over two columns at a blank where the second column begins or the first one ends; says whether it did.
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
                })
                .flatten();
            if let Some((left, right)) = cut.and_then(|i| Some((cut_off(&part.line, 0, i)?, cut_off(&part.line, i + 1, part.line.chars.len())?))) {
                row.parts.splice(at..=at, [Part::new(left, 0), Part::new(right, 0)]);
                done = true;
                // The second part may run over further columns: found anew by the next call.
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
            all[i..].iter().take_while(|e| e.0 - all[i].0 < ALIGNED * all[i].1).count()
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
    let near = |edge: Option<f32>, at: f32| edge.is_some_and(|e| (e - at).abs() < 2.0 * ALIGNED * line.size);
    (1..line.chars.len().saturating_sub(1)).find(|&i| {
        let c = &line.chars[i];
        c.ch == ' '
            && c.x1 - c.x0 >= BLANK * line.size
            && (near(left, line.chars[i + 1].x0) || near(right, line.chars[i - 1].x1))
    })
}

fn cut_off(line: &Line, from: usize, to: usize) -> Option<Line> {
    let chars = line.chars.get(from..to)?.to_vec();
    let (first, last) = (chars.first()?, chars.last()?);
    let (x0, x1) = (first.x0, last.x1);
    Some(Line { x0, x1, chars, cells: 1, last_cell: x0, ..Line::bare(line) })
}

//! Column heads that take several lines and may span several columns.
//!
//! Two lines are one head if the lower one is the only line below the upper one, and the upper one the only line above
//! the lower one. If several lines are below one line, this line is a head over all their columns, and they are the
//! next row of heads.

use super::line::Line;
use super::parts::{Part, Row};

/// A head and the rows and columns that it takes, from its first ones on.
pub struct Head {
    /// Its lines, from top to bottom.
    pub lines: Vec<Line>,
    /// First row, and number of rows.
    pub rows: (usize, usize),
    /// First column, and number of columns.
    pub columns: (usize, usize),
}

/// Lines further apart than this, in ems, are two heads.
const PITCH: f32 = 1.6;

/// The heads in some baselines, and how many rows they make.
pub fn heads(rows: Vec<Row>) -> (Vec<Head>, usize) {
    let parts: Vec<Part> = rows.into_iter().flat_map(|r| r.parts).collect();
    let above: Vec<Vec<usize>> = (0..parts.len()).map(|i| nearest_above(&parts, i)).collect();
    let below = |q: usize| (0..parts.len()).filter(|&p| above[p].contains(&q)).count();
    // Each part's head, by the index of the head's first part.
    let mut head: Vec<usize> = (0..parts.len()).collect();
    let mut depth = vec![0usize; parts.len()];
    for p in 0..parts.len() {
        let [q] = above[p][..] else {
            depth[p] = above[p]
                .iter()
                .map(|&q| depth[head[q]] + 1)
                .max()
                .unwrap_or(0);
            continue;
        };
        let (upper, lower) = (&parts[q].line, &parts[p].line);
        let close = lower.baseline - upper.baseline < PITCH * upper.size.max(lower.size);
        let ruled = lower.rule_above.is_some_and(|at| at > upper.baseline);
        if close && !ruled && below(q) == 1 && parts[q].span >= parts[p].span {
            head[p] = head[q];
        } else {
            depth[p] = depth[head[q]] + 1;
        }
    }
    let count = 1 + (0..parts.len()).map(|p| depth[head[p]]).max().unwrap_or(0);
    let related = |p: usize| !above[p].is_empty() || below(p) > 0;
    let bands: Vec<(f32, f32)> = (0..count)
        .map(|row| {
            let own = (0..parts.len()).filter(|&p| depth[head[p]] == row && related(p));
            own.fold((f32::MAX, f32::MIN), |(a, b), p| {
                let line = &parts[p].line;
                (a.min(line.top()), b.max(line.bottom()))
            })
        })
        .collect();
    let mut out = Vec::new();
    for first in (0..parts.len()).filter(|&p| head[p] == p) {
        let own: Vec<usize> = (first..parts.len()).filter(|&p| head[p] == first).collect();
        let column = own.iter().map(|&p| parts[p].column).min().unwrap_or(0);
        let end = own
            .iter()
            .map(|&p| parts[p].column + parts[p].span)
            .max()
            .unwrap_or(1);
        let lonely = own
            .iter()
            .all(|&p| above[p].iter().all(|q| own.contains(q)))
            && own
                .iter()
                .all(|&p| below(p) == usize::from(own.iter().any(|&o| above[o].contains(&p))));
        let rows = if lonely && count > 1 {
            let top = parts[first].line.top();
            let bottom = own
                .iter()
                .map(|&p| parts[p].line.bottom())
                .fold(f32::MIN, f32::max);
            let size = parts[first].line.size;
            let meets = |b: &(f32, f32)| bottom.min(b.1) - top.max(b.0) > 0.5 * size;
            let from = bands.iter().position(meets).unwrap_or(count - 1);
            let to = bands.iter().rposition(meets).unwrap_or(count - 1);
            (from, to + 1 - from)
        } else {
            (depth[first], 1)
        };
        out.push(Head {
            lines: own.iter().map(|&p| parts[p].line.clone()).collect(),
            rows,
            columns: (column, end - column),
        });
    }
    out.sort_by_key(|h| (h.rows.0, h.columns.0));
    (out, count)
}

/// The parts of the nearest baseline above under which a part stands.
fn nearest_above(parts: &[Part], at: usize) -> Vec<usize> {
    let here = &parts[at];
    let size = here.line.size;
    let over = |q: &Part| {
        q.column < here.column + here.span
            && here.column < q.column + q.span
            && q.line.baseline < here.line.baseline - 0.3 * size
    };
    let nearest = parts
        .iter()
        .filter(|q| over(q))
        .map(|q| q.line.baseline)
        .fold(f32::MIN, f32::max);
    (0..parts.len())
        .filter(|&q| over(&parts[q]) && parts[q].line.baseline > nearest - 0.3 * size)
        .collect()
}

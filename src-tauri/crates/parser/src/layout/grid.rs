//! Ruled tables: printed lines that form a grid of cells.
//!
//! Lines that cross belong to one table. Its rows and columns are bounded by its lines. If there is no line between two
//! neighbouring cells, they are one cell that spans both.

use super::line::Frame;
use crate::reader::{Glyph, Stroke};
use std::collections::BTreeMap;

/// Lines closer than this, in points, are one line.
const SAME: f32 = 3.0;
/// Lines that miss each other by less still meet.
const REACH: f32 = 3.0;
/// A longer way past the last line means an open side of the table.
const OPEN: f32 = 8.0;
/// A page with more lines in one direction is a drawing.
const MOST: usize = 1_500;
/// A grid of more cells is a drawing.
const MOST_CELLS: usize = 20_000;
/// A shorter line is no part of a rule that is drawn column by column.
const PIECE: f32 = 12.0;
/// Gap between the parts of one rule; they may overlap by the thickness of a line.
const JOINT: std::ops::Range<f32> = -3.0..5.0;
/// Share of a side that has to be drawn.
const DRAWN: f32 = 0.6;

/// A drawn line of a table: its place, and the ends between which it runs.
#[derive(Clone, Copy, Debug)]
struct Rule {
    at: f32,
    from: f32,
    to: f32,
}

/// A ruled table in the frame of its text.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Edges of the columns, from left to right.
    pub xs: Vec<f32>,
    /// Edges of the rows, from top to bottom.
    pub ys: Vec<f32>,
    /// Cell of every field of the grid, row by row: the field that is its upper left corner.
    pub cell: Vec<usize>,
    /// Whether its columns are found from its text and not from drawn lines.
    pub banded: bool,
}

impl Grid {
    /// Row and column in which the cell around a point of the frame begins.
    pub(crate) fn cell_at(&self, x: f32, y: f32) -> Option<(u32, u32)> {
        let column = slot(&self.xs, x)?;
        let row = slot(&self.ys, y)?;
        let columns = self.xs.len() - 1;
        let first = *self.cell.get(row * columns + column)?;
        Some((
            u32::try_from(first / columns).ok()?,
            u32::try_from(first % columns).ok()?,
        ))
    }

    /// A table whose columns are found from its text.
    pub(crate) fn banded(xs: Vec<f32>, ys: Vec<f32>, cell: Vec<usize>) -> Self {
        Self {
            xs,
            ys,
            cell,
            banded: true,
        }
    }

    /// Upper and lower edge.
    pub fn heights(&self) -> (f32, f32) {
        (self.ys[0], self.ys[self.ys.len() - 1])
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.xs.len() - 1
    }

    /// The field around a point of the frame.
    pub fn field(&self, x: f32, y: f32) -> Option<usize> {
        Some(slot(&self.ys, y)? * self.columns() + slot(&self.xs, x)?)
    }

    /// For every field that is the upper left corner of a cell, the last row and the last column of that cell.
    pub(crate) fn extents(&self) -> BTreeMap<usize, (usize, usize)> {
        let columns = self.columns();
        let mut out: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (field, &first) in self.cell.iter().enumerate() {
            let last = out.entry(first).or_default();
            *last = (last.0.max(field / columns), last.1.max(field % columns));
        }
        out
    }

    /// Makes cells of the fields that have one key.
    pub(crate) fn regroup(&mut self, keys: &[(usize, usize)]) {
        let mut first: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        self.cell = keys
            .iter()
            .enumerate()
            .map(|(field, key)| *first.entry(*key).or_insert(field))
            .collect();
    }
}

fn slot(edges: &[f32], at: f32) -> Option<usize> {
    let after = edges.partition_point(|e| *e <= at);
    (after > 0 && after < edges.len()).then(|| after - 1)
}

/// The level lines of a page in a frame, as `(height, from, to)`, joined where they touch.
pub fn levels(strokes: &[Stroke], frame: Frame) -> Vec<(f32, f32, f32)> {
    let (level, _) = rules(strokes, frame);
    level.into_iter().map(|r| (r.at, r.from, r.to)).collect()
}

/// The upright lines of a page in a frame, as `(place, from, to)`, joined where they touch.
pub(crate) fn uprights(strokes: &[Stroke], frame: Frame) -> Vec<(f32, f32, f32)> {
    let (_, upright) = rules(strokes, frame);
    upright.into_iter().map(|r| (r.at, r.from, r.to)).collect()
}

/// Where level lines are drawn piece by piece, as `(height, place)`: often so at the edges of the columns of a table.
pub fn joints(strokes: &[Stroke], frame: Frame) -> Vec<(f32, f32)> {
    let (mut level, _) = drawn(strokes, frame);
    level.retain(|r| r.to - r.from >= PIECE);
    let mut out = Vec::new();
    if level.len() > MOST {
        return out;
    }
    level.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut start = 0;
    while start < level.len() {
        let at = level[start].at;
        let near = level[start..].iter().take_while(|r| r.at - at <= SAME);
        let end = start + near.count();
        let group = &mut level[start..end];
        group.sort_by(|a, b| a.from.total_cmp(&b.from));
        let touch = |w: &&[Rule]| JOINT.contains(&(w[1].from - w[0].to));
        let joint = |w: &[Rule]| (at, (w[0].to + w[1].from) / 2.0);
        out.extend(group.windows(2).filter(touch).map(joint));
        start = end;
    }
    out
}

fn rules(strokes: &[Stroke], frame: Frame) -> (Vec<Rule>, Vec<Rule>) {
    let (level, upright) = drawn(strokes, frame);
    (joined(level), joined(upright))
}

/// The level and the upright lines as they are drawn.
fn drawn(strokes: &[Stroke], frame: Frame) -> (Vec<Rule>, Vec<Rule>) {
    let (mut level, mut upright) = (Vec::new(), Vec::new());
    for stroke in strokes {
        let (ax, ay) = frame.of_page(stroke.x0, stroke.y0);
        let (bx, by) = frame.of_page(stroke.x1, stroke.y1);
        let (x0, x1, y0, y1) = (ax.min(bx), ax.max(bx), ay.min(by), ay.max(by));
        if x1 - x0 > y1 - y0 {
            level.push(Rule {
                at: (y0 + y1) / 2.0,
                from: x0,
                to: x1,
            });
        } else {
            upright.push(Rule {
                at: (x0 + x1) / 2.0,
                from: y0,
                to: y1,
            });
        }
    }
    (level, upright)
}

/// Lines on one level whose ends touch become one.
fn joined(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut out = Vec::new();
    let mut start = 0;
    while start < rules.len() {
        let end = start
            + rules[start..]
                .iter()
                .take_while(|r| r.at - rules[start].at <= SAME)
                .count();
        let group = &mut rules[start..end];
        let at = group.iter().map(|r| r.at).sum::<f32>() / group.len() as f32;
        group.sort_by(|a, b| a.from.total_cmp(&b.from));
        let mut open: Option<Rule> = None;
        for rule in group.iter() {
            match &mut open {
                Some(before) if rule.from <= before.to + REACH => {
                    before.to = before.to.max(rule.to)
                }
                _ => out.extend(open.replace(Rule { at, ..*rule })),
            }
        }
        out.extend(open);
        start = end;
    }
    // Lines that are still short after joining are decoration.
    out.retain(|r| r.to - r.from >= 6.0);
    out
}

/// The ruled tables of a page: two columns at least.
pub(crate) fn grids(strokes: &[Stroke], frame: Frame) -> Vec<Grid> {
    let (level, upright) = rules(strokes, frame);
    if level.len() < 2 || upright.is_empty() || level.len() > MOST || upright.len() > MOST {
        return Vec::new();
    }
    // Lines that cross, directly or through others, share a root.
    let count = level.len() + upright.len();
    let mut root: Vec<usize> = (0..count).collect();
    for (i, h) in level.iter().enumerate() {
        for (j, v) in upright.iter().enumerate() {
            let meet = h.at > v.from - REACH
                && h.at < v.to + REACH
                && v.at > h.from - REACH
                && v.at < h.to + REACH;
            if meet {
                let (a, b) = (find(&mut root, i), find(&mut root, level.len() + j));
                root[a.max(b)] = a.min(b);
            }
        }
    }
    let mut grids = Vec::new();
    for first in 0..level.len() {
        if find(&mut root, first) != first {
            continue;
        }
        let hs: Vec<Rule> = (0..level.len())
            .filter(|&i| find(&mut root, i) == first)
            .map(|i| level[i])
            .collect();
        let vs: Vec<Rule> = (0..upright.len())
            .filter(|&j| find(&mut root, level.len() + j) == first)
            .map(|j| upright[j])
            .collect();
        grids.extend(grid(&hs, &vs));
    }
    grids
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

fn grid(hs: &[Rule], vs: &[Rule]) -> Option<Grid> {
    let xs = edges(vs, hs)?;
    let ys = edges(hs, vs)?;
    let (rows, columns) = (ys.len().checked_sub(1)?, xs.len().checked_sub(1)?);
    if columns < 2 || rows < 1 || rows * columns > MOST_CELLS {
        return None;
    }
    let mut root: Vec<usize> = (0..rows * columns).collect();
    for row in 0..rows {
        for column in 0..columns {
            let here = row * columns + column;
            if column + 1 < columns && !is_drawn(vs, xs[column + 1], ys[row], ys[row + 1]) {
                let (a, b) = (find(&mut root, here), find(&mut root, here + 1));
                root[a.max(b)] = a.min(b);
            }
            if row + 1 < rows && !is_drawn(hs, ys[row + 1], xs[column], xs[column + 1]) {
                let (a, b) = (find(&mut root, here), find(&mut root, here + columns));
                root[a.max(b)] = a.min(b);
            }
        }
    }
    let cell: Vec<usize> = (0..rows * columns).map(|i| find(&mut root, i)).collect();
    Some(Grid {
        xs,
        ys,
        cell,
        banded: false,
    })
}

/// Places of the lines in ascending order, with the open sides to which the crossing lines reach.
fn edges(rules: &[Rule], crossing: &[Rule]) -> Option<Vec<f32>> {
    let mut at: Vec<f32> = rules.iter().map(|r| r.at).collect();
    let from = crossing.iter().map(|r| r.from).fold(f32::MAX, f32::min);
    let to = crossing.iter().map(|r| r.to).fold(f32::MIN, f32::max);
    at.sort_by(f32::total_cmp);
    let (first, last) = (*at.first()?, *at.last()?);
    if from < first - OPEN {
        at.insert(0, from);
    }
    if to > last + OPEN {
        at.push(to);
    }
    at.dedup_by(|b, a| *b - *a <= SAME);
    Some(at)
}

fn is_drawn(rules: &[Rule], at: f32, from: f32, to: f32) -> bool {
    let covered: f32 = rules
        .iter()
        .filter(|r| (r.at - at).abs() <= SAME)
        .map(|r| (r.to.min(to) - r.from.max(from)).max(0.0))
        .sum();
    covered > DRAWN * (to - from)
}

/// The middle of a glyph on the page.
pub fn middle(glyph: &Glyph) -> (f32, f32) {
    let (along, up) = (glyph.advance / 2.0, 0.3 * glyph.size);
    match (glyph.vertical, glyph.turn) {
        (true, _) => (glyph.x, glyph.y + along),
        (_, 1) => (glyph.x + up, glyph.y + along),
        (_, 2) => (glyph.x - along, glyph.y + up),
        (_, 3) => (glyph.x - up, glyph.y - along),
        _ => (glyph.x + along, glyph.y - up),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

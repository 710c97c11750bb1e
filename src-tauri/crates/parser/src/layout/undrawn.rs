//! Columns of a ruled table that its ruled lines do not separate.
//!
//! Many tables have ruled lines only for their head, or separate only the first column by a line and the others by
//! white space. The columns are then known from another row, or from a strip that stays free of text line after line.

use super::bands::{Spot, strips};
use super::grid::Grid;

/// Width of a strip between columns, in ems.
const STRIP: f32 = 0.9;
/// A gap of text at the edge of a column, in ems, from which on it parts two cells.
const GAP: f32 = 0.6;
/// Lines from which on a strip is informative.
const LINES: usize = 3;

/// Parts the columns of a table, and its cells, where text alone shows that they are apart.
pub fn part(grid: &mut Grid, spots: &[Spot]) {
    let inside: Vec<(usize, Spot)> = spots
        .iter()
        .filter_map(|s| Some((grid.field((s.x0 + s.x1) / 2.0, s.y)?, *s)))
        .collect();
    let found = free_strips(grid, &inside);
    let inside: Vec<Spot> = inside.into_iter().map(|(_, s)| s).collect();
    let soft = widened(grid, &found);
    split(grid, &inside, &soft);
}

/// Strips inside of single columns that the text of their cells leaves free.
fn free_strips(grid: &Grid, inside: &[(usize, Spot)]) -> Vec<f32> {
    let extents = grid.extents();
    let columns = grid.columns();
    let mut out = Vec::new();
    for column in 0..columns {
        let own = |field: usize| {
            let first = grid.cell[field];
            first % columns == column && extents[&first].1 == column
        };
        let spots: Vec<Spot> = inside
            .iter()
            .filter(|(field, _)| own(*field))
            .map(|(_, s)| *s)
            .collect();
        let lines = lines(spots);
        if lines.len() < LINES {
            continue;
        }
        let mut sizes: Vec<f32> = lines.iter().flatten().map(|s| s.size).collect();
        sizes.sort_by(f32::total_cmp);
        let size = sizes[sizes.len() / 2];
        let (from, to) = (grid.xs[column], grid.xs[column + 1]);
        out.extend(
            strips(&lines, from, to, STRIP * size)
                .into_iter()
                .filter(|x| parts_cells(&lines, *x)),
        );
    }
    out
}

/// Most lines have text on both sides of a strip, and it is no strip between the numbers and the texts of a list.
fn parts_cells(lines: &[Vec<Spot>], x: f32) -> bool {
    let both: Vec<(usize, usize)> = lines
        .iter()
        .map(|l| l.iter().partition::<Vec<Spot>, _>(|s| s.x1 <= x))
        .map(|(before, after)| (before.len(), first_run(after)))
        .filter(|(before, after)| *before > 0 && *after > 0)
        .collect();
    let numbered = both
        .iter()
        .filter(|(before, after)| *before <= 3 && *after > 8);
    both.len() >= 2 && both.len() * 10 >= lines.len() * 6 && numbered.count() * 2 < both.len()
}

/// Number of characters up to the first wide gap.
fn first_run(mut spots: Vec<Spot>) -> usize {
    spots.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let close = |w: &&[Spot]| w[1].x0 - w[0].x1 < STRIP * w[0].size;
    let run = spots.windows(2).take_while(close).count();
    if spots.is_empty() { 0 } else { run + 1 }
}

/// The spots on each baseline, from top to bottom.
fn lines(mut spots: Vec<Spot>) -> Vec<Vec<Spot>> {
    spots.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut out: Vec<Vec<Spot>> = Vec::new();
    for spot in spots {
        match out.last_mut() {
            Some(line) if spot.y - line[0].y < 0.35 * spot.size.max(line[0].size) => {
                line.push(spot)
            }
            _ => out.push(vec![spot]),
        }
    }
    out
}

/// Adds the edges to the table's columns; for each inner edge afterwards whether it is one of them.
fn widened(grid: &mut Grid, found: &[f32]) -> Vec<bool> {
    let mut edges: Vec<(f32, bool)> = grid.xs.iter().map(|x| (*x, false)).collect();
    edges.extend(found.iter().map(|x| (*x, true)));
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let before = grid.columns();
    let columns = edges.len() - 1;
    // The old column around each new one.
    let mut old = Vec::with_capacity(columns);
    let mut at = 0;
    for (i, (_, soft)) in edges.iter().take(columns).enumerate() {
        at += usize::from(i > 0 && !soft);
        old.push(at.min(before - 1));
    }
    let rows = grid.ys.len() - 1;
    let keys: Vec<(usize, usize)> = (0..rows * columns)
        .map(|f| (grid.cell[f / columns * before + old[f % columns]], 0))
        .collect();
    grid.xs = edges.iter().map(|e| e.0).collect();
    grid.regroup(&keys);
    edges.into_iter().map(|e| e.1).collect()
}

/// Parts the cells over several columns in which text leaves a gap at an edge.
fn split(grid: &mut Grid, spots: &[Spot], soft: &[bool]) {
    let columns = grid.columns();
    let mut by_cell: std::collections::BTreeMap<usize, Vec<Spot>> = Default::default();
    for spot in spots {
        if let Some(field) = grid.field((spot.x0 + spot.x1) / 2.0, spot.y) {
            by_cell.entry(grid.cell[field]).or_default().push(*spot);
        }
    }
    // For each field how many edges before it part its cell.
    let mut keys: Vec<(usize, usize)> = grid.cell.iter().map(|c| (*c, 0)).collect();
    for (first, (last_row, last_column)) in grid.extents() {
        let (row, column) = (first / columns, first % columns);
        let Some(spots) = by_cell.get(&first).filter(|_| last_column > column) else {
            continue;
        };
        let sides: Vec<Side> = (column + 1..=last_column)
            .map(|edge| Side::at(grid.xs[edge], spots))
            .collect();
        // A row without any vertical line does not show where its cells end.
        let open = column == 0 && last_column + 1 == columns && sides.iter().any(Side::parts);
        let mut parts = 0;
        for (side, edge) in sides.iter().zip(column + 1..) {
            parts += usize::from(side.parts() || (side.is_free() && (open || soft[edge])));
            for row in row..=last_row {
                keys[row * columns + edge].1 = parts;
            }
        }
    }
    grid.regroup(&keys);
}

/// The nearest texts on both sides of an edge.
struct Side {
    left: Option<f32>,
    right: Option<f32>,
    edge: f32,
    size: f32,
}

impl Side {
    fn at(edge: f32, spots: &[Spot]) -> Self {
        let middle = |s: &&Spot| (s.x0 + s.x1) / 2.0 < edge;
        Self {
            left: spots.iter().filter(middle).map(|s| s.x1).reduce(f32::max),
            right: spots
                .iter()
                .filter(|s| !middle(s))
                .map(|s| s.x0)
                .reduce(f32::min),
            edge,
            size: spots.iter().map(|s| s.size).fold(0.0, f32::max),
        }
    }

    /// Text on both sides, and a gap between.
    fn parts(&self) -> bool {
        self.left
            .zip(self.right)
            .is_some_and(|(l, r)| r - l >= GAP * self.size)
    }

    /// No text crosses the edge.
    fn is_free(&self) -> bool {
        let slack = 0.1 * self.size;
        self.left.is_none_or(|l| l <= self.edge + slack)
            && self.right.is_none_or(|r| r >= self.edge - slack)
            && (self.left.is_none() || self.right.is_none() || self.parts())
    }
}

//! The heads of the columns of a table without rules, which often stand cell by cell before its rows.

use crate::layout::Line;
use crate::layout::rows::split;

/// Longest text of a head.
const LONGEST: usize = 60;
/// How far above the rows a head may begin, in ems.
const HIGHEST: f32 = 10.0;

/// Number of lines at the end of `before` that are heads of the columns of the rows below them.
pub fn above(before: &[Line], rows: &[Line]) -> usize {
    let Some(first) = rows.first() else {
        return 0;
    };
    let top = rows.iter().map(|l| l.baseline).fold(f32::MAX, f32::min);
    let left = rows.iter().map(|l| l.x0).fold(f32::MAX, f32::min);
    let right = rows.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
    let width = right - left;
    let fits = |line: &&Line| {
        let size = line.size.max(first.size);
        line.page == first.page
            && line.frame == first.frame
            && line.cell.is_none()
            && line.baseline < top
            && line.baseline > top - HIGHEST * size
            && line.x0 > left - 3.0 * size
            && line.x1 < right + 3.0 * size
            && (line.x1 - line.x0 < 0.6 * width || line.cells > 1)
            && line.chars.len() <= LONGEST * line.cells.max(1) as usize
            && (line.size - first.size).abs() < 0.3 * size
    };
    let near = before.iter().rev().take_while(fits).count();
    let lines = &before[before.len() - near..];
    // From the bottom up: take the lines that are close above those taken before.
    let mut by_height: Vec<usize> = (0..near).collect();
    by_height.sort_by(|&a, &b| lines[b].baseline.total_cmp(&lines[a].baseline));
    let mut edge = top;
    let mut taken = vec![false; near];
    // The highest line that has another one beside it: above stand titles, and heads over several columns.
    let mut sure = f32::MAX;
    for &i in &by_height {
        let line = &lines[i];
        let reach = if edge == top { 2.4 } else { 1.7 };
        if edge - line.baseline > reach * line.size {
            break;
        }
        edge = line.baseline;
        taken[i] = true;
        let beside = |o: &Line| {
            (o.baseline - line.baseline).abs() < 0.9 * line.size
                && (o.x0 > line.x1 + 0.5 * line.size || o.x1 + 0.5 * line.size < line.x0)
        };
        if line.cells > 1 || lines.iter().any(beside) {
            sure = edge;
        }
    }
    if sure == f32::MAX {
        // A line closely above and to the right of all labels is a head of columns. A title is also above the labels.
        let labels = rows.iter().filter_map(|r| split(r).first().map(|l| l.x1));
        let edge = labels.fold(f32::MIN, f32::max);
        return usize::from(lines.last().zip(taken.last()).is_some_and(|(line, taken)| {
            *taken && line.x0 >= edge && top - line.baseline < 1.7 * line.size
        }));
    }
    let higher = |i: usize| lines[i].baseline < sure - 0.5;
    let single: Vec<usize> = by_height
        .into_iter()
        .filter(|&i| taken[i] && higher(i))
        .collect();
    for (rank, &i) in single.iter().enumerate() {
        let line = &lines[i];
        let below = (0..near)
            .filter(|&j| taken[j] && !higher(j))
            .filter(|&j| lines[j].x1.min(line.x1) > lines[j].x0.max(line.x0))
            .count();
        // A title begins where the table does; a head over several columns begins to the right of the labels.
        taken[i] = rank == 0
            && below != 1
            && line.x0 > left + 0.15 * width
            && (line.size - first.size).abs() < 0.1 * first.size;
    }
    // The lines must be the last ones of what stands before, so that nothing is put out of order.
    taken.iter().rev().take_while(|t| **t).count()
}

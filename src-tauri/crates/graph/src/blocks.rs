//! Products of matrices of vectors, block by block, on all cores: the upper triangle of `X · Xᵀ`, or `X · Yᵀ`.
//!
//! Each block is computed once and passed to a visitor. So memory holds one block for each thread and not the whole
//! product. A block's values do not depend on the thread that computed it, so results are reproducible.

use crate::Matrix;
use crate::threads::{joined, threads};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows and columns of a block: 4 MiB of f32 a thread.
const EDGE: usize = 1024;

/// A block of inner products: row `r` and column `c` of it are vectors `row0 + r` and `col0 + c`.
pub(crate) struct Block<'a> {
    pub row0: usize,
    pub col0: usize,
    pub cols: usize,
    /// Row-major `[rows, cols]`.
    pub values: &'a [f32],
}

impl Block<'_> {
    /// All rows with their number.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = (usize, &[f32])> {
        self.values
            .chunks_exact(self.cols)
            .enumerate()
            .map(|(r, row)| (self.row0 + r, row))
    }

    /// The rows with the number of the first column that lies above the diagonal.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize, &[f32])> {
        self.values
            .chunks_exact(self.cols)
            .enumerate()
            .map(|(r, row)| {
                let i = self.row0 + r;
                (i, (i + 1).saturating_sub(self.col0).min(self.cols), row)
            })
    }
}

/// Visits every block on or above the diagonal of `X · Xᵀ`. Each thread collects its results in its own state; the
/// states are returned in no particular order.
pub(crate) fn visit_upper<S: Send>(
    matrix: &Matrix,
    new: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &Block<'_>) + Sync,
) -> Vec<S> {
    let edges = matrix.rows.div_ceil(EDGE);
    let blocks: Vec<(usize, usize)> = (0..edges)
        .flat_map(|i| (i..edges).map(move |j| (i, j)))
        .collect();
    visit_blocks(matrix, matrix, &blocks, new, visit)
}

/// Visits every block of `X · Yᵀ`: the rows of a block are `left`'s, its columns `right`'s.
pub(crate) fn visit_between<S: Send>(
    left: &Matrix,
    right: &Matrix,
    new: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &Block<'_>) + Sync,
) -> Vec<S> {
    let (rows, cols) = (left.rows.div_ceil(EDGE), right.rows.div_ceil(EDGE));
    let blocks: Vec<(usize, usize)> = (0..rows)
        .flat_map(|i| (0..cols).map(move |j| (i, j)))
        .collect();
    visit_blocks(left, right, &blocks, new, visit)
}

/// Visits all pairs of rows that are in the same group. A group is a list of row numbers, ascending. For each block of
/// a group the visitor gets the rows, the columns and their products, row by row. A block on the diagonal holds each
/// pair twice. A pair that is in several groups is visited several times.
pub(crate) fn visit_groups<S: Send>(
    matrix: &Matrix,
    groups: &[Vec<u32>],
    new: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &[u32], &[u32], &[f32]) + Sync,
) -> Vec<S> {
    let dim = matrix.dim;
    if dim == 0 {
        return Vec::new();
    }
    let blocks_of = |(group, rows): (usize, &Vec<u32>)| {
        let edges = rows.len().div_ceil(EDGE);
        (0..edges)
            .flat_map(move |i| (i..edges).map(move |j| (group, i, j)))
            .collect::<Vec<_>>()
    };
    let items: Vec<(usize, usize, usize)> = groups.iter().enumerate().flat_map(blocks_of).collect();
    let next = AtomicUsize::new(0);
    let gather = |rows: &[u32], into: &mut Vec<f32>| {
        into.clear();
        rows.iter()
            .for_each(|&row| into.extend_from_slice(matrix.row(row as usize)));
    };
    let work = || {
        let (mut state, mut left, mut right, mut values) =
            (new(), Vec::new(), Vec::new(), Vec::new());
        // Groups are small for the most part: a worker takes several at a time.
        loop {
            let first = next.fetch_add(AT_A_TIME, Ordering::Relaxed);
            if first >= items.len() {
                return state;
            }
            for &(group, i, j) in &items[first..items.len().min(first + AT_A_TIME)] {
                let part =
                    |b: usize| &groups[group][b * EDGE..groups[group].len().min((b + 1) * EDGE)];
                let (rows, cols) = (part(i), part(j));
                gather(rows, &mut left);
                gather(cols, &mut right);
                values.clear();
                values.resize(rows.len() * cols.len(), 0.0f32);
                products(&left, &right, dim, &mut values);
                visit(&mut state, rows, cols, &values);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads().min(items.len()))
            .map(|_| scope.spawn(work))
            .collect();
        workers.into_iter().map(joined).collect()
    })
}

/// Writes the inner products of the vectors on the left and on the right, row-major `[left, right]`.
fn products(left: &[f32], right: &[f32], dim: usize, values: &mut [f32]) {
    let (rows, cols) = (left.len() / dim, right.len() / dim);
    // The column-major product with the roles of left and right swapped is the row-major one we want.
    matmul(
        MatMut::from_column_major_slice_mut(values, cols, rows),
        Accum::Replace,
        MatRef::from_row_major_slice(right, cols, dim),
        MatRef::from_row_major_slice(left, rows, dim).transpose(),
        1.0f32,
        Par::Seq,
    );
}

/// Blocks of groups that a worker takes at a time.
const AT_A_TIME: usize = 8;

fn visit_blocks<S: Send>(
    left: &Matrix,
    right: &Matrix,
    blocks: &[(usize, usize)],
    new: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &Block<'_>) + Sync,
) -> Vec<S> {
    let dim = left.dim;
    if left.rows == 0 || right.rows == 0 || dim == 0 || dim != right.dim {
        return Vec::new();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = new();
        let mut values = vec![0.0f32; EDGE.min(left.rows) * EDGE.min(right.rows)];
        while let Some(&(bi, bj)) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (row0, col0) = (bi * EDGE, bj * EDGE);
            let (rows, cols) = (EDGE.min(left.rows - row0), EDGE.min(right.rows - col0));
            let values = &mut values[..rows * cols];
            products(
                &left.data[row0 * dim..(row0 + rows) * dim],
                &right.data[col0 * dim..(col0 + cols) * dim],
                dim,
                values,
            );
            visit(
                &mut state,
                &Block {
                    row0,
                    col0,
                    cols,
                    values,
                },
            );
        }
        state
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads().min(blocks.len()))
            .map(|_| scope.spawn(work))
            .collect();
        workers.into_iter().map(joined).collect()
    })
}

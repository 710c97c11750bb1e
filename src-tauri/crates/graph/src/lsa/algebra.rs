//! Products of large matrices with few columns, block by block.

use crate::Matrix;
use crate::threads::in_chunks;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, Par, Side};

/// Rows whose products are summed together in double precision.
const BLOCK: usize = 2048;

/// A block of rows in double precision, as columns: `[k, rows]`.
fn doubled(x: &Matrix, rows: std::ops::Range<usize>) -> Mat<f64> {
    Mat::from_fn(x.dim, rows.len(), |j, i| {
        f64::from(x.data[(rows.start + i) * x.dim + j])
    })
}

/// The blocks of rows of a matrix.
fn blocks(x: &Matrix) -> Vec<std::ops::Range<usize>> {
    (0..x.rows)
        .step_by(BLOCK)
        .map(|start| start..(start + BLOCK).min(x.rows))
        .collect()
}

/// `XᵀX` in double precision, `[k, k]`; blocks are summed in their order, whoever computed them.
pub(super) fn gram(x: &Matrix) -> Mat<f64> {
    let of_blocks = in_chunks(&blocks(x), |rows| {
        let part = doubled(x, rows.clone());
        let mut sums = Mat::zeros(x.dim, x.dim);
        matmul(
            sums.as_mut(),
            Accum::Replace,
            part.as_ref(),
            part.transpose(),
            1.0,
            Par::Seq,
        );
        sums
    });
    of_blocks
        .into_iter()
        .fold(Mat::zeros(x.dim, x.dim), |all, part| all + part)
}

/// `X · W`, computed in double precision.
pub(super) fn times(x: &Matrix, w: &Mat<f64>) -> Matrix {
    let dim = w.ncols();
    let of_blocks = in_chunks(&blocks(x), |rows| {
        let part = doubled(x, rows.clone());
        let mut turned = Mat::zeros(dim, rows.len());
        matmul(
            turned.as_mut(),
            Accum::Replace,
            w.transpose(),
            part.as_ref(),
            1.0,
            Par::Seq,
        );
        turned
    });
    let mut out = Matrix {
        rows: x.rows,
        dim,
        data: Vec::with_capacity(x.rows * dim),
    };
    for part in of_blocks {
        (0..part.ncols()).for_each(|i| out.data.extend((0..dim).map(|j| part[(j, i)] as f32)));
    }
    out
}

/// The eigenvalues of a symmetric matrix, ascending, and its eigenvectors as columns.
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Mat<f64>,
}

impl Eigen {
    pub(super) fn of(symmetric: &Mat<f64>) -> Option<Self> {
        let eigen = SelfAdjointEigen::new(symmetric.as_ref(), Side::Lower).ok()?;
        let values = (0..symmetric.nrows()).map(|i| eigen.S()[i]).collect();
        Some(Self {
            values,
            vectors: eigen.U().to_owned(),
        })
    }
}

/// Orthonormal columns that span the same space as the columns of `x`, by the eigenvectors of `XᵀX` (`X·U·Λ^(-1/2)`).
/// The computation is done twice; the second time removes the rounding errors of the first. A column that depends on
/// the others becomes zero.
pub(super) fn orthonormal(x: &Matrix) -> Matrix {
    let once = |x: &Matrix| {
        let eigen = Eigen::of(&gram(x))?;
        let least = DEPENDENT * eigen.values.last().copied().unwrap_or_default();
        let scale: Vec<f64> = eigen
            .values
            .iter()
            .map(|v| if *v > least { v.sqrt().recip() } else { 0.0 })
            .collect();
        Some(times(
            x,
            &Mat::from_fn(x.dim, x.dim, |i, j| eigen.vectors[(i, j)] * scale[j]),
        ))
    };
    once(x)
        .and_then(|x| once(&x))
        .unwrap_or_else(|| Matrix::zeros(x.rows, x.dim))
}

/// Share of the greatest eigenvalue below which a direction is taken to be made up of others: 10⁻⁵ of the length.
const DEPENDENT: f64 = 1e-10;

//! Measures that describe a space of vectors.
//!
//! The literature uses "isotropy" in opposite senses. Each measure here has one definition, and no decision of the
//! product depends on a single measure.

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::resample::Draws;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, Par, Side};
use lexforge_domain::metrics::{EXPLAINED_BY, SpaceAudit};
use std::convert::Infallible;

/// Rows that are taken at a time, so that memory does not grow with their number.
const BLOCK: usize = 1024;
/// The uniformity compares each row with each other row. If there are more rows than this, it is computed on a random
/// sample of this many.
const MOST_COMPARED: usize = 10_000;
/// The seed by which they are drawn.
const SEED: u64 = 42;
/// The stream of that seed that belongs to this draw.
const PURPOSE: u64 = 29;

/// Measures of the rows of `vectors` (row-major, `dim` values a row). Rows of zeros or with a value that is not
/// finite are left out. The alignment, which needs pairs, is left to [`alignment`].
///
/// - **Mean pairwise cosine** over all pairs of different rows, exact: with unit rows u and their sum s it is
///   (‖s‖² − n) / (n (n − 1)), so that no pair is ever formed. 0 for fewer than two rows.
/// - **IsoScore** (Rudman et al., Findings of ACL 2022, algorithm 1): 1 where the variance is spread evenly over
///   all dimensions, 0 where it lies in one. The algorithm rotates the points to their principal axes and
///   normalises the variances λ; its isotropy defect and the final scaling simplify to
///   ((Σλ)² / Σλ² − 1) / (dim − 1), where Σλ is the trace and Σλ² the squared Frobenius norm of the covariance,
///   so that no eigenvalue is needed. Fewer rows than dimensions cannot reach 1.
/// - **Explained variance**: Σ of the k largest λ divided by Σλ, for each k of [`EXPLAINED_BY`].
/// - **Uniformity** (Wang and Isola, ICML 2020): log of the mean over pairs of exp(−2 ‖u − v‖²), with rows of unit
///   length. If there are more than ten thousand rows, a random sample of them is used.
pub fn audit(vectors: &[f32], dim: usize) -> SpaceAudit {
    let Ok(found) = audit_passes(dim, |each| {
        vectors.chunks_exact(dim.max(1)).for_each(each);
        Ok::<(), Infallible>(())
    });
    found
}

/// The measures of [`audit`] for rows of `dim` values that need not all be in memory. `pass` must give all rows, one
/// after the other; it is called twice. The memory needed does not depend on the number of rows, except for the sample
/// of rows.
///
/// # Errors
/// Those of `pass`.
pub fn audit_passes<E>(
    dim: usize,
    mut pass: impl FnMut(&mut dyn FnMut(&[f32])) -> Result<(), E>,
) -> Result<SpaceAudit, E> {
    let mut sums = Sums::new(dim);
    pass(&mut |row| sums.add(row))?;
    let mut found = SpaceAudit {
        mean_pairwise_cosine: sums.mean_pairwise_cosine(),
        n: sums.n,
        ..SpaceAudit::default()
    };
    if sums.n < 2 {
        return Ok(found);
    }
    let mut products = Products::new(&sums);
    let mut compared = Compared::new(sums.n, dim);
    let mut at = 0;
    pass(&mut |row| {
        // A file that grows between the passes adds nothing.
        if at < sums.n && usable(row) {
            products.add(row);
            compared.add(at, row);
            at += 1;
        }
    })?;
    let products = products.finished();
    found.isoscore = isoscore(&products, dim);
    found.explained = explained(&products);
    found.uniformity_of = compared.drawn.is_some().then_some(compared.rows);
    found.uniformity = Some(uniformity(&compared.all(), dim));
    Ok(found)
}

/// Mean of ‖u − v‖² over pairs of rows at unit length. A pair is left out if one of its rows cannot be used; without
/// any pair the result is `None`.
pub fn alignment<'a>(pairs: impl IntoIterator<Item = (&'a [f32], &'a [f32])>) -> Option<f64> {
    let usable = pairs
        .into_iter()
        .filter(|(a, b)| a.len() == b.len() && usable(a) && usable(b));
    let (sum, n) = usable.fold((0.0, 0_usize), |(sum, n), (a, b)| {
        let product: f64 = a
            .iter()
            .zip(b)
            .map(|(&x, &y)| f64::from(x) * f64::from(y))
            .sum();
        (sum + 2.0 - 2.0 * product / (norm(a) * norm(b)), n + 1)
    });
    (n > 0).then(|| sum / n as f64)
}

fn usable(row: &[f32]) -> bool {
    row.iter().all(|v| v.is_finite()) && row.iter().any(|&v| v != 0.0)
}

fn norm(row: &[f32]) -> f64 {
    row.iter()
        .map(|&v| f64::from(v).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// What the first pass counts.
struct Sums {
    n: usize,
    of_rows: Vec<f64>,
    of_unit_rows: Vec<f64>,
}

impl Sums {
    fn new(dim: usize) -> Self {
        Self {
            n: 0,
            of_rows: vec![0.0; dim],
            of_unit_rows: vec![0.0; dim],
        }
    }

    fn add(&mut self, row: &[f32]) {
        if !usable(row) {
            return;
        }
        let norm = norm(row);
        let both = self.of_rows.iter_mut().zip(&mut self.of_unit_rows);
        for ((sum, unit_sum), &v) in both.zip(row) {
            *sum += f64::from(v);
            *unit_sum += f64::from(v) / norm;
        }
        self.n += 1;
    }

    fn mean_pairwise_cosine(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        let n = self.n as f64;
        (self.of_unit_rows.iter().map(|s| s * s).sum::<f64>() - n) / (n * (n - 1.0))
    }
}

/// Products of the centred rows: between dimensions or, if there are fewer rows than dimensions, between rows. Both
/// tables have the same trace, the same norm and the same non-zero eigenvalues, and the measures use only these. They
/// are n times the covariance; the factor n does not change any of the measures.
struct Products {
    mean: Vec<f64>,
    /// Centred rows that are not yet in `found`, a column each.
    block: Mat<f64>,
    filled: usize,
    found: Mat<f64>,
    by_rows: bool,
}

impl Products {
    fn new(sums: &Sums) -> Self {
        let (n, dim) = (sums.n, sums.of_rows.len());
        let by_rows = n < dim;
        let side = if by_rows { n } else { dim };
        Self {
            mean: sums.of_rows.iter().map(|sum| sum / n as f64).collect(),
            block: Mat::zeros(dim, if by_rows { n } else { BLOCK }),
            filled: 0,
            found: Mat::zeros(side, side),
            by_rows,
        }
    }

    fn add(&mut self, row: &[f32]) {
        let column = self.block.col_as_slice_mut(self.filled);
        for ((place, &v), mean) in column.iter_mut().zip(row).zip(&self.mean) {
            *place = f64::from(v) - mean;
        }
        self.filled += 1;
        if self.filled == self.block.ncols() {
            self.take_in();
        }
    }

    fn take_in(&mut self) {
        let part = self.block.subcols(0, self.filled);
        let (left, right) = if self.by_rows {
            (part.transpose(), part)
        } else {
            (part, part.transpose())
        };
        matmul(self.found.as_mut(), Accum::Add, left, right, 1.0, Par::Seq);
        self.filled = 0;
    }

    fn finished(mut self) -> Mat<f64> {
        if self.filled > 0 && !self.by_rows {
            self.take_in();
        }
        self.found
    }
}

/// The rows that the uniformity compares with each other.
struct Compared {
    dim: usize,
    rows: usize,
    values: Vec<f32>,
    /// Numbers of the drawn rows, ascending, each with its place; `None` where all rows are compared.
    drawn: Option<Vec<(usize, usize)>>,
    next: usize,
}

impl Compared {
    fn new(n: usize, dim: usize) -> Self {
        let drawn = (n > MOST_COMPARED).then(|| {
            let mut places: Vec<_> = drawn(n).into_iter().zip(0..).collect();
            places.sort_unstable();
            places
        });
        let rows = n.min(MOST_COMPARED);
        Self {
            dim,
            rows,
            values: vec![0.0; rows * dim],
            drawn,
            next: 0,
        }
    }

    fn add(&mut self, number: usize, row: &[f32]) {
        let place = match &self.drawn {
            None => number,
            Some(drawn) => match drawn.get(self.next) {
                Some(&(wanted, place)) if wanted == number => {
                    self.next += 1;
                    place
                }
                _ => return,
            },
        };
        self.values[place * self.dim..(place + 1) * self.dim].copy_from_slice(row);
    }

    fn all(&self) -> Vec<&[f32]> {
        self.values.chunks_exact(self.dim.max(1)).collect()
    }
}

fn trace(products: &Mat<f64>) -> f64 {
    (0..products.nrows()).map(|i| products[(i, i)]).sum()
}

fn isoscore(products: &Mat<f64>, dim: usize) -> f64 {
    let n = products.nrows();
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| products[(i, j)].powi(2)));
    let squared_norm: f64 = squares.sum();
    if dim < 2 || squared_norm <= 0.0 {
        return 0.0;
    }
    ((trace(products).powi(2) / squared_norm - 1.0) / (dim as f64 - 1.0)).clamp(0.0, 1.0)
}

/// `None` if nothing varies, or no eigenvalue is found.
fn explained(products: &Mat<f64>) -> Option<[f64; EXPLAINED_BY.len()]> {
    let all = trace(products);
    if all <= 0.0 {
        return None;
    }
    let eigen = SelfAdjointEigen::new(products.as_ref(), Side::Lower).ok()?;
    let mut values: Vec<f64> = (0..products.nrows()).map(|i| eigen.S()[i]).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let of = |k: usize| values.iter().take(k).sum::<f64>() / all;
    Some(EXPLAINED_BY.map(|k| of(k).clamp(0.0, 1.0)))
}

/// The numbers of the rows to compare: all of `n`, or a random sample without repetition.
fn drawn(n: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..n).collect();
    let mut draws = Draws::new(SEED, PURPOSE);
    for i in 0..MOST_COMPARED.min(n) {
        let other = i + draws.index(n - i);
        chosen.swap(i, other);
    }
    chosen.truncate(MOST_COMPARED);
    chosen
}

fn uniformity(rows: &[&[f32]], dim: usize) -> f64 {
    let unit = |block: &[&[f32]]| {
        let norms: Vec<f64> = block.iter().map(|row| norm(row)).collect();
        Mat::from_fn(dim, block.len(), |j, i| f64::from(block[i][j]) / norms[i])
    };
    let mut sum = 0.0;
    for (b, lines) in rows.chunks(BLOCK).enumerate() {
        let left = unit(lines);
        for (c, columns) in rows.chunks(BLOCK).enumerate().skip(b) {
            let right = unit(columns);
            let mut cosines = Mat::<f64>::zeros(lines.len(), columns.len());
            matmul(
                cosines.as_mut(),
                Accum::Replace,
                left.transpose(),
                right.as_ref(),
                1.0,
                Par::Seq,
            );
            for j in 0..columns.len() {
                // Of a block with itself each pair once, and no row with itself.
                let upto = if b == c { j } else { lines.len() };
                // ‖u − v‖² = 2 − 2 cos.
                sum += (0..upto)
                    .map(|i| (4.0 * cosines[(i, j)] - 4.0).exp())
                    .sum::<f64>();
            }
        }
    }
    let n = rows.len() as f64;
    (sum / (n * (n - 1.0) / 2.0)).ln()
}

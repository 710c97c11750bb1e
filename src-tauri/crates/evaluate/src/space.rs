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

/// Rows that are taken at a time, so that memory does not grow with their number.
const BLOCK: usize = 1024;
/// With more rows than this the uniformity, which compares each with each, is that of so many drawn ones.
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
/// - **Uniformity** (Wang and Isola, ICML 2020): log of the mean over pairs of exp(−2 ‖u − v‖²), unit rows; of drawn rows where
///   there are more than ten thousand.
pub fn audit(vectors: &[f32], dim: usize) -> SpaceAudit {
    let rows: Vec<&[f32]> = vectors
        .chunks_exact(dim.max(1))
        .filter(|row| usable(row))
        .collect();
    let mut found = SpaceAudit {
        mean_pairwise_cosine: mean_pairwise_cosine(&rows, dim),
        n: rows.len(),
        ..SpaceAudit::default()
    };
    if rows.len() < 2 {
        return found;
    }
    let products = products(&rows, dim);
    found.isoscore = isoscore(&products, dim);
    found.explained = explained(&products);
    let compared = drawn(&rows);
    found.uniformity_of = (compared.len() < rows.len()).then_some(compared.len());
    found.uniformity = Some(uniformity(&compared, dim));
    found
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

fn mean_pairwise_cosine(rows: &[&[f32]], dim: usize) -> f64 {
    if rows.len() < 2 {
        return 0.0;
    }
    let mut sum = vec![0f64; dim];
    for row in rows {
        let norm = norm(row);
        for (s, &v) in sum.iter_mut().zip(*row) {
            *s += f64::from(v) / norm;
        }
    }
    let n = rows.len() as f64;
    (sum.iter().map(|s| s * s).sum::<f64>() - n) / (n * (n - 1.0))
}

/// Products of the centred rows: of dimension with dimension or, if there are fewer rows than dimensions, of row with
/// row. Both tables have the same trace, the same norm and the same non-zero eigenvalues. They are n times the
/// covariance, and the factor n does not change any of the measures.
fn products(rows: &[&[f32]], dim: usize) -> Mat<f64> {
    let mut mean = vec![0f64; dim];
    for row in rows {
        mean.iter_mut()
            .zip(*row)
            .for_each(|(m, &v)| *m += f64::from(v));
    }
    let n = rows.len() as f64;
    mean.iter_mut().for_each(|m| *m /= n);
    let centred =
        |block: &[&[f32]]| Mat::from_fn(dim, block.len(), |j, i| f64::from(block[i][j]) - mean[j]);
    if rows.len() < dim {
        let all = centred(rows);
        let mut found = Mat::zeros(rows.len(), rows.len());
        matmul(
            found.as_mut(),
            Accum::Replace,
            all.transpose(),
            all.as_ref(),
            1.0,
            Par::Seq,
        );
        return found;
    }
    let mut found = Mat::zeros(dim, dim);
    for block in rows.chunks(BLOCK) {
        let part = centred(block);
        matmul(
            found.as_mut(),
            Accum::Add,
            part.as_ref(),
            part.transpose(),
            1.0,
            Par::Seq,
        );
    }
    found
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

/// All rows, or so many of them as can be compared, drawn without putting any back.
fn drawn<'a>(rows: &[&'a [f32]]) -> Vec<&'a [f32]> {
    let mut chosen = rows.to_vec();
    if rows.len() > MOST_COMPARED {
        let mut draws = Draws::new(SEED, PURPOSE);
        for i in 0..MOST_COMPARED {
            let other = i + draws.index(rows.len() - i);
            chosen.swap(i, other);
        }
        chosen.truncate(MOST_COMPARED);
    }
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

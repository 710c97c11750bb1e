//! What a space of vectors looks like.
//!
//! The literature uses "isotropy" in opposite senses; two measures with one definition each stand here, and
//! neither decides anything by itself.

use lexforge_domain::metrics::SpaceAudit;

/// Mean pairwise cosine and IsoScore of the rows of `vectors` (row-major, `dim` values a row). Rows of zeros or
/// with a value that is not finite are left out.
///
/// - **Mean pairwise cosine** over all pairs of different rows, exact: with unit rows u and their sum s it is
///   (‖s‖² − n) / (n (n − 1)), so that no pair is ever formed. 0 for fewer than two rows.
/// - **IsoScore** (Rudman et al., Findings of ACL 2022, algorithm 1): 1 where the variance is spread evenly over
///   all dimensions, 0 where it lies in one. The algorithm rotates the points to their principal axes and
///   normalises the variances λ; its isotropy defect and the final scaling simplify to
///   ((Σλ)² / Σλ² − 1) / (dim − 1), where Σλ is the trace and Σλ² the squared Frobenius norm of the covariance,
///   so that no eigenvalue is needed. Fewer rows than dimensions cannot reach 1.
pub fn audit(vectors: &[f32], dim: usize) -> SpaceAudit {
    let rows: Vec<&[f32]> = vectors
        .chunks_exact(dim.max(1))
        .filter(|row| usable(row))
        .collect();
    SpaceAudit {
        mean_pairwise_cosine: mean_pairwise_cosine(&rows, dim),
        isoscore: isoscore(&rows, dim),
        n: rows.len(),
    }
}

fn usable(row: &[f32]) -> bool {
    row.iter().all(|v| v.is_finite()) && row.iter().any(|&v| v != 0.0)
}

fn mean_pairwise_cosine(rows: &[&[f32]], dim: usize) -> f64 {
    if rows.len() < 2 {
        return 0.0;
    }
    let mut sum = vec![0f64; dim];
    for row in rows {
        let norm = row
            .iter()
            .map(|&v| f64::from(v).powi(2))
            .sum::<f64>()
            .sqrt();
        for (s, &v) in sum.iter_mut().zip(*row) {
            *s += f64::from(v) / norm;
        }
    }
    let n = rows.len() as f64;
    (sum.iter().map(|s| s * s).sum::<f64>() - n) / (n * (n - 1.0))
}

fn isoscore(rows: &[&[f32]], dim: usize) -> f64 {
    if rows.len() < 2 || dim < 2 {
        return 0.0;
    }
    let centred = centred(rows, dim);
    let trace: f64 = centred.iter().map(|&v| f64::from(v).powi(2)).sum();
    let squared_norm = squared_product_norm(&centred, rows.len(), dim);
    if squared_norm <= 0.0 {
        return 0.0;
    }
    // (Σλ)² / Σλ² does not change if all λ are multiplied by the number of rows, so no division by it.
    ((trace * trace / squared_norm - 1.0) / (dim as f64 - 1.0)).clamp(0.0, 1.0)
}

/// Rows minus their mean.
fn centred(rows: &[&[f32]], dim: usize) -> Vec<f32> {
    let mut mean = vec![0f64; dim];
    for row in rows {
        mean.iter_mut()
            .zip(*row)
            .for_each(|(m, &v)| *m += f64::from(v));
    }
    let n = rows.len() as f64;
    rows.iter()
        .flat_map(|row| {
            row.iter()
                .zip(&mean)
                .map(move |(&v, m)| (f64::from(v) - m / n) as f32)
        })
        .collect()
}

/// ‖XᵀX‖² = ‖XXᵀ‖² (Frobenius); the smaller of the two products is formed, and half of it by symmetry.
fn squared_product_norm(x: &[f32], rows: usize, dim: usize) -> f64 {
    let (vectors, length) = if rows <= dim {
        (x.to_vec(), dim)
    } else {
        (transposed(x, dim), rows)
    };
    let vectors: Vec<&[f32]> = vectors.chunks_exact(length).collect();
    let mut sum = 0.0;
    for (i, a) in vectors.iter().enumerate() {
        sum += dot(a, a).powi(2);
        sum += 2.0
            * vectors[i + 1..]
                .iter()
                .map(|b| dot(a, b).powi(2))
                .sum::<f64>();
    }
    sum
}

fn transposed(x: &[f32], dim: usize) -> Vec<f32> {
    (0..dim)
        .flat_map(|column| x.iter().skip(column).step_by(dim).copied())
        .collect()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    // Four sums at once: the additions of one sum would have to wait for each other.
    let mut sums = [0f64; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum();
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += f64::from(x[k]) * f64::from(y[k]);
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    fn recorded(rows: usize, dim: usize) -> Vec<f32> {
        let value = |i: usize, j: usize| {
            (((i * 37 + j * 101 + i * j * 13) % 97) as f64 / 97.0 - 0.3) as f32
        };
        (0..rows)
            .flat_map(|i| (0..dim).map(move |j| value(i, j)))
            .collect()
    }

    #[test]
    fn measures_agree_with_the_paper_s_algorithm() {
        // numpy 2: all pairs of unit rows; IsoScore step by step with numpy.linalg.eigh and numpy.cov.
        let check = |rows, dim, mean_cosine: f64, isoscore: f64| {
            let audit = audit(&recorded(rows, dim), dim);
            assert_near(audit.mean_pairwise_cosine, mean_cosine, 1e-7);
            assert_near(audit.isoscore, isoscore, 1e-7);
            assert_eq!(audit.n, rows);
        };
        check(20, 6, 0.180331528696, 0.791259693965);
        check(5, 9, -0.004655219930, 0.276060554353);
    }

    #[test]
    fn the_ends_of_the_scales() {
        // The corners of a square around the origin fill both dimensions evenly; points on a line fill one.
        assert_near(
            audit(&[1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0], 2).isoscore,
            1.0,
            1e-6,
        );
        assert_near(
            audit(&[1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 2).isoscore,
            0.0,
            1e-6,
        );
        assert_near(
            audit(&[1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 2).mean_pairwise_cosine,
            1.0,
            1e-12,
        );
    }

    #[test]
    fn unusable_rows_are_left_out() {
        let usable = audit(&[1.0, 0.0, 0.0, 1.0], 2);
        assert_eq!(
            audit(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, f32::NAN, 1.0], 2),
            usable
        );
        assert_eq!(usable.n, 2);
        assert_eq!(audit(&[], 0), SpaceAudit::default());
        assert_eq!(audit(&[1.0, 2.0], 2).mean_pairwise_cosine, 0.0);
    }
}

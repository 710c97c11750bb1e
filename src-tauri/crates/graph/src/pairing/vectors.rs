//! Vectors of both sides and their cosines.

use crate::matrix::{Matrix, dot};

/// The vectors of both sides minus the mean of all vectors, scaled to unit length. Texts of one field have similar
/// vectors. The direction that all of them share does not show which texts belong together, so it is removed.
pub fn centred(asked: &Matrix, texts: &Matrix) -> (Matrix, Matrix) {
    let dim = asked.dim.max(texts.dim);
    let (asked, texts) = (asked.normalized(), texts.normalized());
    let mut mean = vec![0.0f64; dim];
    // A text without a vector does not count for the mean.
    let mut told = 0usize;
    let sides = [&asked, &texts];
    for row in sides.iter().flat_map(|side| side.data.chunks(dim.max(1))) {
        told += usize::from(row.iter().any(|value| *value != 0.0));
        for (sum, value) in mean.iter_mut().zip(row) {
            *sum += f64::from(*value);
        }
    }
    let told = told.max(1) as f64;
    let less = |mut side: Matrix| {
        for row in side.data.chunks_mut(dim.max(1)) {
            // A text without a vector stays without one.
            if row.iter().all(|value| *value == 0.0) {
                continue;
            }
            for (value, sum) in row.iter_mut().zip(&mean) {
                *value -= (sum / told) as f32;
            }
        }
        side.normalize_rows();
        side
    };
    (less(asked), less(texts))
}

/// The product of a vector with each row; the cosine where all have unit length.
pub fn cosines(asked: &[f32], texts: &Matrix) -> Vec<f32> {
    (0..texts.rows)
        .map(|row| dot(asked, texts.row(row)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_share_goes() {
        let asked = Matrix::from_rows(&[[1.0f32, 0.1], [1.0, -0.1]]);
        let texts = Matrix::from_rows(&[[1.0f32, 0.1], [1.0, -0.1], [0.0, 0.0]]);
        let (asked, texts) = centred(&asked, &texts);
        let found = cosines(asked.row(0), &texts);
        assert!(found[0] > 0.9 && found[1] < 0.0, "{found:?}");
        assert_eq!(found[2], 0.0);
    }
}

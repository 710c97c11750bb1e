//! A dense matrix of vectors, one a row.

use crate::threads::threads;

/// Vectors as rows, row-major: `data.len() == rows * dim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// How many vectors.
    pub rows: usize,
    /// Length of each.
    pub dim: usize,
    /// The values, row after row.
    pub data: Vec<f32>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, dim: usize) -> Self {
        Self {
            rows,
            dim,
            data: vec![0.0; rows * dim],
        }
    }

    /// The matrix of the given rows; all of them are cut or padded with zeros to the first one's length.
    pub fn from_rows<R: AsRef<[f32]>>(rows: &[R]) -> Self {
        let dim = rows.first().map_or(0, |r| r.as_ref().len());
        let mut matrix = Self::zeros(rows.len(), dim);
        for (i, row) in rows.iter().enumerate() {
            let shared = row.as_ref().len().min(dim);
            matrix.row_mut(i)[..shared].copy_from_slice(&row.as_ref()[..shared]);
        }
        matrix
    }

    pub fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// Row `i`, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [f32] {
        &mut self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// Brings every row to unit length; a zero row stays zero.
    pub fn normalize_rows(&mut self) {
        if self.dim == 0 {
            return;
        }
        self.data
            .chunks_exact_mut(self.dim)
            .for_each(to_unit_length);
    }

    /// A copy of the matrix whose rows have unit length.
    pub fn normalized(&self) -> Self {
        let mut unit = self.clone();
        unit.normalize_rows();
        unit
    }

    /// [`Matrix::select`] with rows of unit length, on all cores.
    pub(crate) fn selected_unit(&self, rows: &[usize]) -> Self {
        let mut unit = Self::zeros(rows.len(), self.dim);
        let part = rows.len().div_ceil(threads()).max(1);
        if self.dim > 0 {
            std::thread::scope(|scope| {
                for (rows, out) in rows.chunks(part).zip(unit.data.chunks_mut(part * self.dim)) {
                    scope.spawn(move || {
                        for (&row, out) in rows.iter().zip(out.chunks_exact_mut(self.dim)) {
                            out.copy_from_slice(self.row(row));
                            to_unit_length(out);
                        }
                    });
                }
            });
        }
        unit
    }

    /// The rows named, in the order given.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut selected = Self {
            rows: rows.len(),
            dim: self.dim,
            data: Vec::with_capacity(rows.len() * self.dim),
        };
        for &row in rows {
            selected.data.extend_from_slice(self.row(row));
        }
        selected
    }
}

/// Brings a vector to unit length; zero stays zero.
fn to_unit_length(row: &mut [f32]) {
    let norm = row
        .iter()
        .map(|v| f64::from(*v) * f64::from(*v))
        .sum::<f64>()
        .sqrt();
    if norm > 0.0 && norm.is_finite() {
        row.iter_mut()
            .for_each(|v| *v = (f64::from(*v) / norm) as f32);
    }
}

/// The inner product of two vectors. If both have unit length, it is their cosine.
///
/// The products are always summed in the same order, on every machine and whichever vector comes first. Blocked matrix
/// products are only used to find the pairs to look at. Every cosine that is compared with a bound or stored comes from
/// this function. So a join of a few new rows gives exactly the same result as a join of all rows.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let ((left, rest), (right, other)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (x, y) in left.iter().zip(right) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + rest.iter().zip(other).map(|(x, y)| x * y).sum::<f32>()
}

/// Sums that run side by side, so that the compiler can keep them in registers.
const LANES: usize = 16;

/// The largest difference that the order of summation can make in an inner product of two vectors of unit length. It is
/// twice `dim · u`, where `u` is the unit roundoff (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
pub(crate) fn rounding(dim: usize) -> f32 {
    dim as f32 * f32::EPSILON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_unit_and_zero_stays_zero() {
        let mut m = Matrix::from_rows(&[vec![3.0, 4.0], vec![0.0, 0.0]]);
        m.normalize_rows();
        assert_eq!(m.row(0), &[0.6, 0.8]);
        assert_eq!(m.row(1), &[0.0, 0.0]);
        assert_eq!(dot(m.row(0), m.row(0)), 1.0);
        assert_eq!(m.select(&[1, 0]).row(1), m.row(0));
    }

    #[test]
    fn an_inner_product_has_one_value() {
        for n in [0, 1, 15, 16, 17, 100, 384] {
            let a: Vec<f32> = (0..n)
                .map(|i| ((i * 37 % 101) as f32 - 50.0) / 64.0)
                .collect();
            let b: Vec<f32> = (0..n)
                .map(|i| ((i * 53 % 89) as f32 - 44.0) / 64.0)
                .collect();
            let exact: f64 = a
                .iter()
                .zip(&b)
                .map(|(x, y)| f64::from(*x) * f64::from(*y))
                .sum();
            assert!((f64::from(dot(&a, &b)) - exact).abs() < 1e-3, "{n}");
            assert_eq!(dot(&a, &b), dot(&b, &a));
        }
    }
}

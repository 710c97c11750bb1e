//! Vectors whose values are stored as bytes, with one scale for each vector. They take a quarter of the memory of exact
//! vectors, and a scan reads a quarter of the bytes. The cosines are so close to the exact ones that the ten nearest
//! vectors are always among the nearest few hundred, which are then computed again exactly.

use crate::matrix::Matrix;
use crate::threads::{joined, threads};
use pulp::{Arch, NullaryFnOnce};

/// From so many rows on all cores work.
const ALONE: usize = 16_384;

/// Rows of bytes, each with the factor that leads back to its values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Int8 {
    dim: usize,
    scales: Vec<f32>,
    values: Vec<i8>,
}

impl Int8 {
    /// The rows of a matrix as bytes.
    pub fn of(rows: &Matrix) -> Self {
        let mut all = Self {
            dim: rows.dim,
            scales: Vec::with_capacity(rows.rows),
            values: Vec::with_capacity(rows.data.len()),
        };
        for row in rows.data.chunks(rows.dim.max(1)) {
            let most = row.iter().fold(0f32, |most, value| most.max(value.abs()));
            let scale = most / f32::from(i8::MAX);
            all.scales.push(scale);
            let back = if scale > 0.0 { scale.recip() } else { 0.0 };
            // A quotient past the ends is brought to them by the conversion.
            let bytes = row.iter().map(|value| (value * back).round() as i8);
            all.values.extend(bytes);
        }
        all
    }

    /// Rows whose scales and bytes were kept; `None` if these do not belong together.
    pub fn from_parts(dim: usize, scales: Vec<f32>, values: Vec<i8>) -> Option<Self> {
        (scales.len() * dim == values.len()).then_some(Self {
            dim,
            scales,
            values,
        })
    }

    pub fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Values a row.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The factor of each row.
    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// The bytes, row after row.
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// About the product of a vector with each row, in their order.
    pub fn products(&self, asked: &[f32]) -> Vec<f32> {
        if asked.len() != self.dim || self.dim == 0 {
            return vec![0.0; self.rows()];
        }
        let (asked, factor) = as_short(asked);
        let part = if self.rows() < ALONE {
            self.rows().max(1)
        } else {
            self.rows().div_ceil(threads())
        };
        let mut products = vec![0f32; self.rows()];
        std::thread::scope(|scope| {
            let parts = self
                .scales
                .chunks(part)
                .zip(self.values.chunks(part * self.dim))
                .zip(products.chunks_mut(part));
            let workers: Vec<_> = parts
                .map(|((scales, values), products)| {
                    let work = Products {
                        scales,
                        values,
                        asked: &asked,
                        factor,
                        products,
                    };
                    scope.spawn(move || Arch::new().dispatch(work))
                })
                .collect();
            workers.into_iter().for_each(joined);
        });
        products
    }

    /// The largest possible error of the product of `asked` and the stored row. Two errors are added: each value of the
    /// stored row may be off by half a step of its bytes, and `asked` is rounded as well.
    pub fn bound(&self, row: usize, asked: &[f32]) -> f32 {
        let scale = self.scales.get(row).copied().unwrap_or_default();
        let sum: f32 = asked.iter().map(|value| value.abs()).sum();
        let most = asked.iter().fold(0f32, |most, value| most.max(value.abs()));
        let asked_off = most / short_most(self.dim) as f32;
        let row_sum = scale * f32::from(i8::MAX) * self.dim as f32;
        0.51 * scale * sum + asked_off * row_sum + 1e-5
    }
}

/// The largest value that a vector's numbers are brought to: a sum of products of so many bytes with them fits 32 bits.
fn short_most(dim: usize) -> i32 {
    (i32::MAX / (128 * i32::try_from(dim).unwrap_or(i32::MAX / 128).max(1)))
        .min(i32::from(i16::MAX))
}

/// A vector as short numbers, and the factor that leads back.
fn as_short(asked: &[f32]) -> (Vec<i16>, f32) {
    let most = asked.iter().fold(0f32, |most, value| most.max(value.abs()));
    let scale = most / short_most(asked.len()) as f32;
    let back = if scale > 0.0 { scale.recip() } else { 0.0 };
    let short = asked
        .iter()
        .map(|value| (value * back).round() as i16)
        .collect();
    (short, scale)
}

/// Products of some rows, computed with whatever instructions the processor has.
struct Products<'a> {
    scales: &'a [f32],
    values: &'a [i8],
    asked: &'a [i16],
    factor: f32,
    products: &'a mut [f32],
}

impl NullaryFnOnce for Products<'_> {
    type Output = ();

    // Compiled once for each set of instructions, which it is only where it is put into its caller.
    #[inline(always)]
    fn call(self) {
        let rows = self.values.chunks_exact(self.asked.len());
        for ((sum, row), scale) in self.products.iter_mut().zip(rows).zip(self.scales) {
            *sum = product(row, self.asked) as f32 * scale * self.factor;
        }
    }
}

/// Bytes that are widened together.
const WIDE: usize = 32;

/// The product of bytes with short numbers: pairs of short numbers, for which processors have an instruction.
#[inline(always)]
fn product(row: &[i8], asked: &[i16]) -> i32 {
    let ((row, row_rest), (asked, asked_rest)) =
        (row.as_chunks::<WIDE>(), asked.as_chunks::<WIDE>());
    let mut all = 0;
    for (bytes, asked) in row.iter().zip(asked) {
        let mut wide = [0i16; WIDE];
        for (wide, byte) in wide.iter_mut().zip(bytes) {
            *wide = i16::from(*byte);
        }
        let mut sum = 0;
        for (a, b) in wide.iter().zip(asked) {
            sum += i32::from(*a) * i32::from(*b);
        }
        all += sum;
    }
    for (a, b) in row_rest.iter().zip(asked_rest) {
        all += i32::from(*a) * i32::from(*b);
    }
    all
}

/// The places of the `top` greatest numbers, in no order. One pass: most numbers are compared once and left.
pub fn greatest(numbers: &[f32], top: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(2 * top.min(numbers.len()));
    let mut least: Option<f32> = None;
    for (place, number) in numbers.iter().enumerate() {
        if least.is_none_or(|least| number.total_cmp(&least).is_gt()) {
            kept.push(place);
            if kept.len() >= 2 * top.max(1) {
                least = cut(&mut kept, numbers, top);
            }
        }
    }
    cut(&mut kept, numbers, top);
    kept
}

/// Leaves the places of the `top` greatest, and gives the least of their numbers.
fn cut(kept: &mut Vec<usize>, numbers: &[f32], top: usize) -> Option<f32> {
    if kept.len() > top {
        kept.select_nth_unstable_by(top.saturating_sub(1), |a, b| {
            numbers[*b].total_cmp(&numbers[*a])
        });
        kept.truncate(top);
    }
    kept.get(top.checked_sub(1)?).map(|place| numbers[*place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Vectors in clusters, as embeddings come.
    fn clustered(rows: usize, dim: usize, random: &mut ChaCha8Rng) -> Matrix {
        let mut normal = || (0..12).map(|_| random.random::<f32>()).sum::<f32>() - 6.0;
        let centres: Vec<Vec<f32>> = (0..rows.div_ceil(50))
            .map(|_| (0..dim).map(|_| normal()).collect())
            .collect();
        let rows: Vec<Vec<f32>> = (0..rows)
            .map(|i| {
                let centre = &centres[i % centres.len()];
                centre.iter().map(|c| c + 0.4 * normal()).collect()
            })
            .collect();
        Matrix::from_rows(&rows).normalized()
    }

    fn exact(rows: &Matrix, asked: &[f32]) -> Vec<f32> {
        rows.data
            .chunks(rows.dim)
            .map(|row| row.iter().zip(asked).map(|(a, b)| a * b).sum())
            .collect()
    }

    #[test]
    fn the_nearest_ten_are_among_the_nearest_hundred_of_a_scan() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let all = clustered(20_100, 96, &mut random);
        let (rows, asked) = all.data.split_at(20_000 * 96);
        let rows = Matrix {
            rows: 20_000,
            dim: 96,
            data: rows.to_vec(),
        };
        let scan = Int8::of(&rows);
        let (mut found, mut alone, mut largest) = (0, 0, 0f32);
        for asked in asked.chunks(96) {
            let (about, truth) = (scan.products(asked), exact(&rows, asked));
            for (row, (a, t)) in about.iter().zip(&truth).enumerate() {
                let off = (a - t).abs();
                assert!(off <= scan.bound(row, asked), "{row}: {off}");
                largest = largest.max(off);
            }
            let ten = greatest(&truth, 10);
            let hundred = greatest(&about, 100);
            let first = greatest(&about, 10);
            found += ten.iter().filter(|i| hundred.contains(i)).count();
            alone += ten.iter().filter(|i| first.contains(i)).count();
        }
        // Of 1,000 at most one may be missed; bytes alone, not computed again, miss some.
        assert!(found >= 999, "{found}");
        assert!((900..1000).contains(&alone), "{alone}");
        assert!((1e-5..0.01).contains(&largest), "{largest}");
    }

    #[test]
    fn odd_vectors_are_what_they_were() {
        let rows = Matrix::from_rows(&[[0.0f32, 0.0], [1.0, -1.0], [1e-20, 3e-20], [500.0, 2.0]]);
        let scan = Int8::of(&rows);
        let about = scan.products(&[1.0, 1.0]);
        for (row, (about, truth)) in about.iter().zip(exact(&rows, &[1.0, 1.0])).enumerate() {
            assert!(
                (about - truth).abs() <= scan.bound(row, &[1.0, 1.0]),
                "{row}"
            );
        }
        // The longest sums fit: every value at its end.
        let wide = Matrix::from_rows(&[vec![1.0f32; 4096]]);
        let one = Int8::of(&wide).products(&vec![1.0; 4096]);
        assert!((one[0] / 4096.0 - 1.0).abs() < 1e-2, "{}", one[0]);
        assert_eq!(Int8::of(&rows).products(&[1.0]), [0.0; 4]);
        let parts = |scales: usize| Int8::from_parts(2, vec![1.0; scales], vec![1; 4]);
        assert!(parts(2).is_some() && parts(3).is_none());
        assert_eq!(greatest(&[1.0, 3.0, 2.0], 1), [1]);
        assert_eq!(greatest(&[1.0], 5), [0]);
        assert_eq!(greatest(&[1.0, 2.0], 0), [0usize; 0]);
        let many: Vec<f32> = (0..1_000).map(|i| ((i * 617) % 1_000) as f32).collect();
        let mut first: Vec<f32> = greatest(&many, 7).iter().map(|i| many[*i]).collect();
        first.sort_by(f32::total_cmp);
        assert_eq!(first, [993.0, 994.0, 995.0, 996.0, 997.0, 998.0, 999.0]);
    }
}

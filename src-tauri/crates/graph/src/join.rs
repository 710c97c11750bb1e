//! Exact similarity self-join: all pairs of vectors within a window of cosine similarity.

use crate::Matrix;
use crate::blocks::visit_upper;

/// A pair of rows `a < b` and their cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The smaller row number.
    pub a: u32,
    /// The larger row number.
    pub b: u32,
    /// Cosine similarity.
    pub cosine: f32,
}

/// The pairs of a join.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// Sorted by (a, b). All pairs, unless there are more than the limit: then none.
    pub pairs: Vec<Pair>,
    /// How many pairs there are, always exact.
    pub count: u64,
}

impl Joined {
    /// Whether all pairs are in the list.
    pub fn complete(&self) -> bool {
        self.pairs.len() as u64 == self.count
    }
}

/// All pairs of rows with `low < cosine < high`; the rows must have unit length. Every pair is compared.
/// Beyond `limit` pairs only the count is kept, so that a degenerate encoder cannot fill the memory.
pub fn pairs_between(unit: &Matrix, low: f32, high: f32, limit: usize) -> Joined {
    let states = visit_upper(unit, Joined::default, |found, block| {
        for (i, first, row) in block.rows() {
            for (chunk, values) in row[first..].chunks(CHUNK).enumerate() {
                if !any_above(values, low) {
                    continue;
                }
                for (offset, &cosine) in values.iter().enumerate() {
                    if cosine > low && cosine < high {
                        found.count += 1;
                        if found.pairs.len() <= limit {
                            let j = block.col0 + first + chunk * CHUNK + offset;
                            found.pairs.push(Pair { a: i as u32, b: j as u32, cosine });
                        }
                    }
                }
            }
        }
    });
    let count = states.iter().map(|s| s.count).sum();
    let mut pairs = Vec::new();
    if count <= limit as u64 {
        pairs.reserve_exact(count as usize);
        for state in states {
            pairs.extend(state.pairs);
        }
        pairs.sort_unstable_by_key(|p| (p.a, p.b));
    }
    Joined { pairs, count }
}

/// Values looked at together: most chunks hold no hit, and this test is vectorised.
pub(crate) const CHUNK: usize = 64;

fn any_above(values: &[f32], low: f32) -> bool {
    values.iter().fold(false, |any, &v| any | (v > low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::dot;
    use rand::{Rng, SeedableRng};

    fn clustered(rows: usize, dim: usize, seed: u64) -> Matrix {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let centres: Vec<f32> = (0..20 * dim).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut m = Matrix::zeros(rows, dim);
        for i in 0..rows {
            let centre = (i % 20) * dim;
            for (j, v) in m.row_mut(i).iter_mut().enumerate() {
                *v = centres[centre + j] + rng.random_range(-0.6..0.6f32);
            }
        }
        m.normalize_rows();
        m
    }

    #[test]
    fn finds_exactly_the_pairs_of_a_full_comparison() {
        // More than one block, the last one ragged, and a dimension that is no multiple of a register.
        let m = clustered(1100, 19, 7);
        let mut expected = Vec::new();
        for a in 0..m.rows {
            for b in a + 1..m.rows {
                let cosine = dot(m.row(a), m.row(b));
                if cosine > 0.8 && cosine < 0.9 {
                    expected.push((a as u32, b as u32));
                }
            }
        }
        let joined = pairs_between(&m, 0.8, 0.9, usize::MAX);
        let close = |cosine: f32| (cosine - 0.8).abs() < 1e-5 || (cosine - 0.9).abs() < 1e-5;
        let got: Vec<_> = joined.pairs.iter().filter(|p| !close(p.cosine)).map(|p| (p.a, p.b)).collect();
        expected.retain(|&(a, b)| !close(dot(m.row(a as usize), m.row(b as usize))));
        assert!(expected.len() > 1000, "the test needs pairs, found {}", expected.len());
        assert_eq!(got, expected);
        assert!(joined.complete());
    }

    #[test]
    fn beyond_the_limit_only_the_count_is_kept() {
        let m = clustered(300, 8, 3);
        let all = pairs_between(&m, 0.5, 1.1, usize::MAX);
        let few = pairs_between(&m, 0.5, 1.1, 10);
        assert_eq!(few.count, all.count);
        assert!(few.pairs.is_empty() && all.count > 10);
    }
}

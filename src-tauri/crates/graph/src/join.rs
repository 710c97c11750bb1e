//! Exact similarity self-join: all pairs of vectors within a window of cosine similarity.

use crate::Matrix;
use crate::blocks::{visit_between, visit_upper};
use crate::matrix::{dot, rounding};

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

/// All pairs of rows with `low < cosine < high`; the rows must have unit length. Every pair is compared. If there are
/// more than `limit` pairs, the rest is only counted, so that a degenerate encoder cannot fill the memory.
pub fn pairs_between(unit: &Matrix, low: f32, high: f32, limit: usize) -> Joined {
    let window = Screen::new(unit, low, high);
    let states = visit_upper(unit, Joined::default, |found, block| {
        for (i, first, row) in block.rows() {
            for (chunk, values) in row[first..].chunks(CHUNK).enumerate() {
                if !any_above(values, window.from) {
                    continue;
                }
                for (offset, &seen) in values.iter().enumerate() {
                    if seen <= window.from || seen >= window.to {
                        continue;
                    }
                    let j = block.col0 + first + chunk * CHUNK + offset;
                    if let Some(cosine) = window.cosine(i, j) {
                        found.count += 1;
                        if found.pairs.len() <= limit {
                            found.pairs.push(Pair {
                                a: i as u32,
                                b: j as u32,
                                cosine,
                            });
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

/// Those pairs of [`pairs_between`] that have at least one row in `rows` (ascending), sorted by (a, b). Only the given
/// rows are compared with all others. So an update can add new rows to a join without comparing all rows again.
pub(crate) fn pairs_with(unit: &Matrix, rows: &[usize], low: f32, high: f32) -> Vec<Pair> {
    let window = Screen::new(unit, low, high);
    let mut new = vec![false; unit.rows];
    rows.iter().for_each(|&row| new[row] = true);
    let left = unit.select(rows);
    let states = visit_between(&left, unit, Vec::new, |found: &mut Vec<Pair>, block| {
        for (r, row) in block.all_rows() {
            let i = rows[r];
            for (chunk, values) in row.chunks(CHUNK).enumerate() {
                if !any_above(values, window.from) {
                    continue;
                }
                for (offset, &seen) in values.iter().enumerate() {
                    let j = block.col0 + chunk * CHUNK + offset;
                    // A pair of two new rows is met twice.
                    if seen <= window.from || seen >= window.to || i == j || (new[j] && j < i) {
                        continue;
                    }
                    if let Some(cosine) = window.cosine(i, j) {
                        found.push(Pair {
                            a: i.min(j) as u32,
                            b: i.max(j) as u32,
                            cosine,
                        });
                    }
                }
            }
        }
    });
    let mut pairs: Vec<Pair> = states.into_iter().flatten().collect();
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs
}

/// A window of cosines, widened by the greatest rounding error of a blocked product.
struct Screen<'a> {
    unit: &'a Matrix,
    low: f32,
    high: f32,
    from: f32,
    to: f32,
}

impl<'a> Screen<'a> {
    fn new(unit: &'a Matrix, low: f32, high: f32) -> Self {
        let slack = rounding(unit.dim);
        Self {
            unit,
            low,
            high,
            from: low - slack,
            to: high + slack,
        }
    }

    /// The cosine of two rows, if it lies within the window.
    fn cosine(&self, i: usize, j: usize) -> Option<f32> {
        let cosine = dot(self.unit.row(i), self.unit.row(j));
        (cosine > self.low && cosine < self.high).then_some(cosine)
    }
}

/// Values looked at together: most chunks hold no hit, and this test is vectorised.
pub(crate) const CHUNK: usize = 64;

fn any_above(values: &[f32], low: f32) -> bool {
    values.iter().fold(false, |any, &v| any | (v > low))
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let got: Vec<_> = joined.pairs.iter().map(|p| (p.a, p.b)).collect();
        assert!(
            expected.len() > 1000,
            "the test needs pairs, found {}",
            expected.len()
        );
        assert_eq!(got, expected);
        assert!(joined.complete());
    }

    /// The acceptance of the sentence graph: 5,000 entities, every pair, to the last bit.
    #[test]
    fn five_thousand_entities_give_the_pairs_of_brute_force() {
        let m = clustered(5000, 64, 31);
        let mut expected = Vec::new();
        for a in 0..m.rows as u32 {
            for b in a + 1..m.rows as u32 {
                let cosine = dot(m.row(a as usize), m.row(b as usize));
                if cosine > 0.82 && cosine < 0.90 {
                    expected.push(Pair { a, b, cosine });
                }
            }
        }
        assert!(
            expected.len() > 10_000,
            "the test needs pairs, found {}",
            expected.len()
        );
        assert_eq!(pairs_between(&m, 0.82, 0.90, usize::MAX).pairs, expected);
    }

    #[test]
    fn what_new_rows_add_is_what_a_whole_join_has_more() {
        let m = clustered(1500, 24, 5);
        for rows in [
            vec![],
            vec![0],
            vec![3, 4, 700, 1499],
            (0..1500).collect::<Vec<_>>(),
        ] {
            let mut expected = pairs_between(&m, 0.8, 0.9, usize::MAX).pairs;
            expected.retain(|p| rows.contains(&(p.a as usize)) || rows.contains(&(p.b as usize)));
            assert_eq!(
                pairs_with(&m, &rows, 0.8, 0.9),
                expected,
                "{} rows",
                rows.len()
            );
        }
    }

    #[test]
    fn vectors_of_zeros_are_similar_to_nothing() {
        let m = Matrix::zeros(700, 8);
        assert_eq!(pairs_between(&m, 0.1, 2.0, usize::MAX).count, 0);
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

//! A linear classifier with the widest margin (squared hinge), by coordinate descent in the dual (Hsieh et al. 2008).
//! It is for sparse rows: there are many features, such as words, but each row (such as a sentence) has only a few.

use crate::resample::Draws;

/// What a row has: features by number, each with its value.
pub type SparseRow = Vec<(u32, f32)>;

/// Passes over the rows; a dozen is enough where each row has length 1.
const PASSES: usize = 15;
/// No step of a pass is larger: there is nothing more to gain.
const SETTLED: f64 = 1e-3;
/// Own stream of draws.
const ORDER: u64 = 0x6d61_7267;

/// The costs of wrong rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// One of the positive kind.
    pub positive: f64,
    /// One of the other.
    pub negative: f64,
}

/// Weights and what is added to their sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    weights: Vec<f32>,
    constant: f32,
}

impl Margin {
    /// How far a row is on the positive side. Features that did not occur in the fit are ignored.
    pub fn score(&self, row: &[(u32, f32)]) -> f32 {
        let weight = |feature: &u32| self.weights.get(*feature as usize).copied();
        let each = row.iter();
        let sum: f32 = each
            .map(|(feature, value)| weight(feature).unwrap_or_default() * value)
            .sum();
        sum + self.constant
    }

    /// The weights for rows whose features are below `features`; none where a kind is missing.
    pub fn fit(
        rows: &[(&[(u32, f32)], bool)],
        features: usize,
        costs: Costs,
        seed: u64,
    ) -> Option<Self> {
        let positive = rows.iter().filter(|(_, positive)| *positive).count();
        if positive == 0 || positive == rows.len() {
            return None;
        }
        let mut draws = Draws::new(seed, ORDER);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut shares = vec![0.0_f64; rows.len()];
        let (mut weights, mut constant) = (vec![0.0_f64; features], 0.0_f64);
        for _ in 0..PASSES {
            for last in (1..order.len()).rev() {
                order.swap(last, draws.index(last + 1));
            }
            let mut largest = 0.0_f64;
            for at in &order {
                let (row, positive) = rows[*at];
                let (side, cost) = if positive {
                    (1.0, costs.positive)
                } else {
                    (-1.0, costs.negative)
                };
                let soft = 0.5 / cost;
                let (mut sum, mut length) = (constant, 1.0 + soft);
                for (feature, value) in row {
                    let value = f64::from(*value);
                    sum += weights[*feature as usize] * value;
                    length += value * value;
                }
                let slope = side * sum - 1.0 + soft * shares[*at];
                let share = (shares[*at] - slope / length).max(0.0);
                let step = (share - shares[*at]) * side;
                if step == 0.0 {
                    continue;
                }
                shares[*at] = share;
                largest = largest.max(step.abs());
                constant += step;
                for (feature, value) in row {
                    weights[*feature as usize] += step * f64::from(*value);
                }
            }
            if largest < SETTLED {
                break;
            }
        }
        Some(Self {
            weights: weights.into_iter().map(|w| w as f32).collect(),
            constant: constant as f32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs {
        positive: 1.0,
        negative: 1.0,
    };

    #[test]
    fn the_feature_that_parts_the_kinds_is_found() {
        // Feature 0 stands in every positive row, feature 1 in every row, the others in one each.
        let rows: Vec<(SparseRow, bool)> = (0..40)
            .map(|i| {
                let positive = i % 4 == 0;
                let mut row = vec![(1, 0.6), (2 + i, 0.5)];
                if positive {
                    row.insert(0, (0, 0.6));
                }
                (row, positive)
            })
            .collect();
        let given: Vec<(&[(u32, f32)], bool)> = rows
            .iter()
            .map(|(row, kind)| (row.as_slice(), *kind))
            .collect();
        let fitted = Margin::fit(&given, 42, COSTS, 1);
        let score = |row: &[(u32, f32)]| fitted.as_ref().map_or(f32::NAN, |m| m.score(row));
        assert!(score(&[(0, 0.6), (1, 0.6)]) > 0.0);
        assert!(score(&[(1, 0.6)]) < 0.0);
        // A feature that no row had is ignored.
        assert_eq!(score(&[(1, 0.6), (99, 5.0)]), score(&[(1, 0.6)]));
        assert_eq!(Margin::fit(&given, 42, COSTS, 1), fitted);
    }

    #[test]
    fn two_rows_lie_at_the_margin() {
        // Minimum of ½w² + ½b² + C·Σ max(0, 1 − y·(w·x + b))²: by symmetry b = 0 and w = 4C / (1 + 4C).
        let (one, other): (SparseRow, SparseRow) = (vec![(0, 1.0)], vec![(0, -1.0)]);
        let fitted = Margin::fit(&[(&one, true), (&other, false)], 1, COSTS, 1);
        let score = fitted.map_or(f32::NAN, |m| m.score(&one));
        assert!((score - 0.8).abs() < 1e-2, "{score}");
    }

    #[test]
    fn one_kind_alone_gives_nothing() {
        let row: SparseRow = vec![(0, 1.0)];
        assert_eq!(Margin::fit(&[(&row, true)], 1, COSTS, 1), None);
        assert_eq!(Margin::fit(&[], 1, COSTS, 1), None);
    }
}

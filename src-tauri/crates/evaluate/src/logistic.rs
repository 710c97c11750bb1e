//! Logistic regression with a little ridge, by Newton's method: for a handful of features.

/// Weights and what is added to their sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// One weight a feature.
    pub weights: Vec<f64>,
    pub constant: f64,
}

/// Penalty on the squares of the weights of standardised features.
const RIDGE: f64 = 1e-2;
/// Most steps; a handful is enough.
const STEPS: usize = 30;

impl Logistic {
    /// The probability that a row is of the positive kind.
    pub fn probability(&self, row: &[f64]) -> f64 {
        let sum: f64 = self.weights.iter().zip(row).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + (-(sum + self.constant)).exp())
    }

    /// The most likely weights for these rows; `None` if a kind is missing or nothing can be told.
    pub fn fit(rows: &[(Vec<f64>, bool)]) -> Option<Self> {
        let features = rows.first()?.0.len();
        let positive = rows.iter().filter(|r| r.1).count();
        if positive == 0 || positive == rows.len() {
            return None;
        }
        let n = rows.len() as f64;
        let column = |k: usize| rows.iter().map(move |r| r.0[k]);
        let mean: Vec<f64> = (0..features).map(|k| column(k).sum::<f64>() / n).collect();
        let spread: Vec<f64> = (0..features)
            .map(|k| {
                let variance = column(k).map(|x| (x - mean[k]).powi(2)).sum::<f64>() / n;
                if variance > 1e-18 {
                    variance.sqrt()
                } else {
                    1.0
                }
            })
            .collect();
        // The last feature is the constant.
        let standard = |row: &[f64]| -> Vec<f64> {
            let mut all: Vec<f64> = (0..features)
                .map(|k| (row[k] - mean[k]) / spread[k])
                .collect();
            all.push(1.0);
            all
        };
        let size = features + 1;
        let mut weights = vec![0.0; size];
        for _ in 0..STEPS {
            let mut gradient = vec![0.0; size];
            let mut curvature = vec![vec![0.0; size]; size];
            for (row, positive) in rows {
                let x = standard(row);
                let sum: f64 = weights.iter().zip(&x).map(|(w, x)| w * x).sum();
                let p = 1.0 / (1.0 + (-sum).exp());
                let off = f64::from(u8::from(*positive)) - p;
                for i in 0..size {
                    gradient[i] += off * x[i];
                    for j in 0..size {
                        curvature[i][j] += p * (1.0 - p) * x[i] * x[j];
                    }
                }
            }
            for k in 0..size {
                let penalty = if k < features { RIDGE * n } else { 1e-9 };
                gradient[k] -= penalty * weights[k];
                curvature[k][k] += penalty;
            }
            let step = solve(curvature, gradient)?;
            let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
            for (weight, step) in weights.iter_mut().zip(step) {
                *weight += step;
            }
            if largest < 1e-9 {
                break;
            }
        }
        let mut constant = weights[features];
        let weights: Vec<f64> = (0..features).map(|k| weights[k] / spread[k]).collect();
        for k in 0..features {
            constant -= weights[k] * mean[k];
        }
        (constant.is_finite() && weights.iter().all(|w| w.is_finite()))
            .then_some(Self { weights, constant })
    }
}

/// The number that must be added to the log-odds of the given probabilities so that they fit the outcomes best. `ridge`
/// keeps this number small if there are only a few rows.
pub fn shift(told: &[(f64, bool)], ridge: f64) -> f64 {
    let mut shift = 0.0;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (-ridge * shift, ridge);
        for (probability, positive) in told {
            let p = shifted(*probability, shift);
            slope += f64::from(u8::from(*positive)) - p;
            curvature += p * (1.0 - p);
        }
        let step = slope / curvature;
        shift += step;
        if step.abs() < 1e-9 {
            break;
        }
    }
    shift
}

/// A probability whose logarithm of the odds is moved.
pub fn shifted(probability: f64, shift: f64) -> f64 {
    let probability = probability.clamp(1e-9, 1.0 - 1e-9);
    let odds = (probability / (1.0 - probability)).ln();
    1.0 / (1.0 + (-(odds + shift)).exp())
}

/// The solution of `a · x = b`, by elimination with the largest pivot; `None` if there is no single one.
pub(crate) fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        if a[pivot][k].abs() < 1e-300 {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (upper, lower) = a.split_at_mut(k + 1);
        for (i, row) in lower.iter_mut().enumerate() {
            let factor = row[k] / upper[k][k];
            for (cell, above) in row.iter_mut().zip(&upper[k]).skip(k) {
                *cell -= factor * above;
            }
            b[k + 1 + i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / a[k][k];
    }
    Some(b)
}

/// Area under the curve: how often a positive has a higher score than a negative; equal scores count half. `None` if
/// there are no positives or no negatives.
pub fn auc(scored: &[(f64, bool)]) -> Option<f64> {
    let mut sorted = scored.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = sorted.iter().filter(|s| s.1).count() as f64;
    let negatives = sorted.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let (mut below, mut won) = (0.0, 0.0);
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let here = tied.iter().filter(|s| s.1).count() as f64;
        let others = tied.len() as f64 - here;
        won += here * (below + others / 2.0);
        below += others;
    }
    Some(won / (positives * negatives))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_in_the_data_is_found() {
        let rows: Vec<(Vec<f64>, bool)> = (0..200)
            .map(|i| {
                let x = f64::from(i) / 100.0;
                (vec![x, f64::from(i % 7)], (i * 37 % 200) < i)
            })
            .collect();
        let fitted = Logistic::fit(&rows).unwrap();
        assert!(fitted.probability(&[1.9, 3.0]) > 0.85);
        assert!(fitted.probability(&[0.1, 3.0]) < 0.15);
        assert!(fitted.weights[1].abs() < fitted.weights[0].abs() / 10.0);
    }

    #[test]
    fn one_kind_alone_gives_nothing() {
        assert_eq!(Logistic::fit(&[(vec![1.0], true), (vec![2.0], true)]), None);
        assert_eq!(Logistic::fit(&[]), None);
    }

    #[test]
    fn rows_that_were_told_too_low_are_moved_up() {
        let told = |n: usize| -> Vec<(f64, bool)> { (0..n).map(|i| (0.5, i % 4 != 0)).collect() };
        // Three in four: the odds are 3, and with little held back the shift is their logarithm.
        let much = shift(&told(4_000), 1.0);
        assert!((much - 3.0_f64.ln()).abs() < 0.01, "{much}");
        assert!((shifted(0.5, much) - 0.75).abs() < 0.01);
        let little = shift(&told(4), 1.0);
        assert!(little > 0.1 && little < much, "{little}");
        assert_eq!(shift(&[], 1.0), 0.0);
        assert!((shifted(0.3, 0.0) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_area_under_the_curve() {
        assert_eq!(auc(&[(0.1, false), (0.9, true)]), Some(1.0));
        assert_eq!(auc(&[(0.5, false), (0.5, true)]), Some(0.5));
        assert_eq!(
            auc(&[
                (0.1, false),
                (0.4, true),
                (0.35, false),
                (0.8, true),
                (0.2, true)
            ]),
            Some(5.0 / 6.0)
        );
        assert_eq!(auc(&[(0.1, true)]), None);
    }
}

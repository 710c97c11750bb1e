//! A ranker that is learned from lists. Each list holds the candidates for one question, and says which of them are
//! right. The weights are those under which a right candidate is most likely to be chosen first (conditional logit;
//! McFadden 1974; like ListNet of Cao et al. 2007 with one choice). They are found by Newton's method with a small
//! ridge penalty.

use crate::logistic::solve;

/// A question's candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// What is known of each candidate; every list has the same features.
    pub rows: Vec<Vec<f64>>,
    pub right: Vec<bool>,
}

/// Penalty on the squares of the weights of standardised features, a question.
const RIDGE: f64 = 1e-3;
/// Most steps; a handful is enough.
const STEPS: usize = 30;
/// How often a step is halved at most.
const HALVINGS: usize = 40;

/// The score of a candidate under these weights: the sum of its features, each times its weight.
pub fn score(weights: &[f64], row: &[f64]) -> f64 {
    weights.iter().zip(row).map(|(w, x)| w * x).sum()
}

/// The weights for these lists. `None` if no list has both right and wrong candidates, or if no weights can be
/// computed.
pub fn fit(lists: &[&List]) -> Option<Vec<f64>> {
    let lists: Vec<&List> = lists
        .iter()
        .copied()
        .filter(|list| list.right.contains(&true) && list.right.contains(&false))
        .collect();
    let features = lists.first()?.rows.first()?.len();
    let spread = spread(&lists, features);
    let lists: Vec<List> = lists
        .into_iter()
        .map(|list| standard(list, &spread))
        .collect();
    let mut weights = vec![0.0; features];
    for _ in 0..STEPS {
        let penalty = RIDGE * lists.len() as f64;
        let mut gradient: Vec<f64> = weights.iter().map(|w| -penalty * w).collect();
        let mut curvature = vec![vec![0.0; features]; features];
        for (k, row) in curvature.iter_mut().enumerate() {
            row[k] = penalty;
        }
        for list in &lists {
            add(list, &weights, &mut gradient, &mut curvature);
        }
        let mut step = solve(curvature, gradient)?;
        // If only a few of many candidates were chosen, a whole step can lead beyond the maximum. So the step is halved
        // until the likelihood grows.
        let here = likelihood(&lists, &weights);
        let mut next = moved(&weights, &step);
        let mut halvings = 0;
        while likelihood(&lists, &next) < here && halvings < HALVINGS {
            step.iter_mut().for_each(|s| *s /= 2.0);
            next = moved(&weights, &step);
            halvings += 1;
        }
        let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        if halvings == HALVINGS {
            break;
        }
        weights = next;
        if largest < 1e-9 {
            break;
        }
    }
    for (weight, spread) in weights.iter_mut().zip(&spread) {
        *weight /= spread;
    }
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

fn moved(weights: &[f64], step: &[f64]) -> Vec<f64> {
    weights.iter().zip(step).map(|(w, s)| w + s).collect()
}

/// The logarithm of how likely the right choices are, less the penalty.
fn likelihood(lists: &[List], weights: &[f64]) -> f64 {
    let choices: f64 = lists
        .iter()
        .map(|list| {
            let scores: Vec<f64> = list.rows.iter().map(|row| score(weights, row)).collect();
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let all: f64 = scores.iter().map(|s| (s - most).exp()).sum();
            let rights = list.right.iter().filter(|right| **right).count() as f64;
            let chosen = scores.iter().zip(&list.right).filter(|(_, right)| **right);
            chosen.map(|(s, _)| s).sum::<f64>() / rights - most - all.ln()
        })
        .sum();
    let penalty = RIDGE * lists.len() as f64 / 2.0;
    choices - penalty * weights.iter().map(|w| w * w).sum::<f64>()
}

/// The standard deviation of each feature over all candidates; 1 where it never differs.
fn spread(lists: &[&List], features: usize) -> Vec<f64> {
    let rows = || lists.iter().flat_map(|list| &list.rows);
    let n = rows().count().max(1) as f64;
    (0..features)
        .map(|k| {
            let mean = rows().map(|row| row[k]).sum::<f64>() / n;
            let variance = rows().map(|row| (row[k] - mean).powi(2)).sum::<f64>() / n;
            if variance > 1e-18 {
                variance.sqrt()
            } else {
                1.0
            }
        })
        .collect()
}

fn standard(list: &List, spread: &[f64]) -> List {
    let row = |row: &Vec<f64>| row.iter().zip(spread).map(|(x, s)| x / s).collect();
    List {
        rows: list.rows.iter().map(row).collect(),
        right: list.right.clone(),
    }
}

/// What a list adds to the gradient and to the curvature of its log-likelihood.
fn add(list: &List, weights: &[f64], gradient: &mut [f64], curvature: &mut [Vec<f64>]) {
    let scores: Vec<f64> = list.rows.iter().map(|row| score(weights, row)).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let all: f64 = scores.iter().map(|s| (s - most).exp()).sum();
    let rights = list.right.iter().filter(|right| **right).count() as f64;
    let mut mean = vec![0.0; weights.len()];
    for (row, score) in list.rows.iter().zip(&scores) {
        let p = (score - most).exp() / all;
        for (mean, x) in mean.iter_mut().zip(row) {
            *mean += p * x;
        }
    }
    for ((row, score), right) in list.rows.iter().zip(&scores).zip(&list.right) {
        let p = (score - most).exp() / all;
        for (i, x) in row.iter().enumerate() {
            let off = x - mean[i];
            if *right {
                gradient[i] += off / rights;
            }
            for (j, y) in row.iter().enumerate() {
                curvature[i][j] += p * off * (y - mean[j]);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn list(rows: &[[f64; 2]], right: usize) -> List {
        List {
            rows: rows.iter().map(|row| row.to_vec()).collect(),
            right: (0..rows.len()).map(|i| i == right).collect(),
        }
    }

    #[test]
    fn what_tells_the_right_ones_apart_gets_the_weight() {
        // The first feature is informative, with one exception in five; the second is noise.
        let lists: Vec<List> = (0..100)
            .map(|i| {
                let noise = f64::from(i / 5 % 10);
                let right = usize::from(i % 5 == 0);
                list(&[[10.0, noise], [0.0, 9.0 - noise], [-5.0, 4.5]], right)
            })
            .collect();
        let weights = fit(&lists.iter().collect::<Vec<_>>()).unwrap();
        assert!(weights[0] > 0.05, "{weights:?}");
        assert!(weights[1].abs() < weights[0] / 2.0, "{weights:?}");
        assert!(score(&weights, &[10.0, 4.0]) > score(&weights, &[0.0, 4.0]));
    }

    #[test]
    fn the_odds_are_those_of_two_candidates() {
        // Of two candidates that differ by 1 the greater is right 3 times in 4: the weight is near ln 3.
        let lists: Vec<List> = (0..400)
            .map(|i| list(&[[1.0, 0.0], [0.0, 0.0]], usize::from(i % 4 == 0)))
            .collect();
        let weights = fit(&lists.iter().collect::<Vec<_>>()).unwrap();
        assert!((weights[0] - 3_f64.ln()).abs() < 0.02, "{weights:?}");
        assert!(weights[1].abs() < 1e-9);
    }

    #[test]
    fn one_right_candidate_among_many_is_found() {
        // 120 candidates; the right one has the greatest first feature nine times in ten.
        let lists: Vec<List> = (0..200)
            .map(|i| List {
                rows: (0..120)
                    .map(|k| vec![1.0 / f64::from(k + 1), f64::from((k * 31 + i) % 17)])
                    .collect(),
                right: (0..120).map(|k| k == i32::from(i % 10 == 0) * 60).collect(),
            })
            .collect();
        let weights = fit(&lists.iter().collect::<Vec<_>>()).unwrap();
        assert!(weights[0] > 5.0, "{weights:?}");
        assert!(weights[1].abs() < 0.1, "{weights:?}");
    }

    #[test]
    fn lists_without_a_choice_give_nothing() {
        assert_eq!(fit(&[]), None);
        let all_right = List {
            rows: vec![vec![1.0]],
            right: vec![true],
        };
        assert_eq!(fit(&[&all_right]), None);
        assert_eq!(fit(&[&list(&[[1.0, 2.0], [2.0, 1.0]], 9)]), None);
    }
}

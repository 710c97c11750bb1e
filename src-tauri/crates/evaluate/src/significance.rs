//! Paired comparison of two systems on the same questions, by cluster.

use crate::clusters::{Clusters, Sums, classes_of};
use crate::error::{EvaluateError, Result};
use crate::item::ScoredItem;
use crate::resample::{DIFFERENCES, Draws, Swaps, central_95};
use lexforge_domain::metrics::{self, Comparison, Interval};

/// The test's name as it is printed beside each p-value.
pub(crate) const TEST: &str = "cluster permutation, two-sided";

/// A statistic that counts as reached though rounding left it a little short.
const ROUNDING: f64 = 1e-12;

/// A measure, the statistic that gives it, and the widest possible difference.
type Measure = (&'static str, fn(&Sums) -> f64, f64);

const MEASURES: [Measure; metrics::MEASURES.len()] = [
    ("accuracy", Sums::accuracy, 1.0),
    ("f1", |sums| sums.macro_figures().f1, 1.0),
    ("choice_cosine_gap", Sums::cosine_gap, 4.0),
];

/// Compares accuracy, macro F1 and cosine gap of `after` with those of `before`.
///
/// The difference (after − before) has a 95 % percentile interval of a bootstrap over whole clusters, which keeps the
/// pairing. The p-value comes from a permutation test. Under the hypothesis of no difference, the two systems' answers
/// to a cluster may be swapped. Over `resamples` random swaps, p = (1 + number of swaps with |difference| at least the
/// observed one) / (1 + resamples).
///
/// `against` is the name of the system before, for example `base all-MiniLM-L6-v2`; `unit` says what a cluster is, for
/// example `anchor`.
///
/// # Errors
/// [`EvaluateError::NotPaired`] unless both lists hold the same questions, clusters and answers in the same order.
pub fn compare(
    before: &[ScoredItem],
    after: &[ScoredItem],
    against: &str,
    unit: &str,
    resamples: usize,
    seed: u64,
) -> Result<Vec<Comparison>> {
    check_pairing(before, after)?;
    let classes = classes_of(before).max(classes_of(after));
    let (old, new) = (
        Clusters::new(before, classes),
        Clusters::new(after, classes),
    );
    let differences = bootstrap(&old, &new, resamples, seed);
    let p_values = permutation(&old, &new, resamples, seed);
    let (old_total, new_total) = (old.total(), new.total());
    Ok(MEASURES
        .iter()
        .zip(differences)
        .zip(p_values)
        .map(|((&(measure, statistic, widest), differences), p_value)| {
            let (before, after) = (statistic(&old_total), statistic(&new_total));
            let [low, high] = differences
                .and_then(central_95)
                .unwrap_or([-widest, widest]);
            Comparison {
                measure: measure.to_owned(),
                before,
                after,
                difference: Interval {
                    value: after - before,
                    low,
                    high,
                },
                p_value,
                p_holm: None,
                test: TEST.to_owned(),
                unit: unit.to_owned(),
                against: against.to_owned(),
                resamples,
            }
        })
        .collect())
}

pub(crate) fn check_pairing(before: &[ScoredItem], after: &[ScoredItem]) -> Result<()> {
    if before.len() != after.len() {
        let message = format!(
            "{} questions before and {} after",
            before.len(),
            after.len()
        );
        return Err(EvaluateError::NotPaired(message));
    }
    for (b, a) in before.iter().zip(after) {
        if (b.id, b.cluster, b.answer) != (a.id, a.cluster, a.answer) {
            return Err(EvaluateError::NotPaired(format!(
                "question {} stands opposite question {}",
                b.id, a.id
            )));
        }
        if let Some(item) = [b, a].into_iter().find(|i| i.answer >= i.scores.len()) {
            let (id, choices, answer) = (item.id, item.scores.len(), item.answer);
            return Err(EvaluateError::AnswerOutOfRange {
                id,
                choices,
                answer,
            });
        }
    }
    Ok(())
}

/// The differences of each measure over the resamples; `None` with fewer than two clusters, since the spread is unknown
/// then.
fn bootstrap(
    old: &Clusters,
    new: &Clusters,
    resamples: usize,
    seed: u64,
) -> [Option<Vec<f64>>; MEASURES.len()] {
    if old.len() < 2 {
        return [const { None }; MEASURES.len()];
    }
    let mut draws = Draws::new(seed, DIFFERENCES);
    let (mut old_sums, mut new_sums) = (old.empty_sums(), new.empty_sums());
    let mut differences = [const { Vec::new() }; MEASURES.len()];
    for _ in 0..resamples {
        old.resample_pair_into(new, &mut draws, &mut old_sums, &mut new_sums);
        for (values, (_, statistic, _)) in differences.iter_mut().zip(&MEASURES) {
            values.push(statistic(&new_sums) - statistic(&old_sums));
        }
    }
    differences.map(Some)
}

/// Two-sided p-value of each measure.
fn permutation(
    old: &Clusters,
    new: &Clusters,
    resamples: usize,
    seed: u64,
) -> [f64; MEASURES.len()] {
    // A cluster that both systems answer alike is the same swapped or not; it goes into the sums once.
    let (mut same_old, mut same_new) = (old.empty_sums(), new.empty_sums());
    let mut swappable = Vec::new();
    for (place, (o, n)) in old.sums.iter().zip(&new.sums).enumerate() {
        if o == n {
            same_old.add(o);
            same_new.add(n);
        } else {
            swappable.push((place, o, n));
        }
    }
    let (old_total, new_total) = (old.total(), new.total());
    let observed =
        MEASURES.map(|(_, statistic, _)| (statistic(&new_total) - statistic(&old_total)).abs());
    let mut reached = [0usize; MEASURES.len()];
    let mut swaps = Swaps::of(old.len(), seed);
    for _ in 0..resamples {
        swaps.flip();
        let (mut first, mut second) = (same_old.clone(), same_new.clone());
        for &(place, o, n) in &swappable {
            let (o, n) = if swaps.swaps(place) { (n, o) } else { (o, n) };
            first.add(o);
            second.add(n);
        }
        for ((reached, observed), (_, statistic, _)) in
            reached.iter_mut().zip(observed).zip(&MEASURES)
        {
            let difference = (statistic(&second) - statistic(&first)).abs();
            *reached += usize::from(difference >= observed - ROUNDING);
        }
    }
    reached.map(|b| (1 + b) as f64 / (1 + resamples) as f64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::item::testing::{assert_near, item, recorded};
    use std::slice::from_ref;

    #[test]
    fn each_measure_that_is_told_has_its_statistic() {
        assert_eq!(MEASURES.map(|(name, ..)| name), metrics::MEASURES);
    }

    #[test]
    fn interval_and_p_value_agree_with_the_enumeration_of_all_resamples_and_swaps() {
        let comparisons = compare(&recorded(1), &recorded(2), "base", "anchor", 40_000, 5).unwrap();
        // The expected values were computed from all 6⁶ resamples and all 2⁶ swaps. Each bound of the interval must be
        // between the percentiles half a point below and above it. The p-value must be within four standard errors of
        // the exact share; with 40,000 random swaps these are at most .0101.
        let expected = [
            (
                "accuracy",
                0.083333333333,
                [-0.054545, -0.049180],
                [0.209677, 0.222222],
                32.0 / 64.0,
            ),
            (
                "f1",
                0.105969001562,
                [-0.035530, -0.026303],
                [0.211092, 0.223224],
                18.0 / 64.0,
            ),
            (
                "choice_cosine_gap",
                0.127777777778,
                [0.017816, 0.027193],
                [0.219652, 0.230645],
                8.0 / 64.0,
            ),
        ];
        for (c, (measure, difference, low, high, p)) in comparisons.iter().zip(expected) {
            assert_eq!(
                (c.measure.as_str(), c.unit.as_str(), c.against.as_str()),
                (measure, "anchor", "base")
            );
            assert_near(c.difference.value, difference, 1e-11);
            assert_near(c.after - c.before, difference, 1e-11);
            assert_near(
                c.difference.low,
                (low[0] + low[1]) / 2.0,
                (low[1] - low[0]) / 2.0 + 1e-6,
            );
            assert_near(
                c.difference.high,
                (high[0] + high[1]) / 2.0,
                (high[1] - high[0]) / 2.0 + 1e-6,
            );
            assert_near(c.p_value, p, 0.0101);
        }
        assert_eq!(comparisons.len(), expected.len());
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        for c in compare(&recorded(1), &recorded(1), "itself", "anchor", 200, 5).unwrap() {
            assert_eq!(
                (
                    c.difference.low,
                    c.difference.value,
                    c.difference.high,
                    c.p_value
                ),
                (0.0, 0.0, 0.0, 1.0)
            );
        }
    }

    #[test]
    fn the_smallest_p_value_is_one_of_all_draws() {
        // 64 clusters that all went from wrong to right: only one swap in 2⁶³ reaches the difference.
        let before: Vec<_> = (0..64).map(|i| item(i, i, 0, &[0.1, 0.9])).collect();
        let after: Vec<_> = (0..64).map(|i| item(i, i, 0, &[0.9, 0.1])).collect();
        let accuracy = &compare(&before, &after, "base", "anchor", 999, 5).unwrap()[0];
        assert_near(accuracy.p_value, 0.001, 1e-12);
        assert_eq!(
            (accuracy.difference.low, accuracy.difference.high),
            (1.0, 1.0)
        );
    }

    #[test]
    fn one_cluster_decides_nothing() {
        let (before, after) = ([item(1, 1, 0, &[0.1, 0.9])], [item(1, 1, 0, &[0.9, 0.1])]);
        for c in compare(&before, &after, "base", "anchor", 100, 5).unwrap() {
            assert!(
                c.difference.low < 0.0 && c.difference.high > 0.0 && c.p_value == 1.0,
                "{c:?}"
            );
        }
    }

    #[test]
    fn other_questions_are_refused() {
        let check = |before: &[ScoredItem], after: &[ScoredItem]| {
            assert!(compare(before, after, "base", "anchor", 10, 5).is_err());
        };
        let one = item(1, 1, 0, &[0.1, 0.9]);
        check(from_ref(&one), &[]);
        check(from_ref(&one), &[item(2, 1, 0, &[0.1, 0.9])]);
        check(from_ref(&one), &[item(1, 2, 0, &[0.1, 0.9])]);
        check(from_ref(&one), &[item(1, 1, 1, &[0.1, 0.9])]);
        let beyond = item(1, 1, 3, &[0.1, 0.9]);
        check(from_ref(&beyond), from_ref(&beyond));
    }
}

//! Means of two systems on the same items, by cluster.

use super::by_item::by_item;
use super::holm::holm;
use crate::error::{EvaluateError, Result};
use crate::resample::{DIFFERENCES, Draws, Swaps, TAIL_95, central, central_95};
use crate::significance::TEST;
use lexforge_domain::metrics::{Comparison, Interval};
use lexforge_domain::statistics::PairedComparison;
use std::collections::BTreeMap;

/// A statistic that counts as reached though rounding left it a little short.
const ROUNDING: f64 = 1e-12;

/// A measure of every item under two systems.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedSeries {
    /// What is measured: `accuracy`.
    pub measure: String,
    /// The system that is compared with: `base all-MiniLM-L6-v2`.
    pub against: String,
    /// The measure of each item under that system.
    pub before: Vec<f64>,
    /// The measure of each item under the other system.
    pub after: Vec<f64>,
}

/// Sums of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    n: f64,
    before: f64,
    after: f64,
}

fn by_cluster(clusters: &[usize], before: &[f64], after: &[f64]) -> Vec<Sums> {
    let mut sums: BTreeMap<usize, Sums> = BTreeMap::new();
    for (cluster, (b, a)) in clusters.iter().zip(before.iter().zip(after)) {
        let of = sums.entry(*cluster).or_default();
        of.n += 1.0;
        of.before += b;
        of.after += a;
    }
    sums.into_values().collect()
}

/// All comparisons of one table. Each difference (after − before) has a 95 % interval of a bootstrap over whole
/// clusters, the p-value of a permutation test that swaps whole clusters, and Holm's correction over all differences.
/// The tests by item are computed as well. `clusters` gives the cluster of each item; `unit` says what a cluster is.
///
/// # Errors
/// [`EvaluateError::NotPaired`] if the lists differ in length, are empty, or hold NaN.
pub fn compare_all(
    series: &[PairedSeries],
    clusters: &[usize],
    unit: &str,
    resamples: usize,
    seed: u64,
) -> Result<Vec<PairedComparison>> {
    compare_all_within(series, clusters, unit, resamples, seed, TAIL_95)
}

/// As [`compare_all`], with intervals that leave out the share `tail` of the resamples on either side. Each bound by
/// itself then holds at the level 1 − `tail`.
///
/// # Errors
/// As [`compare_all`].
pub fn compare_all_within(
    series: &[PairedSeries],
    clusters: &[usize],
    unit: &str,
    resamples: usize,
    seed: u64,
    tail: f64,
) -> Result<Vec<PairedComparison>> {
    let mut compared = Vec::new();
    for one in series {
        check(one, clusters)?;
        compared.push(compare(one, clusters, unit, resamples, seed, tail));
    }
    let p_values: Vec<f64> = compared.iter().map(|c| c.comparison.p_value).collect();
    for (one, corrected) in compared.iter_mut().zip(holm(&p_values)) {
        one.p_holm = corrected;
    }
    Ok(compared)
}

fn check(series: &PairedSeries, clusters: &[usize]) -> Result<()> {
    let (before, after) = (series.before.len(), series.after.len());
    if before != after || before != clusters.len() {
        return Err(EvaluateError::NotPaired(format!(
            "{before} items before, {after} after, and clusters of {}",
            clusters.len()
        )));
    }
    if before == 0 {
        return Err(EvaluateError::NotPaired("there is no item".to_owned()));
    }
    let values = series.before.iter().zip(&series.after);
    match values
        .clone()
        .position(|(b, a)| !b.is_finite() || !a.is_finite())
    {
        Some(at) => Err(EvaluateError::NotPaired(format!(
            "the {} of item {} is not a number",
            series.measure,
            at + 1
        ))),
        None => Ok(()),
    }
}

fn compare(
    series: &PairedSeries,
    clusters: &[usize],
    unit: &str,
    resamples: usize,
    seed: u64,
    tail: f64,
) -> PairedComparison {
    let sums = by_cluster(clusters, &series.before, &series.after);
    let n = series.before.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
    let (before, after) = (mean(&series.before), mean(&series.after));
    let difference = after - before;
    let widest = widest(series);
    let [low, high] = differences(&sums, resamples, seed)
        .and_then(|drawn| central(drawn, tail))
        .unwrap_or([-widest, widest]);
    PairedComparison {
        comparison: Comparison {
            measure: series.measure.clone(),
            before,
            after,
            difference: Interval {
                value: difference,
                low,
                high,
            },
            p_value: permuted(&sums, resamples, seed),
            p_holm: None,
            test: TEST.to_owned(),
            unit: unit.to_owned(),
            against: series.against.clone(),
            resamples,
        },
        p_holm: f64::NAN,
        n: series.before.len(),
        clusters: sums.len(),
        by_item: by_item(&series.before, &series.after),
    }
}

/// The widest difference that is possible with these values. It is used if there is only one cluster.
fn widest(series: &PairedSeries) -> f64 {
    let all = series.before.iter().chain(&series.after);
    let (low, high) = all.fold((0.0_f64, 1.0_f64), |(low, high), v| {
        (low.min(*v), high.max(*v))
    });
    high - low
}

/// Differences over the resamples; none with fewer than two clusters.
fn differences(sums: &[Sums], resamples: usize, seed: u64) -> Option<Vec<f64>> {
    if sums.len() < 2 {
        return None;
    }
    let mut draws = Draws::new(seed, DIFFERENCES);
    let drawn = (0..resamples).map(|_| {
        let (mut n, mut difference) = (0.0, 0.0);
        for _ in 0..sums.len() {
            let of = &sums[draws.index(sums.len())];
            n += of.n;
            difference += of.after - of.before;
        }
        difference / n
    });
    Some(drawn.collect())
}

fn permuted(sums: &[Sums], resamples: usize, seed: u64) -> f64 {
    let differences = sums.iter().map(|s| s.after - s.before).enumerate();
    let swappable: Vec<(usize, f64)> = differences.filter(|(_, d)| *d != 0.0).collect();
    let observed = swappable.iter().map(|(_, d)| d).sum::<f64>().abs();
    let mut swaps = Swaps::of(sums.len(), seed);
    let mut reached = 0_usize;
    for _ in 0..resamples {
        swaps.flip();
        let mut sum = 0.0;
        for (place, difference) in &swappable {
            sum += if swaps.swaps(*place) {
                -difference
            } else {
                *difference
            };
        }
        reached += usize::from(sum.abs() >= observed - ROUNDING * observed.max(1.0));
    }
    (1 + reached) as f64 / (1 + resamples) as f64
}

/// The mean of values with its 95 % interval from a bootstrap by cluster, and the number of clusters. With fewer than
/// two clusters the interval is `None`.
pub fn mean_interval(
    values: &[f64],
    clusters: &[usize],
    resamples: usize,
    seed: u64,
) -> (f64, Option<[f64; 2]>, usize) {
    let nothing = vec![0.0; values.len()];
    let sums = by_cluster(clusters, &nothing, values);
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let interval = differences(&sums, resamples, seed).and_then(central_95);
    (mean, interval, sums.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::item::ScoredItem;
    use crate::item::testing::recorded;
    use crate::significance;

    fn series(measure: &str) -> PairedSeries {
        let before = (0..40_usize).map(|i| ((i * 37 + 11) % 53) as f64 / 53.0);
        let after = (0..40_usize).map(|i| ((i * 29 + 5) % 47) as f64 / 47.0 + 0.06);
        PairedSeries {
            measure: measure.to_owned(),
            against: "base".to_owned(),
            before: before.collect(),
            after: after.collect(),
        }
    }

    fn clusters() -> Vec<usize> {
        (0..40).map(|i| i * i % 10).collect()
    }

    #[test]
    fn bounds_go_by_the_share_that_they_leave_out_and_nothing_else_does() {
        let within = |tail| {
            let found =
                compare_all_within(&[series("score")], &clusters(), "rule", 500, 3, tail).unwrap();
            found[0].comparison.clone()
        };
        let usual = compare_all(&[series("score")], &clusters(), "rule", 500, 3).unwrap();
        assert_eq!(within(TAIL_95), usual[0].comparison);
        let (narrow, wide) = (within(0.05), within(0.005));
        let width = |one: &Comparison| one.difference.high - one.difference.low;
        assert!(width(&narrow) < width(&within(TAIL_95)) && width(&within(TAIL_95)) < width(&wide));
        assert!(width(&within(0.5)).abs() < 1e-12);
        assert_eq!(narrow.p_value.to_bits(), wide.p_value.to_bits());
    }

    #[test]
    fn interval_and_p_value_agree_with_the_enumeration() {
        // The expected values were computed with numpy 2 from all 6⁶ resamples and all 2⁶ swaps of the six clusters.
        // The bounds must be between the percentiles half a point below and above. The p-value is .75; four standard
        // errors of 40,000 random swaps are .0087.
        let found = compare_all(&[series("score")], &clusters(), "rule", 40_000, 3).unwrap();
        let (one, c) = (&found[0], &found[0].comparison);
        assert!((c.difference.value - 0.05254315535929346).abs() < 1e-12);
        assert!((c.p_value - 0.75).abs() < 0.0087, "{}", c.p_value);
        assert!(
            (c.difference.low + 0.12245684464070657).abs() < 1e-9,
            "{}",
            c.difference.low
        );
        assert!(
            (0.2602..0.2916).contains(&c.difference.high),
            "{}",
            c.difference.high
        );
        assert_eq!((one.n, one.clusters, one.p_holm), (40, 6, c.p_value));
    }

    #[test]
    fn a_difference_in_accuracy_has_one_interval_and_one_p_value() {
        // The report of a run computes it among other measures, the bench by itself.
        let (before, after) = (recorded(1), recorded(2));
        let rights = |items: &[ScoredItem]| -> Vec<f64> {
            let right = |item: &ScoredItem| f64::from(u8::from(item.is_right()));
            items.iter().map(right).collect()
        };
        let alone = PairedSeries {
            measure: "accuracy".to_owned(),
            against: "base".to_owned(),
            before: rights(&before),
            after: rights(&after),
        };
        let ids: Vec<usize> = before.iter().map(|i| i.cluster as usize).collect();
        for (resamples, seed) in [(99, 3), (2_000, 42), (2_000, 7)] {
            let of_report =
                &significance::compare(&before, &after, "base", "rule", resamples, seed).unwrap()
                    [0];
            let alone = std::slice::from_ref(&alone);
            let of_bench = compare_all(alone, &ids, "rule", resamples, seed).unwrap();
            let of_bench = &of_bench[0].comparison;
            assert_eq!(of_report.p_value.to_bits(), of_bench.p_value.to_bits());
            for (one, other) in [
                (of_report.difference.low, of_bench.difference.low),
                (of_report.difference.value, of_bench.difference.value),
                (of_report.difference.high, of_bench.difference.high),
            ] {
                assert!((one - other).abs() < 1e-12, "{one} {other}");
            }
        }
    }

    #[test]
    fn every_comparison_of_the_table_is_corrected_for_the_others() {
        let all = [series("one"), series("two"), series("three")];
        let found = compare_all(&all, &clusters(), "rule", 200, 3).unwrap();
        assert!(found.iter().all(|c| c.p_holm == 1.0), "{found:?}");
    }

    #[test]
    fn a_system_does_not_differ_from_itself() {
        let mut same = series("one");
        same.after.clone_from(&same.before);
        let c = &compare_all(&[same], &clusters(), "rule", 200, 3).unwrap()[0].comparison;
        let d = c.difference;
        assert_eq!((d.value, d.low, d.high, c.p_value), (0.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn one_cluster_decides_nothing() {
        let found = compare_all(&[series("one")], &[7; 40], "rule", 200, 3).unwrap();
        let c = &found[0].comparison;
        assert!(c.difference.low < 0.0 && c.difference.high > 0.0 && c.p_value == 1.0);
        assert_eq!(mean_interval(&[1.0, 0.0], &[1, 1], 100, 3), (0.5, None, 1));
    }

    #[test]
    fn what_is_not_paired_or_no_number_is_refused() {
        let refused = |series: PairedSeries, clusters: &[usize]| {
            assert!(compare_all(&[series], clusters, "rule", 10, 3).is_err());
        };
        refused(series("one"), &[1]);
        let mut short = series("one");
        short.after.pop();
        refused(short, &clusters());
        let mut nan = series("one");
        nan.after[7] = f64::NAN;
        refused(nan, &clusters());
        let empty = PairedSeries {
            before: Vec::new(),
            after: Vec::new(),
            ..series("one")
        };
        refused(empty, &[]);
    }
}

//! How sure the figures of rankings are: bootstrap and permutation by cluster.

use crate::ranking::{NAMES, Outcome};
use crate::resample::{Draws, central_95};
use crate::significance::TEST;
use lexforge_domain::metrics::{Comparison, Interval};
use std::collections::BTreeMap;

/// A statistic that counts as reached though rounding left it a little short.
const ROUNDING: f64 = 1e-12;

/// Outcomes, each with the number of its cluster.
pub type Clustered = [(usize, Outcome)];

/// Sums of a cluster, or of a resample: of each figure, and over how many questions it is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    sums: [f64; 5],
    n: u32,
    several: u32,
}

impl Sums {
    fn of(outcome: &Outcome) -> Self {
        let all = f64::from(u8::from(outcome.all == Some(true)));
        Self {
            sums: [
                outcome.recall,
                outcome.precision,
                outcome.ndcg,
                outcome.reciprocal,
                all,
            ],
            n: 1,
            several: u32::from(outcome.all.is_some()),
        }
    }

    fn add(&mut self, other: &Self) {
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
        self.n += other.n;
        self.several += other.several;
    }

    /// The mean of a figure; not a number where no question counts.
    fn mean(&self, figure: usize) -> f64 {
        let n = if figure == 4 { self.several } else { self.n };
        if n == 0 {
            f64::NAN
        } else {
            self.sums[figure] / f64::from(n)
        }
    }
}

/// Sums of every cluster, in the order of their numbers.
struct Table(Vec<Sums>);

impl Table {
    fn new(outcomes: &Clustered) -> Self {
        let mut by_cluster: BTreeMap<usize, Sums> = BTreeMap::new();
        for (cluster, outcome) in outcomes {
            by_cluster
                .entry(*cluster)
                .or_default()
                .add(&Sums::of(outcome));
        }
        Self(by_cluster.into_values().collect())
    }

    fn total(&self) -> Sums {
        let mut total = Sums::default();
        self.0.iter().for_each(|sums| total.add(sums));
        total
    }
}

/// The means with their 95 % intervals, in the order of [`NAMES`], from a bootstrap over whole clusters. With fewer
/// than two clusters the spread is unknown. The last figure is `None` if no question has several relevant passages.
pub fn figures(outcomes: &Clustered, resamples: usize, seed: u64) -> [Option<Interval>; 5] {
    let table = Table::new(outcomes);
    let total = table.total();
    let mut values: [Vec<f64>; 5] = Default::default();
    if table.0.len() > 1 {
        let mut draws = Draws::new(seed, 3);
        for _ in 0..resamples {
            let mut drawn = Sums::default();
            for _ in 0..table.0.len() {
                drawn.add(&table.0[draws.index(table.0.len())]);
            }
            for (figure, values) in values.iter_mut().enumerate() {
                values.push(drawn.mean(figure));
            }
        }
    }
    let mut figure = 0;
    values.map(|values| {
        let value = total.mean(figure);
        figure += 1;
        let [low, high] = central_95(values).unwrap_or([0.0, 1.0]);
        value.is_finite().then_some(Interval { value, low, high })
    })
}

/// Compares two rankings of the same questions, in the same order: differences (after − before) with the 95 % interval
/// of the bootstrap by cluster, and the p-value of the permutation test that swaps whole clusters. `unit` says what a
/// cluster is, `against` is the name of the first ranking.
pub fn compare(
    before: &Clustered,
    after: &Clustered,
    unit: &str,
    against: &str,
    resamples: usize,
    seed: u64,
) -> Vec<Comparison> {
    let (before, after) = (Table::new(before), Table::new(after));
    let pairs: Vec<(Sums, Sums)> = before.0.iter().copied().zip(after.0.clone()).collect();
    let (old, new) = (before.total(), after.total());
    let observed: Vec<f64> = (0..NAMES.len())
        .map(|k| new.mean(k) - old.mean(k))
        .collect();
    let mut differences: Vec<Vec<f64>> = vec![Vec::new(); NAMES.len()];
    let mut reached = vec![0_usize; NAMES.len()];
    let (mut draws, mut coins) = (Draws::new(seed, 3), Draws::new(seed, 4));
    for _ in 0..resamples {
        let (mut first, mut second) = (Sums::default(), Sums::default());
        if pairs.len() > 1 {
            for _ in 0..pairs.len() {
                let (o, n) = &pairs[draws.index(pairs.len())];
                first.add(o);
                second.add(n);
            }
            for (k, differences) in differences.iter_mut().enumerate() {
                differences.push(second.mean(k) - first.mean(k));
            }
        }
        let (mut first, mut second) = (Sums::default(), Sums::default());
        for chunk in pairs.chunks(64) {
            let mut coins = coins.coins();
            for (o, n) in chunk {
                let (o, n) = if coins & 1 == 0 { (o, n) } else { (n, o) };
                first.add(o);
                second.add(n);
                coins >>= 1;
            }
        }
        for (k, reached) in reached.iter_mut().enumerate() {
            let difference = (second.mean(k) - first.mean(k)).abs();
            *reached += usize::from(difference >= observed[k].abs() - ROUNDING);
        }
    }
    differences
        .into_iter()
        .enumerate()
        .filter(|(k, _)| observed[*k].is_finite())
        .map(|(k, differences)| {
            let [low, high] = central_95(differences).unwrap_or([-1.0, 1.0]);
            Comparison {
                measure: NAMES[k].to_owned(),
                before: old.mean(k),
                after: new.mean(k),
                difference: Interval {
                    value: observed[k],
                    low,
                    high,
                },
                p_value: (1 + reached[k]) as f64 / (1 + resamples) as f64,
                p_holm: None,
                test: TEST.to_owned(),
                unit: unit.to_owned(),
                against: against.to_owned(),
                resamples,
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_mean_over_the_questions_that_it_is_counted_over() {
        let several = Outcome {
            all: Some(true),
            ..outcome(1.0)
        };
        let means = figures(&[(0, several), (1, outcome(0.5))], 50, 1).map(|f| f.map(|f| f.value));
        assert_eq!(means[..4], [Some(0.75); 4]);
        assert_eq!(means[4], Some(1.0));
        assert_eq!(figures(&[], 10, 1), [None; 5]);
    }

    fn outcome(recall: f64) -> Outcome {
        Outcome {
            recall,
            precision: recall,
            ndcg: recall,
            reciprocal: recall,
            all: None,
        }
    }

    /// Clusters of two questions each, all alike within.
    fn clusters(of: &[f64]) -> Vec<(usize, Outcome)> {
        let twice = |(i, x): (usize, &f64)| [(i, outcome(*x)), (i, outcome(*x))];
        of.iter().enumerate().flat_map(twice).collect()
    }

    #[test]
    fn clusters_and_not_questions_are_drawn() {
        // Two clusters, 0 and 1: a resample has the mean 0, ½ or 1 with ¼, ½, ¼.
        let [recall, .., both] = figures(&clusters(&[0.0, 1.0]), 2_000, 1);
        let recall = recall.unwrap();
        assert_eq!((recall.low, recall.value, recall.high), (0.0, 0.5, 1.0));
        assert_eq!(both, None);
        // One cluster says nothing about the spread.
        let one = figures(&clusters(&[0.7]), 100, 1)[0].unwrap();
        assert_eq!((one.low, one.high), (0.0, 1.0));
    }

    #[test]
    fn the_p_value_is_the_share_of_swaps() {
        // Three clusters that all gained: 2 of the 8 swaps reach the difference.
        let (before, after) = (clusters(&[0.0; 3]), clusters(&[1.0; 3]));
        let all = compare(&before, &after, "document", "base", 20_000, 5);
        assert_eq!(all.len(), 4);
        let recall = &all[0];
        assert_eq!((recall.before, recall.after), (0.0, 1.0));
        assert_eq!((recall.difference.low, recall.difference.high), (1.0, 1.0));
        // Four standard errors of 20,000 draws.
        assert!((recall.p_value - 0.25).abs() < 0.0123, "{recall:?}");
    }

    #[test]
    fn a_ranking_does_not_differ_from_itself() {
        let same = clusters(&[0.1, 0.9, 0.4]);
        for one in compare(&same, &same, "document", "itself", 200, 5) {
            assert_eq!((one.difference.low, one.difference.high), (0.0, 0.0));
            assert!((one.p_value - 1.0).abs() < 1e-12);
        }
    }
}

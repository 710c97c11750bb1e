//! How well a system distinguishes the contexts of terms (docs/methods.md, "Terminology in practice"). Two contexts of
//! a term are shown in an order that depends on the seed. The system's answer is the context that is nearer to the
//! term.

use crate::classification::{COUNTS_PER_CLASS, Confusion, macro_figures};
use crate::resample::{Draws, central_95};
use lexforge_domain::metrics::TermFigures;
use std::collections::BTreeMap;

/// Interval of a share about which nothing is known.
const ANY_SHARE: [f64; 2] = [0.0, 1.0];
/// Interval of a gap about which nothing is known.
const ANY_GAP: [f64; 2] = [-2.0, 2.0];
/// Places at which the right context can be shown.
const PLACES: usize = 2;

/// A pair of contexts as a system sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// All pairs of a term are one cluster.
    pub cluster: usize,
    /// The place at which the right context is shown, 0 or 1.
    pub label: usize,
    /// cos(term, right context).
    pub right: f64,
    /// cos(term, wrong context).
    pub wrong: f64,
}

impl PairScore {
    /// 1 where the right context is the nearer one, 1/2 where both are equally near.
    pub fn credit(&self) -> f64 {
        match self.right.partial_cmp(&self.wrong) {
            Some(std::cmp::Ordering::Greater) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        }
    }

    /// The place that the system gives: of two that are equally near the first; `None` if one is not a number.
    fn place(&self) -> Option<usize> {
        let other = PLACES - 1 - self.label.min(PLACES - 1);
        self.right
            .partial_cmp(&self.wrong)
            .map(|order| match order {
                std::cmp::Ordering::Greater => self.label,
                std::cmp::Ordering::Less => other,
                std::cmp::Ordering::Equal => 0,
            })
    }
}

/// Sums of a cluster, or of a draw of clusters.
#[derive(Clone, Default)]
struct Sums {
    n: f64,
    right: f64,
    gap: f64,
    with_gap: f64,
    confusion: [u32; PLACES * COUNTS_PER_CLASS],
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.right += other.right;
        self.gap += other.gap;
        self.with_gap += other.with_gap;
        for (sum, count) in self.confusion.iter_mut().zip(&other.confusion) {
            *sum += count;
        }
    }

    fn accuracy(&self) -> f64 {
        self.right / self.n
    }

    fn gap(&self) -> f64 {
        self.gap / self.with_gap
    }

    fn f1(&self) -> f64 {
        macro_figures(&self.confusion).f1
    }
}

/// Macro F1 over the place (first or second) of the right context, pairwise accuracy and mean cosine gap. Each figure
/// has a 95 % interval from a bootstrap over whole terms. With only one term the spread is unknown, and the intervals
/// are the whole range.
pub fn figures<'a>(
    pairs: impl IntoIterator<Item = &'a PairScore>,
    resamples: usize,
    seed: u64,
) -> TermFigures {
    let mut by_term: BTreeMap<usize, (Sums, Confusion)> = BTreeMap::new();
    for pair in pairs {
        let (sums, confusion) = by_term
            .entry(pair.cluster)
            .or_insert_with(|| (Sums::default(), Confusion::new(PLACES)));
        sums.n += 1.0;
        sums.right += pair.credit();
        let gap = pair.right - pair.wrong;
        if gap.is_finite() {
            sums.gap += gap;
            sums.with_gap += 1.0;
        }
        confusion.add(pair.label.min(PLACES - 1), pair.place());
    }
    let terms: Vec<Sums> = by_term
        .into_values()
        .map(|(mut sums, confusion)| {
            for (to, from) in sums.confusion.iter_mut().zip(confusion.counts()) {
                *to = *from;
            }
            sums
        })
        .collect();
    let mut total = Sums::default();
    terms.iter().for_each(|sums| total.add(sums));
    let known = |value: f64| if value.is_finite() { value } else { 0.0 };
    let mut found = TermFigures {
        macro_f1: total.f1(),
        macro_f1_ci95: ANY_SHARE,
        pairwise_accuracy: known(total.accuracy()),
        pairwise_accuracy_ci95: ANY_SHARE,
        mean_cosine_gap: known(total.gap()),
        mean_cosine_gap_ci95: ANY_GAP,
        n: total.n as usize,
        clusters: terms.len(),
    };
    if terms.len() < 2 {
        return found;
    }
    let mut draws = Draws::new(seed, 0);
    let mut drawn: [Vec<f64>; 3] = [(); 3].map(|()| Vec::with_capacity(resamples));
    for _ in 0..resamples {
        let mut sums = Sums::default();
        for _ in 0..terms.len() {
            sums.add(&terms[draws.index(terms.len())]);
        }
        for (values, value) in drawn
            .iter_mut()
            .zip([sums.f1(), sums.accuracy(), sums.gap()])
        {
            values.push(value);
        }
    }
    let [f1, accuracy, gap] = drawn;
    found.macro_f1_ci95 = central_95(f1).unwrap_or(ANY_SHARE);
    found.pairwise_accuracy_ci95 = central_95(accuracy).unwrap_or(ANY_SHARE);
    found.mean_cosine_gap_ci95 = central_95(gap).unwrap_or(ANY_GAP);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    fn pair(cluster: usize, label: usize, right: f64, wrong: f64) -> PairScore {
        PairScore {
            cluster,
            label,
            right,
            wrong,
        }
    }

    #[test]
    fn figures_of_a_set_that_was_worked_by_hand() {
        // Places given: 0 (right), 1 (right), 1 (wrong), and of the tie the first (wrong).
        let pairs = [
            pair(1, 0, 0.9, 0.1),
            pair(1, 1, 0.6, 0.4),
            pair(2, 0, 0.2, 0.5),
            pair(3, 1, 0.5, 0.5),
        ];
        let found = figures(&pairs, 500, 1);
        assert_eq!((found.n, found.clusters), (4, 3));
        assert_near(found.pairwise_accuracy, 0.625, 1e-12);
        assert_near(found.mean_cosine_gap, (0.8 + 0.2 - 0.3) / 4.0, 1e-12);
        // Place 0: one hit, given twice, right twice; place 1 the same: F1 1/2 each.
        assert_near(found.macro_f1, 0.5, 1e-12);
        let [low, high] = found.pairwise_accuracy_ci95;
        assert!(low < 0.625 && high > 0.625, "{low} {high}");
        assert_eq!(figures(&pairs, 500, 1), found);
    }

    #[test]
    fn what_is_not_a_number_is_wrong_and_has_no_gap() {
        let found = figures(&[pair(1, 0, f64::NAN, 0.2), pair(2, 1, 0.6, 0.2)], 10, 1);
        assert_near(found.pairwise_accuracy, 0.5, 1e-12);
        assert_near(found.mean_cosine_gap, 0.4, 1e-12);
        // Place 0 was never given, place 1 once and rightly.
        assert_near(found.macro_f1, 0.5, 1e-12);
    }

    #[test]
    fn one_term_says_nothing_about_the_spread() {
        let found = figures(&[pair(5, 0, 0.9, 0.1), pair(5, 1, 0.8, 0.1)], 10, 1);
        assert_eq!(
            (
                found.pairwise_accuracy,
                found.pairwise_accuracy_ci95,
                found.mean_cosine_gap_ci95
            ),
            (1.0, ANY_SHARE, ANY_GAP)
        );
        assert_eq!(figures(&[], 10, 1).n, 0);
    }
}

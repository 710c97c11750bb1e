//! The figures of one system on questions with choices (METHODS §1.4).

use crate::clusters::{Clusters, classes_of};
use crate::item::ScoredItem;
use crate::resample::{Draws, central_95};
use lexforge_domain::metrics::{GroupMetrics, QcaMetrics};
use std::collections::BTreeMap;

/// Interval of an accuracy of which nothing is known.
const ANY_SHARE: [f64; 2] = [0.0, 1.0];
/// Interval of a cosine gap of which nothing is known.
const ANY_GAP: [f64; 2] = [-2.0, 2.0];

/// Accuracy, macro precision, recall and F1 over the position of the answer, and cosine gap, with 95 % percentile
/// intervals of a bootstrap that draws whole clusters; by level and by type.
///
/// Fewer than two clusters say nothing about the spread: their interval is the whole range.
pub fn metrics(items: &[ScoredItem], resamples: usize, seed: u64) -> QcaMetrics {
    let classes = classes_of(items);
    let clusters = Clusters::new(items, classes);
    let total = clusters.total();
    let figures = total.macro_figures();
    let (ci95, gap_ci95) = intervals(&clusters, resamples, seed);
    QcaMetrics {
        accuracy: total.accuracy(),
        precision: figures.precision,
        recall: figures.recall,
        f1: figures.f1,
        ci95,
        n: items.len(),
        clusters: clusters.len(),
        cosine_gap: total.cosine_gap(),
        gap_ci95,
        by_type: groups(items, |i| i.question_type.tag(), resamples, seed),
        by_level: groups(items, |i| i.level.tag(), resamples, seed),
    }
}

fn groups(
    items: &[ScoredItem],
    tag: impl Fn(&ScoredItem) -> &'static str,
    resamples: usize,
    seed: u64,
) -> BTreeMap<String, GroupMetrics> {
    let mut by_tag: BTreeMap<&'static str, Vec<&ScoredItem>> = BTreeMap::new();
    for item in items {
        by_tag.entry(tag(item)).or_default().push(item);
    }
    by_tag
        .into_iter()
        .map(|(tag, items)| {
            let clusters = Clusters::new(items.iter().copied(), 0);
            let total = clusters.total();
            let group = GroupMetrics {
                accuracy: total.accuracy(),
                ci95: intervals(&clusters, resamples, seed).0,
                cosine_gap: total.cosine_gap(),
                n: items.len(),
                clusters: clusters.len(),
            };
            (tag.to_owned(), group)
        })
        .collect()
}

/// Intervals of accuracy and gap.
fn intervals(clusters: &Clusters, resamples: usize, seed: u64) -> ([f64; 2], [f64; 2]) {
    if clusters.len() < 2 {
        return (ANY_SHARE, ANY_GAP);
    }
    let mut draws = Draws::new(seed, 0);
    let (mut accuracies, mut gaps) = (Vec::with_capacity(resamples), Vec::with_capacity(resamples));
    let mut n_right_gap = [0f64; 4];
    for _ in 0..resamples {
        n_right_gap.fill(0.0);
        for _ in 0..clusters.len() {
            let s = &clusters.sums[draws.index(clusters.len())];
            n_right_gap[0] += f64::from(s.n);
            n_right_gap[1] += f64::from(s.right);
            n_right_gap[2] += f64::from(s.with_gap);
            n_right_gap[3] += s.gap;
        }
        let [n, right, with_gap, gap] = n_right_gap;
        accuracies.push(right / n);
        gaps.push(gap / with_gap);
    }
    (central_95(accuracies).unwrap_or(ANY_SHARE), central_95(gaps).unwrap_or(ANY_GAP))
}

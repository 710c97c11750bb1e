//! The figures of one system on questions with choices (docs/methods.md, "Evaluation").

use crate::clusters::{Clusters, classes_of};
use crate::item::ScoredItem;
use crate::resample::{Draws, central_95};
use lexforge_domain::metrics::{GroupMetrics, QcaMetrics};
use std::collections::BTreeMap;

/// Interval of an accuracy about which nothing is known.
const ANY_SHARE: [f64; 2] = [0.0, 1.0];
/// Interval of a cosine gap about which nothing is known.
const ANY_GAP: [f64; 2] = [-2.0, 2.0];

/// Accuracy, macro precision, recall and F1 over the position of the answer, and the cosine gap; by level and by type.
/// Each has a 95 % percentile interval of a bootstrap over whole clusters.
///
/// With fewer than two clusters the spread is unknown, and the interval is the whole range.
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
        choice_cosine_gap: total.cosine_gap(),
        gap_ci95,
        by_type: groups(items, |i| i.question_type.tag(), resamples, seed),
        by_level: groups(items, |i| i.level.tag(), resamples, seed),
        by_term_seen: BTreeMap::new(),
    }
}

/// The figures of the items that bear one tag, for each tag.
pub fn groups<'t>(
    items: &[ScoredItem],
    tag: impl Fn(&ScoredItem) -> &'t str,
    resamples: usize,
    seed: u64,
) -> BTreeMap<String, GroupMetrics> {
    let mut by_tag: BTreeMap<&'t str, Vec<&ScoredItem>> = BTreeMap::new();
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
                choice_cosine_gap: total.cosine_gap(),
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
    (
        central_95(accuracies).unwrap_or(ANY_SHARE),
        central_95(gaps).unwrap_or(ANY_GAP),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::{assert_near, item, recorded};
    use lexforge_domain::qca::{QcaLevel, QuestionType};

    #[test]
    fn figures_as_scikit_learn_gives_them() {
        let check = |system, [accuracy, precision, recall, f1, gap]: [f64; 5]| {
            let m = metrics(&recorded(system), 10, 1);
            assert_near(m.accuracy, accuracy, 1e-11);
            assert_near(m.precision, precision, 1e-11);
            assert_near(m.recall, recall, 1e-11);
            assert_near(m.f1, f1, 1e-11);
            assert_near(m.choice_cosine_gap, gap, 1e-11);
            assert_eq!((m.n, m.clusters), (60, 6));
        };
        check(
            1,
            [
                0.45,
                0.444240196078,
                0.427083333333,
                0.426108374384,
                0.141474147415,
            ],
        );
        check(
            2,
            [
                0.533333333333,
                0.529411764706,
                0.552083333333,
                0.532077375946,
                0.269251925193,
            ],
        );
    }

    #[test]
    fn intervals_agree_with_the_enumeration_of_all_resamples() {
        // The bounds below were computed from all 6⁶ resamples. Each bound of the interval, which comes from random
        // resamples, must lie between the percentiles half a point below and above it (2 and 3; 97 and 98).
        let m = metrics(&recorded(2), 40_000, 7);
        let check = |found: f64, between: [f64; 2]| {
            assert!(
                found >= between[0] - 1e-6 && found <= between[1] + 1e-6,
                "{found} not in {between:?}"
            );
        };
        check(m.ci95[0], [0.433333, 0.442623]);
        check(m.ci95[1], [0.615385, 0.621212]);
        check(m.gap_ci95[0], [0.195638, 0.198845]);
        check(m.gap_ci95[1], [0.345215, 0.352527]);
        let level = &m.by_level["sentence"];
        assert_eq!(
            (level.accuracy, level.n, level.clusters, level.ci95),
            (m.accuracy, 60, 6, m.ci95)
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_figures_whatever_the_order() {
        let items = recorded(1);
        let reversed: Vec<ScoredItem> = items.iter().rev().cloned().collect();
        let (a, b) = (metrics(&items, 500, 3), metrics(&reversed, 500, 3));
        assert_eq!((a.ci95, a.accuracy, a.f1), (b.ci95, b.accuracy, b.f1));
        assert_ne!(metrics(&items, 500, 4).gap_ci95, a.gap_ci95);
    }

    #[test]
    fn one_cluster_says_nothing_about_the_spread() {
        let m = metrics(
            &[item(1, 9, 0, &[0.9, 0.1]), item(2, 9, 0, &[0.8, 0.1])],
            100,
            1,
        );
        assert_eq!((m.accuracy, m.ci95, m.gap_ci95), (1.0, ANY_SHARE, ANY_GAP));
        let none = metrics(&[], 100, 1);
        assert_eq!(
            (none.accuracy, none.f1, none.n, none.ci95),
            (0.0, 0.0, 0, ANY_SHARE)
        );
    }

    #[test]
    fn groups_are_kept_apart() {
        let mut items = [
            item(1, 1, 0, &[0.9, 0.1]),
            item(2, 1, 0, &[0.1, 0.9]),
            item(3, 2, 1, &[0.1, 0.9]),
        ];
        items[1].level = QcaLevel::Token;
        items[1].question_type = QuestionType::Term;
        let m = metrics(&items, 100, 1);
        assert_eq!(
            (m.by_level["sentence"].accuracy, m.by_level["sentence"].n),
            (1.0, 2)
        );
        assert_eq!(
            (m.by_level["token"].accuracy, m.by_level["token"].clusters),
            (0.0, 1)
        );
        assert_eq!(m.by_type.keys().collect::<Vec<_>>(), ["obligation", "term"]);
    }
}

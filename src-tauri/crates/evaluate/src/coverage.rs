//! How well a method finds out what documents cover. The figures are over pairs of a document and a demand that people
//! have judged, with intervals by document.

use crate::logistic::auc;
use crate::resample::{Draws, central_95};
use crate::separation::mean;
use lexforge_domain::metrics::Interval;
use std::collections::BTreeMap;

/// Points of the curve: each figure's name, and the share of what is not covered that is to be found.
const RECALLS: [(&str, f64); 6] = [
    ("precision@recall.50", 0.5),
    ("precision@recall.60", 0.6),
    ("precision@recall.70", 0.7),
    ("precision@recall.80", 0.8),
    ("precision@recall.90", 0.9),
    ("precision@recall.95", 0.95),
];
/// Own stream of draws.
const BY_DOCUMENT: u64 = 0x636f_7665;

/// A document and a demand, judged and told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// The document; those of one are drawn together.
    pub document: usize,
    /// How likely it was told to be covered.
    pub probability: f64,
    /// Whether people found it covered, or contradicted: spoken of at all.
    pub covered: bool,
    /// Whether the verdict was theirs.
    pub right: bool,
    /// Share of the statements that they named which stood among the first ten; `None` if they named none.
    pub evidence: Option<f64>,
    /// Whether people found the demand contradicted, and whether the method did.
    pub contradicted: (bool, bool),
}

/// The figures of such pairs by name, each with its 95 % interval; what cannot be told is left out.
pub fn figures(told: &[Told], resamples: usize, seed: u64) -> BTreeMap<String, Interval> {
    let mut documents: BTreeMap<usize, Vec<Told>> = BTreeMap::new();
    for one in told {
        documents.entry(one.document).or_default().push(*one);
    }
    let documents: Vec<Vec<Told>> = documents.into_values().collect();
    let mut draws = Draws::new(seed, BY_DOCUMENT);
    let mut drawn: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for _ in 0..resamples {
        let sample = (0..documents.len()).flat_map(|_| &documents[draws.index(documents.len())]);
        let sample: Vec<Told> = sample.copied().collect();
        for (name, value) in plain(&sample) {
            drawn.entry(name).or_default().push(value);
        }
    }
    plain(told)
        .into_iter()
        .map(|(name, value)| {
            let values = drawn.remove(name).unwrap_or_default();
            let [low, high] = central_95(values).unwrap_or([value; 2]);
            (name.to_owned(), Interval { value, low, high })
        })
        .collect()
}

/// The figures without intervals.
fn plain(told: &[Told]) -> Vec<(&'static str, f64)> {
    let share = |of: &dyn Fn(&Told) -> bool, among: &dyn Fn(&Told) -> bool| {
        let all = told.iter().filter(|one| among(one));
        mean(all.map(|one| f64::from(u8::from(of(one)))))
    };
    let scored: Vec<(f64, bool)> = told.iter().map(|t| (t.probability, t.covered)).collect();
    let all = [
        ("auc", auc(&scored)),
        ("right", share(&|t| t.right, &|_| true)),
        ("evidence@10", mean(told.iter().filter_map(|t| t.evidence))),
        (
            "contradicted recall",
            share(&|t| t.contradicted.1, &|t| t.contradicted.0),
        ),
        (
            "contradicted precision",
            share(&|t| t.contradicted.0, &|t| t.contradicted.1),
        ),
    ];
    all.into_iter()
        .chain(curve(&scored))
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// Goes through the demands, the least likely ones first. For each share in [`RECALLS`], this gives the precision at
/// the point where this share of the demands that are not covered has been found.
fn curve(scored: &[(f64, bool)]) -> [(&'static str, Option<f64>); RECALLS.len()] {
    let mut sorted = scored.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = sorted.iter().filter(|one| !one.1).count();
    let mut points = RECALLS.map(|(name, _)| (name, None));
    let (mut found, mut read) = (0, 0);
    // What is equally likely is read together.
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        read += tied.len();
        found += tied.iter().filter(|one| !one.1).count();
        for ((_, point), (_, recall)) in points.iter_mut().zip(RECALLS) {
            if point.is_none() && all > 0 && found as f64 >= recall * all as f64 {
                *point = Some(found as f64 / read as f64);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(document: usize, probability: f64, covered: bool) -> Told {
        Told {
            document,
            probability,
            covered,
            right: covered == (probability >= 0.5),
            evidence: covered.then_some(0.5),
            contradicted: (false, false),
        }
    }

    #[test]
    fn the_figures_are_those_counted_by_hand() {
        let pairs = [
            told(0, 0.9, true),
            told(0, 0.2, false),
            told(1, 0.4, true),
            told(1, 0.6, false),
        ];
        let found = figures(&pairs, 200, 1);
        let of = |name: &str| found.get(name).map(|one| one.value);
        // Of four pairs of kinds the covered one is above in three.
        assert_eq!(of("auc"), Some(0.75));
        assert_eq!(of("right"), Some(0.5));
        assert_eq!(of("evidence@10"), Some(0.5));
        // Both that are not covered are found once three are read.
        assert_eq!(of("precision@recall.90"), Some(2.0 / 3.0));
        assert_eq!(of("contradicted recall"), None);
        // By document the first has all right, the second none.
        let right = found.get("right").map(|one| (one.low, one.high));
        assert_eq!(right, Some((0.0, 1.0)));
    }

    #[test]
    fn equal_probabilities_have_no_order() {
        for pairs in [[(0.5, true), (0.5, false)], [(0.5, false), (0.5, true)]] {
            assert_eq!(curve(&pairs).map(|point| point.1), [Some(0.5); 6]);
        }
        assert_eq!(curve(&[(0.5, true)]).map(|point| point.1), [None; 6]);
    }

    #[test]
    fn a_curve_falls_where_what_is_covered_is_read() {
        // Ten that are not covered. After the fifth and after the eighth of them comes one that is covered.
        let order = "oooooxoooxoo".chars().zip(1_u8..);
        let pairs: Vec<(f64, bool)> = order
            .map(|(kind, place)| (f64::from(place) / 100.0, kind == 'x'))
            .collect();
        let expected = [
            1.0,
            6.0 / 7.0,
            7.0 / 8.0,
            8.0 / 9.0,
            9.0 / 11.0,
            10.0 / 12.0,
        ];
        assert_eq!(curve(&pairs).map(|point| point.1), expected.map(Some));
    }
}

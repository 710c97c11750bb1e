//! How well cosines follow what people say of pairs of sentences, in the domain and in general language.

use crate::review::Review;
use crate::workspace::{DEFAULT_SEED, OpenWorkspace, Result};
use lexforge_domain::api::{Bounded, ScoredPair, SimilarityRow};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::correlation::{pearson, spearman};
use lexforge_evaluate::drawn::{interval_of, other_side, resampled, resampled_of_two};
use std::collections::{BTreeSet, HashMap};

/// Resamples of an interval.
pub(super) const RESAMPLES: usize = 2000;
/// Scored pairs of the workspace below which nothing is measured.
const FEWEST: usize = 20;
/// Scored pairs of the workspace below which a reader is told that they are few.
const FEW: usize = 100;
/// With fewer documents than this, whole sections are drawn for an interval.
const DOCUMENTS: usize = 10;

/// The items that are drawn together for an interval.
#[derive(Clone, Debug)]
pub(super) enum Units {
    /// Pairs that share a sentence, directly or through others.
    Shared,
    /// The documents, or with few documents the sections, of both sentences.
    Places(Vec<[i64; 2]>),
}

/// Pairs that people scored.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) pairs: Vec<ScoredPair>,
    pub(super) units: Units,
}

/// The figures of an encoder on a set.
pub(super) struct Figures {
    pub(super) spearman: Bounded,
    pub(super) pearson: Bounded,
    /// The gain in ρ over what was before, and how probable as large a difference is by chance.
    pub(super) gained: Option<(Bounded, Option<f64>)>,
}

impl Set {
    /// Pairs of a file.
    pub(super) fn of_file(name: String, pairs: Vec<ScoredPair>) -> Self {
        Self {
            name,
            pairs,
            units: Units::Shared,
        }
    }

    /// The pairs of sentences that people scored in the workspace, and notes for readers of the figures. `None` if the
    /// workspace has no such pairs.
    ///
    /// # Errors
    /// When there are pairs, but too few of them have a score that counts.
    pub(super) fn of_workspace(workspace: &OpenWorkspace) -> Result<Option<(Self, Vec<String>)>> {
        let (rows, _) = Review::of(workspace).all_scores()?;
        if rows.is_empty() {
            return Ok(None);
        }
        let scored: Vec<(&SimilarityRow, f64)> = rows
            .iter()
            .filter_map(|row| Some((row, row.score?)))
            .collect();
        let n = scored.len();
        if n < FEWEST {
            return Err(Failure::new(
                Code::TooLittleData,
                format!(
                    "{n} of {} pairs have a score that counts; figures are taken from {FEWEST} or more.",
                    rows.len()
                ),
                "Let experts score more pairs in the review queue.",
            ));
        }
        let mut remarks = Vec::new();
        if n < FEW {
            remarks.push(format!(
                "The workspace's own set has {n} scored pairs only: a difference must be large to be seen."
            ));
        }
        let single = scored.iter().filter(|(row, _)| row.scores == 1).count();
        if single > 0 {
            remarks.push(format!(
                "Scored by one person alone: {single} of {n} pairs."
            ));
        }
        let disputed = rows.iter().filter(|row| row.is_disputed()).count();
        if disputed > 0 {
            remarks.push(format!(
                "Pairs whose scores are more than 2 points apart and that nobody settled are left out: {disputed}."
            ));
        }
        let units = places(scored.iter().map(|(row, _)| *row));
        let different: BTreeSet<i64> = units.iter().flatten().copied().collect();
        if different.len() < 2 {
            remarks.push("All pairs are of one section, so that there is no interval.".to_owned());
        }
        let pairs = scored
            .into_iter()
            .map(|(row, score)| ScoredPair {
                a: row.pair.one.clone(),
                b: row.pair.other.clone(),
                score,
            })
            .collect();
        let set = Self {
            name: "scored in this workspace".to_owned(),
            pairs,
            units: Units::Places(units),
        };
        Ok(Some((set, remarks)))
    }

    /// The figures of an encoder, computed from its cosines of the pairs. `places` says where the texts of each pair
    /// are. `before` holds the cosines of another encoder with which it is compared.
    pub(super) fn figures(
        &self,
        cosines: &[f64],
        before: Option<&[f64]>,
        places: &[[usize; 2]],
    ) -> Figures {
        let said: Vec<f64> = self.pairs.iter().map(|pair| pair.score).collect();
        let pick = |from: &[f64], drawn: &[usize]| -> Vec<f64> {
            drawn.iter().filter_map(|&i| from.get(i).copied()).collect()
        };
        let rho = |of: &[f64], drawn: &[usize]| spearman(&pick(of, drawn), &pick(&said, drawn));
        let whole: Vec<usize> = (0..cosines.len()).collect();
        let shared = match &self.units {
            Units::Shared => sharing_a_text(places),
            Units::Places(_) => Vec::new(),
        };
        let draws = |figure: &dyn Fn(&[usize]) -> Option<f64>| match &self.units {
            Units::Shared => resampled(&shared, RESAMPLES, DEFAULT_SEED, figure),
            Units::Places(units) => resampled_of_two(units, RESAMPLES, DEFAULT_SEED, figure),
        };
        let bounded = |figure: &dyn Fn(&[usize]) -> Option<f64>| Bounded {
            // NaN if the figure has no value.
            value: figure(&whole).unwrap_or(f64::NAN),
            interval: interval_of(draws(figure)),
        };
        let gained = before.map(|before| {
            let gain = |drawn: &[usize]| Some(rho(cosines, drawn)? - rho(before, drawn)?);
            let resampled = draws(&gain);
            let p = other_side(&resampled);
            let gain = Bounded {
                value: gain(&whole).unwrap_or(f64::NAN),
                interval: interval_of(resampled),
            };
            (gain, p)
        });
        Figures {
            spearman: bounded(&|drawn| rho(cosines, drawn)),
            pearson: bounded(&|drawn| pearson(&pick(cosines, drawn), &pick(&said, drawn))),
            gained,
        }
    }
}

/// The units of both sentences of each pair: documents where there are enough of them, else sections.
fn places<'r>(rows: impl Iterator<Item = &'r SimilarityRow> + Clone) -> Vec<[i64; 2]> {
    let both = |row: &'r SimilarityRow| [&row.pair.one_place, &row.pair.other_place];
    let documents: BTreeSet<i64> = rows
        .clone()
        .flat_map(both)
        .map(|place| place.document.0)
        .collect();
    let whole = documents.len() >= DOCUMENTS;
    let mut numbers: HashMap<(i64, &str), i64> = HashMap::new();
    rows.map(|row| {
        both(row).map(|place| {
            let section = if whole { "" } else { place.section.as_str() };
            let next = numbers.len() as i64;
            *numbers.entry((place.document.0, section)).or_insert(next)
        })
    })
    .collect()
}

/// Pairs that share a sentence, directly or through others, are one unit of inference.
pub(super) fn sharing_a_text(places: &[[usize; 2]]) -> Vec<i64> {
    let mut first: HashMap<usize, usize> = HashMap::new();
    let mut of: Vec<usize> = (0..places.len()).collect();
    let root = |of: &[usize], mut pair: usize| {
        while of[pair] != pair {
            pair = of[pair];
        }
        pair
    };
    for (pair, texts) in places.iter().enumerate() {
        for text in texts {
            let other = *first.entry(*text).or_insert(pair);
            let (a, b) = (root(&of, other), root(&of, pair));
            of[a.max(b)] = a.min(b);
        }
    }
    (0..places.len())
        .map(|pair| root(&of, pair) as i64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_share_a_sentence_are_one_unit() {
        let places = [[0, 1], [2, 3], [1, 4], [5, 6], [4, 2]];
        assert_eq!(sharing_a_text(&places), [0, 0, 0, 3, 0]);
    }

    #[test]
    fn a_set_is_measured_by_rank_and_its_gain_by_pair() {
        let pair = |i: usize| ScoredPair {
            a: format!("a {i}"),
            b: format!("b {i}"),
            score: i as f64 / 8.0,
        };
        let pairs: Vec<ScoredPair> = (0..40).map(pair).collect();
        let up: Vec<f64> = (0..40).map(|i| f64::from(i) / 40.0).collect();
        let down: Vec<f64> = up.iter().map(|c| -c).collect();
        let texts: Vec<[usize; 2]> = (0..40).map(|i| [2 * i, 2 * i + 1]).collect();
        let units = (0..40).map(|i| [i % 8, (i / 8) % 8]).collect();
        for units in [Units::Shared, Units::Places(units)] {
            let set = Set {
                name: "own".to_owned(),
                pairs: pairs.clone(),
                units,
            };
            let found = set.figures(&up, Some(&down), &texts);
            assert!((found.spearman.value - 1.0).abs() < 1e-9);
            assert!((found.pearson.value - 1.0).abs() < 1e-9);
            let (gain, p) = found.gained.unwrap_or((found.spearman, None));
            assert!((gain.value - 2.0).abs() < 1e-9 && gain.interval.is_some());
            assert!(p.is_some_and(|p| p < 0.01), "{p:?}");
            let same = set.figures(&up, Some(&up), &texts).gained;
            assert!(same.is_some_and(|(gain, p)| gain.value == 0.0 && p == Some(1.0)));
        }
    }
}

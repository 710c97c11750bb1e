//! Whether clauses are in a better order with a cross-encoder, on labelled questions that it did not learn from.

use super::Answering;
use super::find::Search;
use super::pairs::distinct;
use super::ranker::{Groups, scored};
use super::ranking_figures::{Measured, compared, figures};
use super::reranked::{CrossEncoder, FIRST, Measurement, first, mixed};
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_domain::api::{Pair, RankingFigures, RerankGap, RerankReport, Stage};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_evaluate::ranking::Outcome;
use lexforge_text::asked;
use std::collections::HashMap;

/// Questions on which it is measured, at least.
const FEWEST: usize = 20;
/// Documents (or, in a corpus of one, passages) that they are about, at least: an interval of fewer says little.
const FEWEST_UNITS: usize = 5;
/// Parts into which the questions are cut; for each the weight is chosen on the others.
const FOLDS: usize = 5;
/// The weights that its score may have, in hundredths.
const WEIGHTS: [u8; 5] = [0, 25, 50, 75, 100];
/// A figure that is less by no more than this is not less.
const ROUNDING: f64 = 1e-12;

/// A labelled question as each weight ranks it.
struct Ranked {
    /// The first right clause.
    first: u32,
    /// The result of the search by words.
    words: Outcome,
    /// By each of [`WEIGHTS`].
    by_weight: [Outcome; WEIGHTS.len()],
}

impl Answering<'_> {
    /// Measures on labelled questions whether the cross-encoder of a run puts clauses in a better order. Only questions
    /// are used that neither the cross-encoder nor the encoder of the search learned from. If the order is better,
    /// searches use the cross-encoder from now on; if not, they stop using it.
    ///
    /// # Errors
    /// When the run has no cross-encoder, its model or the worker is missing, or there are too few such questions.
    pub fn measure_rerank(&self, run: RunId, watcher: &dyn Watcher) -> Result<RerankReport> {
        let cross = self.cross_encoder(run)?;
        let mut pairs = distinct(self.pairs()?);
        pairs.retain(|pair| !pair.passage_ids.is_empty());
        let unseen = self.unseen(None, pairs)?.without(&self.learned(run)?);
        let (pairs, learned) = (unseen.pairs, unseen.learned);
        if pairs.len() < FEWEST {
            return Err(too_few(pairs.len(), learned));
        }
        let questions: Vec<&str> = pairs.iter().map(|p| p.question.as_str()).collect();
        let search = self.held_out(self.search(None, None, &questions)?, &questions)?;
        let mut ranked = Vec::with_capacity(pairs.len());
        for (row, pair) in pairs.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was changed."));
            }
            tell(watcher, Stage::Evaluate, "", row as u64, pairs.len() as u64);
            ranked.extend(self.ranked_by_each(&cross, &search, row, pair)?);
        }
        if ranked.len() < FEWEST {
            return Err(too_few(ranked.len(), learned));
        }
        let first: Vec<u32> = ranked.iter().map(|one| one.first).collect();
        let groups = Groups::new(&search.clauses, &first, FOLDS);
        let group = |one: &Ranked| groups.of(&search.clauses, one.first);
        let units: Vec<i64> = ranked.iter().map(group).collect();
        if groups.fold.len() < FEWEST_UNITS {
            return Err(too_few_units(groups.fold.len(), groups.by_document));
        }
        let fold = |unit: &i64| groups.fold.get(unit).copied().unwrap_or_default();
        let folds: Vec<usize> = units.iter().map(fold).collect();
        let unit = if groups.by_document {
            "document"
        } else {
            "passage"
        };
        let (report, by_fold) = report(&cross, &search, &ranked, &units, &folds, unit, learned);
        let measured = Measurement {
            report: report.clone(),
            groups,
            by_fold,
        };
        self.keep_rerank(&self.kept_rerank()?.with(measured))?;
        Ok(report)
    }

    /// A labelled question as each weight ranks it; `None` if its passages no longer exist.
    fn ranked_by_each(
        &self,
        cross: &CrossEncoder,
        search: &Search,
        row: usize,
        pair: &Pair,
    ) -> Result<Option<Ranked>> {
        let clauses = &search.clauses;
        let right = clauses.answering(pair);
        let Some(first_right) = right.first().copied() else {
            return Ok(None);
        };
        let right: HashMap<u32, u32> = right.into_iter().map(|clause| (clause, 1)).collect();
        let outcome = |order: &[(u32, f64)]| {
            let order: Vec<u32> = order.iter().map(|hit| hit.0).collect();
            Outcome::of(&order, &right)
        };
        let subject = asked::subject(&pair.question);
        let words = self
            .workspace
            .store
            .read(|r| r.rank_clauses(&subject, &clauses.map, |_| true, FIRST))?;
        let words: Vec<(u32, f64)> = words.hits.iter().map(|h| (h.clause, h.score)).collect();
        let candidates = self.candidates(search, row, &pair.question)?;
        let order = scored(&candidates, search.weights(row));
        let scores = self.cross_scores(cross, clauses, &pair.question, first(&order))?;
        Ok(Some(Ranked {
            first: first_right,
            words: outcome(&words),
            by_weight: WEIGHTS.map(|percent| outcome(&mixed(&order, &scores, percent))),
        }))
    }
}

/// The report, and the weight that was chosen without the questions of each fold.
fn report(
    cross: &CrossEncoder,
    search: &Search,
    ranked: &[Ranked],
    units: &[i64],
    folds: &[usize],
    unit: &str,
    learned: u64,
) -> (RerankReport, Vec<u8>) {
    let measured = |outcome: &dyn Fn(usize, &Ranked) -> Outcome| -> Vec<Measured> {
        ranked
            .iter()
            .enumerate()
            .map(|(i, one)| Measured {
                cluster: units[i].to_string(),
                kind: None,
                outcome: outcome(i, one),
            })
            .collect()
    };
    let parts = folds.iter().max().map_or(0, |most| most + 1);
    let chosen: Vec<usize> = (0..parts)
        .map(|held_out| best(ranked, |i| folds[i] != held_out))
        .collect();
    let words = measured(&|_, one| one.words);
    let without = measured(&|_, one| one.by_weight[0]);
    let with = measured(&|i, one| one.by_weight[chosen[folds[i]]]);
    let alone = measured(&|_, one| one.by_weight[WEIGHTS.len() - 1]);
    let weight = WEIGHTS[best(ranked, |_| true)];
    let mut report = RerankReport {
        run: cross.run,
        name: cross.name(weight),
        learned,
        words: figures(&words, unit),
        without: figures(&without, unit),
        with: figures(&with, unit),
        alone: figures(&alone, unit),
        gap: None,
        index: search.index.clone(),
    };
    report.with.against = compared(&without, &with, unit, "without the cross-encoder");
    report.alone.against = compared(&words, &alone, unit, "by words");
    report.gap =
        (!is_better(&report.without, &report.with, weight)).then_some(RerankGap::NotBetter);
    let by_fold = chosen.into_iter().map(|place| WEIGHTS[place]).collect();
    (report, by_fold)
}

/// The place of the weight with the greatest MAP@10 on these questions; of equal ones the smallest.
fn best(ranked: &[Ranked], counts: impl Fn(usize) -> bool) -> usize {
    let map = |weight: usize| -> f64 {
        let counted = ranked.iter().enumerate().filter(|(i, _)| counts(*i));
        counted
            .map(|(_, one)| one.by_weight[weight].precision)
            .sum()
    };
    let mut best = (0, map(0));
    for weight in 1..WEIGHTS.len() {
        let found = map(weight);
        if found > best.1 + ROUNDING {
            best = (weight, found);
        }
    }
    best.0
}

/// Whether ranking with the cross-encoder is better. The interval of the difference in MAP@10 must lie above zero, and
/// there must not be fewer right clauses among the first ten.
fn is_better(without: &RankingFigures, with: &RankingFigures, weight: u8) -> bool {
    let map = with.against.iter().find(|one| one.measure == "map@10");
    weight > 0
        && map.is_some_and(|map| map.difference.low > 0.0)
        && with.recall_10 >= without.recall_10 - ROUNDING
}

fn too_few(there: usize, learned: u64) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!(
            "{there} labelled questions with a right passage were not learned from, and a cross-encoder is measured on {FEWEST} \
             or more ({learned} were learned from)."
        ),
        "Judge answers, or bring in questions that it was not tuned on. Until then the clauses stay in the order in which they \
         are found.",
    )
}

fn too_few_units(there: usize, by_document: bool) -> Failure {
    let message = if by_document {
        format!(
            "The labelled questions are about {there} documents: a difference on fewer than {FEWEST_UNITS} says little of others."
        )
    } else {
        format!(
            "The labelled questions are about {there} passages: a difference on fewer than {FEWEST_UNITS} says little of others."
        )
    };
    Failure::new(
        Code::TooLittleData,
        message,
        "Judge answers from more documents, or bring in questions about them.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(precision: f64) -> Outcome {
        Outcome {
            recall: 1.0,
            precision,
            ndcg: precision,
            reciprocal: precision,
            all: None,
        }
    }

    fn ranked(by_weight: [f64; 5]) -> Ranked {
        Ranked {
            first: 0,
            words: outcome(0.2),
            by_weight: by_weight.map(outcome),
        }
    }

    #[test]
    fn the_weight_is_that_of_the_greatest_map_and_of_equal_ones_the_smallest() {
        let all = [
            ranked([0.5, 0.6, 0.7, 0.7, 0.1]),
            ranked([0.5, 0.6, 0.4, 0.4, 1.0]),
        ];
        assert_eq!(best(&all, |_| true), 1);
        assert_eq!(best(&all, |i| i == 0), 2);
        assert_eq!(best(&all, |i| i == 1), 4);
        assert_eq!(best(&[ranked([0.5; 5])], |_| true), 0);
        assert_eq!(best(&[], |_| true), 0);
    }

    #[test]
    fn it_is_better_only_where_the_interval_lies_above_zero_and_nothing_falls_out() {
        let measured = |values: &[f64]| -> Vec<Measured> {
            let of = |(i, value): (usize, &f64)| Measured {
                cluster: (i % 10).to_string(),
                kind: None,
                outcome: outcome(*value),
            };
            values.iter().enumerate().map(of).collect()
        };
        let before = measured(&[0.5; 40]);
        let with = |after: &[Measured]| {
            let mut with = figures(after, "document");
            with.against = compared(&before, after, "document", "before");
            with
        };
        let without = figures(&before, "document");
        let better = with(&measured(&[0.75; 40]));
        assert!(is_better(&without, &better, 50));
        assert!(!is_better(&without, &better, 0));
        assert!(!is_better(&without, &with(&before), 50));
        // Half of the documents gain and half lose as much.
        let mixed: Vec<f64> = (0..40)
            .map(|i| if i % 2 == 0 { 0.9 } else { 0.1 })
            .collect();
        assert!(!is_better(&without, &with(&measured(&mixed)), 50));
        let fewer = RankingFigures {
            recall_10: 0.9,
            ..better
        };
        assert!(!is_better(&without, &fewer, 50));
    }
}

//! A ranker that was fitted on the labelled questions of the workspace, as it is kept and used.

use super::Answering;
use super::candidates::{Candidate, features};
use super::clauses::Clauses;
use super::pairs::distinct;
use crate::models::is_counted;
use crate::workspace::Result;
use lexforge_domain::api::{AnswerIndex, RankerName, SearchMode};
use lexforge_evaluate::listwise::score;
use lexforge_text::fold::letters;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A fitted ranker as it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The index on which it was fitted. Another encoder or tokeniser would give other scores.
    pub index: AnswerIndex,
    /// What is weighed.
    pub features: Vec<String>,
    /// The weights; `None` where equal weights were as good.
    pub weights: Option<Vec<f64>>,
    /// Weights that were fitted without the questions of each fold.
    pub folds: Vec<Vec<f64>>,
    /// The groups of questions that belong together, and the fold of each group.
    pub groups: Groups,
    /// Questions that it was fitted on.
    pub questions: u64,
}

/// Labelled questions that belong together: those of a document, or, where all are of one document, of a clause.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Groups {
    pub by_document: bool,
    /// The fold of each group.
    pub fold: BTreeMap<i64, usize>,
}

impl Groups {
    /// The groups of questions with these first right clauses, in at most so many folds of about one size.
    pub fn new(clauses: &Clauses, first: &[u32], folds: usize) -> Self {
        let document = |clause: &u32| clauses.document.get(*clause as usize);
        let by_document = first.iter().any(|c| document(c) != document(&first[0]));
        let mut groups = Self {
            by_document,
            fold: BTreeMap::new(),
        };
        let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
        for clause in first {
            *sizes.entry(groups.of(clauses, *clause)).or_default() += 1;
        }
        let mut sizes: Vec<(i64, usize)> = sizes.into_iter().collect();
        sizes.sort_by_key(|(group, n)| (std::cmp::Reverse(*n), *group));
        let mut filled = vec![0; folds.min(sizes.len())];
        for (group, n) in sizes {
            let least = (0..filled.len()).min_by_key(|fold| filled[*fold]);
            let least = least.unwrap_or_default();
            groups.fold.insert(group, least);
            filled[least] += n;
        }
        groups
    }

    /// The group of a question with this first right clause.
    pub fn of(&self, clauses: &Clauses, first: u32) -> i64 {
        if self.by_document {
            clauses.document_of(first).map_or(0, |d| d.id.0)
        } else {
            clauses.map.sentences(first).map_or(0, |s| s.0.0)
        }
    }

    /// The fold of each labelled question. With it, each question is measured with weights that were fitted without it.
    pub fn folds(
        &self,
        answering: &Answering<'_>,
        clauses: &Clauses,
        questions: &[&str],
    ) -> Result<Vec<Option<usize>>> {
        let mut fold: HashMap<String, usize> = HashMap::new();
        for pair in distinct(answering.pairs()?) {
            let first = pair.passage_ids.first();
            let clause = first.and_then(|id| clauses.map.clause(clauses.sentence_of(id)?));
            let group = clause.map(|clause| self.of(clauses, clause));
            if let Some(known) = group.and_then(|group| self.fold.get(&group)) {
                fold.insert(letters(&pair.question), *known);
            }
        }
        Ok(questions
            .iter()
            .map(|question| fold.get(&letters(question)).copied())
            .collect())
    }
}

/// A ranker that is valid for an index.
pub(super) struct Ranker {
    /// The description of the ranker in an answer.
    pub name: RankerName,
    weights: Vec<f64>,
    kept: Kept,
}

impl Ranker {
    /// The weights for a question; for one of a fold those that were fitted without it.
    pub fn weights(&self, fold: Option<usize>) -> &[f64] {
        let of_fold = fold.and_then(|fold| self.kept.folds.get(fold));
        of_fold.unwrap_or(&self.weights)
    }

    /// The groups of questions that belong together.
    pub fn groups(&self) -> &Groups {
        &self.kept.groups
    }
}

impl Answering<'_> {
    /// The newest ranker that was fitted on this index. `None` if no ranker was fitted, or if equal weights were as
    /// good.
    pub(super) fn ranker(&self, index: &AnswerIndex) -> Result<Option<Ranker>> {
        let known = features(index.mode == SearchMode::Hybrid);
        for (id, body) in self.workspace.store.read(|r| r.rankers())? {
            // A ranker that a later version stored cannot be read here.
            let Ok(kept) = serde_json::from_str::<Kept>(&body) else {
                continue;
            };
            if kept.index == *index && kept.features == known {
                return Ok(kept.weights.clone().map(|weights| Ranker {
                    name: RankerName {
                        id,
                        questions: kept.questions,
                    },
                    weights,
                    kept,
                }));
            }
        }
        Ok(None)
    }

    /// Whether the newest ranker was fitted on words alone or on vectors made by counting. Once there are vectors of a
    /// model, such a ranker can no longer be used.
    pub(super) fn is_ranked_by_words(&self) -> Result<bool> {
        let rankers = self.workspace.store.read(|r| r.rankers())?;
        let newest = rankers.first();
        let newest = newest.and_then(|(_, body)| serde_json::from_str::<Kept>(body).ok());
        Ok(newest.is_some_and(|kept| {
            let encoder = &kept.index.encoder;
            (encoder.is_empty() || is_counted(encoder)) && kept.weights.is_some()
        }))
    }
}

/// The candidates with the scores of a ranker, or of an equal mixture of words and vectors; best first.
pub(super) fn scored(candidates: &[Candidate], weights: Option<&[f64]>) -> Vec<(u32, f64)> {
    let Some(weights) = weights else {
        return candidates.iter().map(|c| (c.clause, c.half)).collect();
    };
    let mut order: Vec<(u32, f64)> = candidates
        .iter()
        .map(|candidate| (candidate.clause, score(weights, &candidate.row)))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order
}

/// The candidates in the order of a ranker, or of an equal mixture; the scores are always those of the mixture.
pub(super) fn ordered(candidates: &[Candidate], weights: Option<&[f64]>) -> Vec<(u32, f64)> {
    in_scores_of_half(candidates, &scored(candidates, weights))
}

/// Gives the candidates another order but keeps the scores of the equal mixture: the first clause of the new order gets
/// the greatest score, the second clause the next one, and so on.
pub(super) fn in_scores_of_half(candidates: &[Candidate], order: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let scores = candidates.iter().map(|candidate| candidate.half);
    order.iter().map(|hit| hit.0).zip(scores).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranker_changes_the_order_and_not_the_scale() {
        let candidate = |clause, half, row: &[f64]| Candidate {
            clause,
            half,
            row: row.to_vec(),
        };
        let all = [
            candidate(4, 0.9, &[0.9, 0.0]),
            candidate(7, 0.5, &[0.5, 1.0]),
            candidate(9, 0.5, &[0.5, 0.0]),
        ];
        assert_eq!(ordered(&all, None), [(4, 0.9), (7, 0.5), (9, 0.5)]);
        assert_eq!(
            ordered(&all, Some(&[1.0, 2.0])),
            [(7, 0.9), (4, 0.5), (9, 0.5)]
        );
        assert_eq!(
            scored(&all, Some(&[1.0, 2.0])),
            [(7, 2.5), (4, 0.9), (9, 0.5)]
        );
    }
}

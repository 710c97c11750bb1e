//! The training items of a cross-encoder: questions, the clauses that answer them, and other clauses that the present
//! search finds for them.

use super::Answering;
use super::candidates::{Candidate, features};
use super::clauses::Clauses;
use super::ranker::scored;
use super::reranked::FIRST;
use crate::training::RETRIEVAL_TOO_ALIKE;
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_domain::api::{SearchMode, Stage};
use lexforge_domain::protocol::{RerankItem, RetrievalItem, RetrievalPassage};
use lexforge_text::likeness::shingle_jaccard;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Wrong clauses that are kept with a question; each step of the training draws some of them.
const NEGATIVES: usize = 30;
/// If a clause has at least this share of a right clause's words, it may be an answer, too.
const SAME_WORDS: f32 = 0.8;

/// Items with their passages.
pub(super) struct RerankItems {
    pub train: Vec<RerankItem>,
    pub dev: Vec<RerankItem>,
    /// The passages, in the order of the numbers that the items use.
    pub passages: Vec<RetrievalPassage>,
}

/// A question with clauses by their numbers.
struct Listed<'q> {
    item: &'q RetrievalItem,
    wrong: Vec<u32>,
}

impl Answering<'_> {
    /// Makes the training items of labelled questions. If a clause is among the first that the search finds and no
    /// label names it, it is a wrong clause. For a question to learn from, two kinds of wrong clauses are left out:
    /// clauses of held-out documents, and clauses so near to the question or to a right clause that they may be
    /// answers, too. A held-out question keeps all of them.
    pub(super) fn rerank_items(
        &self,
        clauses: &Clauses,
        train: &[RetrievalItem],
        dev: &[RetrievalItem],
        held_out: &[u32],
        watcher: &dyn Watcher,
    ) -> Result<RerankItems> {
        let items: Vec<&RetrievalItem> = train.iter().chain(dev).collect();
        let questions: Vec<&str> = items.iter().map(|item| item.question.as_str()).collect();
        let search = self.held_out(self.search(None, None, &questions)?, &questions)?;
        let names = features(search.index.mode == SearchMode::Hybrid);
        let by_vectors = names.iter().position(|name| name == "vectors");
        let mut texts: HashMap<u32, String> = HashMap::new();
        let mut listed = Vec::with_capacity(items.len());
        for (row, item) in items.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("No run was started."));
            }
            tell(
                watcher,
                Stage::Train,
                "questions",
                row as u64,
                items.len() as u64,
            );
            let candidates = self.candidates(&search, row, &item.question)?;
            let order = scored(&candidates, search.weights(row));
            let order: Vec<u32> = order.iter().take(FIRST).map(|hit| hit.0).collect();
            for clause in order.iter().chain(&item.clauses) {
                if let Entry::Vacant(place) = texts.entry(*clause) {
                    place.insert(self.clause_text(clauses, *clause)?);
                }
            }
            let mut wrong: Vec<u32> = order
                .into_iter()
                .filter(|clause| !item.clauses.contains(clause))
                .filter(|clause| texts.get(clause).is_some_and(|text| is_read(text)))
                .collect();
            if row < train.len() {
                let near = near_ones(&candidates, &item.clauses, by_vectors);
                let is_held_out = |clause: &u32| {
                    let place = clauses.document.get(*clause as usize);
                    place.is_none_or(|place| held_out.contains(place))
                };
                wrong.retain(|clause| {
                    !near.contains(clause)
                        && !is_held_out(clause)
                        && !says_the_same(*clause, &item.clauses, &texts)
                });
                wrong.truncate(NEGATIVES);
            }
            listed.push(Listed { item, wrong });
        }
        let mut numbered = Numbered::default();
        let mut items: Vec<RerankItem> = Vec::new();
        let mut learnt = 0;
        for (row, one) in listed.iter().enumerate() {
            let right = one.item.clauses.iter();
            let right = right.filter(|clause| texts.get(*clause).is_some_and(|text| is_read(text)));
            let positives: Vec<u32> = right.map(|clause| numbered.of(*clause)).collect();
            if positives.is_empty() || one.wrong.is_empty() {
                continue;
            }
            learnt += usize::from(row < train.len());
            items.push(RerankItem {
                id: one.item.id.clone(),
                question: one.item.question.clone(),
                positives,
                negatives: one
                    .wrong
                    .iter()
                    .map(|clause| numbered.of(*clause))
                    .collect(),
            });
        }
        let dev = items.split_off(learnt);
        let passage = |clause: u32| RetrievalPassage {
            text: texts.get(&clause).cloned().unwrap_or_default(),
            clause,
        };
        Ok(RerankItems {
            train: items,
            dev,
            passages: numbered.clauses.into_iter().map(passage).collect(),
        })
    }
}

/// Clauses numbered in the order in which they come.
#[derive(Default)]
struct Numbered {
    clauses: Vec<u32>,
    number: BTreeMap<u32, u32>,
}

impl Numbered {
    fn of(&mut self, clause: u32) -> u32 {
        let next = self.clauses.len() as u32;
        let number = *self.number.entry(clause).or_insert(next);
        if number == next {
            self.clauses.push(clause);
        }
        number
    }
}

/// Whether there is anything to read.
fn is_read(text: &str) -> bool {
    !text.trim().is_empty()
}

/// Clauses that are about as near to the question as the nearest right clause, or nearer. They may be answers, too. The
/// set is empty if vectors are not searched or did not find a right clause.
fn near_ones(candidates: &[Candidate], right: &[u32], by_vectors: Option<usize>) -> HashSet<u32> {
    let near = |candidate: &Candidate| by_vectors.and_then(|at| candidate.row.get(at).copied());
    let of_right = candidates.iter().filter(|c| right.contains(&c.clause));
    let nearest = of_right.filter_map(near).fold(0.0, f64::max);
    let too_near = |candidate: &&Candidate| {
        nearest > 0.0 && near(candidate).is_some_and(|n| n > RETRIEVAL_TOO_ALIKE * nearest)
    };
    let found = candidates.iter().filter(too_near);
    found.map(|candidate| candidate.clause).collect()
}

/// Whether the words of a clause are about those of a right one.
fn says_the_same(clause: u32, right: &[u32], texts: &HashMap<u32, String>) -> bool {
    let Some(text) = texts.get(&clause) else {
        return false;
    };
    let mut right = right.iter().filter_map(|clause| texts.get(clause));
    right.any(|one| shingle_jaccard(one, text) > SAME_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(clause: u32, near: f64) -> Candidate {
        Candidate {
            clause,
            half: near,
            row: vec![0.5, near],
        }
    }

    #[test]
    fn what_is_as_near_as_the_right_clause_is_no_negative() {
        let all = [
            candidate(1, 1.0),
            candidate(2, 0.8),
            candidate(3, 0.77),
            candidate(4, 0.7),
        ];
        let found = near_ones(&all, &[2], Some(1));
        assert_eq!(found, HashSet::from([1, 2, 3]));
        // If vectors found no right clause, or if there are no vectors, nothing is known.
        assert!(near_ones(&all, &[9], Some(1)).is_empty());
        assert!(near_ones(&all, &[2], None).is_empty());
    }

    #[test]
    fn the_same_words_in_another_document_may_answer_too() {
        let rule = "The broker shall deposit each ledger with the registrar within two days.";
        let texts = HashMap::from([
            (1, rule.to_owned()),
            (2, format!("{rule} ")),
            (3, "The insurer keeps a vault.".to_owned()),
        ]);
        assert!(says_the_same(2, &[1], &texts));
        assert!(!says_the_same(3, &[1], &texts));
        assert!(!says_the_same(9, &[1], &texts));
    }

    #[test]
    fn a_clause_has_one_number() {
        let mut numbered = Numbered::default();
        let numbers: Vec<u32> = [7, 3, 7, 9, 3].map(|c| numbered.of(c)).to_vec();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(numbered.clauses, [7, 3, 9]);
    }
}

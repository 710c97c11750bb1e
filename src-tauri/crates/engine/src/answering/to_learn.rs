//! The questions that a tuning learns from: labelled ones, and those that were written for the workspace's sentences.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::api::{LearnFrom, QuestionFilter};
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::term::ReviewStatus;
use lexforge_text::asked;
use std::collections::BTreeMap;

/// How many clauses found by words go with a question: what its negatives and the held-out ranking are taken from.
const BY_WORDS: usize = 50;
/// A generated question that nobody has accepted is used for training only if a search by its words finds its own
/// clause among this many first results. Otherwise the question fits other clauses at least as well, and the training
/// would learn something wrong.
const CONSISTENT: usize = 20;

/// A question with the clauses that answer it.
pub(super) struct Labelled {
    pub id: String,
    pub question: String,
    pub clauses: Vec<u32>,
}

/// What there is to learn from.
pub(super) struct ToLearn {
    /// Each question once.
    pub labelled: Vec<Labelled>,
    /// Written questions that do not find their own clause.
    pub inconsistent: usize,
}

/// The warning about written questions that are left out.
pub(super) fn left_out(inconsistent: usize) -> Option<String> {
    let (first, n) = (CONSISTENT, inconsistent);
    (n > 0).then(|| {
        format!(
            "Written questions that are left out, since their words do not find the clause that each was written for among the first {first}: {n}."
        )
    })
}

impl Answering<'_> {
    /// The questions to learn from, each once.
    pub(super) fn questions_to_learn(&self, from: LearnFrom, clauses: &Clauses) -> Result<ToLearn> {
        let mut found: Vec<Labelled> = Vec::new();
        if from != LearnFrom::Questions {
            for pair in self.pairs()? {
                found.push(Labelled {
                    clauses: clauses.answering(&pair),
                    id: pair.id,
                    question: pair.question,
                });
            }
        }
        found.retain(|one| !one.clauses.is_empty());
        let mut inconsistent = 0;
        if from != LearnFrom::Labels || found.is_empty() {
            let written = self
                .workspace
                .store
                .read(|r| r.questions(&QuestionFilter::default()))?;
            for row in written.rows {
                let question = row.question;
                let usable = question.draft.level == QcaLevel::Sentence
                    && question.status != ReviewStatus::Rejected;
                let clause = clauses.map.clause(question.draft.anchor_sentence);
                let Some(clause) = clause.filter(|_| usable) else {
                    continue;
                };
                if question.status != ReviewStatus::Accepted
                    && !self.finds(&question.draft.question, clause, clauses)?
                {
                    inconsistent += 1;
                    continue;
                }
                found.push(Labelled {
                    id: format!("question {}", question.id),
                    question: question.draft.question,
                    clauses: vec![clause],
                });
            }
        }
        let mut by_question: BTreeMap<String, Labelled> = BTreeMap::new();
        for mut one in found {
            let known = by_question.get_mut(&one.question);
            match known {
                Some(known) => known.clauses.append(&mut one.clauses),
                None => drop(by_question.insert(one.question.clone(), one)),
            }
        }
        let mut labelled: Vec<Labelled> = by_question.into_values().collect();
        for one in &mut labelled {
            one.clauses.sort_unstable();
            one.clauses.dedup();
        }
        Ok(ToLearn {
            labelled,
            inconsistent,
        })
    }

    /// Whether a question's words find a clause among the first ones.
    fn finds(&self, question: &str, clause: u32, clauses: &Clauses) -> Result<bool> {
        let found = self.by_words(question, clauses)?;
        Ok(found.iter().take(CONSISTENT).any(|hit| hit.0 == clause))
    }

    /// Clauses that a question's words find, with their share of the greatest score.
    pub(super) fn by_words(&self, question: &str, clauses: &Clauses) -> Result<Vec<(u32, f32)>> {
        let subject = asked::subject(question);
        let found = self
            .workspace
            .store
            .read(|r| r.rank_clauses(&subject, &clauses.map, |_| true, BY_WORDS))?;
        let most = found.hits.first().map_or(1.0, |hit| hit.score).max(1e-9);
        let share = |score: f64| (score / most) as f32;
        Ok(found
            .hits
            .iter()
            .map(|hit| (hit.clause, share(hit.score)))
            .collect())
    }
}

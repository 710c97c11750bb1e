//! The clauses that are nearest to a question, by words and, where the workspace has them, by vectors.

use super::Answering;
use super::clauses::Clauses;
use super::probability::Features;
use crate::corpus::{Corpus, SentenceVectors};
use crate::models::no_graph;
use crate::workspace::Result;
use lexforge_domain::api::{AnswerIndex, EncoderChoice, SearchMode};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, SentenceId};
use lexforge_graph::Matrix;
use lexforge_store::ClauseRanking;
use lexforge_text::{asked, language};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Clauses taken of the words' ranking.
const BY_WORDS: usize = 50;
/// Clauses taken of the vectors' ranking.
const BY_VECTORS: usize = 100;
/// Clauses of the words' ranking whose scores are known when both are put together.
const SCORED: usize = 1_000;
/// Clauses shown where nothing answers, and under an answer.
pub(super) const NEAREST: usize = 5;
/// Clauses looked at for statements.
pub(super) const LOOKED_AT: usize = 10;
/// How the index cuts texts into words; stands wherever a figure depends on it.
pub(super) const TOKENISER: &str =
    "words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight";

/// What the clauses are searched with, and for which questions.
pub(super) struct Search {
    /// The clauses.
    pub clauses: Arc<Clauses>,
    /// What an answer says of it.
    pub index: AnswerIndex,
    /// The questions as vectors and the sentences' vectors, where these are searched.
    vectors: Option<(Matrix, Arc<SentenceVectors>)>,
}

/// What was found for a question.
pub(super) struct Found {
    /// The clauses, best first, with their score, at most 1.
    pub hits: Vec<(u32, f64)>,
    /// How well they fit.
    pub features: Features,
}

impl Answering<'_> {
    /// Makes ready to search for these questions: their vectors are made in one go.
    pub(super) fn search(
        &self,
        mode: Option<SearchMode>,
        encoder: Option<&EncoderChoice>,
        questions: &[&str],
    ) -> Result<Search> {
        let clauses = self.clauses()?;
        let part = match mode {
            Some(SearchMode::Lexical) => None,
            _ => self.vectors_for(encoder, questions)?,
        };
        if part.is_none() && mode.is_some_and(|mode| mode != SearchMode::Lexical) {
            return Err(no_graph());
        }
        let vectors = part
            .map(|part| Corpus::of(self.workspace).questions_among(&part, questions))
            .transpose();
        let vectors = match vectors {
            // Without the encoder there are still the words, unless vectors were asked for.
            Err(failure) if mode.is_none() && encoder.is_none() && is_missing(failure.code) => None,
            vectors => vectors?,
        };
        let index = index(mode, vectors.as_ref().map(|(_, part)| part.as_ref()));
        Ok(Search {
            clauses,
            index,
            vectors,
        })
    }

    /// What a question like these would be searched with; no vector is made for it.
    pub(super) fn index_for(&self, questions: &[&str]) -> Result<AnswerIndex> {
        let part = self.vectors_for(None, questions)?;
        Ok(index(None, part.as_deref()))
    }

    /// The vectors that cover the language of most questions.
    fn vectors_for(
        &self,
        encoder: Option<&EncoderChoice>,
        questions: &[&str],
    ) -> Result<Option<Arc<SentenceVectors>>> {
        let mut parts = Corpus::of(self.workspace).vectors_of(encoder)?;
        if encoder.is_some() {
            return Ok(parts.pop());
        }
        let mut counts: HashMap<Language, usize> = HashMap::new();
        for question in questions {
            *counts.entry(language_of(question)).or_default() += 1;
        }
        let asked = counts
            .into_iter()
            .max_by_key(|(language, n)| (*n, *language));
        Ok(parts
            .into_iter()
            .find(|part| asked.is_some_and(|(language, _)| part.languages.contains(&language))))
    }

    /// The clauses that are nearest to the question of a row; those of the documents left out are none.
    pub(super) fn find(
        &self,
        search: &Search,
        row: usize,
        question: &str,
        left_out: &HashSet<DocumentId>,
        top: usize,
    ) -> Result<Found> {
        let clauses = &search.clauses;
        let counts: Vec<bool> = clauses
            .documents
            .iter()
            .map(|d| !left_out.contains(&d.id))
            .collect();
        let wanted = |clause: u32| {
            let place = clauses.document.get(clause as usize);
            place.is_some_and(|place| counts.get(*place as usize).copied().unwrap_or(false))
        };
        let subject = asked::subject(question);
        let words = if search.index.mode == SearchMode::Dense {
            ClauseRanking::default()
        } else {
            self.workspace
                .store
                .read(|r| r.rank_clauses(&subject, &clauses.map, wanted, SCORED))?
        };
        let near = search
            .vectors
            .as_ref()
            .map(|(asked, part)| -> Result<Vec<(u32, f64)>> {
                let cosines = Corpus::of(self.workspace).cosines(part, asked.row(row))?;
                Ok(nearest(&part.ids, &cosines, clauses, wanted))
            })
            .transpose()?;
        let mut found = together(words, near, top);
        self.definitions_first(question, clauses, wanted, &mut found)?;
        self.named_first(search, question, left_out, &mut found)?;
        found.hits.truncate(top);
        Ok(found)
    }
}

/// What an answer says of how its clauses were found.
fn index(mode: Option<SearchMode>, vectors: Option<&SentenceVectors>) -> AnswerIndex {
    AnswerIndex {
        mode: mode.unwrap_or(match vectors {
            Some(_) => SearchMode::Hybrid,
            None => SearchMode::Lexical,
        }),
        tokeniser: TOKENISER.to_owned(),
        encoder: vectors.map(|v| v.encoder.clone()).unwrap_or_default(),
    }
}

/// The program or the model that makes vectors cannot be had.
fn is_missing(code: Code) -> bool {
    matches!(
        code,
        Code::WorkerMissing | Code::WorkerIncompatible | Code::WorkerDied | Code::ModelMissing
    )
}

/// The language of a question, or English where it cannot be told.
pub(super) fn language_of(question: &str) -> Language {
    match language::detect(question) {
        Language::Other if question.is_ascii() => Language::En,
        detected => detected,
    }
}

/// The clauses by the cosine of their nearest sentence, the nearest first.
fn nearest(
    ids: &[i64],
    cosines: &[f32],
    clauses: &Clauses,
    wanted: impl Fn(u32) -> bool,
) -> Vec<(u32, f64)> {
    let mut best = vec![f32::NEG_INFINITY; clauses.map.len()];
    for (id, cosine) in ids.iter().zip(cosines) {
        let clause = clauses.map.clause(SentenceId(*id));
        if let Some(known) = clause.and_then(|clause| best.get_mut(clause as usize)) {
            *known = known.max(*cosine);
        }
    }
    let mut near: Vec<(u32, f64)> = (0..)
        .zip(best)
        .filter(|(clause, cosine)| cosine.is_finite() && wanted(*clause))
        .map(|(clause, cosine)| (clause, f64::from(cosine)))
        .collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    near
}

/// Both rankings as one: each score as a share of the greatest of its ranking, half and half.
fn together(words: ClauseRanking, near: Option<Vec<(u32, f64)>>, top: usize) -> Found {
    let most = words.hits.first().map_or(0.0, |hit| hit.score).max(1e-9);
    let mut scored: Vec<(u32, f64)> = match &near {
        None => words
            .hits
            .iter()
            .map(|hit| (hit.clause, hit.score / most))
            .collect(),
        Some(near) => {
            let nearest = near.first().map_or(0.0, |n| n.1).max(1e-9);
            let cosine: HashMap<u32, f64> = near.iter().copied().collect();
            let score: HashMap<u32, f64> = words.hits.iter().map(|h| (h.clause, h.score)).collect();
            let by_words = words.hits.iter().take(BY_WORDS).map(|h| h.clause);
            let by_vectors = near.iter().take(BY_VECTORS).map(|n| n.0);
            let candidates: HashSet<u32> = by_words.chain(by_vectors).collect();
            let weight = if words.hits.is_empty() { 1.0 } else { 0.5 };
            candidates
                .into_iter()
                .map(|clause| {
                    let by_words = score.get(&clause).map_or(0.0, |s| s / most);
                    let by_vectors = cosine.get(&clause).map_or(0.0, |c| c.max(0.0) / nearest);
                    (clause, weight * by_words + weight * by_vectors)
                })
                .collect()
        }
    };
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let features = Features::of(&words, near.as_deref(), &scored);
    scored.truncate(top);
    Found {
        hits: scored,
        features,
    }
}

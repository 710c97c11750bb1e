//! The clauses that are nearest to a question, by words and, where the workspace has them, by vectors.

use super::Answering;
use super::candidates::{Candidate, candidates};
use super::clauses::{Clauses, DIVIDED_BY};
use super::lacking::lacking;
use super::near::Near;
use super::probability::Features;
use super::ranker::{Ranker, in_scores_of_half, ordered, scored};
use super::reranked::Reranker;
use super::topic;
use crate::corpus::{ClauseVectors, Corpus, SentenceVectors};
use crate::models::{Shipped, no_graph};
use crate::workspace::{Result, Silent};
use lexforge_domain::api::{AnswerIndex, DocumentRow, EncoderChoice, RerankGap, SearchMode};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, RunId};
use lexforge_graph::Matrix;
use lexforge_store::ClauseRanking;
use lexforge_text::{asked, granted, is_han, language, seams};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Clauses of the words' ranking whose scores are known when both are put together.
const SCORED: usize = 1_000;
/// Clauses shown where nothing answers, and under an answer.
pub(super) const NEAREST: usize = 5;
/// Clauses looked at for statements.
pub(super) const LOOKED_AT: usize = 10;
/// How the index cuts texts into words; stands wherever a figure depends on it.
pub(super) const TOKENISER: &str = "words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight, of bigrams at a tenth";

/// The index in which clauses are searched, with everything prepared for these questions.
pub(super) struct Search {
    pub clauses: Arc<Clauses>,
    /// The description of the index in an answer.
    pub index: AnswerIndex,
    /// The questions as vectors and the sentences' vectors, where these are searched.
    vectors: Option<(Matrix, Arc<SentenceVectors>)>,
    /// The vectors of clauses by the same encoder, if all of them are made.
    clause_vectors: Option<Arc<ClauseVectors>>,
    /// The ranker that orders the clauses; `None` = words and vectors with equal weight.
    ranker: Option<Ranker>,
    /// The fold of each question that the ranker was fitted on, where it is to be measured.
    folds: Vec<Option<usize>>,
    /// The fold of each question that the cross-encoder's weight was fitted on, where the weight is to be measured.
    rerank_folds: Vec<Option<usize>>,
    /// What puts the first clauses in order once more.
    rerank: Option<Reranker>,
    /// The cross-encoder that was to do so and does not, and why.
    pub not_reranked: Option<(RunId, RerankGap)>,
}

impl Search {
    /// This search without a ranker.
    pub(crate) fn half_and_half(mut self) -> Self {
        self.ranker = None;
        self.index.ranker = None;
        self
    }

    /// This search without a cross-encoder.
    pub(crate) fn in_found_order(mut self) -> Self {
        self.rerank = None;
        self.index.rerank = None;
        self
    }

    /// This search without its cross-encoder, which was removed in the meantime.
    pub(crate) fn without_what_is_gone(self) -> Self {
        let gone = self.rerank.as_ref().map(|one| one.cross.run);
        Self {
            not_reranked: gone.map(|run| (run, RerankGap::Gone)),
            ..self.in_found_order()
        }
    }

    /// The encoder whose vectors are searched, where it came with the product.
    pub(crate) fn shipped(&self) -> Option<Shipped> {
        Shipped::of_label(&self.index.encoder)
    }

    fn cosines_lie_high(&self) -> bool {
        self.shipped().is_some_and(Shipped::cosines_lie_high)
    }

    /// How many vectors are searched, of sentences and of clauses.
    pub(crate) fn vectors_searched(&self) -> u64 {
        let part = self.vectors.as_ref().map(|(_, part)| part.as_ref());
        count(part, self.clause_vectors.as_deref())
    }

    /// Whether a cross-encoder puts the first clauses in order.
    pub(crate) fn is_reranked(&self) -> bool {
        self.rerank.is_some()
    }

    /// The number of sentences that the search by vectors misses, because they were added after the vectors of their
    /// language were made. Documents that are left out do not count. It is 0 if only words are searched.
    pub fn without_vectors(&self, left_out: &HashSet<DocumentId>) -> u64 {
        self.vectors.as_ref().map_or(0, |(_, part)| {
            lacking(&self.clauses, left_out, &part.languages, &part.ids)
        })
    }

    /// The weights for the question of a row; `None` = equal weight.
    pub fn weights(&self, row: usize) -> Option<&[f64]> {
        let fold = self.folds.get(row).copied().flatten();
        self.ranker.as_ref().map(|ranker| ranker.weights(fold))
    }
}

/// The clauses by words, and, where vectors are searched, by their cosines.
type Rankings = (ClauseRanking, Option<Near>);

/// The clauses found for a question.
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
            _ => match self.vectors_for(encoder, questions, &clauses) {
                // An encoder that was chosen once and cannot be had now leaves the words; the answer says so.
                Err(failure)
                    if mode.is_none()
                        && encoder.is_none()
                        && (is_missing(failure.code) || failure.code == Code::NotFound) =>
                {
                    None
                }
                part => part?,
            },
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
        let clause_vectors = match &vectors {
            Some((_, part)) => {
                // Those of a chosen encoder are made when a question is asked, as are those of sentences.
                if self.meant_encoder(encoder)?.is_some() {
                    self.completed_search(mode, encoder, &Silent)?;
                }
                self.clause_vectors(part, &clauses)?
            }
            None => None,
        };
        let mut index = index(mode, vectors.as_ref().map(|(_, part)| part.as_ref()));
        let ranker = self.ranker(&index)?;
        index.ranker = ranker.as_ref().map(|ranker| ranker.name.clone());
        Ok(Search {
            clauses,
            index,
            vectors,
            clause_vectors,
            ranker,
            folds: Vec::new(),
            rerank_folds: Vec::new(),
            rerank: None,
            not_reranked: None,
        })
    }

    /// A search with a cross-encoder that sorts the first clauses. It is the cross-encoder of `rerank` if one is named,
    /// or else the one that is switched on. If it cannot be used, the search goes on without it and says so.
    pub(super) fn search_in_order(
        &self,
        mode: Option<SearchMode>,
        encoder: Option<&EncoderChoice>,
        rerank: Option<RunId>,
        questions: &[&str],
    ) -> Result<Search> {
        let search = self.search(mode, encoder, questions)?;
        self.put_in_order(search, rerank)
    }

    /// A search with the cross-encoder of a run, where one is named, else with the one that is on.
    pub(super) fn put_in_order(&self, mut search: Search, named: Option<RunId>) -> Result<Search> {
        let kept = self.kept_rerank()?;
        let Some(run) = named.or(kept.on) else {
            return Ok(search);
        };
        // A measurement made with another search does not apply to this one.
        let gap = kept.gap(run, &search.index).filter(|_| named.is_none());
        if let Some(gap) = gap {
            search.not_reranked = Some((run, gap));
            return Ok(search);
        }
        let found = self.cross_encoder(run).and_then(|cross| {
            self.cross_encoder_answers(&cross)?;
            Ok(cross)
        });
        match found {
            Ok(cross) => {
                let reranker = kept.reranker(cross, &search.index);
                search.index.rerank = Some(reranker.name.clone());
                search.rerank = Some(reranker);
            }
            // A user who names a run that does not exist made a mistake.
            Err(failure) if named.is_some() && failure.code == Code::NotFound => {
                return Err(failure);
            }
            Err(failure) if is_gone(failure.code) => {
                search.not_reranked = Some((run, RerankGap::Gone));
            }
            Err(failure) => return Err(failure),
        }
        Ok(search)
    }

    /// The index with which questions like these would be searched. No vector is made for this.
    pub(super) fn index_for(&self, questions: &[&str]) -> Result<AnswerIndex> {
        let mut index = self.plain_index_for(questions)?;
        index.rerank = self.rerank_in_use(&index)?;
        Ok(index)
    }

    /// The index with which a question like these would be searched, without a cross-encoder.
    pub(super) fn plain_index_for(&self, questions: &[&str]) -> Result<AnswerIndex> {
        let part = self.vectors_for(None, questions, &*self.clauses()?)?;
        let mut index = index(None, part.as_deref());
        index.ranker = self.ranker(&index)?.map(|ranker| ranker.name.clone());
        Ok(index)
    }

    /// How many vectors would be searched for questions like these, of sentences and of clauses.
    pub(super) fn vectors_searched_for(&self, questions: &[&str]) -> Result<u64> {
        let clauses = self.clauses()?;
        let part = self.vectors_for(None, questions, &clauses)?;
        let of_clauses = match &part {
            Some(part) => self.clause_vectors(part, &clauses)?,
            None => None,
        };
        Ok(count(part.as_deref(), of_clauses.as_deref()))
    }

    /// Prepares this search to be measured on these questions. A question that the ranker or the cross-encoder was
    /// fitted on is then ranked with weights that were fitted without that question.
    pub(super) fn held_out(&self, mut search: Search, questions: &[&str]) -> Result<Search> {
        if let Some(ranker) = &search.ranker {
            search.folds = ranker.groups().folds(self, &search.clauses, questions)?;
        }
        if let Some(groups) = search.rerank.as_ref().and_then(|one| one.groups.as_ref()) {
            search.rerank_folds = groups.folds(self, &search.clauses, questions)?;
        }
        Ok(search)
    }

    /// The vectors that cover the language of most questions, else those of an encoder that reads across languages.
    fn vectors_for(
        &self,
        encoder: Option<&EncoderChoice>,
        questions: &[&str],
        clauses: &Clauses,
    ) -> Result<Option<Arc<SentenceVectors>>> {
        let meant = self.meant_encoder(encoder)?;
        let mut parts = Corpus::of(self.workspace).vectors_of(meant.as_ref())?;
        if meant.is_some() {
            return Ok(parts.pop());
        }
        let mut counts: HashMap<Language, usize> = HashMap::new();
        for question in questions {
            let language = language_of(question, &clauses.documents);
            *counts.entry(language).or_default() += 1;
        }
        let asked = counts
            .into_iter()
            .max_by_key(|(language, n)| (*n, *language));
        let covers = |part: &&Arc<SentenceVectors>| {
            asked.is_some_and(|(language, _)| part.languages.contains(&language))
        };
        let found = parts.iter().find(covers);
        // A question in a language that no document has is read by the encoder for several languages.
        let spoken = |(language, _): (Language, usize)| {
            let mut documents = clauses.documents.iter();
            documents.any(|document| document.language == language)
        };
        Ok(match found {
            None if !asked.is_some_and(spoken) => parts.iter().find(|part| part.reads_across()),
            found => found,
        }
        .cloned())
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
        let (words, near) = self.by_words_and_vectors(search, row, question, wanted)?;
        let fits = self.fitting(question, &words, near.is_some(), clauses)?;
        let high = search.cosines_lie_high();
        let by_meaning = near.as_ref().map(|near| near.clauses.as_slice());
        let candidates = candidates(&words, by_meaning, high, clauses, &fits);
        let order = scored(&candidates, search.weights(row));
        let order = match &search.rerank {
            Some(reranker) => {
                let fold = search.rerank_folds.get(row).copied().flatten();
                self.reranked(reranker, fold, clauses, question, order)?
            }
            None => order,
        };
        let subject = self.subject(question, clauses)?;
        let fused = ordered(&candidates, None);
        // A question with an assumption may be wrong about the subject, so this check is skipped.
        let about_another = granted::clause(question).is_none()
            && (topic::is_absent(&subject, &words, &fused, |clause| {
                clauses.title_words(clause)
            }) || (near.is_none() && topic::have_only_the_body(&subject, &words, &fused))
                || self.lacks_the_figure(question, &subject, &words, &fused, clauses)?
                || self.stands_in_other_words(&subject, &fused, clauses)?);
        let by_sentence = near.as_ref().map(|near| near.sentences.as_slice());
        // The question refers back to something that was not asked in this question.
        let points_back = question.chars().any(is_han) && asked::points_back(question);
        let mut found = Found {
            hits: in_scores_of_half(&candidates, &order),
            features: Features::of(&words, by_sentence, &fused)
                .asked_about(&subject, &words, clauses.map.len())
                .or_about_another(about_another || points_back),
        };
        found.hits.truncate(top);
        self.definitions_first(question, clauses, wanted, &mut found)?;
        self.named_first(search, question, left_out, &mut found)?;
        self.heed_the_role(question, &words, &mut found);
        let outright = self.outright_first(question, &words, clauses, wanted, &mut found)?;
        found.hits.truncate(top.max(outright));
        Ok(found)
    }

    /// The candidates from which a ranker may choose for the question of a row.
    pub(super) fn candidates(
        &self,
        search: &Search,
        row: usize,
        question: &str,
    ) -> Result<Vec<Candidate>> {
        let (words, near) = self.by_words_and_vectors(search, row, question, |_| true)?;
        let fits = self.fitting(question, &words, near.is_some(), &search.clauses)?;
        let high = search.cosines_lie_high();
        let near = near.as_ref().map(|near| near.clauses.as_slice());
        Ok(candidates(&words, near, high, &search.clauses, &fits))
    }

    /// The clauses with the scores by which they are ordered, best first.
    pub(super) fn scored(
        &self,
        search: &Search,
        row: usize,
        question: &str,
    ) -> Result<Vec<(u32, f64)>> {
        let candidates = self.candidates(search, row, question)?;
        Ok(scored(&candidates, search.weights(row)))
    }

    /// The subject of a question: without question words, and without pairs of characters that belong to two words.
    pub(super) fn subject(&self, question: &str, clauses: &Clauses) -> Result<String> {
        let subject = asked::subject(question);
        if !subject.chars().any(is_han) {
            return Ok(subject);
        }
        let standing = self
            .workspace
            .store
            .read(|r| r.standing(&subject, &clauses.map))?;
        Ok(seams::parted(&subject, |pair| standing.contains(pair)))
    }

    /// The best clauses by words, and by vectors where these are searched, each best first.
    pub(super) fn by_words_and_vectors(
        &self,
        search: &Search,
        row: usize,
        question: &str,
        wanted: impl Fn(u32) -> bool + Copy,
    ) -> Result<Rankings> {
        let clauses = &search.clauses;
        let subject = self.subject(question, clauses)?;
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
            .map(|(asked, part)| -> Result<Near> {
                let (corpus, asked) = (Corpus::of(self.workspace), asked.row(row));
                let cosines = corpus.cosines(part, asked)?;
                let of_clauses = match search.clause_vectors.as_deref() {
                    Some(vectors) => {
                        let cosines = corpus.clause_cosines(vectors, asked)?;
                        vectors.of().zip(cosines).collect()
                    }
                    None => Vec::new(),
                };
                Ok(Near::of(
                    &part.ids,
                    &cosines,
                    &of_clauses,
                    &clauses.map,
                    wanted,
                ))
            })
            .transpose()?;
        Ok((words, near))
    }
}

/// The number of vectors of sentences and of clauses.
fn count(sentences: Option<&SentenceVectors>, clauses: Option<&ClauseVectors>) -> u64 {
    let sentences = sentences.map_or(0, |part| part.ids.len());
    (sentences + clauses.map_or(0, ClauseVectors::len)) as u64
}

/// What an answer says of how its clauses were found.
fn index(mode: Option<SearchMode>, vectors: Option<&SentenceVectors>) -> AnswerIndex {
    AnswerIndex {
        mode: mode.unwrap_or(match vectors {
            Some(_) => SearchMode::Hybrid,
            None => SearchMode::Lexical,
        }),
        clauses: DIVIDED_BY,
        tokeniser: TOKENISER.to_owned(),
        encoder: vectors.map(|v| v.encoder.clone()).unwrap_or_default(),
        ranker: None,
        rerank: None,
    }
}

/// The run of a cross-encoder, its model, or the program that computes cannot be had.
pub(super) fn is_gone(code: Code) -> bool {
    is_missing(code)
        || matches!(
            code,
            Code::NotFound | Code::BundleInvalid | Code::StepMissing | Code::ModelUnsupported
        )
}

/// The program or the model that makes vectors cannot be had.
fn is_missing(code: Code) -> bool {
    matches!(
        code,
        Code::WorkerMissing | Code::WorkerIncompatible | Code::WorkerDied | Code::ModelMissing
    )
}

/// The language of a question. If its words do not show the language, it is English. The exception: if no document is
/// in English but some are in another language in Latin letters, it is [`Language::Other`].
pub(super) fn language_of(question: &str, documents: &[DocumentRow]) -> Language {
    language::of_short(question).unwrap_or_else(|| {
        let has = |language| documents.iter().any(|d| d.language == language);
        if !has(Language::En) && has(Language::Other) {
            Language::Other
        } else {
            Language::En
        }
    })
}

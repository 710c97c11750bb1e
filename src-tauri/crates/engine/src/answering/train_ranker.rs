//! Fitting the ranker on the labelled questions of the workspace.

use super::Answering;
use super::find::Search;
use super::pairs::distinct;
use super::ranker::{Groups, Kept, ordered};
use super::ranking_figures::{Measured, compared, figures};
use super::unseen::Unseen;
use crate::workspace::{Result, Watcher, cancelled, now, tell};
use lexforge_domain::api::{EncoderChoice, Pair, RankerReport, SearchMode, Stage};
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::listwise::{List, fit};
use lexforge_evaluate::ranking::Outcome;
use std::collections::HashMap;

/// A ranker is fitted only if there are at least this many labelled questions. Measured over 3,044 questions about 40
/// rulebooks, with five random choices for each number of questions, on rulebooks that were left out. The figures are
/// Recall@10/MAP@10. Without a ranker they are .788/.557. With a ranker that was fitted on 10 questions they are
/// .775/.541; on 20 .788/.562; on 40 .793/.566 (worst choice .790/.561); on 80 .794/.569; on 160 .797/.573; on 1,280
/// .798/.575.
pub(super) const FEWEST: usize = 40;
/// Parts into which the questions are cut; each is measured with weights that were fitted on the others.
const FOLDS: usize = 5;

/// A labelled question with its candidates.
struct Labelled {
    /// The first right clause.
    first: u32,
    /// All right clauses, each with the value 1.
    right: HashMap<u32, u32>,
    /// The candidates by an equal mixture of words and vectors, best first.
    candidates: Vec<super::candidates::Candidate>,
}

impl Labelled {
    fn list(&self) -> List {
        let candidates = &self.candidates;
        List {
            rows: candidates.iter().map(|c| c.row.clone()).collect(),
            right: candidates
                .iter()
                .map(|c| self.right.contains_key(&c.clause))
                .collect(),
        }
    }

    fn outcome(&self, weights: Option<&[f64]>) -> Outcome {
        let order = ordered(&self.candidates, weights);
        let order: Vec<u32> = order.into_iter().map(|hit| hit.0).collect();
        Outcome::of(&order, &self.right)
    }
}

impl Answering<'_> {
    /// Fits a ranker on the labelled questions and keeps it. Searches use it only if it ranks better than an equal
    /// mixture of words and vectors, measured on questions about documents that it was not fitted on.
    ///
    /// # Errors
    /// When there are too few labelled questions, or the request asks to search only by vectors.
    pub fn train_ranker(
        &self,
        mode: Option<SearchMode>,
        encoder: Option<&EncoderChoice>,
        watcher: &dyn Watcher,
    ) -> Result<RankerReport> {
        if mode == Some(SearchMode::Dense) {
            return Err(Failure::new(
                Code::InvalidRequest,
                "There is nothing to weigh where clauses are searched by vectors alone.",
                "Fit the ranker for the search by words, or by both.",
            ));
        }
        let mut pairs = distinct(self.pairs()?);
        pairs.retain(|pair| !pair.passage_ids.is_empty());
        let Unseen { pairs, learned } = self.unseen(encoder, pairs)?;
        if pairs.len() < FEWEST {
            return Err(too_few(pairs.len(), learned));
        }
        let questions: Vec<&str> = pairs.iter().map(|p| p.question.as_str()).collect();
        self.completed_search(mode, encoder, watcher)?;
        let search = self.search(mode, encoder, &questions)?.half_and_half();
        let mut labelled = Vec::with_capacity(pairs.len());
        for (row, pair) in pairs.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was changed."));
            }
            labelled.extend(self.labelled(&search, row, pair)?);
            if row % 50 == 0 {
                tell(watcher, Stage::Train, "", row as u64, pairs.len() as u64);
            }
        }
        let (report, kept) = fitted(&search, &labelled, learned)?;
        let body = serde_json::to_string(&kept).map_err(|error| {
            Failure::new(Code::Internal, error.to_string(), "Report this message.")
        })?;
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.put_ranker(&now(), &body))?;
        Ok(report)
    }

    /// A labelled question with its candidates; `None` if its passages no longer exist.
    fn labelled(&self, search: &Search, row: usize, pair: &Pair) -> Result<Option<Labelled>> {
        let clauses = &search.clauses;
        let right = clauses.answering(pair);
        let Some(first) = right.first().copied() else {
            return Ok(None);
        };
        Ok(Some(Labelled {
            first,
            right: right.into_iter().map(|clause| (clause, 1)).collect(),
            candidates: self.candidates(search, row, &pair.question)?,
        }))
    }
}

fn too_few(there: usize, learned: u64) -> Failure {
    let left_out = match learned {
        0 => String::new(),
        n => format!(
            " ({n} others were left out: the encoder was tuned on them and finds their passages too well.)"
        ),
    };
    Failure::new(
        Code::TooLittleData,
        format!(
            "{there} labelled questions have a right passage, and a ranker is fitted on {FEWEST} or more: {} are missing.{left_out}",
            FEWEST.saturating_sub(there)
        ),
        "Judge answers, or bring in a file of questions with the passages that answer them. Until then the scores by words \
         and by vectors count half and half.",
    )
}

fn fitted(search: &Search, labelled: &[Labelled], learned: u64) -> Result<(RankerReport, Kept)> {
    let clauses = &search.clauses;
    let lists: Vec<List> = labelled.iter().map(Labelled::list).collect();
    let reached = lists
        .iter()
        .filter(|list| list.right.contains(&true))
        .count();
    if reached < FEWEST {
        return Err(too_few(reached, learned));
    }
    let first: Vec<u32> = labelled.iter().map(|l| l.first).collect();
    let groups = Groups::new(clauses, &first, FOLDS);
    let fold: Vec<usize> = first
        .iter()
        .map(|clause| groups.of(clauses, *clause))
        .map(|group| groups.fold.get(&group).copied().unwrap_or_default())
        .collect();
    let weights_of = |keep: &dyn Fn(usize) -> bool| {
        let lists: Vec<&List> = lists
            .iter()
            .enumerate()
            .filter(|(i, _)| keep(*i))
            .map(|(_, list)| list)
            .collect();
        fit(&lists).ok_or_else(|| too_few(lists.len().min(FEWEST - 1), learned))
    };
    let weights = weights_of(&|_| true)?;
    let folds = groups.fold.values().max().map_or(0, |most| most + 1);
    let folds: Vec<Vec<f64>> = (0..folds)
        .map(|held_out| weights_of(&|i| fold[i] != held_out))
        .collect::<Result<_>>()?;
    let measured = |outcome: &dyn Fn(usize, &Labelled) -> Outcome| -> Vec<Measured> {
        labelled
            .iter()
            .enumerate()
            .map(|(i, one)| Measured {
                cluster: groups.of(clauses, one.first).to_string(),
                kind: None,
                outcome: outcome(i, one),
            })
            .collect()
    };
    let half = measured(&|_, one| one.outcome(None));
    let ranked = measured(&|i, one| one.outcome(folds.get(fold[i]).map(Vec::as_slice)));
    let unit = if groups.by_document {
        "document"
    } else {
        "passage"
    };
    let mut report = RankerReport {
        questions: reached as u64,
        learned,
        out_of_reach: (labelled.len() - reached) as u64,
        kept: false,
        half: figures(&half, unit),
        ranked: figures(&ranked, unit),
        weights: HashMap::new().into_iter().collect(),
        index: search.index.clone(),
    };
    report.ranked.against = compared(&half, &ranked, unit, "half and half");
    report.kept = report.ranked.map_10 > report.half.map_10
        && report.ranked.recall_10 >= report.half.recall_10;
    let features = super::candidates::features(search.index.mode == SearchMode::Hybrid);
    report.weights = features
        .iter()
        .cloned()
        .zip(weights.iter().copied())
        .collect();
    let kept = Kept {
        index: search.index.clone(),
        features,
        weights: report.kept.then_some(weights),
        folds,
        groups,
        questions: report.questions,
    };
    Ok((report, kept))
}

//! What a user can do with cross-encoders: list them, switch one on or off, search sentences with one, and use one as a
//! teacher.

use super::Answering;
use super::reranked::{CrossEncoder, FIRST, UNMEASURED, mixed};
use crate::corpus::Corpus;
use crate::runs::Runs;
use crate::workspace::Result;
use lexforge_domain::api::{
    AnswerIndex, Preset, RerankGap, RerankRow, RunState, SearchHit, SearchRequest,
};
use lexforge_domain::{Code, Failure, RunId};

impl Answering<'_> {
    /// The cross-encoders that were tuned here, newest first.
    pub fn rerankers(&self) -> Result<Vec<RerankRow>> {
        let kept = self.kept_rerank()?;
        let index = self.index_of_examples()?;
        let runs = Runs::of(self.workspace).runs()?.into_iter();
        let tuned = runs.filter(|run| {
            run.state == RunState::Finished
                && run.adapter.is_some()
                && run.preset() == Some(Preset::Rerank)
        });
        let rows = tuned.map(|run| RerankRow {
            run: run.id,
            model: run.base,
            on: kept.on == Some(run.id),
            gap: kept.gap(run.id, &index),
            report: kept.newest(run.id).cloned(),
        });
        Ok(rows.collect())
    }

    /// From now on the cross-encoder of this run sorts the first clauses; with `None`, no cross-encoder is used. A
    /// certificate that was made with another choice becomes void.
    ///
    /// # Errors
    /// When no measurement shows that the cross-encoder ranks better than the search as it is now.
    pub fn use_rerank(&self, run: Option<RunId>) -> Result<Vec<RerankRow>> {
        let mut kept = self.kept_rerank()?;
        if let Some(run) = run {
            self.cross_encoder(run)?;
            if let Some(gap) = kept.gap(run, &self.index_of_examples()?) {
                return Err(not_better(run, gap));
            }
        }
        kept.on = run;
        self.keep_rerank(&kept)?;
        self.rerankers()
    }

    fn index_of_examples(&self) -> Result<AnswerIndex> {
        self.plain_index_for(&[&self.usual_question()?])
    }

    /// The sentences that fit a query best. The cross-encoder of a run sorts the first of them.
    ///
    /// # Errors
    /// As a search; when the run has no cross-encoder, or its model or the worker is missing.
    pub fn search_reranked(&self, request: &SearchRequest, run: RunId) -> Result<Vec<SearchHit>> {
        let cross = self.cross_encoder(run)?;
        let kept = self.kept_rerank()?;
        let percent = kept
            .newest(run)
            .map_or(UNMEASURED, |report| report.name.percent);
        let wide = SearchRequest {
            top: request.top.max(FIRST),
            ..request.clone()
        };
        let hits = Corpus::of(self.workspace).search(&wide)?;
        let order: Vec<(u32, f64)> = (0..).zip(&hits).map(|(n, hit)| (n, hit.score)).collect();
        let texts = hits.iter().take(FIRST).map(|hit| hit.text.clone());
        let scores = self.passage_scores(&cross, &request.query, texts.collect())?;
        let places = mixed(&order, &scores, percent).into_iter();
        // The first has the greatest score, as it was found, the second the next.
        let placed = places.zip(&order).take(request.top).enumerate();
        Ok(placed
            .filter_map(|(i, ((place, _), (_, score)))| {
                Some(SearchHit {
                    rank: i + 1,
                    score: *score,
                    ..hits.get(place as usize)?.clone()
                })
            })
            .collect())
    }

    /// The cross-encoder of a run, to be used as a teacher.
    ///
    /// # Errors
    /// When the cross-encoder does not rank better than the words, or was not measured.
    pub(super) fn teacher(&self, run: RunId) -> Result<CrossEncoder> {
        let cross = self.cross_encoder(run)?;
        let kept = self.kept_rerank()?;
        match kept.newest(run) {
            Some(report) if report.beats_words() => Ok(cross),
            Some(report) => Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "The cross-encoder of run {run} is no teacher: by its score alone MAP@10 is {:.3} on the labelled questions \
                     that it did not learn from, by the words alone {:.3}.",
                    report.alone.map_10, report.words.map_10
                ),
                "Tune it on more questions, or learn the ranking of the search itself.",
            )),
            None => Err(not_better(run, RerankGap::NotMeasured)),
        }
    }
}

/// Why a cross-encoder is not used, in words.
fn not_better(run: RunId, gap: RerankGap) -> Failure {
    let message = match gap {
        RerankGap::NotMeasured => {
            format!("The cross-encoder of run {run} was not measured on labelled questions.")
        }
        RerankGap::OtherSearch => format!(
            "The cross-encoder of run {run} was measured with another search than that of today."
        ),
        RerankGap::NotBetter => {
            format!("The clauses are not in a better order with the cross-encoder of run {run}.")
        }
        RerankGap::Gone => format!("The cross-encoder of run {run} cannot be had now."),
    };
    Failure::new(
        Code::StepMissing,
        message,
        "Measure it on the labelled questions: it is used from then on where it puts clauses in a better order.",
    )
}

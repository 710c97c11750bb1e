//! Puts the first clauses of a search into the order of a cross-encoder that was tuned in this workspace, and keeps the
//! results of measuring it.

use super::Answering;
use super::clauses::Clauses;
use super::ranker::Groups;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::Result;
use lexforge_domain::api::{AnswerIndex, Preset, RerankGap, RerankName, RerankReport};
use lexforge_domain::protocol::RerankRequest;
use lexforge_domain::{Code, Failure, RunId, Sha256};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const SETTING: &str = "answering.rerank";
/// Clauses that are put in order. Those behind them stay where they are.
pub(super) const FIRST: usize = 50;
/// The weight of its score if nothing was measured, in hundredths.
pub(super) const UNMEASURED: u8 = 50;
/// Measurements that are kept, the newest first.
const KEPT: usize = 20;

/// A cross-encoder that can be asked.
pub(super) struct CrossEncoder {
    pub run: RunId,
    base: BaseModel,
    adapter: PathBuf,
    sha256: Sha256,
}

impl CrossEncoder {
    /// Its name in answers if its score has this weight.
    pub fn name(&self, percent: u8) -> RerankName {
        RerankName {
            run: self.run,
            adapter: self.sha256.to_string(),
            percent,
            first: FIRST as u32,
        }
    }
}

/// A cross-encoder, with the weight of its score.
pub(super) struct Reranker {
    pub cross: CrossEncoder,
    pub name: RerankName,
    /// The groups of labelled questions that belong together; `None` if this was not recorded.
    pub groups: Option<Groups>,
    by_fold: Vec<u8>,
}

impl Reranker {
    /// The weight of the cross-encoder's score for a question. If the question belongs to a fold, this is the weight
    /// that was chosen without that fold.
    fn percent(&self, fold: Option<usize>) -> u8 {
        let of_fold = fold.and_then(|fold| self.by_fold.get(fold));
        of_fold.copied().unwrap_or(self.name.percent)
    }
}

/// A measurement of a cross-encoder.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Measurement {
    /// The result of the measurement.
    pub report: RerankReport,
    /// Which labelled questions belong together, and the fold that they are in.
    pub groups: Groups,
    /// The weights of its score, in hundredths, that were chosen without the questions of each fold.
    pub by_fold: Vec<u8>,
}

/// The stored state: the cross-encoder that is switched on, and the measurements, newest first.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    pub on: Option<RunId>,
    measured: Vec<Measurement>,
}

impl Kept {
    /// The newest measurement of a run.
    pub fn newest(&self, run: RunId) -> Option<&RerankReport> {
        let mut reports = self.measured.iter().map(|one| &one.report);
        reports.find(|report| report.run == run)
    }

    /// The measurement of a run with exactly this search.
    pub fn of(&self, run: RunId, index: &AnswerIndex) -> Option<&Measurement> {
        let mut measured = self.measured.iter();
        measured.find(|one| one.report.run == run && one.report.index == *index)
    }

    /// Adds a measurement. If it shows a better order, the cross-encoder is switched on, and otherwise off.
    pub fn with(mut self, new: Measurement) -> Self {
        let report = &new.report;
        if report.gap.is_none() {
            self.on = Some(report.run);
        } else if self.on == Some(report.run) {
            self.on = None;
        }
        self.measured
            .retain(|known| known.report.run != report.run || known.report.index != report.index);
        self.measured.insert(0, new);
        self.measured.truncate(KEPT);
        self
    }

    /// Why the cross-encoder of a run is not to be used with this search; `None` where it is.
    pub fn gap(&self, run: RunId, index: &AnswerIndex) -> Option<RerankGap> {
        match (self.of(run, index), self.newest(run)) {
            (Some(measured), _) => measured.report.gap,
            (None, Some(_)) => Some(RerankGap::OtherSearch),
            (None, None) => Some(RerankGap::NotMeasured),
        }
    }

    /// A cross-encoder, with the weight of its score in this search.
    pub fn reranker(&self, cross: CrossEncoder, index: &AnswerIndex) -> Reranker {
        let measured = self.of(cross.run, index);
        let percent = measured.map_or(UNMEASURED, |one| one.report.name.percent);
        Reranker {
            name: cross.name(percent),
            groups: measured.map(|one| one.groups.clone()),
            by_fold: measured.map_or_else(Vec::new, |one| one.by_fold.clone()),
            cross,
        }
    }
}

impl Answering<'_> {
    /// The stored state; empty if a later version stored it in another form.
    pub(super) fn kept_rerank(&self) -> Result<Kept> {
        let kept = self.workspace.store.read(|r| r.setting(SETTING))?;
        Ok(kept
            .and_then(|kept| serde_json::from_str(&kept).ok())
            .unwrap_or_default())
    }

    pub(super) fn keep_rerank(&self, kept: &Kept) -> Result<()> {
        let body = serde_json::to_string(kept).map_err(|error| {
            Failure::new(Code::Internal, error.to_string(), "Report this message.")
        })?;
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.set_setting(SETTING, &body))?;
        Ok(())
    }

    /// The name of the cross-encoder in use, for answers; `None` if none is used with this search.
    pub(super) fn rerank_in_use(&self, index: &AnswerIndex) -> Result<Option<RerankName>> {
        let kept = self.kept_rerank()?;
        let Some(run) = kept.on.filter(|run| kept.gap(*run, index).is_none()) else {
            return Ok(None);
        };
        Ok(kept.of(run, index).map(|one| one.report.name.clone()))
    }

    /// The cross-encoder of a run, on the base model that it was tuned from.
    pub(super) fn cross_encoder(&self, run: RunId) -> Result<CrossEncoder> {
        let runs = Runs::of(self.workspace);
        // A run that has ended meanwhile is taken over first.
        let row = runs.run(run)?;
        if row.preset() != Some(Preset::Rerank) {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Run {run} did not tune a cross-encoder."),
                "Name a run that was tuned to put the first clauses in order.",
            ));
        }
        let adapter = runs.adapter_dir(run)?;
        let sha256 = runs.train_result(run)?.adapter_sha256;
        let tuned_from = train_job(&runs.bundle(run)?)?.model;
        let mut base = Models::of(self.workspace).base(Some(&tuned_from.name))?;
        base.sha256 = tuned_from.sha256;
        Ok(CrossEncoder {
            run,
            base,
            adapter,
            sha256,
        })
    }

    /// The scores of clauses, in their order.
    pub(super) fn cross_scores(
        &self,
        cross: &CrossEncoder,
        clauses: &Clauses,
        question: &str,
        order: &[(u32, f64)],
    ) -> Result<Vec<f32>> {
        let mut passages = Vec::with_capacity(order.len());
        for (clause, _) in order {
            passages.push(self.clause_text(clauses, *clause)?);
        }
        self.passage_scores(cross, question, passages)
    }

    pub(super) fn passage_scores(
        &self,
        cross: &CrossEncoder,
        question: &str,
        mut passages: Vec<String>,
    ) -> Result<Vec<f32>> {
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        // A text without words is read as a dash, because the worker accepts no empty text.
        for passage in &mut passages {
            if passage.trim().is_empty() {
                "\u{2013}".clone_into(passage);
            }
        }
        let request = RerankRequest {
            question: question.to_owned(),
            passages,
        };
        Models::of(self.workspace).pair_scores(&cross.base, &cross.adapter, &request)
    }

    /// Whether the worker that scores can be had; it stays for the questions that come.
    pub(super) fn cross_encoder_answers(&self, cross: &CrossEncoder) -> Result<()> {
        let request = RerankRequest {
            question: "?".to_owned(),
            passages: Vec::new(),
        };
        let models = Models::of(self.workspace);
        models.pair_scores(&cross.base, &cross.adapter, &request)?;
        Ok(())
    }

    /// The order with its first clauses put in order once more.
    pub(super) fn reranked(
        &self,
        reranker: &Reranker,
        fold: Option<usize>,
        clauses: &Clauses,
        question: &str,
        order: Vec<(u32, f64)>,
    ) -> Result<Vec<(u32, f64)>> {
        let percent = reranker.percent(fold);
        if percent == 0 {
            return Ok(order);
        }
        let scores = self.cross_scores(&reranker.cross, clauses, question, first(&order))?;
        Ok(mixed(&order, &scores, percent))
    }

    /// The words of a clause.
    pub(super) fn clause_text(&self, clauses: &Clauses, clause: u32) -> Result<String> {
        let Some((first, last)) = clauses.map.sentences(clause) else {
            return Ok(String::new());
        };
        let texts = self
            .workspace
            .store
            .read(|r| r.texts_between(first, last))?;
        Ok(texts.join(" "))
    }
}

/// The clauses of an order that are put in order once more.
pub(super) fn first(order: &[(u32, f64)]) -> &[(u32, f64)] {
    &order[..order.len().min(FIRST)]
}

/// The order after the first clauses were sorted by a mixture of both scores. Each score is first scaled so that the
/// lowest among the first clauses is 0 and the highest is 1. The other clauses keep their order.
pub(super) fn mixed(order: &[(u32, f64)], scores: &[f32], percent: u8) -> Vec<(u32, f64)> {
    let n = scores.len().min(order.len());
    let (first, behind) = order.split_at(n);
    let before = on_scale(first.iter().map(|hit| hit.1));
    let after = on_scale(scores.iter().map(|score| f64::from(*score)));
    let weight = f64::from(percent) / 100.0;
    let mut mixed: Vec<(u32, f64)> = first
        .iter()
        .zip(before.iter().zip(&after))
        .map(|((clause, _), (before, after))| (*clause, (1.0 - weight) * before + weight * after))
        .collect();
    // Clauses of the same score stay in the order that they had.
    mixed.sort_by(|a, b| b.1.total_cmp(&a.1));
    mixed.extend(behind.iter().map(|(clause, _)| (*clause, -1.0)));
    mixed
}

/// Scales values so that the least becomes 0 and the greatest 1. If all values are equal, or one of them is infinite,
/// all become 0; they then make no difference. A value that is not a number becomes 0, too.
fn on_scale(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let width = high - low;
    values
        .map(
            |value| match width.is_finite() && width > 0.0 && value.is_finite() {
                true => (value - low) / width,
                false => 0.0,
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::RankingFigures;

    fn measured(run: i64, encoder: &str, gap: Option<RerankGap>) -> Measurement {
        let report = RerankReport {
            run: RunId(run),
            name: RerankName {
                run: RunId(run),
                adapter: "a".to_owned(),
                percent: 75,
                first: 50,
            },
            learned: 0,
            words: RankingFigures::default(),
            without: RankingFigures::default(),
            with: RankingFigures::default(),
            alone: RankingFigures::default(),
            gap,
            index: index(encoder),
        };
        Measurement {
            report,
            groups: Groups {
                by_document: true,
                fold: [(1, 0), (2, 1)].into(),
            },
            by_fold: vec![50, 100],
        }
    }

    fn index(encoder: &str) -> AnswerIndex {
        AnswerIndex {
            encoder: encoder.to_owned(),
            ..AnswerIndex::default()
        }
    }

    #[test]
    fn the_first_clauses_are_mixed_and_those_behind_stay() {
        let order = [(1, 0.9), (2, 0.5), (3, 0.1), (4, 0.05)];
        let numbers = |percent: u8, scores: &[f32]| -> Vec<u32> {
            let mixed = mixed(&order, scores, percent);
            assert!(mixed.is_sorted_by(|a, b| a.1 >= b.1), "{mixed:?}");
            mixed.into_iter().map(|hit| hit.0).collect()
        };
        // The third clause answers best, the first worst.
        let scores = [-2.0, 0.0, 4.0];
        assert_eq!(numbers(0, &scores), [1, 2, 3, 4]);
        assert_eq!(numbers(25, &scores), [1, 2, 3, 4]);
        assert_eq!(numbers(75, &scores), [3, 2, 1, 4]);
        assert_eq!(numbers(100, &scores), [3, 2, 1, 4]);
        // Scores that cannot tell the clauses apart change nothing.
        assert_eq!(numbers(100, &[1.0, 1.0, 1.0]), [1, 2, 3, 4]);
        assert_eq!(numbers(100, &[f32::NAN, f32::NAN, f32::NAN]), [1, 2, 3, 4]);
        assert_eq!(numbers(100, &[]), [1, 2, 3, 4]);
        assert!(mixed(&[], &[], 50).is_empty());
    }

    #[test]
    fn only_what_was_found_better_with_this_search_is_on() {
        let kept = Kept::default();
        assert_eq!(
            kept.gap(RunId(1), &index("e")),
            Some(RerankGap::NotMeasured)
        );
        let lost = kept.with(measured(1, "e", Some(RerankGap::NotBetter)));
        assert_eq!(lost.on, None);
        assert_eq!(lost.gap(RunId(1), &index("e")), Some(RerankGap::NotBetter));
        let won = lost.with(measured(2, "e", None));
        assert_eq!(
            (won.on, won.gap(RunId(2), &index("e"))),
            (Some(RunId(2)), None)
        );
        let percent =
            |index: &AnswerIndex| won.of(RunId(2), index).map(|one| one.report.name.percent);
        assert_eq!(percent(&index("e")), Some(75));
        assert_eq!(percent(&index("f")), None);
        // With another encoder it was not measured.
        assert_eq!(won.gap(RunId(2), &index("f")), Some(RerankGap::OtherSearch));
        // Another run that loses leaves it on; measured again and lost, it is off.
        let again = won.with(measured(1, "e", Some(RerankGap::NotBetter)));
        assert_eq!(again.on, Some(RunId(2)));
        assert_eq!(again.measured.len(), 2);
        let off = again.with(measured(2, "e", Some(RerankGap::NotBetter)));
        assert_eq!((off.on, off.measured.len()), (None, 2));
    }
}

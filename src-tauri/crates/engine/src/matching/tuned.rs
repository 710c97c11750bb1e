//! Encoders that were tuned in a workspace, as methods of the benchmark. Each is named by what it learned.

use super::Matching;
use super::benchmark::{BenchmarkRequest, Benchmarked, MeasuredEncoder, measured_by};
use crate::corpus::Corpus;
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{EncoderChoice, Preset, RunRow, RunState};
use lexforge_domain::protocol::{Objective, TripletLoss};
use lexforge_domain::{Failure, RunId};

impl Matching<'_> {
    /// Does the same as `benchmark`. The encoders that were tuned in this workspace are methods, too, or only
    /// those of the named runs.
    ///
    /// # Errors
    /// As `benchmark`; when a named run does not exist, has not finished, or tuned no encoder that makes
    /// vectors.
    pub fn benchmark(
        &self,
        request: &BenchmarkRequest,
        runs: &[RunId],
        watcher: &dyn Watcher,
    ) -> Result<Benchmarked> {
        let all = Runs::of(self.workspace).runs()?;
        let chosen: Vec<&RunRow> = if runs.is_empty() {
            all.iter().rev().filter(|run| makes_vectors(run)).collect()
        } else {
            let named = runs.iter().map(|id| {
                let run = all.iter().find(|run| run.id == *id);
                run.filter(|run| makes_vectors(run)).ok_or_else(|| {
                    Failure::invalid(
                        format!("Run {id} has no finished encoder that makes vectors of texts."),
                        "Name a run that tuned an encoder, and wait until it has finished.",
                    )
                })
            });
            named.collect::<Result<_>>()?
        };
        let tuned = chosen.into_iter().map(|run| self.tuned(run));
        measured_by(request, tuned.collect::<Result<_>>()?, watcher)
    }

    /// The encoder of a run, under the name of what it learned.
    fn tuned(&self, run: &RunRow) -> Result<MeasuredEncoder> {
        let choice = EncoderChoice {
            run: Some(run.id),
            ..EncoderChoice::default()
        };
        let (base, adapter) = Corpus::of(self.workspace).model_of(&choice)?;
        Ok(MeasuredEncoder {
            name: format!(
                "{} (run {} on {})",
                self.learned_by(run.id)?,
                run.id,
                base.name
            ),
            base,
            adapter,
        })
    }

    /// What a run and those that it went on from learned, the first first: "MLM + MNR".
    fn learned_by(&self, run: RunId) -> Result<String> {
        let runs = Runs::of(self.workspace);
        let mut names = Vec::new();
        for id in runs.chain(run)?.into_iter().rev() {
            let gpl = runs.run(id)?.preset() == Some(Preset::Gpl);
            let stages = train_job(&runs.bundle(id)?)?.settings.stages;
            names.extend(stages.iter().map(|stage| technique(&stage.objective, gpl)));
        }
        names.dedup();
        Ok(names.join(" + "))
    }
}

/// Whether a run tuned an encoder that makes vectors. A cross-encoder makes none.
fn makes_vectors(run: &RunRow) -> bool {
    run.state == RunState::Finished
        && run.adapter.is_some()
        && run.is_of_encoder()
        && run.preset() != Some(Preset::Rerank)
}

/// The name by which publications know what a stage learns. `gpl`: its margins are those of a GPL run.
fn technique(objective: &Objective, gpl: bool) -> &'static str {
    match objective {
        Objective::MaskedWords(_) => "MLM",
        Objective::Denoising(_) => "TSDAE",
        Objective::MaskedNextToken { .. } => "MNTP",
        Objective::Triplets(_) if gpl => "GPL",
        Objective::Triplets(of) => match of.loss {
            TripletLoss::Triplet => "triplets",
            TripletLoss::MultipleNegatives => "MNR",
            TripletLoss::MarginMse => "margin-MSE",
        },
        Objective::Retrieval(of) => match of.distillation {
            None => "MNR",
            Some(teacher) if teacher.is_alone() => "distillation",
            Some(_) => "MNR with distillation",
        },
        Objective::Sentence(_) => "InfoNCE",
        other => other.stage(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::{Distillation, Pooling, RetrievalObjective, TripletObjective};

    #[test]
    fn a_stage_has_the_name_that_publications_give_it() {
        let triplets = |loss| {
            Objective::Triplets(TripletObjective {
                loss,
                temperature: 0.05,
                pooling: Pooling::Mean,
                of_cosines: false,
            })
        };
        let retrieval = |distillation| {
            Objective::Retrieval(RetrievalObjective {
                temperature: 0.05,
                negatives: 1,
                drawn_from: 30,
                too_alike: 0.95,
                pooling: Pooling::Mean,
                question_prompt: String::new(),
                passage_prompt: String::new(),
                distillation,
            })
        };
        let alone = Distillation {
            share: 1.0,
            ..Distillation::default()
        };
        for (objective, gpl, name) in [
            (triplets(TripletLoss::MultipleNegatives), false, "MNR"),
            (triplets(TripletLoss::MarginMse), true, "GPL"),
            (triplets(TripletLoss::MarginMse), false, "margin-MSE"),
            (triplets(TripletLoss::Triplet), false, "triplets"),
            (retrieval(None), false, "MNR"),
            (retrieval(Some(alone)), false, "distillation"),
            (
                retrieval(Some(Distillation::default())),
                false,
                "MNR with distillation",
            ),
            (Objective::MaskedNextToken { share: 0.2 }, false, "MNTP"),
            (Objective::PlainText, false, "plain_text"),
        ] {
            assert_eq!(technique(&objective, gpl), name);
        }
    }
}

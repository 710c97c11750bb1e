//! The results of the stages, and of the whole training.

use super::Training;
use crate::adapters::adapter;
use crate::files::{flush_folder, sha256};
use crate::jobs::attempt::Outcome;
use crate::platform::peak_resident_mb;
use crate::training::checkpoint::Mark;
use crate::training::lessons::Trainee;
use crate::{Error, Result, device};
use lexforge_domain::Code;
use lexforge_domain::protocol::{JobResult, Precision, StageResult, TrainResult};
use std::collections::BTreeMap;

/// Folder of the chosen adapter in the bundle.
const RESULT_DIR: &str = "tuned";

impl Training<'_> {
    /// The result of this stage, once it is over.
    pub(super) fn stage_result(&self) -> StageResult {
        let state = &self.state;
        let stage = self.stage();
        let tenth = state.losses.len().div_ceil(10);
        StageResult {
            name: stage.name().into(),
            from: state.from,
            steps: self.made(),
            items: stage.lesson.items() as u64,
            best_step: state.best.map_or(state.step, |best| best.step),
            first_loss: mean(&state.losses[..tenth]),
            last_loss: mean(&state.losses[state.losses.len() - tenth..]),
            dev_loss_before: state.dev_loss_before.map(f64::from),
            dev_loss_best: state.best.map(|best| f64::from(best.dev_loss)),
            stopped_early: state.ended_early,
        }
    }

    pub(super) fn warn_of_no_improvement(&self, stage: &StageResult) -> Result<()> {
        if stage.is_no_better()
            && let (Some(before), Some(best)) = (stage.dev_loss_before, stage.dev_loss_best)
        {
            let message = format!(
                "{}: no checkpoint has a lower held-out loss ({best:.4}) than the model before the stage ({before:.4}).",
                stage.name
            );
            self.events.warn("no_improvement", message)?;
        }
        Ok(())
    }

    /// Notes that a stage ends with its last step, because its best checkpoint is damaged.
    pub(super) fn take_the_last(&self, stage: &mut StageResult, error: &Error) -> Result<()> {
        let message = format!("The best checkpoint cannot be read, the last one is taken. {error}");
        self.events.warn(&Code::CheckpointInvalid.tag(), message)?;
        (stage.best_step, stage.dev_loss_best) = (self.state.step, None);
        Ok(())
    }

    pub(super) fn result(&mut self) -> Result<Outcome> {
        if !self.ranks.leads() {
            return Ok(Outcome::Followed {
                step: self.state.step,
            });
        }
        let mut last = self.stage_result();
        let at = |step| Mark {
            stage: self.state.stage,
            step,
        };
        let contents = match self.checkpoints.adapter_of(at(last.best_step)) {
            Ok(contents) => contents,
            Err(error) if last.best_step != self.state.step => {
                self.take_the_last(&mut last, &error)?;
                self.checkpoints.adapter_of(at(self.state.step))?
            }
            Err(error) => return Err(error),
        };
        self.warn_of_no_improvement(&last)?;
        let folder = self.bundle.path(RESULT_DIR)?;
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        adapter::write(&folder, &contents)?;
        flush_folder(&folder)?;
        let mut left_out = BTreeMap::new();
        for stage in &self.stages {
            for (reason, n) in stage.lesson.left_out() {
                left_out.insert(format!("{}: {reason}", stage.name()), *n);
            }
        }
        let best_step = last.best_step;
        let mut stages = std::mem::take(&mut self.state.done);
        stages.push(last);
        Ok(Outcome::Finished(JobResult::Train(TrainResult {
            adapter: RESULT_DIR.into(),
            adapter_sha256: sha256(&contents[adapter::WEIGHTS_FILE]),
            steps: self.state.step,
            best_step,
            stages,
            left_out,
            precision: match &self.trainee {
                Trainee::Encoder(_) => "fp32".into(),
                Trainee::Decoder(_) if self.job.settings.precision == Precision::Nf4 => {
                    "nf4".into()
                }
                Trainee::Decoder(_) => device::kind_name(device::kind(
                    self.job.settings.precision,
                    self.trainee.device(),
                )),
            },
            trainable_parameters: self.optimizer.parameter_count(),
            peak_memory_mb: self.state.peak_memory_mb.max(peak_resident_mb()),
            tokens: self.state.tokens,
            seconds: self.earlier + self.began.elapsed().as_secs_f64(),
        })))
    }
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64
}

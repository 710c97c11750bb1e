//! The cost of a run on a machine that has a price. Before the run, it is estimated from the speed of an earlier run on
//! that machine; without such a run, there is no estimate. Afterwards it is computed from the times that the worker
//! reported.

use super::Runs;
use super::placed::Placed;
use crate::targets::target;
use crate::workspace::Result;
use lexforge_domain::RunId;
use lexforge_domain::api::{CostEstimate, Pace, RunPlan, RunRow, RunState, Spent, Target};
use lexforge_domain::protocol::{JobEvent, TrainJob, TrainSettings};

impl Runs<'_> {
    /// What is known of the cost of a planned run; `None` where the machine has no price or is not known.
    pub(crate) fn cost_estimate(&self, plan: &RunPlan, on: &str) -> Result<Option<CostEstimate>> {
        let Ok(target) = target(on) else {
            return Ok(None);
        };
        let Some(price) = target.price.clone() else {
            return Ok(None);
        };
        let steps: u64 = plan.stages.iter().map(|stage| stage.steps).sum();
        let runs = self.workspace.store.read(|r| r.runs())?;
        let pace = runs
            .iter()
            .filter(|_| steps > 0)
            .find_map(|row| self.pace(row, plan, &target, steps));
        Ok(Some(CostEstimate {
            machine: target.name,
            price,
            pace,
        }))
    }

    /// How long `steps` steps take at the speed of an earlier run, if that run finished on this target with the same
    /// base and settings.
    fn pace(&self, row: &RunRow, plan: &RunPlan, on: &Target, steps: u64) -> Option<Pace> {
        if row.state != RunState::Finished {
            return None;
        }
        let bundle = self.bundle_of(row.id).ok()??;
        let placed = Placed::of(&bundle).ok()??;
        if placed.target().ok()?.id != on.id {
            return None;
        }
        let spec = self.workspace.store.read(|r| r.run(row.id)).ok()?.spec;
        let job: TrainJob = serde_json::from_str(&spec).ok()?;
        if job.model.sha256 != plan.base.sha256 || !same_pace(&job.settings, &plan.settings) {
            return None;
        }
        let result = self.train_result(row.id).ok()?;
        let known = result.steps > 0 && result.seconds > 0.0;
        known.then(|| Pace {
            run: row.id,
            seconds: result.seconds / result.steps as f64 * steps as f64,
        })
    }

    /// What a run has cost on a machine with a price, computed from the events that have arrived here. `None` if it
    /// was not sent to such a machine.
    ///
    /// # Errors
    /// When there is no such run, or its bundle cannot be read.
    pub fn spent(&self, id: RunId) -> Result<Option<Spent>> {
        let Some(bundle) = self.bundle_of(id)? else {
            return Ok(None);
        };
        let Some(placed) = Placed::of(&bundle)? else {
            return Ok(None);
        };
        let machine = placed.target_name().to_owned();
        let Some(price) = placed.price else {
            return Ok(None);
        };
        let state = self.workspace.store.read(|r| r.run(id))?.row.state;
        Ok(Some(Spent {
            machine,
            price,
            seconds: worked(&bundle.events(None)?),
            ended: matches!(
                state,
                RunState::Finished | RunState::Stopped | RunState::Failed | RunState::Died
            ),
        }))
    }
}

/// Whether a training step takes equally long with both settings. This is so if they differ only in the number of
/// steps, the learning rates and the seed.
fn same_pace(one: &TrainSettings, other: &TrainSettings) -> bool {
    let plain = |settings: &TrainSettings| {
        let mut plain = TrainSettings {
            seed: 0,
            ..settings.clone()
        };
        for stage in &mut plain.stages {
            (stage.epochs, stage.max_steps, stage.patience) = (1, None, None);
            (stage.learning_rate, stage.warmup_steps) = (0.0, 0);
        }
        plain
    };
    plain(one) == plain(other)
}

/// Seconds from the first to the last word of each attempt, together; `None` where no worker said anything.
fn worked(events: &[JobEvent]) -> Option<f64> {
    let attempts = events.chunk_by(|one, other| one.attempt == other.attempt);
    let spans = attempts.filter_map(|attempt| Some(attempt.last()?.time - attempt.first()?.time));
    (!events.is_empty()).then(|| spans.map(|seconds| seconds.max(0.0)).sum())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::Event;

    #[test]
    fn the_time_between_two_attempts_is_not_counted() {
        let event = |attempt: u32, time: f64| JobEvent {
            attempt,
            seq: 0,
            time,
            event: Event::Paused { step: 0 },
        };
        assert_eq!(worked(&[]), None);
        assert_eq!(worked(&[event(1, 100.0)]), Some(0.0));
        let twice = [
            event(1, 100.0),
            event(1, 160.0),
            event(2, 1000.0),
            event(2, 1030.0),
        ];
        assert_eq!(worked(&twice), Some(90.0));
        // A clock that was set back takes nothing away.
        let back = [
            event(1, 100.0),
            event(1, 40.0),
            event(2, 50.0),
            event(2, 60.0),
        ];
        assert_eq!(worked(&back), Some(10.0));
    }

    #[test]
    fn a_pace_holds_for_other_steps_and_not_for_another_batch() {
        let settings: TrainSettings = serde_json::from_value(serde_json::json!({
            "lora": {"r": 8, "alpha": 16.0, "dropout": 0.0, "targets": ["query"]},
            "stages": [{
                "objective": {"kind": "token", "loss": "candidates", "form": "both"}, "epochs": 1, "batch_size": 16,
                "learning_rate": 1e-5, "warmup_steps": 1, "weight_decay": 0.0, "max_grad_norm": 1.0
            }],
            "max_length": 128, "seed": 1, "threads": 1
        }))
        .unwrap();
        let with = |change: fn(&mut TrainSettings)| {
            let mut other = settings.clone();
            change(&mut other);
            same_pace(&settings, &other)
        };
        assert!(with(|other| other.seed = 2));
        assert!(with(|other| other.stages[0].max_steps = Some(5)));
        assert!(with(|other| other.stages[0].learning_rate = 1e-4));
        assert!(!with(|other| other.stages[0].batch_size = 32));
        assert!(!with(|other| other.max_length = 256));
        assert!(!with(|other| other.stages.clear()));
    }
}

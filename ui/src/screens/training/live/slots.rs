//! The stages of one run, and how far each of them is.

use super::super::history::{History, StageHistory};
use lexforge_domain::api::{RunDetail, RunState};
use lexforge_domain::metrics::CurvePoint;
use lexforge_domain::protocol::StageResult;

/// A stage of a run: what was planned and what was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub name: String,
    /// Step of the job before its first.
    pub from: u64,
    /// Steps that it has made.
    pub made: u64,
    /// Steps that were planned; 0 = not known.
    pub of: u64,
    /// How it stands.
    pub state: SlotState,
    /// Step within the stage of its best checkpoint.
    pub best: Option<u64>,
    /// Lowest held-out loss.
    pub best_loss: Option<f64>,
    /// Held-out loss before its first step.
    pub start_loss: Option<f64>,
}

impl Slot {
    /// The held-out loss at the start, if no step has a lower one.
    pub fn unbeaten(&self) -> Option<f64> {
        self.start_loss
            .filter(|start| self.best_loss.is_some_and(|best| best >= *start))
    }
}

/// How a stage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotState {
    /// It has not begun.
    Waiting,
    /// Its run ended before it.
    NotRun,
    /// What became of its run is not known.
    Unknown,
    /// The stage had nothing to learn from.
    Passed,
    /// It is at work.
    Running,
    /// Its run waits.
    Paused,
    /// Its run has stopped, died or failed in it.
    Halted,
    /// The stage made all its steps.
    Done,
    /// It ended before its last step because the held-out loss no longer fell.
    Early,
}

/// The names of a run's stages with their steps, as planned, then those that only its events tell of.
fn planned(detail: Option<&RunDetail>, history: &History) -> Vec<(String, u64)> {
    let mut planned: Vec<(String, u64)> = detail.map_or_else(Vec::new, |detail| {
        if detail.stages.is_empty() {
            detail
                .settings
                .stages
                .iter()
                .map(|s| (s.objective.stage().to_owned(), 0))
                .collect()
        } else {
            detail
                .stages
                .iter()
                .map(|s| (s.name.clone(), s.steps))
                .collect()
        }
    });
    for stage in &history.stages {
        if !planned.iter().any(|(name, _)| *name == stage.name) {
            planned.push((stage.name.clone(), 0));
        }
    }
    planned
}

/// The stages of a run, as planned and as its events tell.
pub fn slots(detail: Option<&RunDetail>, history: &History, state: RunState) -> Vec<Slot> {
    let planned = planned(detail, history);
    let result = detail.and_then(|detail| detail.result.as_ref());
    let last = history.stages.last().map(|s| s.name.as_str());
    // Stages before the one at work that have said nothing.
    let at_work = planned
        .iter()
        .position(|(name, _)| last == Some(name.as_str()))
        .unwrap_or_default();
    let passed: Vec<String> = planned[..at_work]
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    let mut from = 0;
    let mut found = Vec::new();
    for (name, of) in planned {
        let said = history.stage(&name);
        from = history.from(&name).unwrap_or(from);
        let made = said
            .and_then(|s| s.train.last())
            .map_or(0, |p| p.step.saturating_sub(from));
        let ended = said.is_some() && (last != Some(name.as_str()) || state == RunState::Finished);
        let chosen = result.and_then(|r| r.stages.iter().find(|s| s.name == name));
        let best = chosen
            .map(|s| s.best_step)
            .or_else(|| said.and_then(|s| s.best));
        let best = best.filter(|step| *step > from).map(|step| step - from);
        let state = match (said, state) {
            (None, _) if state == RunState::Finished || passed.contains(&name) => SlotState::Passed,
            (_, RunState::Unknown | RunState::Unfollowed) if !ended => SlotState::Unknown,
            (None, RunState::Stopped | RunState::Died | RunState::Failed) => SlotState::NotRun,
            (None, _) => SlotState::Waiting,
            _ if ended && chosen.map_or(of > made, |s| s.stopped_early) => SlotState::Early,
            _ if ended => SlotState::Done,
            (_, RunState::Starting | RunState::Running) => SlotState::Running,
            (_, RunState::Paused) => SlotState::Paused,
            _ => SlotState::Halted,
        };
        let at_best = |stage: &StageHistory| {
            let best = best
                .and_then(|step| stage.dev.iter().find(|p| p.step == from + step))
                .map(|p| p.loss);
            best.or_else(|| lowest(stage))
        };
        let best_loss = chosen
            .and_then(|s| s.dev_loss_best)
            .or_else(|| said.and_then(at_best));
        found.push(Slot {
            name,
            from,
            made,
            of,
            state,
            best,
            best_loss,
            start_loss: start_loss(chosen, said, from),
        });
        from += if ended { made } else { of.max(made) };
    }
    found
}

/// The held-out loss before the first step of a stage, which began after `from`.
fn start_loss(chosen: Option<&StageResult>, said: Option<&StageHistory>, from: u64) -> Option<f64> {
    let told = || {
        let first = said?.dev.first().filter(|p| p.step <= from);
        first.map(|p| p.loss)
    };
    chosen.and_then(|s| s.dev_loss_before).or_else(told)
}

fn lowest(stage: &StageHistory) -> Option<f64> {
    stage
        .dev
        .iter()
        .map(|p| p.loss)
        .filter(|loss| loss.is_finite())
        .min_by(f64::total_cmp)
}

/// Points of a job by the step within a stage that began after `from`.
pub fn within(points: &[CurvePoint], from: u64) -> Vec<CurvePoint> {
    points
        .iter()
        .map(|p| CurvePoint {
            step: p.step.saturating_sub(from),
            loss: p.loss,
        })
        .collect()
}

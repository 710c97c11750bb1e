//! Trainings of every recipe, each started by the module whose material it learns from.

use crate::engine::Engine;
use crate::training::slow_precision;
use crate::workspace::{Result, Watcher, cancelled};
use lexforge_domain::api::{LearnFrom, Preset, RunPlan, RunRow, RunState, TrainRequest};
use lexforge_domain::protocol::TripletLoss;
use lexforge_domain::{Code, Failure, Remedy, RunId};

impl Engine {
    /// Says what a training would do and need, but starts nothing. `problems` lists everything that would prevent it.
    ///
    /// # Errors
    /// When there is nothing to learn from, the request makes no sense, or the worker or the model is missing.
    pub fn plan_training(&self, request: &TrainRequest) -> Result<RunPlan> {
        has_rules(request)?;
        learns_from_its_own(request)?;
        let request = &self.training().with_start(request)?;
        let mut plan = match request.preset {
            Some(Preset::Retrieval | Preset::Rerank) => self.answering().plan_tuning(request),
            Some(Preset::Adapt | Preset::Tsdae) => self.training().plan_adaptation(request),
            Some(Preset::Nmixx) => self.training().plan_triplets(request),
            Some(Preset::RulesAndPolicies) => self.matching().plan_tuning(request),
            Some(Preset::Gpl) => self.answering().plan_by_margins(request),
            _ => self.training().plan_run(request),
        }?;
        plan.data = Some(self.training().data_of(plan.preset, request.dataset)?);
        match &request.on {
            Some(on) => plan.cost = self.runs().cost_estimate(&plan, on)?,
            None => plan.warnings.extend(slow_precision(&plan)),
        }
        Ok(plan)
    }

    /// Starts a worker process for a training. The worker continues after this process has ended.
    ///
    /// # Errors
    /// As [`Engine::plan_training`]. If the plan has problems, the error is the first of them.
    pub fn begin_training(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        self.workspace().require_models_writable()?;
        has_rules(request)?;
        learns_from_its_own(request)?;
        let request = &self.training().with_start(request)?;
        match request.preset {
            Some(Preset::Retrieval | Preset::Rerank) => self.answering().tune(request, watcher),
            Some(Preset::Adapt | Preset::Tsdae) => self.training().adapt(request, watcher),
            Some(Preset::Nmixx) => self.training().train_on_triplets(request, watcher),
            Some(Preset::RulesAndPolicies) => self.matching().tune(request, watcher),
            Some(Preset::Gpl) => self.answering().tune_by_margins(request, watcher),
            _ => self.training().train(request, watcher),
        }
    }
}

/// Checks that a number of questions of each rule is only named where questions of rules are learnt from.
fn has_rules(request: &TrainRequest) -> Result<()> {
    let other = request.preset.is_some_and(|p| !p.learns_snapshot());
    match request.items_per_anchor {
        Some(_) if other => Err(Failure::invalid(
            "This recipe learns from no questions about rules, so that their number cannot be limited.",
            "Leave the number out, or choose a recipe that learns from a snapshot.",
        )),
        _ => Ok(()),
    }
}

/// Checks that each recipe gets only the material it is made for. `rules_and_policies` learns from matches alone, and
/// no other recipe does. Only `retrieval` and `gpl` learn from a teacher. Only `gpl` learns from margins.
fn learns_from_its_own(request: &TrainRequest) -> Result<()> {
    let rules = request.preset == Some(Preset::RulesAndPolicies);
    if request.teacher.is_some() && !matches!(request.preset, Some(Preset::Retrieval | Preset::Gpl))
    {
        return Err(Failure::invalid(
            "Only the recipes retrieval and gpl learn from a teacher.",
            "Name no teacher, or choose one of these recipes.",
        ));
    }
    let other_loss = |loss: TripletLoss| loss != TripletLoss::MarginMse;
    if request.preset == Some(Preset::Gpl) && request.triplet_loss.is_some_and(other_loss) {
        return Err(Failure::invalid(
            "The recipe gpl learns margins, and no other loss of triplets learns these.",
            "Leave the triplet loss out, or choose the preset nmixx.",
        ));
    }
    match request.learn_from {
        LearnFrom::Matches if !rules => Err(Failure::invalid(
            "Only the recipe rules_and_policies learns from matches.",
            "Choose that recipe, or learn from something else.",
        )),
        LearnFrom::Questions | LearnFrom::All if rules => Err(Failure::invalid(
            "The recipe rules_and_policies learns from matches and from nothing else.",
            "Leave out what is to be learnt from, or choose another recipe.",
        )),
        _ => Ok(()),
    }
}

/// Checks that a run has finished after it was followed.
///
/// # Errors
/// When the watcher stopped following it, or the run did not finish.
pub(super) fn finished(ended: &RunRow, watcher: &dyn Watcher) -> Result<()> {
    if watcher.cancelled() {
        return Err(cancelled(
            "The training run goes on by itself; everything before it is kept.",
        ));
    }
    match (ended.state, &ended.failure) {
        (RunState::Finished, _) => Ok(()),
        (_, Some(failure)) => Err(failure.clone()),
        (state, None) => Err(Failure::new(
            Code::WorkerDied,
            unfinished(ended.id, state),
            Remedy::ResumeRun { run: ended.id },
        )),
    }
}

/// How a run stands that has not finished, although nobody follows it any more.
fn unfinished(id: RunId, state: RunState) -> String {
    match state {
        RunState::Died => format!("Training run {id} died before its last step."),
        RunState::Stopped => format!("Training run {id} was stopped before its last step."),
        RunState::Unfollowed => {
            format!("Training run {id} is not followed any more, and has not finished here.")
        }
        _ => format!("It is not known whether training run {id} has finished."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_did_not_finish_is_told_in_a_whole_sentence() {
        for (state, expected) in [
            (RunState::Died, "Training run 2 died before its last step."),
            (
                RunState::Stopped,
                "Training run 2 was stopped before its last step.",
            ),
            (
                RunState::Unknown,
                "It is not known whether training run 2 has finished.",
            ),
        ] {
            assert_eq!(unfinished(RunId(2), state), expected);
        }
    }
}

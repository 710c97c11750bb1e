//! Trainings of every recipe, each by the room whose material it learns from.

use crate::engine::Engine;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{Preset, RunPlan, RunRow, TrainRequest};

impl Engine {
    /// What a training would do and what it would need, without starting it. What stops it stands in `problems`.
    ///
    /// # Errors
    /// When there is nothing to learn from, the request makes no sense, or the worker or model is missing.
    pub fn plan_training(&self, request: &TrainRequest) -> Result<RunPlan> {
        match request.preset {
            Some(Preset::Retrieval) => self.answering().plan_tuning(request),
            Some(Preset::Nmixx) => self.training().plan_triplets(request),
            _ => self.training().plan_run(request),
        }
    }

    /// Start a worker on a training. It outlives this process.
    ///
    /// # Errors
    /// As [`Engine::plan_training`], and with the first of its problems.
    pub fn begin_training(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        match request.preset {
            Some(Preset::Retrieval) => self.answering().tune(request, watcher),
            Some(Preset::Nmixx) => self.training().train_on_triplets(request, watcher),
            _ => self.training().train(request, watcher),
        }
    }
}

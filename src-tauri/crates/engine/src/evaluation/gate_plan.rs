//! Estimates how often a rule of the gate would be right on the test questions of a snapshot. No model is needed for
//! this.

use super::Evaluations;
use super::gate::{SIMULATIONS, check, sizes};
use crate::training::Training;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::gate::{GatePlan, GatePolicy};
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, DatasetId, Failure, Remedy};
use lexforge_evaluate::gate::{Assumption, assumed_watched};

impl Evaluations<'_> {
    /// Estimates how often the gate would decide rightly on the test questions of a snapshot (`None` = the newest).
    /// The differences between the two models are assumed.
    ///
    /// # Errors
    /// When there is no snapshot, a figure of the rule makes no sense, or the watcher cancels.
    pub fn gate_plan(
        &self,
        dataset: Option<DatasetId>,
        policy: &GatePolicy,
        assumption: Assumption,
        watcher: &dyn Watcher,
    ) -> Result<GatePlan> {
        check(policy)?;
        let training = Training::of(self.workspace);
        let snapshot = match dataset {
            Some(id) => training.dataset(id)?,
            None => training.datasets()?.into_iter().next().ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "There is no snapshot whose test questions could be looked at.",
                    Remedy::FreezeSnapshot,
                )
            })?,
        };
        let items = self
            .workspace
            .store
            .read(|r| r.dataset_items(snapshot.id, Some(Split::Test)))?;
        let sizes = sizes(items.iter().map(|i| i.cluster));
        let each = |done: usize, of: usize| {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was changed."));
            }
            tell(watcher, Stage::Evaluate, "gate", done as u64, of as u64);
            Ok(())
        };
        let characteristic =
            assumed_watched(&sizes, assumption, policy, SIMULATIONS, DEFAULT_SEED, each)?;
        Ok(GatePlan {
            policy: policy.clone(),
            characteristic,
            dataset: snapshot.id,
            unit: snapshot.clusters_by().tag().to_owned(),
            questions: items.len() as u32,
            anchors: sizes.len() as u32,
        })
    }
}

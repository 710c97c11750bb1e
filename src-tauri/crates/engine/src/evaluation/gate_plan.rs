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
    /// When there is no snapshot, a figure of the rule or of the assumption makes no sense, or the watcher cancels.
    pub fn gate_plan(
        &self,
        dataset: Option<DatasetId>,
        policy: &GatePolicy,
        assumption: Assumption,
        watcher: &dyn Watcher,
    ) -> Result<GatePlan> {
        check(policy)?;
        check_assumed(assumption)?;
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

/// Refuses what cannot be true of any two models.
fn check_assumed(assumption: Assumption) -> Result<()> {
    let shares = [
        (
            assumption.discordant,
            "The share of questions on which two models differ must lie between 0 and 100 percent.",
        ),
        (
            assumption.within,
            "The correlation within a cluster must lie between 0 and 1.",
        ),
    ];
    match shares.iter().find(|(of, _)| !(0.0..=1.0).contains(of)) {
        Some((_, why)) => Err(Failure::invalid(
            *why,
            "Leave it out: then 10 % and a correlation of .2 are assumed.",
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_true_of_two_models_is_not_assumed() {
        for (discordant, within, holds) in [
            (0.1, 0.2, true),
            (0.0, 0.0, true),
            (1.0, 1.0, true),
            (3.0, 0.2, false),
            (-0.1, 0.2, false),
            (f64::NAN, 0.2, false),
            (0.1, 5.0, false),
            (0.1, f64::NAN, false),
        ] {
            let assumption = Assumption { discordant, within };
            let is_ok = check_assumed(assumption).is_ok();
            assert_eq!(is_ok, holds, "{discordant} {within}");
        }
    }
}

//! Active models: activating by the gate or against it, and taking back.

use super::Evaluations;
use super::gate_general::Measures;
use crate::runs::Runs;
use crate::workspace::{Result, Watcher, now};
use lexforge_domain::api::{
    Activation, ActiveModels, Deployment, DeploymentAction, DeploymentRow, GateAgainst,
    GateOverride, GateRequest, ModelKind,
};
use lexforge_domain::gate::{GateDecision, GateVerdict};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::StoreError;

impl Evaluations<'_> {
    /// The active adapters, and those that were active before.
    pub fn active_models(&self) -> Result<ActiveModels> {
        Ok(self.workspace.store.read(|r| {
            let active = |kind| -> lexforge_store::Result<Option<Deployment>> {
                Ok(r.newest_deployment(kind)?.filter(|d| d.run.is_some()))
            };
            Ok(ActiveModels {
                decoder: active(ModelKind::Decoder)?,
                encoder: active(ModelKind::Encoder)?,
                history: r.deployments()?.iter().map(DeploymentRow::from).collect(),
            })
        })?)
    }

    /// Makes the adapter of a run the active one of its kind. The gate decides by the workspace's rule. If the gate
    /// decides against the run, a person can still activate it by giving a name and a reason. If a file with pairs of
    /// general language was chosen, only figures that were measured on it earlier are used; nothing is measured on it
    /// now.
    ///
    /// # Errors
    /// As [`Evaluations::gate`]. Also when another run became active meanwhile, when the gate refuses and no person
    /// takes responsibility, or when the name, the reason or the acceptance is missing.
    pub fn activate(&self, asked: &Activation, watcher: &dyn Watcher) -> Result<Deployment> {
        if let Some(stands) = &asked.against_the_gate {
            check(stands)?;
        }
        let row = Runs::of(self.workspace).run(asked.run)?;
        let kind = ModelKind::of(&row);
        let request = GateRequest {
            run: asked.run,
            against: GateAgainst::Active,
            policy: None,
            general: asked.general.clone(),
        };
        let decision = self.decided(&request, Measures::Given, watcher)?;
        let compared = decision.against_run;
        let passes = decision.verdict == GateVerdict::Pass;
        let overridden = asked.against_the_gate.clone().filter(|_| !passes);
        if !passes && overridden.is_none() {
            return Err(refused(&decision));
        }
        let deployment = Deployment {
            id: 0,
            made: now(),
            action: if passes {
                DeploymentAction::Activate
            } else {
                DeploymentAction::Override
            },
            kind,
            run: Some(asked.run),
            adapter: Some(decision.adapter.clone()),
            base: Some(row.base),
            overridden,
            decision: Some(decision),
            back: None,
        };
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            let newest = w.newest_deployment(kind)?;
            check_same(newest.as_ref().and_then(|d| d.run), compared)?;
            let back = newest.map(|d| d.id);
            let deployment = Deployment { back, ..deployment };
            if let Some(stands) = &deployment.overridden {
                w.because(format!("{}: {}", stands.by, stands.reason));
            }
            let id = w.put_deployment(&deployment)?;
            Ok(Deployment { id, ..deployment })
        })?)
    }

    /// Takes back the last activation in one step. The adapter that was active before is active again, with its earlier
    /// record.
    ///
    /// # Errors
    /// When no adapter is active.
    pub fn roll_back(&self) -> Result<Deployment> {
        let made = now();
        let done = self.workspace.store.write(&self.workspace.actor, |w| {
            let all = w.deployments()?;
            let newest = ModelKind::ALL
                .iter()
                .filter_map(|kind| all.iter().find(|d| d.kind == *kind))
                .filter(|d| d.run.is_some())
                .max_by_key(|d| d.id);
            let Some(newest) = newest else {
                return Ok(None);
            };
            let before = all.iter().find(|d| Some(d.id) == newest.back);
            let deployment = Deployment {
                id: 0,
                made: made.clone(),
                action: DeploymentAction::RollBack,
                kind: newest.kind,
                run: before.and_then(|d| d.run),
                adapter: before.and_then(|d| d.adapter.clone()),
                base: before.and_then(|d| d.base.clone()),
                overridden: before.and_then(|d| d.overridden.clone()),
                decision: before.and_then(|d| d.decision.clone()),
                back: before.and_then(|d| d.back),
            };
            let id = w.put_deployment(&deployment)?;
            Ok(Some(Deployment { id, ..deployment }))
        })?;
        done.ok_or_else(|| {
            Failure::new(
                Code::StepMissing,
                "No adapter is active, so there is nothing to take back.",
                "Make the adapter of a run active first.",
            )
        })
    }
}

fn check(stands: &GateOverride) -> Result<()> {
    if stands.is_complete() {
        return Ok(());
    }
    Err(Failure::invalid(
        "An adapter is made active against the gate only with a name, a reason of at least 40 characters, and the word that what the gate found is accepted.",
        "Say who stands for it and why, and accept what the gate found.",
    ))
}

/// Refuses what was decided against another run than is active by now: the gate may have taken long.
fn check_same(active: Option<RunId>, compared: Option<RunId>) -> lexforge_store::Result<()> {
    if active == compared {
        return Ok(());
    }
    Err(StoreError::Refused(Failure::invalid(
        "Another run was made active or taken back while the gate decided: what it says no longer holds.",
        "Ask the gate again.",
    )))
}

fn refused(decision: &GateDecision) -> Failure {
    // If a reason stops the model, reasons in its favour are not listed.
    let stopped = decision.reasons.iter().any(|r| r.blocking);
    let why: Vec<&str> = decision
        .reasons
        .iter()
        .filter(|r| r.blocking || !stopped)
        .map(|r| r.text.as_str())
        .collect();
    let verdict = match decision.verdict {
        GateVerdict::Undecided => "cannot decide about",
        _ => "stops",
    };
    Failure::invalid(
        format!("The gate {verdict} run {}: {}", decision.run, why.join(" ")),
        Remedy::StandForRun { run: decision.run },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_decided_against_another_run_does_not_hold() {
        let (one, other) = (Some(RunId(1)), Some(RunId(2)));
        for (active, compared, holds) in [
            (None, None, true),
            (one, one, true),
            (one, None, false),
            (None, one, false),
            (one, other, false),
        ] {
            assert_eq!(check_same(active, compared).is_ok(), holds);
        }
    }
}

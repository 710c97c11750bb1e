//! Stops following a run that was sent to a machine which no longer exists or was removed from the list of targets.
//!
//! The record of the run and everything that was fetched stay. Nothing is removed or stopped on the machine.

use super::Runs;
use super::placed::{Placed, held};
use super::sending::putting_away;
use crate::targets::connect;
use crate::workspace::Result;
use lexforge_compute::Bundle;
use lexforge_domain::api::{RunRow, RunState};
use lexforge_domain::protocol::TargetState;
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;

impl Runs<'_> {
    /// Stops following a run that was sent to another machine. This is refused in two cases: the machine answers and
    /// the run is still running there or has results; or a program is sending the run at this moment. With `sure` it is
    /// done without asking the machine.
    ///
    /// # Errors
    /// When there is no such run, it has finished or runs on this machine. Also when the call is refused for one of the
    /// reasons above.
    pub fn stop_following(&self, id: RunId, sure: bool) -> Result<RunRow> {
        let row = self.run(id)?;
        match row.state {
            RunState::Unfollowed => return Ok(row),
            RunState::Finished => {
                return Err(Failure::new(
                    Code::InvalidRequest,
                    format!("Run {id} has finished, and its results are here."),
                    Remedy::ListRuns,
                ));
            }
            _ => {}
        }
        let bundle = self.bundle_of(id)?;
        // Held until following has stopped, so that nobody begins to send the run meanwhile.
        let _lock = match (&bundle, placed_of(bundle.as_ref())?) {
            // The bundle recorded where the run was. Without the bundle nobody knows.
            (None, _) => None,
            (Some(bundle), Some(placed)) if !sure => {
                let lock = putting_away(bundle)?.ok_or_else(|| being_sent(id, &placed))?;
                may_be_let_go(id, &placed)?;
                Some(lock)
            }
            (Some(_), Some(_)) => None,
            (Some(_), None) => {
                return Err(Failure::new(
                    Code::InvalidRequest,
                    format!("Run {id} was not sent to another machine."),
                    "Stop the run instead.",
                ));
            }
        };
        let away = RunUpdate {
            state: Some(RunState::Unfollowed),
            ..RunUpdate::default()
        };
        let workspace = self.workspace;
        {
            // A program that starts the run checks under this lock whether somebody has stopped following it, and
            // records the start. So there are only two outcomes: following stops first and the run is not started, or
            // the run is started first and the record says so.
            let _held = bundle.as_ref().map(held).transpose()?;
            workspace
                .store
                .write(&workspace.actor, |w| match w.run(id)?.row.state {
                    // Its results have come since it was looked at.
                    RunState::Finished => Ok(()),
                    _ => w.update_run(id, &away),
                })?;
        }
        self.run(id)
    }

    /// Whether the run is still followed.
    pub(super) fn is_followed(&self, id: RunId) -> Result<bool> {
        let row = self.workspace.store.read(|r| r.run(id))?.row;
        Ok(row.state != RunState::Unfollowed)
    }

    /// Follows a run again, in the state that its machine has reported.
    pub(super) fn follow_again(&self, id: RunId, state: RunState) -> Result<()> {
        let again = RunUpdate {
            state: Some(state),
            ..RunUpdate::default()
        };
        let workspace = self.workspace;
        Ok(workspace
            .store
            .write(&workspace.actor, |w| match w.run(id)?.row.state {
                RunState::Unfollowed => w.update_run(id, &again),
                // The run is still followed, or another program follows it again already.
                _ => Ok(()),
            })?)
    }

    /// A run that is no longer followed, with a note about what is left of it on which machine.
    pub(super) fn unfollowed(&self, mut row: RunRow) -> RunRow {
        let bundle = self.bundle_of(row.id).ok().flatten();
        match placed_of(bundle.as_ref()).ok().flatten() {
            Some(placed) => {
                let name = placed.target_name();
                row.notes = vec![
                    format!(
                        "Nobody follows it any more. What it left on {name} stays there, and may still run there; what was \
                         not fetched is lost with that machine."
                    ),
                    "If the machine answers again, resume the run: it is looked for there first."
                        .to_owned(),
                ];
                row.on = Some(name.to_owned());
                // Why it failed there is known as long as its bundle is here.
                row.failure = placed.failure();
            }
            None => {
                row.notes = vec![
                    "Nobody follows it any more, and its bundle is not here: nothing of it can be fetched.".to_owned(),
                ];
            }
        }
        row
    }
}

fn placed_of(bundle: Option<&Bundle>) -> Result<Option<Placed>> {
    match bundle {
        Some(bundle) => Placed::of(bundle),
        None => Ok(None),
    }
}

/// Refuses to stop following a run that is still on its target. The target is asked once. Nothing is refused if the
/// target was removed, does not answer or does not have the run.
fn may_be_let_go(id: RunId, placed: &Placed) -> Result<()> {
    let told = placed
        .target()
        .and_then(|target| connect(&target)?.look(&placed.job));
    match told {
        Ok(state) => refused(id, placed.target_name(), &state).map_or(Ok(()), Err),
        Err(failure) => match failure.code {
            Code::NotFound | Code::TargetUnreachable => Ok(()),
            // The machine is there, but its key has changed or its worker does not start. So the run may still be
            // running.
            _ => Err(failure.with_advice(Remedy::StopFollowingAnyway { run: id })),
        },
    }
}

fn being_sent(id: RunId, placed: &Placed) -> Failure {
    Failure::new(
        Code::BundleLocked,
        format!(
            "Run {id} is being sent to {} at the moment.",
            placed.target_name()
        ),
        Remedy::StopFollowingAnyway { run: id },
    )
}

/// Why following a run is not stopped without asking: its target says that it is running or done.
fn refused(id: RunId, target: &str, state: &TargetState) -> Option<Failure> {
    let message = match state {
        TargetState::Finished => {
            format!("Run {id} has finished on {target}, and its results were not fetched yet.")
        }
        state if state.goes_on() => {
            format!("The machine {target} answers, and run {id} is at work there or waits.")
        }
        _ => return None,
    };
    Some(Failure::new(
        Code::BundleLocked,
        message,
        Remedy::StopFollowingAnyway { run: id },
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

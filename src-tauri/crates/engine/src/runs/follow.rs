//! Following a run, speaking to its worker, and starting a worker on it.

use super::Runs;
use super::placed::Placed;
use super::sending::{is_being_sent, sending};
use crate::models::{BaseModel, Models};
use crate::workspace::{Result, Silent, Watcher};
use lexforge_compute::remote::askpass;
use lexforge_compute::{Bundle, Claim, WorkerProgram, local};
use lexforge_domain::api::{RunRow, RunState, TargetPlace};
use lexforge_domain::protocol::{Control, JobEvent};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;
use std::time::Duration;

/// How often a followed run's events are looked at.
const POLL: Duration = Duration::from_millis(200);

impl Runs<'_> {
    /// The events of a run after number `after` (`None` = from the start).
    ///
    /// # Errors
    /// When there is no such run, or its bundle is gone.
    pub fn run_events(&self, id: RunId, after: Option<u64>) -> Result<Vec<JobEvent>> {
        self.bundle(id)?.events(after)
    }

    /// Whether a run was sent to another machine.
    ///
    /// # Errors
    /// When there is no such run, or its bundle cannot be read.
    pub fn is_elsewhere(&self, id: RunId) -> Result<bool> {
        match self.bundle_of(id)? {
            Some(bundle) => Ok(Placed::of(&bundle)?.is_some()),
            None => Ok(false),
        }
    }

    /// Whether somebody said no when `ssh` asked about the machine of a run, or the machine did not let this user in.
    /// The next connection to the machine clears this.
    pub fn was_declined(&self, id: RunId) -> bool {
        let bundle = self.bundle_of(id).ok().flatten();
        let placed = bundle.and_then(|bundle| Placed::of(&bundle).ok().flatten());
        let target = placed.and_then(|placed| placed.target().ok());
        target.is_some_and(|target| match &target.place {
            TargetPlace::Ssh { host } => askpass::is_left_alone(host),
            TargetPlace::Here => false,
        })
    }

    /// Follows a run until its worker ends. The watcher gets every event from the first one on. If the watcher cancels,
    /// this function returns, but the run continues.
    ///
    /// # Errors
    /// When there is no such run, or its bundle cannot be read.
    pub fn follow_run(&self, id: RunId, watcher: &dyn Watcher) -> Result<RunRow> {
        if self.workspace.store.read_only().is_none()
            && let Some(bundle) = self.bundle_of(id)?
            && let Some(placed) = Placed::of(&bundle)?
        {
            return self.follow_there(id, &bundle, placed, watcher);
        }
        let mut last = None;
        loop {
            let row = self.run(id)?;
            for event in self.run_events(id, last)? {
                last = Some(event.seq);
                watcher.run_event(id, &event);
            }
            let going_on = goes_on(row.state) && self.workspace.store.read_only().is_none();
            if !going_on || watcher.cancelled() {
                return Ok(row);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Tells a running worker to pause, to continue, to write a checkpoint, or to write a checkpoint and stop.
    ///
    /// # Errors
    /// When there is no such run, no worker is working on it, or it is only being sent to its target.
    pub fn control_run(&self, id: RunId, control: Control) -> Result<()> {
        let row = self.run(id)?;
        let bundle = self.bundle(id)?;
        let placed = Placed::of(&bundle)?;
        // What it is told before it is there would be lost.
        if let Some(placed) = &placed
            && placed.heard.as_ref().is_none_or(|state| !state.goes_on())
            && is_being_sent(&bundle)?
        {
            return Err(Failure::new(
                Code::BundleLocked,
                format!(
                    "Run {id} is being sent to {} at the moment.",
                    placed.target_name()
                ),
                "Wait until it is there, or end the program that sends it: what has arrived is kept.",
            ));
        }
        let listens = match placed {
            // A worker that is starting reads the wish before its first step.
            None => matches!(
                row.state,
                RunState::Starting | RunState::Running | RunState::Paused
            ),
            // It may wait in a queue, or have gone on where nobody could look.
            Some(_) => !matches!(
                row.state,
                RunState::Finished | RunState::Stopped | RunState::Unfollowed
            ),
        };
        if !listens {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "No worker is there to listen for run {id} ({}).",
                    row.state.tag()
                ),
                if row.state.resumable() {
                    Remedy::ResumeRun { run: id }
                } else {
                    Remedy::TrainAnew
                },
            ));
        }
        match placed {
            None => bundle.control(control),
            Some(placed) => self.control_there(&placed, control, &Silent),
        }
    }

    /// Continues a paused run, or starts a worker again for a run that was stopped, died or failed. Such a run
    /// continues from the newest complete checkpoint. A run that is not followed any more is followed again if its
    /// target answers.
    ///
    /// # Errors
    /// When there is no such run, it is running or done, or the worker is missing.
    pub fn resume_run(&self, id: RunId) -> Result<RunRow> {
        self.resumed(id, Asking::User)
    }

    /// Does so for a use case that needs the run. A job that the user holds in a queue stays held. If another program is
    /// just starting the run, nothing is done.
    ///
    /// # Errors
    /// As [`Self::resume_run`].
    pub(crate) fn take_up(&self, id: RunId) -> Result<RunRow> {
        match self.resumed(id, Asking::Program) {
            Err(failure) if failure.code == Code::BundleLocked => self.run(id),
            other => other,
        }
    }

    fn resumed(&self, id: RunId, asking: Asking) -> Result<RunRow> {
        let row = self.run(id)?;
        let bundle = self.bundle(id)?;
        if row.state != RunState::Finished && Placed::of(&bundle)?.is_some() {
            return self.resumed_elsewhere(&row, &bundle, asking);
        }
        if row.state == RunState::Paused {
            bundle.control(Control::Resume)?;
            return Ok(row);
        }
        if !row.state.resumable() {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Run {id} is {} and need not be resumed.", row.state.tag()),
                Remedy::ListRuns,
            ));
        }
        let program = WorkerProgram::locate()?;
        let base = Models::of(self.workspace).base(Some(&row.base))?;
        let claim = bundle.claim().map_err(|e| being_started(id, e))?;
        self.start(&program, &bundle, id, &base, claim)?;
        self.run(id)
    }

    fn resumed_elsewhere(&self, row: &RunRow, bundle: &Bundle, asking: Asking) -> Result<RunRow> {
        // Two programs that send one run would both start it.
        let claim = bundle.claim().map_err(|e| being_started(row.id, e))?;
        // From here on, and not only once it is sent: whoever follows it waits for what this comes to, and does not take
        // the end of the attempt before for the end of the run.
        let lock = sending(bundle)?;
        // Read now: a program that started it a moment ago has begun a new attempt.
        let Some(placed) = Placed::of(bundle)? else {
            return self.run(row.id);
        };
        if row.state == RunState::Unfollowed && bundle.result()?.is_some() {
            // Its results arrived before following stopped, so its target need not be asked.
            drop((lock, claim));
            self.follow_again(row.id, placed.state())?;
            return self.run(row.id);
        }
        let base = Models::of(self.workspace).base(Some(&row.base))?;
        let resumed = self.resume_there(placed, bundle, row.id, &base, asking, &Silent);
        drop((lock, claim));
        resumed
    }

    /// Whether a run is to be taken up by whoever wants to see it through: nobody works on it, or its last known state is
    /// one that another program may have left behind when it was ended while it started the run on another machine.
    /// That machine is asked then, and a run that goes on there is left alone. So is a run that a program is sending.
    ///
    /// # Errors
    /// When the bundle of the run cannot be read.
    pub(crate) fn may_lack_a_worker(&self, row: &RunRow) -> Result<bool> {
        let elsewhere = match self.bundle_of(row.id)? {
            Some(bundle) if Placed::of(&bundle)?.is_some() => Some(bundle),
            _ => None,
        };
        Ok(match elsewhere {
            None => row.state.resumable(),
            Some(bundle) => {
                let is_open = matches!(row.state, RunState::Starting | RunState::Unknown);
                (row.state.resumable() || is_open) && !is_being_sent(&bundle)?
            }
        })
    }

    /// Start a worker on a bundle, or record why none could be started.
    pub(crate) fn start(
        &self,
        program: &WorkerProgram,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        claim: Claim,
    ) -> Result<()> {
        match local::start(program, bundle, &base.folders, claim) {
            Ok(_) => self.update_run(
                id,
                &RunUpdate {
                    state: Some(RunState::Starting),
                    ..RunUpdate::default()
                },
            ),
            Err(failure) => {
                self.update_run(id, &RunUpdate::failed(&failure))?;
                Err(failure)
            }
        }
    }
}

/// Who wants a run to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// The user, who means this run.
    User,
    /// A use case that needs the run.
    Program,
}

/// Says which run it is that another program is just starting.
fn being_started(id: RunId, failure: Failure) -> Failure {
    match failure.code {
        Code::BundleLocked => Failure::new(
            Code::BundleLocked,
            format!("Another program is just starting run {id}."),
            "Follow the run: it goes on without you.",
        ),
        _ => failure,
    }
}

/// Whether somebody works on a run or may. A disk that does not answer for a moment is no end.
fn goes_on(state: RunState) -> bool {
    matches!(
        state,
        RunState::Queued
            | RunState::Starting
            | RunState::Running
            | RunState::Paused
            | RunState::Unknown
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_which_nothing_is_known_is_followed_further() {
        for (state, expected) in [
            (RunState::Queued, true),
            (RunState::Starting, true),
            (RunState::Running, true),
            (RunState::Paused, true),
            (RunState::Unknown, true),
            (RunState::Stopped, false),
            (RunState::Died, false),
            (RunState::Failed, false),
            (RunState::Finished, false),
            (RunState::Unfollowed, false),
        ] {
            assert_eq!(goes_on(state), expected, "{state:?}");
        }
    }
}

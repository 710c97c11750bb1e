//! Following a run, speaking to its worker, and starting a worker on it.

use super::Runs;
use crate::models::{BaseModel, Models};
use crate::workspace::{Result, Watcher};
use lexforge_compute::{Bundle, Claim, WorkerProgram, local};
use lexforge_domain::api::{RunRow, RunState};
use lexforge_domain::protocol::{Control, JobEvent};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;
use std::time::Duration;

/// How often a followed run's events are looked at.
const POLL: Duration = Duration::from_millis(200);

impl Runs<'_> {
    /// The events of a run after number `after` (none = from the start).
    ///
    /// # Errors
    /// When there is no such run, or its bundle is gone.
    pub fn run_events(&self, id: RunId, after: Option<u64>) -> Result<Vec<JobEvent>> {
        self.bundle(id)?.events(after)
    }

    /// Follow a run until its worker leaves; the watcher hears every event from the start. Cancelling ends the
    /// following and not the run.
    ///
    /// # Errors
    /// When there is no such run, or its bundle cannot be read.
    pub fn follow_run(&self, id: RunId, watcher: &dyn Watcher) -> Result<RunRow> {
        let mut last = None;
        loop {
            let row = self.run(id)?;
            for event in self.run_events(id, last)? {
                last = Some(event.seq);
                watcher.run_event(id, &event);
            }
            let going_on = matches!(
                row.state,
                RunState::Queued | RunState::Running | RunState::Paused
            ) && self.workspace.store.read_only().is_none();
            if !going_on || watcher.cancelled() {
                return Ok(row);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Tell a running worker to pause, go on, write a checkpoint, or stop after one.
    ///
    /// # Errors
    /// When there is no such run, or no worker holds it.
    pub fn control_run(&self, id: RunId, control: Control) -> Result<()> {
        let row = self.run(id)?;
        if !matches!(row.state, RunState::Running | RunState::Paused) {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "Run {id} is {}; no worker is there to listen.",
                    row.state.tag()
                ),
                if row.state.resumable() {
                    Remedy::ResumeRun { run: id }
                } else {
                    Remedy::TrainAnew
                },
            ));
        }
        self.bundle(id)?.control(control)
    }

    /// Start a worker again on a run that was stopped, died or failed; it goes on from the newest whole checkpoint.
    ///
    /// # Errors
    /// When there is no such run, it is running or done, or the worker is missing.
    pub fn resume_run(&self, id: RunId) -> Result<RunRow> {
        let row = self.run(id)?;
        if !row.state.resumable() {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("Run {id} is {} and need not be resumed.", row.state.tag()),
                Remedy::ListRuns,
            ));
        }
        let program = WorkerProgram::locate()?;
        let bundle = self.bundle(id)?;
        let claim = bundle.claim()?;
        self.start(
            &program,
            &bundle,
            id,
            &Models::of(self.workspace).base(Some(&row.base))?,
            claim,
        )?;
        self.run(id)
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
                    state: Some(RunState::Running),
                    ..RunUpdate::default()
                },
            ),
            Err(failure) => {
                let update = RunUpdate {
                    state: Some(RunState::Failed),
                    failure: Some(failure.clone()),
                    ..RunUpdate::default()
                };
                self.update_run(id, &update)?;
                Err(failure)
            }
        }
    }
}

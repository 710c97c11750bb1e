//! Runs: what they are doing, read from their bundles; following, stopping, resuming, adopting the adapter.

use crate::recipe::{self, ItemCounts};
use crate::workspace::io_failure;
use crate::{Engine, Result, Watcher};
use lexforge_compute::{Bundle, BundleState, WorkerProgram};
use lexforge_domain::api::{RunDetail, RunRow, RunState};
use lexforge_domain::protocol::{Control, Event, Job, JobEvent, JobResult, TrainItem, TrainJob, TrainResult};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;
use std::io::Read;
use std::time::Duration;

/// How often a followed run's events are looked at.
const POLL: Duration = Duration::from_millis(200);
/// Bytes of a bundle's training items that are read.
const LARGEST_ITEMS: u64 = 1 << 30;

impl Engine {
    /// All runs, newest first, each as its bundle says now.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        let ids: Vec<RunId> = self.store.read(|r| r.runs())?.into_iter().map(|r| r.id).collect();
        ids.into_iter().map(|id| self.run(id)).collect()
    }

    /// One run as its bundle says now. A worker that has finished meanwhile is adopted: its adapter is kept under the
    /// hash of its weights.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run(&self, id: RunId) -> Result<RunRow> {
        let row = self.store.read(|r| r.run(id))?.row;
        // What can only be read is shown as it was left.
        if row.state == RunState::Finished || self.store.read_only().is_some() {
            return Ok(row);
        }
        let observed = match self.bundle_of(id) {
            // The bundle was removed by hand: what the workspace knows is all there is.
            Ok(None) => return Ok(row),
            Ok(Some(bundle)) => self.observed(row.id, &bundle),
            Err(failure) => Err(failure),
        };
        let update = match observed {
            // A bundle that cannot be believed is no reason to show no run at all.
            Err(failure) if failure.code == Code::BundleInvalid => {
                RunUpdate { state: Some(RunState::Failed), failure: Some(failure), ..RunUpdate::default() }
            }
            other => other?,
        };
        if differs(&update, &row) {
            self.update_run(id, &update)?;
        }
        Ok(self.store.read(|r| r.run(id))?.row)
    }

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
            let going_on = matches!(row.state, RunState::Queued | RunState::Running | RunState::Paused)
                && self.store.read_only().is_none();
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
                format!("Run {id} is {}; no worker is there to listen.", row.state.tag()),
                if row.state.resumable() { Remedy::ResumeRun { run: id } } else { Remedy::TrainAnew },
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
        self.start(&program, &bundle, id, &self.base(Some(&row.base))?, claim)?;
        self.run(id)
    }

    /// A run with its settings, its device, what it made and its figures.
    ///
    /// # Errors
    /// When there is no such run, or the workspace cannot be read.
    pub fn run_detail(&self, id: RunId) -> Result<RunDetail> {
        let run = self.run(id)?;
        let spec = self.store.read(|r| r.run(id))?.spec;
        let job: TrainJob = serde_json::from_str(&spec).map_err(|e| {
            Failure::new(
                Code::WorkspaceInvalid,
                format!("The settings of run {id} cannot be read; another version made it: {e}."),
                Remedy::TrainAnew,
            )
        })?;
        // A bundle that was removed by hand takes its device with it, and nothing else.
        let bundle = self.bundle(id).ok();
        let device = bundle.as_ref().and_then(|b| device_of(b).ok()).unwrap_or_default();
        let items = bundle.as_ref().and_then(|b| train_items(b, &job).ok()).unwrap_or_default();
        Ok(RunDetail {
            run,
            stages: recipe::stages(&job.settings, ItemCounts::of(&items)),
            settings: job.settings,
            device,
            result: self.train_result(id).ok(),
            evaluation: self.evaluation(id)?,
        })
    }

    /// What a finished train job made.
    pub(crate) fn train_result(&self, id: RunId) -> Result<TrainResult> {
        match self.bundle(id)?.result()? {
            Some(JobResult::Train(result)) => Ok(result),
            _ => Err(Failure::new(Code::StepMissing, format!("Run {id} has not finished."), Remedy::WaitOrResume)),
        }
    }

    pub(crate) fn update_run(&self, id: RunId, update: &RunUpdate) -> Result<()> {
        Ok(self.store.write(&self.actor, |w| w.update_run(id, update))?)
    }

    /// What a bundle says of its run.
    fn observed(&self, id: RunId, bundle: &Bundle) -> Result<RunUpdate> {
        let mut update = RunUpdate::default();
        for event in bundle.events(None)? {
            match event.event {
                Event::Progress { stage, step, of, loss, eta_s, .. } => {
                    (update.stage, update.step, update.of) = (Some(stage), Some(step), Some(of));
                    update.loss = loss.or(update.loss);
                    update.eta_s = eta_s;
                }
                Event::Checkpoint { step, best: true, .. } => update.best = Some(step),
                _ => {}
            }
        }
        update.state = Some(match bundle.state() {
            BundleState::NotStarted => RunState::Queued,
            BundleState::NeverStarted => {
                update.failure = Some(never_started(id));
                RunState::Failed
            }
            BundleState::Running => RunState::Running,
            BundleState::Paused => RunState::Paused,
            BundleState::Stopped => RunState::Stopped,
            BundleState::Died => RunState::Died,
            BundleState::Failed(failure) => {
                update.failure = Some(failure);
                RunState::Failed
            }
            BundleState::Finished => RunState::Finished,
        });
        if update.state == Some(RunState::Finished)
            && let Some(JobResult::Train(result)) = bundle.result()?
        {
            self.adopt(bundle, &result)?;
            update.best = Some(result.best_step);
            update.adapter = Some(result.adapter_sha256.to_string());
        }
        Ok(update)
    }
}

/// Why a run whose bundle is there has neither a worker nor a word of one.
fn never_started(id: RunId) -> Failure {
    Failure::new(
        Code::WorkerDied,
        "The run did not start: the program that made it ended before a worker took it up.",
        Remedy::ResumeRun { run: id },
    )
}

/// Whether an observation says anything that the row does not.
fn differs(update: &RunUpdate, row: &RunRow) -> bool {
    update.state != Some(row.state)
        || update.step.is_some_and(|s| s != row.step)
        || update.best.is_some_and(|b| Some(b) != row.best)
        || update.adapter.as_ref().is_some_and(|a| Some(a) != row.adapter.as_ref())
}

/// Device, threads and libtorch of a bundle's last attempt.
pub(crate) fn device_of(bundle: &Bundle) -> Result<String> {
    let mut device = String::new();
    for event in bundle.events(None)? {
        if let Event::Started { device: name, threads, libtorch, .. } = event.event {
            device = format!("{name}, {threads} threads, libtorch {libtorch}");
        }
    }
    Ok(device)
}

/// The items that a bundle's run learns from.
fn train_items(bundle: &Bundle, job: &TrainJob) -> Result<Vec<TrainItem>> {
    let mut text = String::new();
    let read = bundle.open_file(&job.train)?.take(LARGEST_ITEMS).read_to_string(&mut text);
    read.map_err(|e| io_failure(&e, &bundle.folder().join(&job.train)))?;
    // A line that is no item costs its place in the count and nothing else.
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Base model and snapshot of a bundle's train job.
pub(crate) fn train_job(bundle: &Bundle) -> Result<TrainJob> {
    match bundle.job() {
        Job::Train(job) => Ok(job.clone()),
        _ => Err(Failure::new(Code::BundleInvalid, "The bundle does not hold a training job.", Remedy::TrainAnew)),
    }
}

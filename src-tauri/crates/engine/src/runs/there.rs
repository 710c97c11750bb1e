//! Runs on a target: their bundle here is a copy that is kept up, and what is known of the target stands in it.
//!
//! A run there goes on whether anybody is connected or not. What could not be found out is `unknown` and never a failure.

use super::Runs;
use crate::models::{BaseModel, folder_of};
use crate::targets::{connect, hashes, target};
use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_compute::Bundle;
use lexforge_compute::remote::transfer::{Told, append_events};
use lexforge_compute::remote::{Connection, LocalFile, random_id};
use lexforge_domain::api::{RunRow, RunState, Stage, Target};
use lexforge_domain::protocol::{Control, JOB_FILE, JobId, TargetState, Tree};
use lexforge_domain::{Code, Failure, Remedy, RunId, Sha256};
use lexforge_files::inside;
use lexforge_store::RunUpdate;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the file in a bundle that says where it runs.
const NOTE: &str = "target.json";
/// Variable with the seconds for which a connection that fails is tried again.
const PATIENCE_ENV: &str = "LEXFORGE_PATIENCE";
/// How long that is without it.
const PATIENCE: Duration = Duration::from_secs(300);
/// Pause before a connection is tried again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(20)];
/// So many times it is tried however long that takes: this machine may have slept, and its patience with it.
const TRIES: usize = 3;
/// Attempts at a start of which nothing came there.
const STARTS: usize = 3;
/// Weights that are of no use to the worker.
const NOT_SENT: [&str; 8] = ["bin", "pt", "pth", "h5", "msgpack", "onnx", "ot", "gguf"];

/// Where a run is, and what was last heard of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Placed {
    /// Name of the target.
    target: String,
    /// Its id: a target of the same name that was added later is another one.
    id: JobId,
    /// The job there.
    job: JobId,
    /// The attempt that was asked for last.
    attempt: JobId,
    /// Contents of the base models that were sent for it.
    models: Vec<Sha256>,
    /// What it was doing.
    heard: Option<TargetState>,
    /// The last try to ask did not get through.
    lost: bool,
}

fn new_id() -> JobId {
    JobId::of_bytes(random_id())
}

impl Placed {
    /// A new run on a target that can be used.
    pub(crate) fn on(name: &str) -> Result<Self> {
        let target = target(name)?;
        if target.worker.is_none() {
            return Err(Failure::new(
                Code::TargetUnready,
                format!("No worker was put on {name} yet."),
                "Install the worker on the target first.",
            ));
        }
        Ok(Self {
            target: target.name,
            id: target.id,
            job: new_id(),
            attempt: new_id(),
            models: Vec::new(),
            heard: None,
            lost: false,
        })
    }

    /// Where a bundle says that it runs; none = here.
    pub(super) fn of(bundle: &Bundle) -> Result<Option<Self>> {
        let Some(bytes) = bundle.note(NOTE)? else {
            return Ok(None);
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).map_err(|e| {
            Failure::new(
                Code::BundleInvalid,
                format!("{NOTE} of the run's bundle cannot be read: {e}."),
                "Train again; the file was damaged or made by another program.",
            )
        })
    }

    pub(crate) fn keep(&self, bundle: &Bundle) -> Result<()> {
        bundle.write_note(NOTE, serde_json::json!(self).to_string().as_bytes())
    }

    /// The target, which must be the one that the run was started on: a workspace may come from elsewhere.
    fn target(&self) -> Result<Target> {
        let known = target(&self.target)?;
        if known.id == self.id {
            return Ok(known);
        }
        Err(Failure::new(
            Code::NotFound,
            format!(
                "The run was started on another target of the name {}, which is not known on this machine.",
                self.target
            ),
            "Follow it on the machine where it was started, or train again.",
        ))
    }

    /// The state of the run as far as it is known here.
    pub(super) fn state(&self) -> RunState {
        match &self.heard {
            None => RunState::Queued,
            Some(state) if self.lost && state.goes_on() => RunState::Unknown,
            Some(TargetState::Starting | TargetState::Waiting { .. }) => RunState::Queued,
            // Finished there; here once everything has come.
            Some(TargetState::Running | TargetState::Finished) => RunState::Running,
            Some(TargetState::Paused) => RunState::Paused,
            Some(TargetState::Stopped) => RunState::Stopped,
            Some(TargetState::NotStarted | TargetState::Died | TargetState::Absent) => {
                RunState::Died
            }
            Some(TargetState::Failed { .. }) => RunState::Failed,
            Some(TargetState::Unknown { .. }) => RunState::Unknown,
        }
    }

    /// Why it failed there.
    pub(super) fn failure(&self) -> Option<Failure> {
        match &self.heard {
            Some(TargetState::Failed { failure }) => Some(failure.clone()),
            _ => None,
        }
    }

    fn hear(&mut self, bundle: &Bundle, state: TargetState) -> Result<()> {
        (self.heard, self.lost) = (Some(state), false);
        self.keep(bundle)
    }
}

/// Whether it may help to try again.
fn passes(failure: &Failure) -> bool {
    failure.code == Code::TargetUnreachable
}

fn patience() -> Duration {
    let named = std::env::var(PATIENCE_ENV).ok();
    named
        .and_then(|seconds| seconds.parse().ok())
        .map_or(PATIENCE, Duration::from_secs)
}

/// Does something over a connection; where that is cut, connects again and does it again. What is done must bear being done
/// twice.
fn over_connection<T>(
    target: &Target,
    watcher: &dyn Watcher,
    mut lost: impl FnMut() -> Result<()>,
    mut work: impl FnMut(&Connection) -> Result<T>,
) -> Result<T> {
    let mut since = Instant::now();
    let (mut pause, mut tries) = (PAUSES[0], 0);
    loop {
        let connection = connect(target);
        if connection.is_ok() {
            (since, pause, tries) = (Instant::now(), PAUSES[0], 0);
        }
        tries += 1;
        match connection.and_then(|connection| work(&connection)) {
            Err(failure) if passes(&failure) => {
                lost()?;
                if tries >= TRIES && since.elapsed() >= patience() {
                    return Err(failure);
                }
            }
            other => return other,
        }
        if watcher.cancelled() {
            return Err(cancelled("What runs there goes on."));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSES[1]);
    }
}

impl Runs<'_> {
    /// Sends a run to its target and starts it there.
    pub(crate) fn start_there(
        &self,
        mut placed: Placed,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        match self.started_there(&mut placed, bundle, base, watcher) {
            Ok(()) => self.run(id).map(drop),
            // Whether it was started is not known where the answer to the start was lost.
            Err(failure) if passes(&failure) && placed.heard.is_some() => {
                placed.lost = true;
                placed.keep(bundle)?;
                self.run(id)?;
                Err(failure)
            }
            Err(failure) => {
                placed.heard = Some(TargetState::Failed {
                    failure: failure.clone(),
                });
                placed.keep(bundle)?;
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

    fn started_there(
        &self,
        placed: &mut Placed,
        bundle: &Bundle,
        base: &BaseModel,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let target = placed.target()?;
        let model = model_files(base)?;
        let files = bundle_files(bundle)?;
        placed.models = vec![lexforge_compute::remote::tree_content(&model)];
        placed.keep(bundle)?;
        over_connection(
            &target,
            watcher,
            || Ok(()),
            |connection| {
                let told =
                    &mut |done, of| tell(watcher, Stage::Train, target.name.clone(), done, of);
                let tree = Tree::Model {
                    content: placed.models[0].clone(),
                    name: base.name.clone(),
                };
                connection.send(tree, &model, told)?;
                let job = placed.job.clone();
                connection.send(Tree::Job { job }, &files, told)
            },
        )?;
        for _ in 0..STARTS {
            // From here on a lost answer leaves it open whether it runs.
            placed.heard = Some(TargetState::Starting);
            placed.keep(bundle)?;
            let state = over_connection(
                &target,
                watcher,
                || Ok(()),
                |connection| {
                    connection.start(
                        &placed.job,
                        &placed.attempt,
                        &placed.models,
                        target.slurm.as_ref(),
                    )
                },
            )?;
            if state != TargetState::NotStarted {
                return placed.hear(bundle, state);
            }
            // Whoever was to start it there was ended before it did; under its name it is not started again.
            placed.attempt = new_id();
        }
        Err(Failure::new(
            Code::WorkerDied,
            format!(
                "The worker on {} ends before it takes up the job.",
                target.name
            ),
            "Check the target, then resume the run.",
        ))
    }

    /// Starts a run on its target again; it goes on from the newest checkpoint there.
    pub(super) fn resume_there(
        &self,
        mut placed: Placed,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let target = placed.target()?;
        let state = over_connection(&target, watcher, || Ok(()), |c| c.look(&placed.job))?;
        if state == TargetState::Paused {
            over_connection(
                &target,
                watcher,
                || Ok(()),
                |c| c.control(&placed.job, Control::Resume),
            )?;
        }
        placed.hear(bundle, state.clone())?;
        if state.goes_on() || state == TargetState::Finished {
            return self.run(id);
        }
        placed.attempt = new_id();
        self.start_there(placed, bundle, id, base, watcher)?;
        self.run(id)
    }

    /// Tells a run on a target what is wanted.
    pub(super) fn control_there(
        &self,
        placed: &Placed,
        wish: Control,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        over_connection(
            &placed.target()?,
            watcher,
            || Ok(()),
            |c| c.control(&placed.job, wish),
        )
    }

    /// Follows a run on a target until nobody works on it any more, and brings what it made. The watcher hears every event,
    /// those that are here already first. Cancelling ends the following and not the run.
    pub(super) fn follow_there(
        &self,
        id: RunId,
        bundle: &Bundle,
        mut placed: Placed,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let mut last = None;
        self.tell_new(id, bundle, &mut last, watcher)?;
        if bundle.result()?.is_some() {
            return self.run(id);
        }
        let target = placed.target()?;
        let mut lost = placed.clone();
        let job = placed.job.clone();
        let followed = over_connection(
            &target,
            watcher,
            || {
                lost.heard = Placed::of(bundle)?.and_then(|p| p.heard);
                lost.lost = true;
                lost.keep(bundle)?;
                self.run(id).map(drop)
            },
            |connection| {
                let state = connection.follow(&job, last, &mut |told| {
                    match told {
                        Told::Events(events) => {
                            append_events(bundle, &events)?;
                            self.tell_new(id, bundle, &mut last, watcher)?;
                        }
                        Told::State(state) => {
                            placed.hear(bundle, state)?;
                            self.run(id)?;
                        }
                        Told::Nothing => {}
                    }
                    Ok(!watcher.cancelled())
                })?;
                if watcher.cancelled() && state.goes_on() {
                    return Ok(());
                }
                if !matches!(state, TargetState::Absent | TargetState::NotStarted) {
                    connection.fetch(&job, false, bundle)?;
                }
                // What can go on is not done with: it stays there until it has gone on or is given up.
                let done = matches!(state, TargetState::Finished | TargetState::Failed { .. });
                placed.hear(bundle, state)?;
                if done {
                    // Where the target cannot note it, a clean-up there keeps the job; here nothing is missing.
                    let _ = connection.fetched(&job);
                }
                Ok(())
            },
        );
        match followed {
            // Ctrl-C while a connection was tried again.
            Err(failure) if failure.code == Code::Cancelled => self.run(id),
            Err(failure) if passes(&failure) => Err(failure.with_advice(Remedy::ListRuns)),
            other => other.and_then(|()| self.run(id)),
        }
    }

    fn tell_new(
        &self,
        id: RunId,
        bundle: &Bundle,
        last: &mut Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        for event in bundle.events(*last)? {
            *last = Some(event.seq);
            watcher.run_event(id, &event);
        }
        Ok(())
    }
}

/// The files of a base model, without weights in formats that the worker does not read.
fn model_files(base: &BaseModel) -> Result<Vec<LocalFile>> {
    let folder = folder_of(base).ok_or_else(|| {
        Failure::new(
            Code::ModelMissing,
            format!(
                "The folder of the model {} was not found on this machine.",
                base.name
            ),
            "Name it by the path of its folder.",
        )
    })?;
    let mut known = hashes();
    let mut files = Vec::new();
    gather(&folder, "", &mut |path, place| {
        let ending = place
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if !NOT_SENT.contains(&ending) {
            files.push(known.local_file(place, path)?);
        }
        Ok(())
    })?;
    known.keep();
    Ok(files)
}

/// Files below a folder with their paths; what is hidden is left out. Links lead where they lead: models are often kept so.
fn gather(
    folder: &Path,
    below: &str,
    found: &mut dyn FnMut(&str, &Path) -> Result<()>,
) -> Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .map_err(|e| io_failure(&e, folder))?
        .flatten()
        .collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (name, place) = (
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        );
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{below}{name}");
        if place.is_file() {
            found(&path, &place)?;
        } else if place.is_dir() && below.matches('/').count() < 2 {
            gather(&place, &format!("{path}/"), found)?;
        }
    }
    Ok(())
}

/// What of a bundle goes to the target: the job, its inputs, and the adapter that it starts from.
fn bundle_files(bundle: &Bundle) -> Result<Vec<LocalFile>> {
    let mut known = hashes();
    let mut paths = vec![JOB_FILE.to_owned()];
    for folder in ["inputs", "adapter"] {
        let place = match inside::folder(bundle.folder(), folder) {
            Err(e) if e.is_absent() => continue,
            other => other.map_err(crate::workspace::file_failure)?,
        };
        let names = inside::files(&place).map_err(crate::workspace::file_failure)?;
        paths.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
    }
    paths
        .iter()
        .map(|path| known.local_file(&bundle.path(path)?, path))
        .collect()
}

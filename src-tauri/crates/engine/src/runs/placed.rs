//! The state of a run on a target as it is known here, in a small file in the run's bundle.
//!
//! Several programs may follow one run and write the file. News about an earlier attempt never replaces what is known
//! about a later attempt.

use super::words;
use crate::targets::{check_queue, target, worker_of};
use crate::workspace::{Result, file_failure, io_failure};
use lexforge_compute::Bundle;
use lexforge_compute::remote::random_id;
use lexforge_domain::api::{HourlyPrice, RunState, SentTo, Target, TargetPlace};
use lexforge_domain::protocol::{JobEvent, JobId, TargetState};
use lexforge_domain::{Code, Failure, Sha256};
use lexforge_files::inside;
use lexforge_files::lease::has_no_locks;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::time::SystemTime;

/// Name of the file in a bundle that says where it runs.
const NOTE: &str = "target.json";
/// Name of the lock file that a program holds while it changes the stored state.
const NOTE_LOCK: &str = "target.lock";

/// The target of a run, and its last known state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Placed {
    /// Name of the target.
    target: String,
    /// Its id: if a target of the same name is added later, it is another target.
    id: JobId,
    /// The place of that target when the run was sent there; `None` in records of older versions.
    #[serde(default)]
    at: Option<(TargetPlace, String)>,
    /// The job there.
    pub(super) job: JobId,
    /// The attempt that was asked for last.
    pub(super) attempt: JobId,
    /// How many attempts there were before it.
    #[serde(default)]
    turn: u64,
    /// Contents of the base models that were sent for it.
    pub(super) models: Vec<Sha256>,
    /// Its last known state.
    pub(super) heard: Option<TargetState>,
    /// The last try to ask did not get through.
    pub(super) lost: bool,
    /// It counts as running there, and nothing has come from its worker for long.
    #[serde(default)]
    pub(super) silent: bool,
    /// What an hour of the target cost when the run was sent there.
    #[serde(default)]
    pub(super) price: Option<HourlyPrice>,
    /// Events that were here when the job was sent again, since the target had lost it: there they begin at 0 again.
    #[serde(default)]
    events_before: u64,
    /// Attempts that were told of before that.
    #[serde(default)]
    attempts_before: u32,
    /// Whether somebody asked for the checkpoints, too. Otherwise they stay there.
    #[serde(default)]
    pub(super) checkpoints: bool,
    /// The target has told that the job is not there any more, although its results are here: it was cleaned.
    #[serde(default)]
    pub(super) cleaned: bool,
}

fn new_id() -> JobId {
    JobId::of_bytes(random_id())
}

impl Placed {
    /// A new run on a target that can be used.
    pub(crate) fn on(name: &str) -> Result<Self> {
        let target = target(name)?;
        worker_of(&target)?;
        check_queue(&target)?;
        Ok(Self {
            target: target.name,
            id: target.id,
            at: Some((target.place, target.folder)),
            job: new_id(),
            attempt: new_id(),
            turn: 0,
            models: Vec::new(),
            heard: None,
            lost: false,
            silent: false,
            price: target.price,
            events_before: 0,
            attempts_before: 0,
            checkpoints: false,
            cleaned: false,
        })
    }

    /// The target that a bundle names; `None` = the run is on this machine.
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

    /// Writes it down. Where another program has meanwhile begun a later attempt, that one's word stays.
    pub(crate) fn keep(&self, bundle: &Bundle) -> Result<()> {
        self.keep_if(bundle, || Ok(()))
    }

    /// Stores the state, unless `still` fails. It takes the lock of [`held`], so no other program can write in between.
    pub(super) fn keep_if(
        &self,
        bundle: &Bundle,
        still: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let _held = held(bundle)?;
        still()?;
        Self::put(bundle, |known| {
            known
                .is_none_or(|known| known.turn <= self.turn)
                .then(|| self.clone())
        })
    }

    /// Changes the stored state of this attempt. If another attempt is stored, nothing happens.
    pub(super) fn amend(&self, bundle: &Bundle, change: impl FnOnce(&mut Self)) -> Result<()> {
        let _held = held(bundle)?;
        Self::put(bundle, |known| {
            let mut known = known.filter(|known| known.attempt == self.attempt)?;
            change(&mut known);
            Some(known)
        })
    }

    /// Replaces the stored state by what `of` makes of it. The caller holds the lock.
    fn put(bundle: &Bundle, of: impl FnOnce(Option<Self>) -> Option<Self>) -> Result<()> {
        match of(Self::of(bundle)?) {
            Some(placed) => {
                bundle.write_note(NOTE, serde_json::json!(placed).to_string().as_bytes())
            }
            None => Ok(()),
        }
    }

    /// The next attempt at it.
    pub(super) fn begin_anew(&mut self) {
        self.attempt = new_id();
        self.turn += 1;
    }

    /// The target has the job no more, and it is sent again: what it tells then comes after the newest event here.
    pub(super) fn count_from(&mut self, newest: Option<&JobEvent>) {
        if let Some(newest) = newest {
            self.events_before = newest.seq.saturating_add(1);
            self.attempts_before = newest.attempt;
        }
    }

    /// The number that the target gave to the last event here; `None` if it has not told any.
    pub(super) fn number_there(&self, last: Option<u64>) -> Option<u64> {
        last?.checked_sub(self.events_before)
    }

    /// Gives events of the target the numbers that they have here.
    pub(super) fn number_here(&self, events: &mut [JobEvent]) {
        for event in events {
            event.seq = event.seq.saturating_add(self.events_before);
            event.attempt = event.attempt.saturating_add(self.attempts_before);
        }
    }

    /// The target, which must be the one that the run was started on: a workspace may come from elsewhere.
    pub(super) fn target(&self) -> Result<Target> {
        self.started_on(target(&self.target)?)
    }

    /// The target that this user has under the run's name for it, if the run was started on it.
    fn started_on(&self, known: Target) -> Result<Target> {
        if known.id == self.id {
            return match &self.at {
                // It was changed to another host or folder: what runs at the old one has not ended.
                Some((place, folder)) if (place, folder) != (&known.place, &known.folder) => {
                    Err(elsewhere(&known.name, place, folder))
                }
                _ => Ok(known),
            };
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

    pub(super) fn target_name(&self) -> &str {
        &self.target
    }

    /// Where the run was sent, as the list of runs says it.
    pub(super) fn sent_to(&self) -> SentTo {
        SentTo {
            machine: self.target.clone(),
            cleaned: self.cleaned,
        }
    }

    /// Whether the target is still known on this machine.
    pub(super) fn is_known(&self) -> bool {
        is_still(&target(&self.target), &self.id)
    }

    /// The state of the run as far as it is known here.
    pub(super) fn state(&self) -> RunState {
        match &self.heard {
            None => RunState::Queued,
            Some(state) if self.lost && state.goes_on() => RunState::Unknown,
            Some(TargetState::Starting) => RunState::Starting,
            Some(TargetState::Waiting { .. }) => RunState::Queued,
            // Finished there; here once everything has come.
            Some(TargetState::Running | TargetState::Finished) => RunState::Running,
            Some(TargetState::Paused) => RunState::Paused,
            // A run that the scheduler ended has not failed. A worker that was never started has not died: the program
            // that was about to start it ended before.
            Some(TargetState::Stopped | TargetState::Ended { .. } | TargetState::NotStarted) => {
                RunState::Stopped
            }
            Some(TargetState::Died | TargetState::Absent) => RunState::Died,
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

    /// What there is to say beside state and failure.
    pub(super) fn notes(&self) -> Vec<String> {
        if self.lost && self.heard.as_ref().is_some_and(TargetState::goes_on) {
            return vec![match self.is_known() {
                true => "The target cannot be reached at the moment; what runs there goes on."
                    .to_owned(),
                false => format!(
                    "The target {} is not known here any more, so nobody can follow the run. Stop following it to put it \
                     away.",
                    self.target
                ),
            }];
        }
        if self.silent && self.heard == Some(TargetState::Running) {
            return vec![words::SILENT.to_owned()];
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs());
        self.heard
            .as_ref()
            .map_or_else(Vec::new, |state| words::notes(state, now))
    }

    pub(super) fn hear(&mut self, bundle: &Bundle, state: TargetState) -> Result<()> {
        (self.heard, self.lost) = (Some(state), false);
        self.amend(bundle, |known| {
            let is_new = known.heard != self.heard;
            (known.heard, known.lost) = (self.heard.clone(), false);
            known.silent &= !is_new;
        })
    }
}

/// Takes the lock for writing the stored state of a run on a target. Several programs may follow a run, so each takes
/// the lock, reads the present state and then writes. The lock is held only during work on this machine, never while a
/// target is asked.
pub(super) fn held(bundle: &Bundle) -> Result<File> {
    let lock = inside::open_to_lock(bundle.folder(), NOTE_LOCK, true).map_err(file_failure)?;
    match lock.lock() {
        Err(e) if !has_no_locks(&e) => Err(io_failure(&e, &bundle.folder().join(NOTE_LOCK))),
        // It is held, or the file system has no locks.
        _ => Ok(lock),
    }
}

/// Whether a target is the one with this id. A target whose file cannot be read counts as existing, because it was not
/// removed, so its run must still be followed.
fn is_still(found: &Result<Target>, id: &JobId) -> bool {
    match found {
        Ok(known) => known.id == *id,
        Err(failure) => failure.code != Code::NotFound,
    }
}

fn elsewhere(name: &str, place: &TargetPlace, folder: &str) -> Failure {
    let host = match place {
        TargetPlace::Ssh { host } => host.as_str(),
        TargetPlace::Here => "this machine",
    };
    let folder = match folder {
        "" => "its usual folder",
        folder => folder,
    };
    Failure::new(
        Code::NotFound,
        format!(
            "The run was sent to {name} while that was {host} with {folder}; it leads elsewhere now."
        ),
        "Change the target back to that host and folder, then follow the run or clean up there.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

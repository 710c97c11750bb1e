//! Runs: what they are doing, read from their bundles; adopting the adapter of one that has finished.

use super::Runs;
use super::bundles::train_job;
use super::placed::Placed;
use crate::workspace::Result;
use lexforge_compute::{Bundle, BundleState};
use lexforge_domain::api::{RunRow, RunState};
use lexforge_domain::protocol::{Event, JobResult};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;

impl Runs<'_> {
    /// All runs, newest first, each in its present state, as its bundle shows it.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        let left = self.workspace.store.read(|r| r.runs())?;
        left.into_iter()
            .map(|row| listed(self.run(row.id), row))
            .collect()
    }

    /// One run in its present state, as its bundle shows it. If its worker has finished meanwhile, the result is
    /// stored: the adapter is kept under the hash of its weights.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run(&self, id: RunId) -> Result<RunRow> {
        let mut row = self.state_of(id)?;
        row.sent_to = self.placed(id).map(|placed| placed.sent_to());
        row.no_better = row.state == RunState::Finished && self.is_no_better(id);
        Ok(row)
    }

    /// Whether a finished run got no better; not known where its bundle is gone.
    fn is_no_better(&self, id: RunId) -> bool {
        let result = self.bundle_of(id).ok().flatten();
        let result = result.and_then(|bundle| bundle.result().ok().flatten());
        matches!(result, Some(JobResult::Train(result)) if result.is_no_better())
    }

    /// Where a run was sent; `None` if it was not, or if its bundle is not here or cannot be read.
    fn placed(&self, id: RunId) -> Option<Placed> {
        let bundle = self.bundle_of(id).ok().flatten()?;
        Placed::of(&bundle).ok().flatten()
    }

    fn state_of(&self, id: RunId) -> Result<RunRow> {
        let row = self.workspace.store.read(|r| r.run(id))?.row;
        // In a workspace that can only be read, a run is shown as it was left.
        if row.state == RunState::Finished || self.workspace.store.read_only().is_some() {
            return Ok(row);
        }
        if row.state == RunState::Unfollowed {
            return Ok(self.unfollowed(row));
        }
        let observed = match self.bundle_of(id) {
            // The bundle was removed by hand: what the workspace knows is all there is.
            Ok(None) => return Ok(row),
            Ok(Some(bundle)) => self.observed(row.id, &bundle),
            Err(failure) => Err(failure),
        };
        let update = match observed {
            // One bundle that cannot be trusted must not hide all other runs.
            Err(failure) if failure.code == Code::BundleInvalid => RunUpdate::failed(&failure),
            other => other?,
        };
        if differs(&update, &row) {
            self.note_seen(id, &update)?;
        }
        let mut row = self.workspace.store.read(|r| r.run(id))?.row;
        if row.state == RunState::Unfollowed {
            return Ok(self.unfollowed(row));
        }
        if row.state != RunState::Finished
            && let Some(placed) = self.placed(id)
        {
            row.notes = placed.notes();
            row.on = Some(placed.target_name().to_owned());
        }
        Ok(row)
    }

    /// Keeps what was seen of a run, unless somebody has stopped following the run since it was looked at.
    pub(super) fn note_seen(&self, id: RunId, update: &RunUpdate) -> Result<()> {
        let workspace = self.workspace;
        Ok(workspace
            .store
            .write(&workspace.actor, |w| match w.run(id)?.row.state {
                RunState::Unfollowed => Ok(()),
                _ => w.update_run(id, update),
            })?)
    }

    /// A run and the runs it was continued from, the newest first. The run learned everything that these runs learned.
    ///
    /// # Errors
    /// When there is no such run, or the bundle of one of these runs no longer exists.
    pub(crate) fn chain(&self, run: RunId) -> Result<Vec<RunId>> {
        let all = self.workspace.store.read(|r| r.runs())?;
        let (mut chain, mut last) = (vec![run], run);
        while let Some(start) = train_job(&self.bundle(last)?)?.lineage.start
            && let Some(before) = made_before(&all, last, &start)
        {
            chain.push(before);
            last = before;
        }
        Ok(chain)
    }

    pub(crate) fn update_run(&self, id: RunId, update: &RunUpdate) -> Result<()> {
        Ok(self
            .workspace
            .store
            .write(&self.workspace.actor, |w| w.update_run(id, update))?)
    }

    /// The state of a run, as its bundle shows it.
    fn observed(&self, id: RunId, bundle: &Bundle) -> Result<RunUpdate> {
        let mut update = RunUpdate::default();
        let has_loss = |event: &Event| matches!(event, Event::Progress { loss: Some(_), .. });
        let is_best = |event: &Event| matches!(event, Event::Checkpoint { best: true, .. });
        if let Some(Event::Progress {
            stage,
            step,
            of,
            eta_s,
            ..
        }) = newest(bundle, "progress", |_| true)?
        {
            (update.stage, update.step, update.of) = (Some(stage), Some(step), Some(of));
            update.eta_s = eta_s;
        }
        // A worker that continues first reports that it is loading, without a loss.
        if let Some(Event::Progress { loss, .. }) = newest(bundle, "progress", has_loss)? {
            update.loss = loss;
        }
        if let Some(Event::Checkpoint { step, .. }) = newest(bundle, "checkpoint", is_best)? {
            update.best = Some(step);
        }
        // A run on another machine has no lock here. Its last known state counts until its result has arrived.
        if bundle.result()?.is_none()
            && let Some(placed) = Placed::of(bundle)?
        {
            update.state = Some(placed.state());
            update.failure = placed.failure();
            return Ok(update);
        }
        update.state = Some(match bundle.state() {
            BundleState::NotStarted => RunState::Starting,
            BundleState::NeverStarted => {
                update.failure = Some(never_started(id));
                RunState::Failed
            }
            BundleState::Running => RunState::Running,
            BundleState::Paused => RunState::Paused,
            BundleState::Stopped => RunState::Stopped,
            BundleState::Died => RunState::Died,
            BundleState::Unknown { .. } => RunState::Unknown,
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

/// A run as a list shows it. If the disk is too full to store its present state, the run is listed with its last stored
/// state and with the failure, so that the other runs are still listed. The next list tries again.
fn listed(seen: Result<RunRow>, left: RunRow) -> Result<RunRow> {
    match seen {
        Err(failure) if failure.code == Code::DiskFull => Ok(RunRow {
            failure: Some(failure),
            ..left
        }),
        seen => seen,
    }
}

/// The newest event of a kind that `wanted` selects.
fn newest(bundle: &Bundle, kind: &str, wanted: impl Fn(&Event) -> bool) -> Result<Option<Event>> {
    let found = bundle.newest_event(|of| of == kind, wanted)?;
    Ok(found.map(|event| event.event))
}

/// Why a run whose bundle is there has neither a worker nor a word of one.
fn never_started(id: RunId) -> Failure {
    Failure::new(
        Code::WorkerDied,
        "The run did not start: the program that made it, or its worker, ended before the worker reported anything.",
        Remedy::ResumeRun { run: id },
    )
}

/// Whether an observation says anything that the row does not.
fn differs(update: &RunUpdate, row: &RunRow) -> bool {
    update.state != Some(row.state)
        || update.step.is_some_and(|s| s != row.step)
        || update.best.is_some_and(|b| Some(b) != row.best)
        || update
            .adapter
            .as_ref()
            .is_some_and(|a| Some(a) != row.adapter.as_ref())
}

/// The run before this one that made the adapter of this hash.
fn made_before(all: &[RunRow], run: RunId, adapter: &str) -> Option<RunId> {
    let made = |row: &&RunRow| row.id < run && row.adapter.as_deref() == Some(adapter);
    all.iter().find(made).map(|row| row.id)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::workspace::{BUNDLES, OpenWorkspace};
    use lexforge_compute::bundle;
    use lexforge_domain::protocol::{InspectJob, Job, ModelRef, RESULT_FILE};
    use sha2::Digest as _;
    use std::path::Path;

    /// A workspace with one run, whose bundle no worker has taken.
    fn with_one_run(folder: &Path) -> (OpenWorkspace, Bundle, RunId) {
        let workspace = OpenWorkspace::create(&folder.join("a.lexforge")).unwrap();
        let model = ModelRef {
            name: "m".into(),
            sha256: String::new(),
        };
        let place = workspace.store.artifacts_path().join(BUNDLES).join("r");
        let made = bundle::create(&place, &Job::Inspect(InspectJob::of(model))).unwrap();
        let named = format!("{BUNDLES}/r");
        let id = workspace
            .store
            .write("r1", |w| w.insert_run("encoder", "m", None, &named, "{}"))
            .unwrap();
        (workspace, made, id)
    }

    #[test]
    fn a_finished_run_without_its_adapter_hides_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (workspace, made, id) = with_one_run(folder.path());
        let place = made.folder();
        let weights = b"weights";
        let result = serde_json::json!({
            "kind": "train", "adapter": "tuned", "adapter_sha256": hex::encode(sha2::Sha256::digest(weights)), "steps": 4,
            "best_step": 2, "trainable_parameters": 1, "peak_memory_mb": 1.0, "seconds": 1.0,
            "stages": [{"name": "sentence", "from": 0, "steps": 4, "items": 3, "best_step": 2, "first_loss": 1.0,
                "last_loss": 0.5, "dev_loss_before": 0.7, "dev_loss_best": 0.8, "stopped_early": false}],
        });
        std::fs::write(place.join(RESULT_FILE), result.to_string()).unwrap();
        let runs = Runs::of(&workspace);
        let tuned = place.join("tuned");
        // Neither the folder nor, then, the weights in it.
        for _ in 0..2 {
            let all = runs.runs().unwrap();
            assert_eq!((all.len(), all[0].state), (1, RunState::Failed));
            let failure = all[0].failure.as_ref().unwrap();
            assert!(
                failure.message.contains("not there any more"),
                "{failure:?}"
            );
            std::fs::create_dir_all(&tuned).unwrap();
        }
        // It is put back.
        std::fs::write(tuned.join("adapter_model.safetensors"), weights).unwrap();
        let row = runs.run(id).unwrap();
        assert_eq!((row.state, row.best), (RunState::Finished, Some(2)));
        assert_eq!(row.failure, None);
        assert!(row.no_better);
        // A held-out loss that fell is an improvement.
        let better = result.to_string().replace("0.8", "0.6");
        std::fs::write(place.join(RESULT_FILE), better).unwrap();
        assert!(!runs.run(id).unwrap().no_better);
    }

    #[test]
    fn a_finished_run_still_says_where_it_was_sent_and_whether_that_machine_was_cleaned() {
        let folder = tempfile::tempdir().unwrap();
        let (workspace, made, id) = with_one_run(folder.path());
        let runs = Runs::of(&workspace);
        assert_eq!(runs.run(id).unwrap().sent_to, None);
        let finished = RunUpdate {
            state: Some(RunState::Finished),
            ..RunUpdate::default()
        };
        runs.update_run(id, &finished).unwrap();
        for cleaned in [None, Some(false), Some(true)] {
            let mut note = serde_json::json!({
                "target": "box", "id": "0".repeat(32), "job": "1".repeat(32), "attempt": "2".repeat(32),
                "models": [], "heard": {"state": "finished"}, "lost": false,
            });
            if let Some(cleaned) = cleaned {
                note["cleaned"] = cleaned.into();
            }
            made.write_note("target.json", note.to_string().as_bytes())
                .unwrap();
            let row = runs.run(id).unwrap();
            let sent = row.sent_to.unwrap();
            assert_eq!((row.state, row.on), (RunState::Finished, None));
            assert_eq!(
                (sent.machine.as_str(), sent.cleaned),
                ("box", cleaned == Some(true))
            );
        }
    }

    fn row(id: i64, adapter: Option<&str>) -> RunRow {
        serde_json::from_value(serde_json::json!({
            "id": id, "state": "finished", "recipe": "encoder", "base": "m", "dataset": null, "stage": "sentence", "step": 1,
            "of": 1, "started": "2026-01-01T00:00:00Z", "best": null, "adapter": adapter, "loss": null, "eta_s": null,
            "failure": null, "evaluated": false
        }))
        .unwrap()
    }

    #[test]
    fn a_full_disk_hides_no_run_and_other_failures_are_told() {
        for (code, is_listed) in [(Code::DiskFull, true), (Code::Internal, false)] {
            let failure = Failure::new(code, "It could not be written.", "Free some space.");
            let told = listed(Err(failure.clone()), row(3, None));
            let expected = RunRow {
                failure: Some(failure.clone()),
                ..row(3, None)
            };
            match is_listed {
                true => assert_eq!(told.unwrap(), expected),
                false => assert_eq!(told.unwrap_err(), failure),
            }
        }
        assert_eq!(
            listed(Ok(row(4, Some("a"))), row(4, None)).unwrap(),
            row(4, Some("a"))
        );
    }

    #[test]
    fn a_run_went_on_from_the_one_before_it_that_made_the_adapter() {
        let all = [
            row(4, Some("a")),
            row(3, Some("b")),
            row(2, None),
            row(1, Some("a")),
        ];
        let before = |run, adapter| made_before(&all, RunId(run), adapter);
        assert_eq!(before(3, "a"), Some(RunId(1)));
        assert_eq!(before(4, "b"), Some(RunId(3)));
        // A run does not come before itself, and an adapter from elsewhere was made by no run.
        assert_eq!(before(1, "a"), None);
        assert_eq!(before(4, "c"), None);
    }
}

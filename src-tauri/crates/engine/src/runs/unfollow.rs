//! Putting a run away that was sent to a machine which is gone for good, or which is not known here any more.
//!
//! The record of the run and what was fetched of it stay. Nothing is removed from the machine, and nothing is stopped
//! there.

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
    /// Stops following a run that was sent to another machine. If that machine answers and has the run at work or its
    /// results, or if a program is sending the run, this is refused unless somebody is `sure`; with `sure` nothing is
    /// connected to.
    ///
    /// # Errors
    /// When there is no such run, it has finished or runs on this machine; when it was refused.
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
        // Held until the run is put away, so that nobody begins to send it meanwhile.
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
            // Somebody who is about to start the run there looks under this lock whether it was put away, and writes that
            // it starts. So it is put away before and not started, or afterwards, and the record says that it was started.
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

    /// Whether nobody has put the run away.
    pub(super) fn is_followed(&self, id: RunId) -> Result<bool> {
        let row = self.workspace.store.read(|r| r.run(id))?.row;
        Ok(row.state != RunState::Unfollowed)
    }

    /// Takes up a run that was put away, in the state that its machine told.
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
                // The run was not put away, or another program has taken it up again already.
                _ => Ok(()),
            })?)
    }

    /// A run that was put away, with a note about what is left of it on which machine.
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

/// Asks the target once whether it has the run at work. A target that was removed or does not answer knows nothing of
/// it.
fn may_be_let_go(id: RunId, placed: &Placed) -> Result<()> {
    let told = placed
        .target()
        .and_then(|target| connect(&target)?.look(&placed.job));
    match told {
        Ok(state) => refused(id, placed.target_name(), &state).map_or(Ok(()), Err),
        Err(failure) => match failure.code {
            Code::NotFound | Code::TargetUnreachable => Ok(()),
            // It is there, and its key has changed, or its worker does not start: the run may be at work.
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

/// Why a run is not put away unasked, where its target says that it is at work or done.
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
mod tests {
    use super::super::sending::sending;
    use super::*;
    use crate::models::BaseModel;
    use crate::workspace::{BUNDLES, OpenWorkspace, Silent};
    use lexforge_compute::bundle;
    use lexforge_domain::protocol::{InspectJob, Job, ModelRef, QueueEnd};
    use lexforge_files::inside;

    /// A workspace with a run whose bundle says that it runs on a target of another machine.
    fn with_run(heard: &serde_json::Value) -> (tempfile::TempDir, OpenWorkspace, RunId) {
        let folder = tempfile::tempdir().unwrap();
        let workspace = OpenWorkspace::create(&folder.path().join("a.lexforge")).unwrap();
        let model = ModelRef {
            name: "m".into(),
            sha256: String::new(),
        };
        let job = Job::Inspect(InspectJob::of(model));
        let place = workspace.store.artifacts_path().join(BUNDLES).join("r");
        let bundle = bundle::create(&place, &job).unwrap();
        let note = serde_json::json!({
            "target": "gone-for-good", "id": "0".repeat(32), "job": "1".repeat(32), "attempt": "2".repeat(32),
            "models": [], "heard": heard, "lost": false,
        });
        bundle
            .write_note("target.json", note.to_string().as_bytes())
            .unwrap();
        let named = format!("{BUNDLES}/r");
        let id = workspace
            .store
            .write("r1", |w| w.insert_run("encoder", "m", None, &named, "{}"))
            .unwrap();
        (folder, workspace, id)
    }

    #[test]
    fn a_run_whose_target_is_gone_is_put_away_and_stays_in_the_record() {
        let (_folder, workspace, id) = with_run(&serde_json::json!({ "state": "running" }));
        let runs = Runs::of(&workspace);
        let before = runs.run(id).unwrap();
        assert_eq!(before.state, RunState::Running);
        assert_eq!(before.on.as_deref(), Some("gone-for-good"));
        // Nobody can follow it, so it is not known to be at work, and what to do is said.
        let failure = runs.follow_run(id, &Silent).unwrap_err();
        assert_eq!(
            failure.remedy.as_deref(),
            Some(&Remedy::StopFollowing { run: id })
        );
        assert_eq!(runs.run(id).unwrap().state, RunState::Unknown);

        let away = runs.stop_following(id, false).unwrap();
        assert_eq!(away.state, RunState::Unfollowed);
        assert!(away.notes[0].contains("gone-for-good"), "{:?}", away.notes);
        let chain = || workspace.store.read(|r| r.audit_rows(1000, None)).unwrap();
        assert_eq!(chain()[0].action, "run.unfollowed");
        // It is asked once only, and whoever looks at the run later leaves it as it is.
        let rows = chain().len();
        assert_eq!(runs.stop_following(id, false).unwrap(), away);
        assert_eq!(runs.follow_run(id, &Silent).unwrap(), away);
        assert_eq!(runs.runs().unwrap(), [away]);
        assert_eq!(chain().len(), rows);

        // Its machine is gone: it cannot be taken up again, and stays put away.
        assert!(runs.resume_run(id).is_err());
        assert_eq!(runs.run(id).unwrap().state, RunState::Unfollowed);
    }

    #[test]
    fn why_it_failed_there_is_still_told_when_it_is_put_away() {
        let failure = Failure::new(Code::OutOfMemory, "Too little memory.", "Take less.");
        let heard = serde_json::to_value(TargetState::Failed {
            failure: failure.clone(),
        });
        let (_folder, workspace, id) = with_run(&heard.unwrap());
        let runs = Runs::of(&workspace);
        assert_eq!(runs.run(id).unwrap().state, RunState::Failed);
        let away = runs.stop_following(id, true).unwrap();
        assert_eq!(away.state, RunState::Unfollowed);
        assert_eq!(away.failure, Some(failure));
    }

    #[test]
    fn a_run_without_its_bundle_is_put_away_too() {
        let (_folder, workspace, id) = with_run(&serde_json::json!({ "state": "running" }));
        let runs = Runs::of(&workspace);
        assert_eq!(runs.run(id).unwrap().state, RunState::Running);
        std::fs::remove_dir_all(workspace.store.artifacts_path().join(BUNDLES).join("r")).unwrap();
        let away = runs.stop_following(id, false).unwrap();
        assert_eq!((away.state, away.on), (RunState::Unfollowed, None));
        assert!(away.notes[0].contains("bundle"), "{:?}", away.notes);
    }

    #[test]
    fn a_run_that_is_being_sent_is_put_away_by_the_sure_alone_and_is_not_started_then() {
        let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
        let runs = Runs::of(&workspace);
        let bundle = runs.bundle(id).unwrap();
        let placed = Placed::of(&bundle).unwrap().unwrap();
        let lock = sending(&bundle).unwrap();
        // Two programs may send it.
        drop(sending(&bundle).unwrap());
        let failure = runs.stop_following(id, false).unwrap_err();
        assert_eq!(failure.code, Code::BundleLocked);
        assert!(failure.message.contains("being sent"), "{failure:?}");
        assert_eq!(runs.run(id).unwrap().state, RunState::Queued);

        let away = runs.stop_following(id, true).unwrap();
        assert_eq!(away.state, RunState::Unfollowed);
        drop(lock);
        let base = BaseModel::named(Some("m"));
        let sent = runs.start_there(placed, &bundle, id, &base, &Silent);
        assert_eq!(sent.unwrap_err().code, Code::Cancelled);
        assert_eq!(runs.run(id).unwrap().state, RunState::Unfollowed);
    }

    #[test]
    fn whether_a_run_starts_or_is_put_away_is_decided_under_one_lock() {
        let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
        let runs = Runs::of(&workspace);
        let bundle = runs.bundle(id).unwrap();
        let mut starting = Placed::of(&bundle).unwrap().unwrap();
        starting.heard = Some(TargetState::Starting);
        let heard = || Placed::of(&bundle).unwrap().unwrap().heard;
        let free = || {
            let lock = inside::open_to_lock(bundle.folder(), "target.lock", true).unwrap();
            lock.try_lock().is_ok()
        };
        // Somebody who is about to start it holds the lock from the look to the word.
        let looked = starting.keep_if(&bundle, || {
            assert!(!free());
            match runs.is_followed(id)? {
                true => Ok(()),
                false => Err(being_sent(id, &starting)),
            }
        });
        assert!(looked.is_ok() && free());
        assert_eq!(heard(), Some(TargetState::Starting));
        // Somebody who is sure needs the same lock: where it cannot be had, the run is not put away.
        let lock = bundle.folder().join("target.lock");
        std::fs::remove_file(&lock).unwrap();
        std::fs::create_dir(&lock).unwrap();
        assert!(runs.stop_following(id, true).is_err());
        assert!(runs.is_followed(id).unwrap());
        std::fs::remove_dir(&lock).unwrap();
        let away = runs.stop_following(id, true).unwrap();
        assert_eq!(away.state, RunState::Unfollowed);
        assert!(free());
        // From now on nothing is written about a start.
        starting.heard = None;
        starting.keep(&bundle).unwrap();
        starting.heard = Some(TargetState::Starting);
        let refused = starting.keep_if(&bundle, || Err(being_sent(id, &starting)));
        assert!(refused.is_err());
        assert_eq!(heard(), None);
    }

    #[test]
    fn a_run_that_is_put_away_just_before_its_start_is_not_started() {
        let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
        let runs = Runs::of(&workspace);
        let bundle = runs.bundle(id).unwrap();
        let placed = Placed::of(&bundle).unwrap().unwrap();
        for _ in 0..12 {
            placed.keep(&bundle).unwrap();
            runs.follow_again(id, RunState::Queued).unwrap();
            let mut starting = placed.clone();
            starting.heard = Some(TargetState::Starting);
            let together = std::sync::Barrier::new(2);
            let (started, known) = std::thread::scope(|scope| {
                let start = scope.spawn(|| {
                    together.wait();
                    let looked = || -> Result<()> {
                        match runs.is_followed(id)? {
                            true => Ok(()),
                            false => Err(being_sent(id, &starting)),
                        }
                    };
                    starting.keep_if(&bundle, looked).is_ok()
                });
                together.wait();
                let away = runs.stop_following(id, true).unwrap();
                assert_eq!(away.state, RunState::Unfollowed);
                let known = Placed::of(&bundle).unwrap().unwrap().heard;
                (start.join().unwrap(), known)
            });
            // Whoever puts it away knows of the start, or it does not come to one.
            assert_eq!(known.is_some(), started);
        }
    }

    #[test]
    fn a_run_that_nobody_sends_any_more_is_put_away() {
        let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
        let runs = Runs::of(&workspace);
        drop(sending(&runs.bundle(id).unwrap()).unwrap());
        let away = runs.stop_following(id, false).unwrap();
        assert_eq!(away.state, RunState::Unfollowed);
    }

    #[test]
    fn a_run_on_this_machine_is_stopped_and_not_put_away() {
        let (_folder, workspace, id) = with_run(&serde_json::json!({ "state": "running" }));
        let bundle = workspace.store.artifacts_path().join(BUNDLES).join("r");
        std::fs::remove_file(bundle.join("target.json")).unwrap();
        let failure = Runs::of(&workspace).stop_following(id, true).unwrap_err();
        assert!(failure.message.contains("not sent"), "{failure:?}");
    }

    #[test]
    fn what_is_at_work_or_done_there_is_not_put_away_unasked() {
        let by = QueueEnd::Preempted;
        for (state, expected) in [
            (TargetState::Starting, true),
            (TargetState::Running, true),
            (TargetState::Paused, true),
            (TargetState::Finished, true),
            (TargetState::Stopped, false),
            (TargetState::Died, false),
            (TargetState::Absent, false),
            (TargetState::NotStarted, false),
            (
                TargetState::Ended {
                    number: "7".into(),
                    end: by,
                },
                false,
            ),
        ] {
            let failure = refused(RunId(3), "box", &state);
            assert_eq!(failure.is_some(), expected, "{state:?}");
        }
    }
}

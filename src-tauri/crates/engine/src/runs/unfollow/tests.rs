//! Tests of `unfollow`.

use super::super::sending::{looking, sending};
use super::*;
use crate::models::BaseModel;
use crate::workspace::{BUNDLES, OpenWorkspace, Silent};
use lexforge_compute::bundle;
use lexforge_domain::protocol::{Control, InspectJob, Job, ModelRef, QueueEnd};
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

/// A program that only looks holds the lock for a moment. It is not taken for one that sends the run, so that of two
/// programs that look at the same instant one sends it.
#[test]
fn two_programs_that_look_at_one_instant_do_not_both_leave_a_run_alone() {
    let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
    let runs = Runs::of(&workspace);
    let bundle = runs.bundle(id).unwrap();
    let row = runs.run(id).unwrap();
    let other = looking(&bundle).unwrap();
    assert!(other.is_some());
    assert!(runs.may_lack_a_worker(&row).unwrap());
    // Nor is a run put away while somebody looks, or looked at as if it were free while it is put away.
    assert!(putting_away(&bundle).unwrap().is_none());
    drop(other);
    let away = putting_away(&bundle).unwrap();
    assert!(away.is_some() && looking(&bundle).unwrap().is_none());
    drop(away);
    let sender = sending(&bundle).unwrap();
    assert!(looking(&bundle).unwrap().is_none());
    assert!(!runs.may_lack_a_worker(&row).unwrap());
    drop(sender);
    assert!(runs.may_lack_a_worker(&row).unwrap());
}

/// Two programs that want the same run do not both send it: the second one waits for what the first one makes of it.
#[test]
fn a_run_that_is_being_sent_is_taken_up_by_nobody_else() {
    let (_folder, workspace, id) = with_run(&serde_json::Value::Null);
    let runs = Runs::of(&workspace);
    let bundle = runs.bundle(id).unwrap();
    let row = || runs.run(id).unwrap();
    assert_eq!(row().state, RunState::Queued);
    assert!(runs.may_lack_a_worker(&row()).unwrap());
    let lock = sending(&bundle).unwrap();
    assert!(!runs.may_lack_a_worker(&row()).unwrap());
    // Nor is there anybody yet whom it could be told to stop.
    let failure = runs.control_run(id, Control::Stop).unwrap_err();
    assert_eq!(failure.code, Code::BundleLocked);
    assert!(failure.message.contains("being sent"), "{failure:?}");
    drop(lock);
    assert!(runs.may_lack_a_worker(&row()).unwrap());

    let claim = bundle.claim().unwrap();
    let (taken, resumed) = std::thread::scope(|scope| {
        let resumed = scope.spawn(|| runs.resume_run(id));
        (runs.take_up(id), resumed.join().unwrap())
    });
    assert_eq!(taken.unwrap(), row());
    let failure = resumed.unwrap_err();
    assert_eq!(failure.code, Code::BundleLocked);
    assert!(
        failure
            .message
            .starts_with("Another program is just starting run")
    );
    drop(claim);
    // Nobody starts it any more: what hinders now is that neither its model nor its target is here.
    assert_ne!(runs.resume_run(id).unwrap_err().code, Code::BundleLocked);
}

//! Tests of `there`.

#![allow(clippy::unwrap_used)] // A test that cannot go on has failed.

use super::*;
use crate::workspace::Silent;
use lexforge_domain::api::Progress;

/// Somebody who has called it off.
struct Gone;

impl Watcher for Gone {
    fn progress(&self, _: Progress) {}

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn nobody_waits_for_a_connection_or_a_transfer_that_was_called_off() {
    let code = |ended: Result<()>| ended.map_err(|failure| failure.code);
    for (watcher, expected) in [
        (&Gone as &dyn Watcher, Err(Code::Cancelled)),
        (&Silent as &dyn Watcher, Ok(())),
    ] {
        let pause = match expected {
            Ok(()) => Duration::from_millis(1),
            Err(_) => Duration::MAX,
        };
        assert_eq!(code(rest(pause, watcher)), expected);
        assert_eq!(code(under_way(watcher, "t", 1, 2)), expected);
    }
}

/// A program that starts a run first records that it is sending the run, and then asks the target to start it.
/// Somebody who looks at the target in between finds no worker there.
#[test]
fn a_run_that_another_program_is_just_starting_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let model = lexforge_domain::protocol::ModelRef {
        name: "m".into(),
        sha256: String::new(),
    };
    let job = lexforge_domain::protocol::InspectJob::of(model);
    let job = lexforge_domain::protocol::Job::Inspect(job);
    let bundle = lexforge_compute::bundle::create(folder.path(), &job).unwrap();
    let absent = || Failure::new(Code::NotFound, "The target has no such job.", "");
    // Until it has started the run, the target has no such job, or tells of an attempt before.
    let first = || {
        [
            Ok(TargetState::NotStarted),
            Ok(TargetState::Stopped),
            Ok(TargetState::Died),
            Err(absent()),
        ]
    };
    for before in first() {
        let (mut starter, mut looks) = (Some(sending(&bundle).unwrap()), 0);
        let state = outcome(&bundle, &Silent, || {
            looks += 1;
            // It has started the run when it is looked at again.
            match starter.take() {
                Some(_) => before.clone(),
                None => Ok(TargetState::Finished),
            }
        });
        assert_eq!((state.unwrap(), looks), (TargetState::Finished, 2));
    }
    // Nobody is about to start it: so it is told.
    for before in first() {
        let told = outcome(&bundle, &Silent, || before.clone());
        assert_eq!(told, before);
    }
    // It waits for nothing where the run goes on, or is done.
    let _starter = sending(&bundle).unwrap();
    for now in [TargetState::Running, TargetState::Finished] {
        let told = outcome(&bundle, &Silent, || Ok(now.clone()));
        assert_eq!(told, Ok(now));
    }
}

#[test]
fn what_the_user_holds_is_released_for_the_user_alone() {
    let waiting = |reason: &str| TargetState::Waiting {
        number: "7".into(),
        reason: reason.into(),
        since: None,
        starts: None,
        place: None,
        after: None,
    };
    for (reason, by_user, by_program) in [
        ("JobHeldUser", true, false),
        ("launch failed requeued held", true, true),
        ("JobHeldAdmin", false, false),
        ("Priority", false, false),
    ] {
        let state = waiting(reason);
        let found = [Asking::User, Asking::Program].map(|asking| releases(&state, asking));
        assert_eq!(found, [by_user, by_program], "{reason}");
    }
    assert!(!releases(&TargetState::Running, Asking::User));
}

/// A full disk takes the rest of the files once there is room: nothing has failed.
#[test]
fn a_run_that_could_not_be_sent_whole_has_stopped_and_not_failed() {
    let full = || Failure::new(Code::DiskFull, "On the target: full.", "");
    let away = || Failure::new(Code::TargetUnreachable, "No route.", "");
    let wrong = || Failure::new(Code::TargetUnready, "No such partition.", "");
    let failed = || Some(TargetState::Failed { failure: wrong() });
    let (stopped, starting) = (Some(TargetState::Stopped), Some(TargetState::Starting));
    for (heard, lost, failure, expected, is_lost) in [
        (None, false, full(), stopped.clone(), false),
        (None, false, away(), stopped.clone(), false),
        (None, false, wrong(), failed(), false),
        // It was sent before, and had died since.
        (
            Some(TargetState::Died),
            false,
            full(),
            stopped.clone(),
            false,
        ),
        // Its job could not be written down there: so it was not started.
        (starting.clone(), false, full(), stopped, false),
        // The answer was lost. It may run.
        (starting.clone(), true, full(), starting.clone(), true),
        (starting.clone(), false, away(), starting, true),
    ] {
        let mut placed = placed();
        (placed.heard, placed.lost) = (heard.clone(), lost);
        not_started(&mut placed, &failure);
        assert_eq!(
            (placed.heard, placed.lost),
            (expected, is_lost),
            "{heard:?} {failure:?}"
        );
    }
}

/// A run that was placed, as its bundle says it.
fn placed() -> Placed {
    let note = serde_json::json!({
        "target": "box", "id": "0".repeat(32), "job": "1".repeat(32), "attempt": "2".repeat(32),
        "models": [], "heard": null, "lost": false,
    });
    serde_json::from_value(note).unwrap()
}

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
    let told = |starter: Option<std::fs::File>| {
        let (mut starter, mut looks) = (starter, 0);
        let state = outcome(&bundle, &Silent, || {
            looks += 1;
            // It has started the run when it is looked at again.
            Ok(match starter.take() {
                Some(_) => TargetState::NotStarted,
                None if looks == 1 => TargetState::NotStarted,
                None => TargetState::Finished,
            })
        });
        (state.unwrap(), looks)
    };
    let starter = sending(&bundle).unwrap();
    assert_eq!(told(Some(starter)), (TargetState::Finished, 2));
    // Nobody is about to start it: so it is told.
    assert_eq!(told(None), (TargetState::NotStarted, 1));
}

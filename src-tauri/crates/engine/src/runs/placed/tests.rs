//! Tests of `placed`.

use super::*;
use lexforge_compute::bundle;
use lexforge_compute::remote::transfer::append_events;
use lexforge_domain::protocol::{Event, InspectJob, Job, ModelRef};

/// A bundle of a run that was sent to a target.
fn sent() -> (tempfile::TempDir, Bundle, Placed) {
    let folder = tempfile::tempdir().unwrap();
    let model = ModelRef {
        name: "m".into(),
        sha256: String::new(),
    };
    let bundle = bundle::create(folder.path(), &Job::Inspect(InspectJob::of(model))).unwrap();
    let placed = Placed {
        target: "t".into(),
        id: new_id(),
        at: None,
        job: new_id(),
        attempt: new_id(),
        turn: 0,
        models: Vec::new(),
        heard: None,
        lost: false,
        silent: false,
        price: None,
        events_before: 0,
        attempts_before: 0,
        checkpoints: false,
        cleaned: false,
    };
    (folder, bundle, placed)
}

#[test]
fn a_run_brings_its_checkpoints_only_if_asked_and_older_records_do_not_ask() {
    let (_folder, bundle, placed) = sent();
    let mut older = serde_json::json!(placed);
    assert!(
        older
            .as_object_mut()
            .unwrap()
            .remove("checkpoints")
            .is_some()
    );
    bundle
        .write_note(NOTE, older.to_string().as_bytes())
        .unwrap();
    let asked = || Placed::of(&bundle).unwrap().unwrap().checkpoints;
    assert!(!asked());
    placed
        .amend(&bundle, |known| known.checkpoints = true)
        .unwrap();
    assert!(asked());
}

#[test]
fn what_a_job_tells_that_is_sent_anew_comes_after_what_was_told_before() {
    let (_folder, bundle, mut placed) = sent();
    let told = |n: u64| -> Vec<JobEvent> {
        let event = |seq| JobEvent {
            attempt: 1,
            seq,
            time: 0.0,
            event: Event::Stopped { step: seq },
        };
        (0..n).map(event).collect()
    };
    // Nothing was told yet, then three events, then two; each time the target has lost the job.
    let mut expected: Vec<(u64, u32)> = Vec::new();
    for (attempt, n) in [(1, 3), (2, 2), (3, 1)] {
        let newest = bundle.newest_event(|_| true, |_| true).unwrap();
        placed.count_from(newest.as_ref());
        let last = newest.map(|event| event.seq);
        assert_eq!(placed.number_there(last), None);
        let mut events = told(n);
        placed.number_here(&mut events);
        append_events(&bundle, &events).unwrap();
        for _ in 0..n {
            expected.push((expected.len() as u64, attempt));
        }
        let here: Vec<(u64, u32)> = bundle
            .events(None)
            .unwrap()
            .iter()
            .map(|event| (event.seq, event.attempt))
            .collect();
        assert_eq!(here, expected);
        let last = here.last().map(|(seq, _)| *seq);
        assert_eq!(placed.number_there(last), Some(n - 1));
    }
}

#[test]
fn a_record_never_goes_back_to_an_older_attempt() {
    let (_folder, bundle, mut first) = sent();
    let now = || Placed::of(&bundle).unwrap().unwrap();
    first.keep(&bundle).unwrap();
    first.hear(&bundle, TargetState::Running).unwrap();
    assert_eq!(now().heard, Some(TargetState::Running));

    // Another program starts the run again while this one still follows the attempt before.
    let mut second = now();
    second.begin_anew();
    second.heard = Some(TargetState::Starting);
    second.keep(&bundle).unwrap();
    first.hear(&bundle, TargetState::Stopped).unwrap();
    first.amend(&bundle, |known| known.lost = true).unwrap();
    first.keep(&bundle).unwrap();
    assert_eq!(now().attempt, second.attempt);
    assert_eq!(
        (now().heard, now().lost),
        (Some(TargetState::Starting), false)
    );

    // News about the later attempt is written, also that its connection is lost.
    second.hear(&bundle, TargetState::Running).unwrap();
    second.amend(&bundle, |known| known.lost = true).unwrap();
    assert_eq!(
        (now().heard, now().lost),
        (Some(TargetState::Running), true)
    );
    assert_eq!(now().state(), RunState::Unknown);
    // No target has this name.
    assert!(now().notes()[0].contains("not known here any more"));
}

/// A target of this user, with this number.
fn of_this_user(id: &JobId) -> Target {
    Target {
        name: "t".into(),
        id: id.clone(),
        place: TargetPlace::Here,
        folder: String::new(),
        slurm: None,
        worker: None,
        added: String::new(),
        price: None,
    }
}

/// A workspace from elsewhere can name a target of this user. It cannot know the number that was drawn here.
#[test]
fn a_made_up_number_leads_to_no_target() {
    let (_folder, _bundle, mut placed) = sent();
    let known = of_this_user(&new_id());
    let refused = placed.started_on(known.clone()).err().unwrap();
    assert_eq!(refused.code, Code::NotFound);
    assert!(refused.message.contains("another target"), "{refused}");
    placed.id = known.id.clone();
    assert_eq!(placed.started_on(known.clone()).unwrap().id, known.id);
    // Nor does the right number lead to another host than the one that the run was sent to.
    let host = "other".into();
    placed.at = Some((TargetPlace::Ssh { host }, String::new()));
    let refused = placed.started_on(known).err().unwrap();
    assert!(refused.message.contains("leads elsewhere"), "{refused}");
}

#[test]
fn a_target_whose_file_is_damaged_is_still_known() {
    let (one, other) = (new_id(), new_id());
    let known = of_this_user(&one);
    let failed = |code: Code| Err(Failure::new(code, "It failed.", "Try again."));
    for (found, id, expected) in [
        (Ok(known.clone()), &one, true),
        (Ok(known), &other, false),
        (failed(Code::NotFound), &one, false),
        (failed(Code::InvalidRequest), &one, true),
        (failed(Code::ReadOnly), &one, true),
    ] {
        assert_eq!(is_still(&found, id), expected, "{found:?}");
    }
}

#[test]
fn what_a_scheduler_ended_has_not_failed() {
    let mut placed: Placed = serde_json::from_value(serde_json::json!({
            "target": "t", "id": "0".repeat(32), "job": "1".repeat(32), "attempt": "2".repeat(32),
            "models": [], "heard": {"state": "waiting", "number": "7", "reason": "Priority"}, "lost": false,
        }))
        .unwrap();
    // As an older version wrote it.
    assert_eq!(placed.state(), RunState::Queued);
    assert!(placed.notes()[0].contains("job 7 (Priority)"));
    placed.heard = Some(TargetState::Ended {
        number: "7".into(),
        end: lexforge_domain::protocol::QueueEnd::NodeFailed,
    });
    assert_eq!(placed.state(), RunState::Stopped);
    assert_eq!(placed.failure(), None);
    assert!(placed.notes()[0].contains("failed"), "the machine");
}

/// The program that was about to start it was ended before the target heard of it.
#[test]
fn a_run_that_no_worker_has_begun_has_not_died() {
    let (_folder, bundle, mut placed) = sent();
    placed.keep(&bundle).unwrap();
    placed.hear(&bundle, TargetState::NotStarted).unwrap();
    assert_eq!(placed.state(), RunState::Stopped);
    assert!(placed.state().resumable());
    assert!(placed.notes()[0].contains("no worker has begun it"));
    placed.hear(&bundle, TargetState::Died).unwrap();
    assert_eq!(placed.state(), RunState::Died);
}

#[test]
fn a_worker_that_is_silent_is_told_of_until_its_state_changes() {
    let (_folder, bundle, mut placed) = sent();
    placed.keep(&bundle).unwrap();
    placed.hear(&bundle, TargetState::Running).unwrap();
    let now = || Placed::of(&bundle).unwrap().unwrap();
    assert!(now().notes().is_empty());
    placed.amend(&bundle, |known| known.silent = true).unwrap();
    assert_eq!(now().notes(), [words::SILENT]);
    // The same state after a lost connection says nothing of the worker.
    placed.hear(&bundle, TargetState::Running).unwrap();
    assert_eq!(now().notes(), [words::SILENT]);
    placed.hear(&bundle, TargetState::Stopped).unwrap();
    assert!(!now().silent);
}

//! Tests of `bundle`.

use super::*;
use lexforge_domain::protocol::{InspectJob, ModelRef};

fn job() -> Job {
    Job::Inspect(InspectJob::of(ModelRef {
        name: "m".into(),
        sha256: String::new(),
    }))
}

#[test]
fn a_bundle_is_made_once_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    assert_eq!(bundle.write_jsonl("inputs/a.jsonl", [1, 2, 3]).unwrap(), 3);
    assert_eq!(
        std::fs::read_to_string(bundle.path("inputs/a.jsonl").unwrap()).unwrap(),
        "1\n2\n3\n"
    );
    assert_eq!(*Bundle::open(folder.path()).unwrap().job(), job());
    assert_eq!(
        create(folder.path(), &job()).unwrap_err().code,
        Code::BundleInvalid
    );
    assert!(bundle.path("../x").is_err());
    assert!(Bundle::open(&folder.path().join("absent")).is_err());
    bundle.control(Control::Stop).unwrap();
    assert_eq!(
        std::fs::read_to_string(folder.path().join(CONTROL_FILE)).unwrap(),
        "stop"
    );
    bundle.clear_control().unwrap();
    bundle.clear_control().unwrap();
}

#[test]
fn the_state_follows_lock_events_and_result() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    assert_eq!(
        bundle.state(),
        BundleState::NeverStarted,
        "nobody is starting a worker"
    );
    let claim = bundle.claim().unwrap();
    assert_eq!(bundle.state(), BundleState::NotStarted);
    assert_eq!(bundle.claim().unwrap_err().code, Code::BundleLocked);
    drop(claim);
    assert_eq!(bundle.state(), BundleState::NeverStarted);
    let events = folder.path().join(EVENTS_FILE);
    let lock = File::create(folder.path().join(LOCK_FILE)).unwrap();
    let check = |last: &str, held: bool, expected: BundleState| {
        let line = format!("{{\"attempt\":1,\"seq\":0,\"time\":0.0,{last}}}\n");
        std::fs::write(&events, line + "{\"attempt\":1,\"se").unwrap();
        if held {
            lock.lock().unwrap();
        }
        assert_eq!(bundle.state(), expected, "{last}");
        if held {
            lock.unlock().unwrap();
        }
    };
    check(r#""event":"paused","step":3"#, true, BundleState::Paused);
    check(r#""event":"paused","step":3"#, false, BundleState::Died);
    check(r#""event":"stopped","step":3"#, false, BundleState::Stopped);
    check(r#""event":"stopped","step":3"#, true, BundleState::Running);
    let failure = Failure::new(Code::OutOfMemory, "m", "h");
    let failed = r#""event":"failed","code":"out_of_memory","message":"m","hint":"h""#;
    check(failed, false, BundleState::Failed(failure));
    let result = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
    std::fs::write(folder.path().join(RESULT_FILE), result).unwrap();
    check(
        r#""event":"finished","seconds":1.0"#,
        false,
        BundleState::Finished,
    );
}

/// A worker that is still loading has written nothing. What an earlier worker wrote does not describe it. So the state
/// is "not started" until the new worker writes something. If the process of the new worker ends before that, the last
/// word of the earlier worker counts again.
#[test]
fn a_worker_that_loads_is_starting_whatever_was_said_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    let lock = File::create(folder.path().join(LOCK_FILE)).unwrap();
    let events = folder.path().join(EVENTS_FILE);
    let line =
        |seq: u64, event: &str| format!("{{\"attempt\":1,\"seq\":{seq},\"time\":0.0,{event}}}\n");
    let progress = r#""event":"progress","stage":"load","step":0,"of":0,"loss":null,"lr":null,"tokens_per_s":null,"memory_mb":1.0,"eta_s":null"#;
    let stopped = r#""event":"stopped","step":3"#;
    let paused = r#""event":"paused","step":3"#;
    for (before, expected) in [
        (stopped, BundleState::Stopped),
        (paused, BundleState::Died),
        (progress, BundleState::Died),
    ] {
        std::fs::write(&events, line(6, before)).unwrap();
        assert_eq!(bundle.state(), expected);
        let claim = bundle.claim().unwrap();
        assert_eq!(bundle.state(), BundleState::NotStarted, "{before}");
        lock.lock().unwrap();
        assert_eq!(bundle.state(), BundleState::NotStarted, "{before}");
        lock.unlock().unwrap();
        drop(claim);
        assert_eq!(bundle.state(), expected, "it died while it was loading");

        let claim = bundle.claim().unwrap();
        std::fs::write(&events, line(6, before) + &line(7, progress)).unwrap();
        assert_eq!(
            bundle.state(),
            BundleState::Running,
            "its lock was not seen"
        );
        lock.lock().unwrap();
        assert_eq!(bundle.state(), BundleState::Running);
        std::fs::write(&events, line(6, before) + &line(7, paused)).unwrap();
        assert_eq!(bundle.state(), BundleState::Paused);
        std::fs::write(&events, line(6, before) + &line(7, stopped)).unwrap();
        lock.unlock().unwrap();
        // Its last word counts, though its process has not quite ended.
        assert_eq!(bundle.state(), BundleState::Stopped);
        drop(claim);
    }
}

#[test]
fn a_result_that_names_no_hash_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    let rest = r#""adapter":"tuned","steps":1,"best_step":1,"stages":[],"trainable_parameters":1,"peak_memory_mb":1.0,"seconds":1.0"#;
    let hash = "0123456789abcdef".repeat(4);
    let check = |hash: &str, good: bool| {
        let text = format!(r#"{{"kind":"train","adapter_sha256":"{hash}",{rest}}}"#);
        std::fs::write(folder.path().join(RESULT_FILE), text).unwrap();
        assert_eq!(bundle.result().is_ok(), good, "{hash}");
        let BundleState::Failed(failure) = bundle.state() else {
            assert!(good, "{hash} is taken for a result");
            return;
        };
        assert_eq!(failure.code, Code::BundleInvalid);
        for told in [RESULT_FILE, "adapter_sha256"] {
            assert!(failure.message.contains(told), "{}", failure.message);
        }
    };
    check(&hash, true);
    for bad in [
        "../../x",
        "/etc/passwd",
        "",
        &hash.to_uppercase(),
        &hash[1..],
    ] {
        check(bad, false);
    }
}

/// As on a network disk whose server has no service for locks.
fn no_locks(_: &File) -> Result<(), TryLockError> {
    Err(TryLockError::Error(std::io::ErrorKind::Unsupported.into()))
}

#[test]
fn where_there_are_no_locks_a_lease_says_who_works() {
    use lexforge_files::lease::Lease;
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    let pace = Pace::default();
    let standing = || bundle.standing_by(LOCK_FILE, no_locks, pace);
    assert_eq!(standing(), Standing::Free, "no worker has ever begun");
    File::create(folder.path().join(LOCK_FILE)).unwrap();
    let lease = Lease::take(folder.path(), LOCK_FILE, pace, |_| {}).unwrap();
    assert_eq!(standing(), Standing::Held);
    assert_eq!(bundle.state_by(standing()), BundleState::Running);
    drop(lease);
    assert_eq!(standing(), Standing::Free);
}

/// If a disk does not answer, it is unknown whether the worker is gone or has failed.
#[test]
fn what_cannot_be_told_is_unknown_and_not_gone() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = create(folder.path(), &job()).unwrap();
    File::create(folder.path().join(LOCK_FILE)).unwrap();
    let stale: TryLock = |_| {
        Err(TryLockError::Error(
            std::io::ErrorKind::StaleNetworkFileHandle.into(),
        ))
    };
    let standing = bundle.standing_by(LOCK_FILE, stale, Pace::default());
    assert!(matches!(standing, Standing::Unknown(_)), "{standing:?}");
    assert!(matches!(
        bundle.state_by(standing.clone()),
        BundleState::Unknown { .. }
    ));
    let unreadable = "{";
    std::fs::write(folder.path().join(RESULT_FILE), unreadable).unwrap();
    assert!(matches!(
        bundle.state_by(standing.clone()),
        BundleState::Unknown { .. }
    ));
    let result = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
    std::fs::write(folder.path().join(RESULT_FILE), result).unwrap();
    assert_eq!(bundle.state_by(standing), BundleState::Finished);
    for (kind, expected) in [
        (std::io::ErrorKind::TimedOut, true),
        (std::io::ErrorKind::PermissionDenied, false),
        (std::io::ErrorKind::NotFound, false),
    ] {
        assert_eq!(is_no_answer(&kind.into()), expected, "{kind:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_of_a_bundle_are_neither_read_nor_written_through() {
    use std::os::unix::fs::symlink;
    let all = tempfile::tempdir().unwrap();
    let (folder, victim) = (all.path().join("bundle"), all.path().join("victim"));
    let bundle = create(&folder, &job()).unwrap();
    let secret = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
    std::fs::write(&victim, secret).unwrap();
    for name in [
        RESULT_FILE,
        EVENTS_FILE,
        STDERR_FILE,
        LOCK_FILE,
        STARTING_FILE,
        CONTROL_FILE,
        "in.jsonl",
    ] {
        symlink(&victim, folder.join(name)).unwrap();
    }
    symlink(all.path(), folder.join("inputs")).unwrap();
    assert_eq!(bundle.result().unwrap_err().code, Code::BundleInvalid);
    assert_eq!(bundle.events(None).unwrap_err().code, Code::BundleInvalid);
    assert_eq!(bundle.last_words(), None);
    assert!(!bundle.held());
    for failure in [
        bundle.claim().unwrap_err(),
        bundle.write_jsonl("in.jsonl", [1]).unwrap_err(),
        bundle.write_jsonl("inputs/in.jsonl", [1]).unwrap_err(),
        bundle.path("inputs/victim").unwrap_err(),
        bundle.path("in.jsonl").unwrap_err(),
        bundle.open_file("in.jsonl").unwrap_err(),
    ] {
        assert_eq!(failure.code, Code::BundleInvalid, "{failure}");
        assert!(failure.message.contains("link"), "{failure}");
    }
    // What is written whole takes the place of a link.
    bundle.control(Control::Stop).unwrap();
    let control = std::fs::symlink_metadata(folder.join(CONTROL_FILE)).unwrap();
    assert!(control.is_file());
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), secret);
    assert_eq!(std::fs::read_dir(all.path()).unwrap().count(), 2);
    // The job itself, and a bundle that is itself a link.
    std::fs::rename(folder.join(JOB_FILE), all.path().join("job")).unwrap();
    symlink(all.path().join("job"), folder.join(JOB_FILE)).unwrap();
    assert_eq!(Bundle::open(&folder).unwrap_err().code, Code::BundleInvalid);
}

//! Tests of `connection`.

use super::*;
use lexforge_domain::Sha256;
use sha2::Digest;

/// What is said of a worker that names these versions of the station and of the protocol when it starts.
#[cfg(target_os = "linux")]
fn refusal(station_version: u32, protocol_version: u32) -> Option<Failure> {
    use super::super::login::Place;
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let version = folder.path().join("versions/v");
    std::fs::create_dir_all(&version).unwrap();
    std::fs::write(version.join("whole"), "").unwrap();
    let mut said = STATION_MARK.to_vec();
    let ready = StationReply::Ready {
        station_version,
        protocol_version,
        version: "0.0.1".into(),
        folder: "there".into(),
    };
    frame::write_message(&mut said, 0, &ready).unwrap();
    std::fs::write(version.join("said"), said).unwrap();
    // It says that, and then listens until nobody speaks to it any more.
    let worker = version.join("lexforge-worker");
    std::fs::write(&worker, "#!/bin/sh\ncat \"${0%/*}/said\"\ncat >/dev/null\n").unwrap();
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o700)).unwrap();
    let shell = Shell::open(&Place::Here, folder.path().to_str().unwrap()).unwrap();
    Connection::open(shell, "v").err()
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_of_another_protocol_version_is_refused_with_what_to_do() {
    for (station, protocol) in [
        (STATION_VERSION + 1, PROTOCOL_VERSION),
        (STATION_VERSION, PROTOCOL_VERSION + 1),
        (STATION_VERSION - 1, PROTOCOL_VERSION),
    ] {
        let failure = refusal(station, protocol).unwrap();
        assert_eq!(failure.code, Code::WorkerIncompatible, "{failure}");
        assert!(failure.hint.contains("Install the worker"), "{failure}");
    }
    assert_eq!(refusal(STATION_VERSION, PROTOCOL_VERSION), None);
}

#[test]
fn a_request_that_fits_into_no_frame_is_refused_with_the_reason() {
    let sha256 = Sha256::of_digest(sha2::Sha256::digest(b"x"));
    let of = |n: usize| StationRequest::Have {
        contents: vec![sha256.clone(); n],
    };
    assert!(in_a_frame(&of(1_000)).is_ok());
    let failure = in_a_frame(&of(20_000)).unwrap_err();
    assert_eq!(failure.code, Code::InvalidRequest);
    assert!(failure.message.contains("more files"), "{failure}");
}

/// Somebody who sends a model to a full disk should not look at their own.
#[test]
fn of_a_full_disk_it_is_told_whose_it_is() {
    let told = |code: Code, message: &str| of_target(Failure::new(code, message, "Do something."));
    for (code, message) in [
        (
            Code::DiskFull,
            "/data/parts/ab: Disk quota exceeded (os error 122).",
        ),
        (
            Code::DiskFull,
            "/data/parts/ab: No space left on device (os error 28).",
        ),
        (
            Code::ReadOnly,
            "/data: Read-only file system (os error 30).",
        ),
    ] {
        let failure = told(code, message);
        assert_eq!(failure.code, code, "{failure}");
        assert_eq!(failure.message, format!("On the target: {message}"));
        assert!(failure.hint.contains("on the target"), "{failure}");
    }
    let other = told(Code::NotFound, "There is no such job.");
    assert_eq!(other.message, "There is no such job.");
}

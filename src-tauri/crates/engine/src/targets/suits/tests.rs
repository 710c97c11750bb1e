//! Tests of `suits`.

use super::*;
use lexforge_domain::api::TargetPlace;
use lexforge_domain::protocol::JobId;

fn rows(rows: &[(&str, &str)]) -> Vec<Row> {
    let rows = rows.iter();
    rows.map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn a_target_on_which_the_worker_cannot_run_is_refused_with_the_reason() {
    let target = Target {
        name: "box".to_owned(),
        id: JobId::of_bytes([0; 16]),
        place: TargetPlace::Here,
        folder: String::new(),
        slurm: None,
        worker: None,
        added: String::new(),
        price: None,
    };
    let files = InstallFiles {
        glibc: (2, 34),
        ..InstallFiles::default()
    };
    let here = wanted_system();
    for (found, expected) in [
        (
            &[("system", here.as_str()), ("glibc", "glibc 2.36")][..],
            None,
        ),
        (&[("system", &here), ("glibc", "glibc 2.34")], None),
        (
            &[("system", "Linux sparc64"), ("glibc", "glibc 2.36")],
            Some((Code::TargetUnready, "box is Linux sparc64")),
        ),
        (
            &[("system", &here), ("glibc", "glibc 2.33")],
            Some((
                Code::TargetUnready,
                "glibc 2.34 or newer, and box has glibc 2.33",
            )),
        ),
        (
            &[("system", &here), ("unwritable", "/data/me/.lexforge")],
            Some((Code::ReadOnly, "/data/me/.lexforge on box")),
        ),
        (
            &[("system", &here), ("full", "/data/me/.lexforge")],
            Some((
                Code::DiskFull,
                "quota of the folder /data/me/.lexforge on box is full",
            )),
        ),
        // A system that does not say what it has may have it.
        (&[("system", &here), ("glibc", "")], None),
        (&[], None),
    ] {
        let refused = suits(&target, &rows(found), &files).err();
        assert_eq!(
            refused.as_ref().map(|failure| failure.code),
            expected.map(|(code, _)| code),
            "{found:?}"
        );
        if let (Some(failure), Some((_, part))) = (refused, expected) {
            assert!(failure.message.contains(part), "{failure}");
            assert!(failure.hint.starts_with("Nothing was sent."), "{failure}");
        }
    }
    // Without a figure of the worker's own, what libtorch needs counts.
    let old = rows(&[("glibc", "glibc 2.27")]);
    assert!(suits(&target, &old, &InstallFiles::default()).is_err());
}

#[test]
fn room_is_what_disk_and_quota_leave() {
    for (found, expected) in [
        (&[("disk", "1000")][..], Some(1_024_000)),
        (&[("disk", "1000"), ("quota", "50 60")], Some(10_240)),
        (&[("disk", "5"), ("quota", "50 60")], Some(5_120)),
        (&[("disk", "1000"), ("quota", "70* 60")], Some(0)),
        (&[("disk", "0")], None),
        (&[("disk", "-")], None),
        (&[], None),
    ] {
        assert_eq!(room_in(&rows(found)), expected, "{found:?}");
    }
    assert_eq!(quota_of("12 50000000"), Some((12, 50_000_000)));
}

//! What a target lacks: each thing is a row of its check with the remedy, and an installation that cannot succeed is refused
//! before anything is sent. A quota that nobody tells of is met in the middle of a transfer. Behind it is a real `sshd`.
#![cfg(unix)]

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use lexforge_tests::ssh_target::SshTarget;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

const WS: &str = "a.lexforge";
/// Checks of a card, which the machine may have.
const OF_CARDS: [&str; 3] = ["gpu", "driver", "cuda capability"];
/// More bytes than this go over the line only if files are sent.
const WORDS: u64 = 200_000;

/// The product, and a target that it knows as `box`.
fn with_target() -> Option<(Product, SshTarget)> {
    let lexforge = Product::with_decoder()?;
    let target = SshTarget::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_PATIENCE", "60");
    Some((lexforge, target))
}

fn add(lexforge: &Product, name: &str, folder: &Path) {
    let folder = folder.display().to_string();
    lexforge.json(&["compute", "add", name, "--ssh", "box", "--folder", &folder]);
}

/// Checks that are not as they should be, but for the worker, which is not there; each has a remedy.
fn lacking(lexforge: &Product) -> BTreeMap<String, String> {
    let done = lexforge.run(&["compute", "check", "box", "--json"]);
    let rows = done.out.lines();
    let rows = rows.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let bad = rows.filter(|row| row["ok"] == false && row["check"] != "worker");
    bad.inspect(|row| assert_ne!(row["remedy"], "", "{row}"))
        .map(|row| (text(&row["check"]), text(&row["found"])))
        .collect()
}

fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whether a line of a shell succeeds in a mount namespace of its own.
fn may_mount(line: &str) -> bool {
    let done = Command::new("unshare")
        .args(["-m", "sh", "-c"])
        .arg(format!("mount --make-rprivate / && {line}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    done.is_ok_and(|status| status.success())
}

#[test]
fn what_a_target_lacks_is_told_with_its_remedy_and_nothing_is_sent_to_it() {
    let Some((lexforge, mut target)) = with_target() else {
        return;
    };
    let there = target.path("there");
    add(&lexforge, "box", &there);
    let bin = target.path("bin");
    std::fs::create_dir(&bin).unwrap();
    let seen = target.path("seen");
    target.start_logins_with(&format!(
        "echo begun >>{}\nPATH={}:$PATH\n",
        seen.display(),
        bin.display()
    ));
    // A machine without a card, whatever this one has.
    let cards = bin.join("nvidia-smi");
    executable(&cards, "#!/bin/sh\nexit 9\n");
    let bad = lacking(&lexforge);
    if !seen.exists() {
        lexforge_needs::unavailable("a login shell that reads .bashrc");
        return;
    }
    assert_eq!(bad, BTreeMap::new());
    // Programs in the place of the system's, each with what a system would say that lacks something.
    let other = "case $1 in -s) echo Linux ;; *) echo sparc64 ;; esac";
    let old = "case $1 in GNU*) echo 'glibc 2.17' ;; *) echo 4 ;; esac";
    let full =
        "echo; case $1 in -PT) echo '/dev/x ext4' ;; *) echo '/dev/x 9 9 10240 1% /' ;; esac";
    let wide =
        "echo; case $1 in -PT) echo '/dev/x ext4' ;; *) echo '/dev/x 9 9 900000000 1% /' ;; esac";
    let quota = "echo; echo '/dev/x 2000 0 12240'";
    let late =
        "case $1 in +%s) echo $(($(/bin/date +%s) - 10800)) ;; *) exec /bin/date \"$@\" ;; esac";
    let card = "echo 'NVIDIA A100-SXM4-40GB, 40960 MiB, 535.183.01, 7.0'";
    for (programs, check, found, refusal) in [
        (
            &[("uname", other)][..],
            "system",
            "sparc64",
            Some(("target_unready", "sparc64")),
        ),
        (
            &[("getconf", old)],
            "glibc",
            "2.17",
            Some(("target_unready", "glibc 2.17")),
        ),
        (
            &[("df", full)],
            "disk",
            "0.0 GiB free",
            Some(("disk_full", "room for 10 MiB")),
        ),
        (
            &[("df", wide), ("quota", quota)],
            "quota",
            "0.0 of 0.0 GiB used",
            Some(("disk_full", "room for 10 MiB")),
        ),
        (&[("date", late)], "clock", "s from here", None),
        (&[("nvidia-smi", card)], "driver", "535.183.01", None),
        (&[("nvidia-smi", card)], "cuda capability", "7.0", None),
    ] {
        for (name, text) in programs {
            executable(&bin.join(name), &format!("#!/bin/sh\n{text}\n"));
        }
        let bad = lacking(&lexforge);
        assert!(
            bad.get(check).is_some_and(|said| said.contains(found)),
            "{check}: {bad:?}"
        );
        if let Some((code, part)) = refusal {
            let before = target.line.passed();
            let done = lexforge.run(&["compute", "install", "box", "--json"]);
            let said = refused(&done, code);
            assert!(said.contains(part), "{said}");
            assert!(done.out.contains("Nothing was sent."), "{}", done.out);
            let passed = target.line.passed() - before;
            assert!(passed < WORDS, "{check}: {passed} bytes went over");
        }
        for (name, _) in programs {
            std::fs::remove_file(bin.join(name)).unwrap();
        }
        executable(&cards, "#!/bin/sh\nexit 9\n");
    }
    assert_eq!(lacking(&lexforge), BTreeMap::new());
    let left = std::fs::read_dir(&there).unwrap().count();
    assert_eq!(left, 0, "something was begun");
}

/// A home that may not be written: its usual folder is told, and nothing is sent.
#[test]
fn a_home_that_is_read_only_takes_nothing() {
    home_that_takes_nothing("ro", "cannot be written", "read_only");
}

/// A home in which there is no room even for a folder is told as a full one.
#[test]
fn a_home_that_is_full_takes_nothing_and_is_told_as_full() {
    home_that_takes_nothing("nr_inodes=1", "its disk or its quota is full", "disk_full");
}

/// A home that is mounted with an option: what the check finds, and with which code an installation is refused.
fn home_that_takes_nothing(option: &str, found: &str, code: &str) {
    let Some((lexforge, mut target)) = with_target() else {
        return;
    };
    let home = target.path("home");
    std::fs::create_dir(&home).unwrap();
    let mount = format!("mount -t tmpfs -o {option} none '{}'", home.display());
    if !may_mount(&mount) {
        lexforge_needs::unavailable("a mount namespace and the rights of root");
        return;
    }
    lexforge.json(&["compute", "add", "box", "--ssh", "box"]);
    target.mount(&mount);
    let bad = lacking(&lexforge);
    assert!(bad["folder"].contains(found), "{bad:?}");
    let before = target.line.passed();
    let done = lexforge.run(&["compute", "install", "box", "--json"]);
    let said = refused(&done, code);
    assert!(said.contains(".lexforge on box"), "{said}");
    assert!(target.line.passed() - before < WORDS);
}

/// A real quota, of a file system in a file: neither `df` nor `quota` knows of it. What arrived is kept, and with more
/// room the same commands go on.
#[test]
fn a_quota_that_ends_in_the_middle_is_told_and_nothing_is_sent_twice() {
    let Some((lexforge, mut target)) = with_target() else {
        return;
    };
    let (image, disk) = (target.path("disk.img"), target.path("disk"));
    std::fs::create_dir(&disk).unwrap();
    let (image, there) = (image.display().to_string(), disk.join("own"));
    let disk = disk.display().to_string();
    let make = format!("truncate -s 3G '{image}' && mkfs.btrfs -q -f '{image}'");
    let mount = format!("mount -o loop '{image}' '{disk}'");
    let own = there.display().to_string();
    let limit = format!(
        "btrfs quota enable '{disk}' && btrfs subvolume create '{own}' && btrfs qgroup limit 64M '{own}'"
    );
    if !may_mount(&format!("{make} && {mount} && {limit} && umount '{disk}'")) {
        lexforge_needs::unavailable("a file system with quotas (root, a loop device, btrfs-progs)");
        return;
    }
    add(&lexforge, "box", &there);
    target.mount(&mount);
    let install = ["compute", "install", "box", "--json"];
    let done = lexforge.run(&install);
    let said = refused(&done, "disk_full");
    assert!(
        said.contains("On the target") && said.contains("quota"),
        "{said}"
    );
    assert!(done.out.contains("what arrived is kept"), "{}", done.out);
    assert_eq!(
        target
            .inside(&format!("ls '{own}/versions' '{own}/blobs'"))
            .trim(),
        format!("{own}/blobs:")
    );
    let more = |limit: &str| target.inside(&format!("btrfs qgroup limit {limit} '{own}'"));
    more("none");
    let installed = lexforge.json(&install[..3]);
    let number = |value: &Value| value.as_u64().unwrap();
    let kept = number(&installed["bytes"]) - number(&installed["sent"]);
    assert!(
        (32 << 20..=64 << 20).contains(&kept),
        "{kept} bytes were kept: {installed}"
    );
    let mut bad = lacking(&lexforge);
    bad.retain(|check, _| !OF_CARDS.contains(&check.as_str()));
    assert_eq!(bad, BTreeMap::new());

    // The same for a run: its model does not fit, and the rest of it is sent later.
    prepared::short(&lexforge.path(WS)).unwrap();
    let used = target.inside(&format!("sync; du -sm '{own}'"));
    let used: u64 = used.split_whitespace().next().unwrap().parse().unwrap();
    more(&format!("{}M", used + 3));
    let words = [
        "train",
        WS,
        "--base",
        "lexforge-demo",
        "--threads",
        "1",
        "--max-steps",
        "2",
        "--batch-size",
        "4",
        "--on",
        "box",
    ];
    let said = refused(
        &lexforge.run(&[&words[..], &["--json"]].concat()),
        "disk_full",
    );
    assert!(said.contains("On the target"), "{said}");
    // Nothing has failed: the rest of it is still to be sent.
    assert_eq!(lexforge.lines(&["runs", "list", WS])[0]["state"], "stopped");
    assert_eq!(
        target
            .inside(&format!("ls '{own}/jobs' '{own}/models'"))
            .lines()
            .count(),
        3,
        "half a folder is there"
    );
    more("none");
    lexforge.lines(&["runs", "resume", WS]);
    let runs = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(
        (runs.len(), &runs[0]["state"]),
        (1, &json!("finished")),
        "{runs:?}"
    );
    assert_eq!(
        target.inside(&format!("ls '{own}/jobs'")).lines().count(),
        1
    );
}

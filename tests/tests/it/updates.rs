//! Updates from a file, with the built command line: a signed package is installed and undone, and a kill at any moment
//! leaves a version that starts.
#![cfg(unix)]

use crate::version_package::{KeyPair, Package, sha256};
use lexforge_tests::product::program;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often an update is killed.
const KILLS: usize = 40;
/// How often an update is killed in a long test.
const KILLS_IN_A_SOAK: usize = 500;

/// An installation in a folder of its own, of the built command line as version 0.0.1.
struct Installed {
    folder: tempfile::TempDir,
    key: KeyPair,
}

impl Installed {
    fn new() -> Option<Self> {
        let built = program("LEXFORGE_BIN", "lexforge")?;
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        let old = folder.path().join("lexforge/versions/0.0.1");
        fs::create_dir_all(&old).unwrap();
        // A link is not what is installed; a second name of the same file is.
        if fs::hard_link(&built, old.join("lexforge")).is_err() {
            fs::copy(&built, old.join("lexforge")).unwrap();
        }
        let files = vec![("lexforge".to_owned(), fs::read(&built).unwrap())];
        fs::write(
            old.join("release.json"),
            Package::of("0.0.1", files).release(),
        )
        .unwrap();
        // The place where an administrator puts the key. It is valid for every version that starts.
        let public = folder.path().join("lexforge/update.pub");
        fs::write(public, key.pk.to_box().unwrap().to_string()).unwrap();
        symlink("versions/0.0.1", folder.path().join("lexforge/current")).unwrap();
        symlink("current/lexforge", folder.path().join("lexforge/lexforge")).unwrap();
        Some(Self { folder, key })
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("lexforge")
    }

    /// The command line of the version that was there first.
    fn old(&self) -> Command {
        let mut command = Command::new(self.home().join("versions/0.0.1/lexforge"));
        command
            .env("LEXFORGE_STATE", self.folder.path().join("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Value {
        let done = self
            .old()
            .args(["--json"])
            .args(arguments)
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        let last = out.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|problem| {
            panic!("{problem}: {out}{}", String::from_utf8_lossy(&done.stderr))
        })
    }

    /// The version that starts under the usual name of the program.
    fn starts(&self) -> String {
        let done = Command::new(self.home().join("lexforge"))
            .arg("--version")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A package whose program is a script that says its version, with enough beside it to be killed in the middle of.
    fn package(&self, version: &str, key: &KeyPair) -> PathBuf {
        let script = format!("#!/bin/sh\necho lexforge {version}\n").into_bytes();
        let mut files = vec![("lexforge".to_owned(), script)];
        for n in 0..24_u32 {
            // Bytes that do not compress, so that the archive is as long as what it holds.
            let mut state = u64::from(n) + 1;
            let noise = (0..1 << 18).flat_map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()
            });
            files.push((
                format!("libtorch/lib/lib{n}.so"),
                noise.take(1 << 20).collect(),
            ));
        }
        let path = self
            .folder
            .path()
            .join(format!("lexforge-{version}.tar.zst"));
        Package::of(version, files).write(&path, key);
        path
    }

    /// Every version whose folder has its name is whole.
    fn is_whole(&self) {
        for entry in fs::read_dir(self.home().join("versions"))
            .unwrap()
            .flatten()
        {
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let read = fs::read(entry.path().join("release.json")).unwrap();
            let release: Value = serde_json::from_slice(&read).unwrap();
            for (path, file) in release["files"].as_object().unwrap() {
                let place = entry.path().join(path);
                // The program that runs the updates is large, and no update writes it.
                if place.ends_with("0.0.1/lexforge") {
                    assert_eq!(file["bytes"], fs::metadata(place).unwrap().len());
                    continue;
                }
                let bytes = fs::read(place).unwrap();
                assert_eq!(file["sha256"], sha256(&bytes), "{path}");
            }
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_signed_package_is_taken_in_and_gone_back_from() {
    let Some(installed) = Installed::new() else {
        return;
    };
    let first = installed.starts();
    let there = installed.run(&["update"]);
    assert_eq!(
        (&there["current"], &there["before"]),
        (&"0.0.1".into(), &Value::Null)
    );
    let package = installed.package("9.8.7", &installed.key);
    let updated = installed.run(&["update", "--from", text(&package)]);
    assert_eq!(
        (&updated["from"], &updated["to"]),
        (&"0.0.1".into(), &"9.8.7".into()),
        "{updated}"
    );
    assert_eq!(installed.starts(), "lexforge 9.8.7");
    installed.is_whole();
    let again = installed.run(&["update", "--from", text(&package)]);
    assert_eq!(again["error"]["code"], "invalid_request", "{again}");
    let older = installed.run(&[
        "update",
        "--from",
        text(&installed.package("9.8.6", &installed.key)),
    ]);
    assert!(
        older["error"]["message"]
            .as_str()
            .unwrap()
            .contains("older than 9.8.7"),
        "{older}"
    );
    let back = installed.run(&["update", "--back"]);
    assert_eq!(back["to"], "0.0.1", "{back}");
    assert_eq!(installed.starts(), first);
    let stranger = KeyPair::generate_unencrypted_keypair().unwrap();
    let forged = installed.run(&[
        "update",
        "--from",
        text(&installed.package("9.9.9", &stranger)),
    ]);
    assert_eq!(forged["error"]["code"], "package_refused", "{forged}");
    assert!(!forged["error"]["hint"].as_str().unwrap().is_empty());
    assert_eq!(installed.starts(), first);
}

/// The command line beside no versions, as a package of the system installs it, says so.
#[test]
fn what_was_installed_otherwise_is_not_updated_by_file() {
    let Some(product) = lexforge_tests::product::Product::find() else {
        return;
    };
    let done = product.run(&["--json", "update"]);
    let message = lexforge_tests::product::refused(&done, "invalid_request");
    assert!(
        message.contains("no folder that is updated by file"),
        "{message}"
    );
}

#[test]
fn soak_an_update_that_is_killed_leaves_a_version_that_starts() {
    let Some(installed) = Installed::new() else {
        return;
    };
    let first = installed.starts();
    let package = installed.package("9.8.7", &installed.key);
    let update = || {
        installed
            .old()
            .args(["update", "--from", text(&package)])
            .spawn()
            .unwrap()
    };
    let began = Instant::now();
    assert!(update().wait().unwrap().success());
    let whole = began.elapsed();
    assert_eq!(installed.run(&["update", "--back"])["to"], "0.0.1");

    let kills = lexforge_needs::times(KILLS, KILLS_IN_A_SOAK);
    let (mut early, mut late) = (0, 0);
    for n in 0..kills {
        let mut child = update();
        // Spread over the whole of it and a little beyond, in an order that jumps.
        let share = (n * 7919 % kills) as f64 / kills as f64;
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * share * 1.1));
        child.kill().unwrap();
        child.wait().unwrap();
        installed.is_whole();
        let starts = installed.starts();
        if starts == first {
            early += 1;
        } else {
            assert_eq!(starts, "lexforge 9.8.7");
            late += 1;
            assert_eq!(installed.run(&["update", "--back"])["to"], "0.0.1");
        }
    }
    assert!(
        early > 0,
        "no kill came before the end: the test showed nothing"
    );
    // What the kills left is no hindrance, and goes with the next update.
    let updated = installed.run(&["update", "--from", text(&package)]);
    assert_eq!(
        updated["to"], "9.8.7",
        "after {early} kills before and {late} after the end: {updated}"
    );
    let left: Vec<_> = fs::read_dir(installed.home().join("versions"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".new") || name.starts_with(".old"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

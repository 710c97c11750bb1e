//! A workspace prepared by an attacker. Whatever paths and links it contains, the product reads, changes and creates
//! nothing outside the workspace's own folder.

use crate::prepared::{self, copy_folder as copy};
use lexforge_domain::DatasetId;
use lexforge_domain::api::RunState;
use lexforge_store::{RunUpdate, Workspace};
use lexforge_tests::product::Product;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const DEMO: &str = "lexforge-demo";
/// The name of a received workspace, and of the folder beside it.
const WS: &str = "in/a.lexforge";
const BESIDE: &str = "in/a.lexforge.artifacts";
/// The content of each file outside. It may not appear in anything that is printed or written.
const SECRET: &str = "6b1f-kept-outside";

/// The commands that a person uses on a received workspace. `RUN` stands for the newest run.
const VERBS: [&[&str]; 11] = [
    &["audit", "verify", WS],
    &["docs", WS],
    &["runs", "list", WS],
    &["runs", "stop", WS, "RUN"],
    &["runs", "follow", WS, "RUN"],
    &["runs", "resume", WS, "RUN"],
    &["runs", "resume", WS, "RUN", "--detach"],
    &["runs", "compare", WS, "1", "RUN"],
    &[
        "models",
        "export",
        WS,
        "RUN",
        "--format",
        "peft",
        "--out",
        "made/peft",
    ],
    &["dataset", "export", WS, "--out", "made/data"],
    &["workspace", "backup", WS, "made/backup.lexforge"],
];

/// The verbs that take long where they succeed.
const LONG: [&[&str]; 3] = [
    &["eval", WS, "--run", "RUN"],
    &["models", "list", WS],
    &[
        "models",
        "export",
        WS,
        "RUN",
        "--format",
        "merged",
        "--out",
        "made/merged",
    ],
];

/// The command that makes new folders among the workspace's own. It is run if these are links.
const TRAINS: &[&str] = &[
    "train",
    WS,
    "--base",
    DEMO,
    "--max-steps",
    "1",
    "--batch-size",
    "4",
];

/// All that lies below a folder: when each thing was changed, what it is, and what it holds.
fn below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            let mut what = format!("{:?} ", meta.modified().unwrap()).into_bytes();
            if meta.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                what.extend(format!("link to {}", target.display()).bytes());
            } else if meta.is_dir() {
                open.push(path.clone());
                what.extend(b"folder");
            } else {
                what.append(&mut fs::read(&path).unwrap());
            }
            found.insert(path, what);
        }
    }
    found
}

/// The files below these folders that hold the secret, a line each; links are not followed. A program for it, since there
/// are exported models among them, in which the tests' own unoptimised code would search for minutes.
fn holding_the_secret(folders: &[PathBuf]) -> String {
    let done = Command::new("grep")
        .args(["-rlF", "-D", "skip", "-e", SECRET, "--"])
        .args(folders)
        .output()
        .unwrap();
    // 1: no file holds it.
    assert!(
        matches!(done.status.code(), Some(0 | 1)),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// A workspace with one finished run, made by the product; each test prepares a copy.
struct Honest {
    lexforge: Product,
    bundle: String,
    adapter: String,
}

impl Honest {
    fn made() -> Option<Self> {
        let lexforge = Product::with_decoder()?;
        fs::create_dir(lexforge.path("in")).unwrap();
        let job = prepared::trained_decoder(&lexforge.path(WS))?;
        let adapter = job["run"]["adapter"].as_str().unwrap().to_owned();
        let mut bundles = fs::read_dir(lexforge.path(BESIDE).join("bundles")).unwrap();
        let bundle = bundles
            .next()
            .unwrap()
            .unwrap()
            .file_name()
            .into_string()
            .unwrap();
        Some(Self {
            lexforge,
            bundle,
            adapter,
        })
    }

    /// A copy of it in a folder of its own, and a folder outside with what somebody would rather keep.
    fn received(&self) -> Received<'_> {
        let lexforge = Product::with_decoder().unwrap();
        // The demo decoder is the only model here: the list of models opens each one.
        let none = lexforge.path("no-models");
        let lexforge = lexforge.with("XDG_CACHE_HOME", none);
        copy(&self.lexforge.path("in"), &lexforge.path("in"));
        let outside = lexforge.path("outside");
        copy(
            &lexforge.path(BESIDE).join("bundles").join(&self.bundle),
            &outside.join("bundle"),
        );
        copy(
            &lexforge.path(BESIDE).join("adapters").join(&self.adapter),
            &outside.join("adapter"),
        );
        fs::create_dir(outside.join("empty")).unwrap();
        fs::write(outside.join("letter.txt"), SECRET).unwrap();
        fs::create_dir(lexforge.path("made")).unwrap();
        Received {
            honest: self,
            lexforge,
        }
    }
}

struct Received<'a> {
    honest: &'a Honest,
    lexforge: Product,
}

impl Received<'_> {
    fn outside(&self, name: &str) -> PathBuf {
        self.lexforge.path("outside").join(name)
    }

    fn bundle(&self, name: &str) -> PathBuf {
        self.lexforge
            .path(BESIDE)
            .join("bundles")
            .join(&self.honest.bundle)
            .join(name)
    }

    /// Records a run whose bundle is at this path, with a valid entry in the chain. Somebody who prepares a workspace
    /// can do this, too.
    fn name_bundle(&self, path: &str, state: RunState) {
        let store = Workspace::open(self.lexforge.path(WS)).unwrap();
        store
            .write("sender", |w| {
                let run = w.insert_run("sentence", DEMO, Some(DatasetId(1)), path, "{}")?;
                let adapter = (state == RunState::Finished).then(|| self.honest.adapter.clone());
                w.update_run(
                    run,
                    &RunUpdate {
                        state: Some(state),
                        adapter,
                        ..RunUpdate::default()
                    },
                )
            })
            .unwrap();
    }

    /// Writes another value into the result that the worker left.
    fn alter_result(&self, field: &str, value: &str) {
        let path = self.bundle("result.json");
        let mut result: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let told = match result.get_mut(field) {
            Some(told) => told,
            None => result
                .as_object_mut()
                .unwrap()
                .values_mut()
                .find_map(|v| v.get_mut(field))
                .unwrap(),
        };
        *told = value.into();
        fs::write(&path, serde_json::to_vec(&result).unwrap()).unwrap();
        // The adapter that was kept is gone, so that the result is asked for it.
        fs::remove_dir_all(self.lexforge.path(BESIDE).join("adapters")).unwrap();
    }

    /// Puts a link in the place of a file or folder.
    fn link(&self, place: &Path, target: &Path) {
        if place.is_dir() {
            fs::remove_dir_all(place).unwrap();
        } else if place.exists() {
            fs::remove_file(place).unwrap();
        }
        symlink(target, place).unwrap();
    }

    /// Does everything that a person can do with the workspace. Files outside the workspace must not be changed, read
    /// into it or shown, and every failure must be one error message. Returns how many commands failed.
    fn used(&self, what: &str) -> usize {
        self.done(what, &[&VERBS[..], &LONG].concat())
    }

    fn done(&self, what: &str, verbs: &[&[&str]]) -> usize {
        let outside = self.lexforge.path("outside");
        let before = below(&outside);
        let newest = self
            .lexforge
            .lines(&["runs", "list", WS])
            .iter()
            .filter_map(|r| r["id"].as_u64())
            .max()
            .unwrap();
        let newest = newest.to_string();
        let mut failed = 0;
        for verb in verbs {
            let words: Vec<&str> = verb
                .iter()
                .map(|word| if *word == "RUN" { &*newest } else { word })
                .collect();
            let done = self.lexforge.run(&words);
            failed += usize::from(done.code != 0);
            assert!(
                (0..=1).contains(&done.code),
                "{what}: {words:?} exits with {}\n{}",
                done.code,
                done.err
            );
            assert!(
                !done.err.contains("panicked"),
                "{what}: {words:?}\n{}",
                done.err
            );
            for stream in [&done.out, &done.err] {
                assert!(
                    !stream.contains(SECRET),
                    "{what}: {words:?} tells what stands outside:\n{stream}"
                );
            }
            let after = below(&outside);
            let changed: Vec<_> = before
                .iter()
                .filter(|(path, was)| after.get(*path) != Some(was))
                .map(|(path, _)| path)
                .collect();
            let added: Vec<_> = after
                .keys()
                .filter(|path| !before.contains_key(*path))
                .collect();
            assert!(
                changed.is_empty() && added.is_empty(),
                "{what}: {words:?} changed {changed:?} and made {added:?}"
            );
        }
        let made: Vec<PathBuf> = ["in", "made"]
            .map(|folder| self.lexforge.path(folder))
            .into_iter()
            .filter(|folder| folder.exists())
            .collect();
        let found = holding_the_secret(&made);
        assert!(
            found.is_empty(),
            "{what}: what stands outside is held by\n{found}"
        );
        failed
    }
}

#[test]
fn a_prepared_workspace_reaches_nothing_outside() {
    let Some(honest) = Honest::made() else { return };

    // The untampered workspace works with every command, so any failure below comes from the tampering. (A worker that
    // has ended cannot be stopped, and a finished run cannot be resumed.)
    let told = honest.received();
    assert!(!holding_the_secret(&[told.lexforge.path("outside")]).is_empty());
    let failed = told.used("honest");
    assert!(failed <= 3, "{failed} verbs fail on an honest workspace");

    // Paths that the workspace itself names.
    for state in [RunState::Finished, RunState::Stopped, RunState::Running] {
        let paths: [&dyn Fn(&Received<'_>) -> String; 5] = [
            &|r| r.outside("bundle").display().to_string(),
            &|_| "../../outside/bundle".to_owned(),
            &|_| "bundles/../../../outside/bundle".to_owned(),
            &|r| format!("bundles/{}/../../../../outside/bundle", r.honest.bundle),
            &|_| String::new(),
        ];
        for path in paths {
            let received = honest.received();
            let path = path(&received);
            received.name_bundle(&path, state);
            assert!(received.used(&format!("bundle at {path:?}, {state:?}")) > failed);
        }
    }

    // The paths in the result of its run.
    let outside = "../../../../outside/adapter";
    for (field, value) in [
        ("adapter_sha256", "../../outside/adapter".to_owned()),
        (
            "adapter_sha256",
            format!("{}/../../../outside/adapter", honest.adapter),
        ),
        ("adapter_sha256", "00".repeat(32)),
        ("adapter", outside.to_owned()),
        (
            "adapter",
            "checkpoints/../../../../../outside/adapter".to_owned(),
        ),
        ("adapter", "/etc".to_owned()),
    ] {
        let received = honest.received();
        let value = if value == "/etc" {
            received.outside("adapter").display().to_string()
        } else {
            value
        };
        received.alter_result(field, &value);
        assert!(received.used(&format!("{field} is {value}")) > 0);
    }

    // Links in the places of its folders and files.
    type Place = fn(&Received<'_>) -> PathBuf;
    let places: [(Place, &str); 11] = [
        (|r| r.lexforge.path(BESIDE), "empty"),
        (|r| r.lexforge.path(BESIDE).join("bundles"), "empty"),
        (|r| r.lexforge.path(BESIDE).join("adapters"), "empty"),
        (|r| r.bundle(""), "bundle"),
        (
            |r| {
                r.lexforge
                    .path(BESIDE)
                    .join("adapters")
                    .join(&r.honest.adapter)
            },
            "adapter",
        ),
        (|r| r.bundle("checkpoints"), "empty"),
        (|r| r.bundle("result.json"), "letter.txt"),
        (|r| r.bundle("events.jsonl"), "letter.txt"),
        (|r| r.bundle("control"), "letter.txt"),
        (|r| r.bundle("stderr.log"), "letter.txt"),
        (|r| r.bundle("starting"), "letter.txt"),
    ];
    for (place, target) in places {
        let received = honest.received();
        let place = place(&received);
        let place = PathBuf::from(place.to_string_lossy().trim_end_matches('/'));
        received.link(&place, &received.outside(target));
        let what = format!("{} links to {target}", place.display());
        // The long commands do not reach what only a worker reports.
        match target {
            "empty" => received.done(&what, &[&VERBS[..], &[TRAINS]].concat()),
            "letter.txt" => received.done(&what, &VERBS),
            _ => received.used(&what),
        };
    }
}

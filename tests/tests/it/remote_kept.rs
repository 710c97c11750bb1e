//! What is on another machine and what is not, who may follow a run there, and a worker that speaks otherwise: with a real
//! `sshd` on this machine.

use crate::prepared;
use lexforge_domain::protocol::{
    FrameHead, FrameKind, PROTOCOL_VERSION, STATION_MARK, STATION_VERSION,
};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::ssh_target::SshTarget;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const WS: &str = "a.lexforge";
/// A word that stands in no document but the planted one.
const PLANTED: &str = "quincewharf";
/// Files that are larger than this are libtorch's and the model's.
const LARGEST: u64 = 32 << 20;

/// The product with a snapshot, and a target that it knows as `box` and that has a worker.
fn with_worker() -> Option<(Product, SshTarget, PathBuf)> {
    let lexforge = Product::with_decoder()?;
    let target = SshTarget::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_PATIENCE", "60");
    let there = target.path("there");
    let folder = there.display().to_string();
    lexforge.json(&["compute", "add", "box", "--ssh", "box", "--folder", &folder]);
    prepared::installed(&lexforge, "box", &there);
    prepared::short(&lexforge.path(WS)).unwrap();
    Some((lexforge, target, there))
}

fn train(lexforge: &Product, more: &[&str]) {
    let words = [
        "train",
        WS,
        "--base",
        "lexforge-demo",
        "--threads",
        "1",
        "--checkpoint-every",
        "2",
        "--on",
        "box",
    ];
    succeeds(lexforge, &[&words, more].concat());
}

/// What a command prints that must succeed.
#[track_caller]
fn succeeds(lexforge: &Product, words: &[&str]) -> String {
    let done = lexforge.run(words);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    done.out
}

/// All files below a folder, but no link.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files(&entry.path(), found),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
}

/// The files of a folder in which a text stands.
fn holding(folder: &Path, text: &[u8]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    files(folder, &mut all);
    all.retain(|path| {
        let bytes = match std::fs::metadata(path) {
            Ok(meta) if meta.len() <= LARGEST => std::fs::read(path).unwrap_or_default(),
            _ => Vec::new(),
        };
        bytes.windows(text.len()).any(|part| part == text)
    });
    all
}

#[test]
fn of_the_corpus_nothing_but_the_items_of_the_run_is_on_the_target() {
    let Some((lexforge, _target, there)) = with_worker() else {
        return;
    };
    // It comes after the snapshot, so that no item is made of it.
    let text =
        format!("Article 1\n\nThe {PLANTED} registrar shall keep the register of sealed barges.\n");
    let planted = lexforge.file(&format!("{PLANTED}-rules.txt"), text.as_bytes());
    succeeds(&lexforge, &["import", WS, planted.to_str().unwrap()]);
    let found = succeeds(&lexforge, &["search", WS, PLANTED, "--json"]);
    assert!(found.contains("sealed barges"), "{found}");
    train(&lexforge, &["--max-steps", "2", "--batch-size", "4"]);

    assert_eq!(holding(&there, PLANTED.as_bytes()), [] as [PathBuf; 0]);
    // What the run learns from is found there in the same way.
    let bundles = lexforge.path("a.lexforge.artifacts/bundles");
    let mut sent = Vec::new();
    files(&bundles, &mut sent);
    sent.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
    sent.retain(|path| !path.ends_with("events.jsonl"));
    let items = sent
        .iter()
        .max_by_key(|path| path.metadata().unwrap().len());
    let items = std::fs::read(items.unwrap()).unwrap();
    let middle = &items[items.len() / 2..][..60];
    assert!(
        !holding(&there, middle).is_empty(),
        "its items are not there"
    );
}

#[test]
fn an_encoder_is_the_same_whether_it_is_trained_here_or_there() {
    let Some((lexforge, _target, _)) = with_worker() else {
        return;
    };
    if lexforge_needs::model("all-MiniLM-L6-v2").is_none() {
        return;
    }
    let words = "train a.lexforge --base all-MiniLM-L6-v2 --threads 1 --max-steps 2 --batch-size 4";
    let words: Vec<&str> = words.split(' ').collect();
    succeeds(&lexforge, &words);
    succeeds(&lexforge, &[&words[..], &["--on", "box"]].concat());
    let runs = lexforge.lines(&["runs", "list", WS]);
    let made = |run: &Value| (run["state"].clone(), run["adapter"].clone());
    assert_eq!(made(&runs[0]), made(&runs[1]));
    assert_eq!(runs[0]["state"], "finished");
    assert!(runs[0]["adapter"].is_string(), "{}", runs[0]);
}

#[test]
fn two_who_follow_a_run_hear_each_event_once_and_what_is_kept_there_is_told_before_it_goes() {
    let Some((lexforge, _target, _)) = with_worker() else {
        return;
    };
    train(
        &lexforge,
        &[
            "--max-steps",
            "18",
            "--epochs",
            "20",
            "--batch-size",
            "4",
            "--detach",
        ],
    );
    let follow = || lexforge.lines(&["runs", "follow", WS, "1"]);
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(follow);
        (follow(), other.join().unwrap())
    });
    for heard in [&one, &other] {
        let numbers: Vec<u64> = heard.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
        let expected: Vec<u64> = (0..numbers.len() as u64).collect();
        assert_eq!(numbers, expected);
        assert!(heard.iter().any(|e| e["event"] == "progress"));
    }
    assert_eq!(one, other);

    let plan = || lexforge.json(&["compute", "clean", "box", "--plan"])["things"].clone();
    let of_kind = |things: &Value, kind: &str| -> Vec<Value> {
        let all = things.as_array().unwrap().iter();
        all.filter(|thing| thing["kind"] == kind).cloned().collect()
    };
    let before = plan();
    for (kind, fetched) in [
        ("worker", Value::Null),
        ("model", Value::Null),
        ("bundle", json!(true)),
        ("checkpoints", json!(true)),
    ] {
        let of = of_kind(&before, kind);
        assert_eq!(of.len(), 1, "{kind}: {before:#}");
        assert_eq!(of[0].get("fetched").unwrap_or(&Value::Null), &fetched);
        assert!(of[0]["bytes"].as_u64().unwrap() > 0, "{before:#}");
    }
    let count = |things: &Value| things.as_array().map(Vec::len);
    assert_eq!(count(&plan()), count(&before), "a plan removes nothing");

    // They come after the end, too, until the machine is cleaned.
    let words = ["runs", "follow", WS, "1", "--with-checkpoints", "--json"];
    succeeds(&lexforge, &words);
    lexforge.json(&["compute", "clean", "box"]);
    let left = plan();
    assert_eq!(of_kind(&left, "worker"), of_kind(&before, "worker"));
    assert_eq!(of_kind(&left, "bundle"), [] as [Value; 0]);
    let said = refused(&lexforge.run(&words), "not_found");
    assert!(said.contains("when that machine was cleaned"), "{said}");
    let row = &lexforge.lines(&["runs", "list", WS])[0];
    let sent_to = json!({ "machine": "box", "cleaned": true });
    assert_eq!(
        (&row["state"], &row["sent_to"]),
        (&json!("finished"), &sent_to)
    );
}

#[cfg(unix)]
#[test]
fn a_worker_of_another_protocol_is_refused_before_anything_is_sent() {
    let Some((lexforge, _target, there)) = with_worker() else {
        return;
    };
    let version = std::fs::read_dir(there.join("versions")).unwrap().next();
    let version = version.unwrap().unwrap().path();
    for (frames, protocol, told) in [
        (STATION_VERSION + 1, PROTOCOL_VERSION, STATION_VERSION + 1),
        (STATION_VERSION, PROTOCOL_VERSION + 7, PROTOCOL_VERSION + 7),
    ] {
        speaks_otherwise(&version, frames, protocol);
        for words in [
            vec![
                "train",
                WS,
                "--base",
                "lexforge-demo",
                "--max-steps",
                "2",
                "--on",
                "box",
            ],
            vec!["compute", "clean", "box"],
        ] {
            let done = lexforge.run(&[&words[..], &["--json"]].concat());
            let said = refused(&done, "worker_incompatible");
            assert!(said.contains(&format!("speaks protocol {told},")), "{said}");
            assert!(
                done.out.contains("Install the worker on the target again."),
                "{}",
                done.out
            );
        }
    }
    let mut sent = Vec::new();
    files(&there.join("jobs"), &mut sent);
    files(&there.join("parts"), &mut sent);
    assert_eq!(sent, [] as [PathBuf; 0]);
}

/// Puts a program in the place of a worker that says it has these versions, and answers nothing.
#[cfg(unix)]
fn speaks_otherwise(version: &Path, frames: u32, protocol: u32) {
    use std::os::unix::fs::PermissionsExt;
    let ready = json!({
        "said": "ready", "station_version": frames, "protocol_version": protocol, "version": "9.9.9", "folder": "/x",
    })
    .to_string();
    let head = FrameHead {
        kind: FrameKind::Message,
        request: 0,
        length: u32::try_from(ready.len()).unwrap(),
    };
    let hello = version.join("hello");
    let all = [STATION_MARK, &head.to_bytes(), ready.as_bytes()].concat();
    std::fs::write(&hello, all).unwrap();
    let worker = version.join("lexforge-worker");
    // It is another name of a file that others have, too.
    std::fs::remove_file(&worker).unwrap();
    let script = format!(
        "#!/bin/sh\ncat '{}'\nexec cat >/dev/null\n",
        hello.display()
    );
    std::fs::write(&worker, script).unwrap();
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o700)).unwrap();
}

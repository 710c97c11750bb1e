//! Training on another machine: a real `sshd` on this one, whose connection is cut.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use lexforge_tests::ssh_target::SshTarget;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const WS: &str = "a.lexforge";
const DEMO: &str = "lexforge-demo";
/// A training that is the same on every machine, but for how long it is.
const TRAIN: [&str; 12] = [
    "train",
    WS,
    "--base",
    DEMO,
    "--threads",
    "1",
    "--seed",
    "7",
    "--checkpoint-every",
    "2",
    "--batch-size",
    "4",
];

/// The product, and a target that it knows as `box`.
fn with_target() -> Option<(Product, SshTarget)> {
    let lexforge = Product::with_decoder()?;
    let target = SshTarget::start()?;
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_PATIENCE", "60");
    add(&lexforge, &target, "box");
    Some((lexforge, target))
}

fn add(lexforge: &Product, target: &SshTarget, host: &str) -> Value {
    let folder = target.path("there").display().to_string();
    lexforge.json(&["compute", "add", host, "--ssh", host, "--folder", &folder])
}

/// A frozen snapshot.
fn snapshot(lexforge: &Product) {
    prepared::short(&lexforge.path(WS)).unwrap();
}

fn train(lexforge: &Product, steps: &str, more: &[&str]) -> Vec<Value> {
    lexforge.lines(&[&TRAIN[..], &["--max-steps", steps], more].concat())
}

/// Checks that are not as they should be.
fn lacking(lexforge: &Product, name: &str) -> BTreeMap<String, (String, String)> {
    let done = lexforge.run(&["compute", "check", name, "--json"]);
    let lines = done
        .out
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap());
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let bad: BTreeMap<_, _> = lines
        .filter(|line| line["ok"] == false)
        .map(|l| (text(&l["check"]), (text(&l["found"]), text(&l["remedy"]))))
        .collect();
    assert_eq!(done.code, i32::from(!bad.is_empty()), "{}", done.err);
    assert!(
        bad.values().all(|(_, remedy)| !remedy.is_empty()),
        "{bad:?}"
    );
    bad
}

/// Every event once, in order.
#[track_caller]
fn each_once(events: &[Value]) {
    let numbers: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    let expected: Vec<u64> = (0..numbers.len() as u64).collect();
    assert_eq!(numbers, expected);
}

fn adapters(lexforge: &Product) -> Vec<Value> {
    let mut runs = lexforge.lines(&["runs", "list", WS]);
    runs.reverse();
    runs.iter()
        .inspect(|r| assert_eq!(r["state"], "finished", "{r}"))
        .map(|r| r["adapter"].clone())
        .collect()
}

#[cfg(unix)]
fn only_the_owner_reads(folder: &Path) -> usize {
    use std::os::unix::fs::MetadataExt;
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let meta = entry.metadata().unwrap();
        assert_eq!(meta.mode() & 0o077, 0, "{}", entry.path().display());
        files += if meta.is_dir() {
            only_the_owner_reads(&entry.path())
        } else {
            1
        };
    }
    files
}

#[test]
fn a_target_that_does_not_answer_is_a_line_with_its_remedy() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    assert_eq!(
        target.line.connections(),
        0,
        "adding a target connects to nothing"
    );
    let listed = lexforge.lines(&["compute", "list"]);
    assert_eq!(
        (&listed[0]["name"], &listed[0]["worker"]),
        (&json!("box"), &Value::Null)
    );
    // All is well but for the worker, which is not there.
    let bad = lacking(&lexforge, "box");
    assert_eq!(bad.keys().collect::<Vec<_>>(), ["worker"], "{bad:?}");
    let reach = |name: &str, found: &str, remedy: &str| {
        let bad = lacking(&lexforge, name);
        let (said, mends) = &bad["reachability"];
        assert!(
            bad.len() == 1 && said.contains(found) && mends.contains(remedy),
            "{bad:?}"
        );
    };
    add(&lexforge, &target, "nobody");
    reach("nobody", "Nothing on nobody answers", "ssh server");
    add(&lexforge, &target, "nowhere.invalid");
    reach("nowhere.invalid", "no host", "name");
    target.forget();
    reach("box", "not known", "fingerprint");
    target.trust("other");
    reach("box", "another host key", "Look at both keys");
    target.trust("host");
    target.configure("other");
    reach("box", "does not let this user in", "key");
    target.configure("user");
    target.line.cut_after(100);
    reach("box", "ended", "Try again");
    assert_eq!(lacking(&lexforge, "box").len(), 1);

    // Impossible settings are refused before any file is made.
    snapshot(&lexforge);
    refused(
        &lexforge.run(&["train", WS, "--on", "box", "--json"]),
        "target_unready",
    );
    refused(
        &lexforge.run(&["train", WS, "--on", "absent", "--json"]),
        "not_found",
    );
    assert_eq!(lexforge.lines(&["runs", "list", WS]).len(), 0);
    for (host, name) in [
        ("-oProxyCommand=x", "a"),
        ("b c", "a"),
        ("box", "../a"),
        ("box", "box"),
    ] {
        let done = lexforge.run(&["compute", "add", name, &format!("--ssh={host}"), "--json"]);
        refused(&done, "invalid_request");
    }
    lexforge.json(&["compute", "remove", "nobody"]);
    assert_eq!(lexforge.lines(&["compute", "list"]).len(), 2);
}

#[test]
fn a_run_on_a_target_gives_the_adapter_that_it_gives_here() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    // Cut in the middle of the worker, then gone on with from where it stopped.
    target.line.cut_after(3 << 20);
    let done = lexforge.run(&["compute", "install", "box", "--json"]);
    assert!(
        done.code == 0 || refused(&done, "target_unreachable").contains("ended"),
        "{}",
        done.err
    );
    let cut = target.line.passed();
    let installed = lexforge.json(&["compute", "install", "box"]);
    let (bytes, sent) = (
        installed["bytes"].as_u64().unwrap(),
        installed["sent"].as_u64().unwrap(),
    );
    if done.code != 0 {
        assert!(
            sent < bytes && sent + cut >= bytes,
            "{sent} of {bytes} after {cut}"
        );
    }
    let again = lexforge.json(&["compute", "install", "box"]);
    assert_eq!(
        (&again["sent"], &again["worker"]),
        (&json!(0), &installed["worker"])
    );
    assert_eq!(lacking(&lexforge, "box"), BTreeMap::new());
    let priced = "compute change box --price 2.40 --currency EUR";
    lexforge.json(&priced.split(' ').collect::<Vec<_>>());

    snapshot(&lexforge);
    each_once(&train(&lexforge, "4", &[]));
    let before = target.line.passed();
    each_once(&train(&lexforge, "4", &["--on", "box"]));
    let first = target.line.passed() - before;
    let same = adapters(&lexforge);
    assert_eq!(same[0], same[1], "the target's adapter is another one");
    each_once(&lexforge.lines(&["runs", "follow", WS]));
    #[cfg(unix)]
    assert!(only_the_owner_reads(&target.path("there")) > 10);

    // Files that are there already are not sent again.
    let before = target.line.passed();
    train(&lexforge, "2", &["--on", "box"]);
    let second = target.line.passed() - before;
    assert!(second < first, "{second} after {first}");

    // Nobody follows, and it goes on.
    let words = [
        "train",
        WS,
        "--base",
        DEMO,
        "--threads",
        "1",
        "--max-steps",
        "4",
        "--batch-size",
        "4",
        "--on",
        "box",
        "--detach",
    ];
    let run = lexforge.json(&words)["id"].to_string();
    each_once(&lexforge.lines(&["runs", "follow", WS, &run]));
    let told = lexforge.run(&["runs", "follow", WS, &run]).out;
    assert!(told.contains("Cost: about 0.0"), "{told}");

    let cleaned = lexforge.json(&["compute", "clean", "box"]);
    assert_eq!(
        (&cleaned["jobs"], &cleaned["kept"]),
        (&json!(3), &json!(0)),
        "{cleaned}"
    );
    // A worker of another version is removed when that is requested, and the current one stays.
    let versions = target.path("there/versions");
    let own = std::fs::read_dir(&versions).unwrap().next().unwrap();
    let own = own.unwrap().path();
    let older = versions.join("0123456789abcdef");
    std::fs::create_dir(&older).unwrap();
    std::fs::write(older.join("whole"), "").unwrap();
    let cleaned = lexforge.json(&["compute", "clean", "box", "--old-workers"]);
    assert_eq!(cleaned["workers"], 1, "{cleaned}");
    assert!(own.join("whole").exists() && !older.exists());
    lexforge.json(&["compute", "clean", "box", "--all"]);
    assert!(!target.path("there").exists());
}

#[test]
fn a_target_is_changed_and_is_still_the_target_that_it_was() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let change = |words: &[&str]| lexforge.json(&[&["compute", "change", "c"], words].concat());
    let first = lexforge.json(&[
        "compute",
        "add",
        "c",
        "--slurm",
        "login",
        "--partition",
        "gpu",
        "--account",
        "a1",
        "--module",
        "cuda/13",
        "--ranks",
        "2",
    ]);
    // Settings that are not given stay. Empty settings are left to the cluster.
    let second = change(&["--partition", "long", "--account", "", "--module", ""]);
    assert_eq!(
        (&second["id"], &second["place"]),
        (&first["id"], &first["place"])
    );
    let queue = &second["slurm"];
    assert_eq!(
        (&queue["partition"], &queue["ranks"]),
        (&json!("long"), &json!(2))
    );
    assert_eq!(
        (&queue["account"], &queue["modules"]),
        (&json!(""), &json!([]))
    );
    let third = change(&["--slurm", "other", "--folder", "~/x"]);
    assert_eq!((&third["folder"], &third["slurm"]), (&json!("~/x"), queue));
    assert_eq!(third["place"]["host"], "other");
    let fourth = change(&["--ssh", "box"]);
    assert_eq!(
        (&fourth["id"], &fourth["slurm"]),
        (&first["id"], &Value::Null)
    );
    let invalid = |words: &[&str]| {
        let words = [&["compute", "change"], words, &["--json"]].concat();
        refused(&lexforge.run(&words), "invalid_request")
    };
    assert!(invalid(&["c", "--time", "1:00:00"]).contains("no queue"));
    assert!(invalid(&["c", "--slurm", "other", "--partition", "a b"]).contains("blank"));
    let nobody = lexforge.run(&["compute", "change", "d", "--ssh", "x", "--json"]);
    refused(&nobody, "not_found");
    assert_eq!(lexforge.lines(&["compute", "list"]), [fourth]);
}

#[test]
fn a_run_on_a_target_is_paused_stopped_and_resumed() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    prepared::installed(&lexforge, "box", &target.path("there"));
    snapshot(&lexforge);
    let words = [&TRAIN[..], &["--max-steps", "12"]].concat();
    lexforge.lines(&words);
    lexforge.json(&[&words[..], &["--on", "box", "--detach"]].concat());
    let paused = lexforge.run(&["runs", "pause", WS]);
    assert_eq!(paused.code, 0, "{}", paused.err);
    // What is at work or not fetched there is not put away unasked.
    let away = lexforge.run(&["runs", "unfollow", WS, "2", "--json"]);
    refused(&away, "bundle_locked");
    let stopped = lexforge.json(&["runs", "stop", WS]);
    assert!(
        ["stopped", "finished"].contains(&stopped["state"].as_str().unwrap()),
        "{stopped}"
    );
    if stopped["state"] == "stopped" {
        // Jobs that could go on are not removed without the option.
        let cleaned = lexforge.json(&["compute", "clean", "box"]);
        assert_eq!(
            (&cleaned["jobs"], &cleaned["waiting"]),
            (&json!(0), &json!(1)),
            "{cleaned}"
        );
        let words = ["compute", "clean", "box", "--all", "--json"];
        refused(&lexforge.run(&words), "bundle_locked");
        // Put away, it is found again where it was.
        let away = lexforge.json(&["runs", "unfollow", WS, "2"]);
        assert_eq!(away["state"], "unfollowed", "{away}");
        lexforge.lines(&["runs", "resume", WS]);
    }
    each_once(&lexforge.lines(&["runs", "follow", WS]));
    let both = adapters(&lexforge);
    assert_eq!(both[0], both[1]);

    // The folder was a user's own before: the user's files stay when everything of this program is removed.
    let own = target.path("there/models/Qwen3/config.json");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(&own, "{}").unwrap();
    lexforge.json(&["compute", "clean", "box", "--all"]);
    let left = |name: &str| target.path("there").join(name).exists();
    assert!(own.is_file());
    assert!(!left("versions") && !left("jobs") && !left("blobs"));
}

/// Each combination runs on the target; ended in the middle, the same command goes on there.
#[test]
fn a_sweep_on_a_target_gives_the_adapters_and_figures_that_it_gives_here() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    prepared::installed(&lexforge, "box", &target.path("there"));
    snapshot(&lexforge);
    let words = [&TRAIN[..], &["--max-steps", "6"]].concat();
    let sweep = [&words[..], &["--sweep", "lr=1e-4,5e-4", "--on", "box"]].concat();
    let mut child = lexforge.start(&sweep);
    let began = std::time::Instant::now();
    while lexforge.lines(&["runs", "list", WS]).len() < 2 {
        assert!(
            began.elapsed().as_secs() < 300 && child.try_wait().unwrap().is_none(),
            "the second combination never begins"
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let done = lexforge.json(&sweep);
    let rows = done["rows"].as_array().unwrap();
    let runs: Vec<&Value> = rows.iter().map(|row| &row["run"]).collect();
    assert_eq!(runs, [1, 2], "no combination is trained twice: {done:#}");
    for row in rows {
        assert_eq!(
            (&row["state"], &row["failure"]),
            (&json!("finished"), &Value::Null)
        );
        assert!(row["dev"]["value"].is_f64(), "{row}");
    }
    let cleaned = lexforge.json(&["compute", "clean", "box"]);
    assert_eq!(cleaned["jobs"], 2, "both ran on the target: {cleaned}");

    // Two trainings with the same settings on this machine.
    for rate in ["1e-4", "5e-4"] {
        lexforge.lines(&[&words[..], &["--learning-rate", rate]].concat());
    }
    let all = adapters(&lexforge);
    assert_eq!((&all[0], &all[1]), (&all[2], &all[3]));
    drop(target);
}

/// Faults by the dozen; with `LEXFORGE_SOAK` many.
#[test]
fn soak_a_cut_connection_starts_nothing_twice_and_loses_nothing() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    prepared::installed(&lexforge, "box", &target.path("there"));
    snapshot(&lexforge);
    train(&lexforge, "3", &[]);
    let rounds = lexforge_needs::times(4, 100);
    let (mut cuts, mut doubled, mut failed) = (0, 0, 0);
    for round in 0..rounds {
        let before = target.line.cuts();
        // A little less than a whole run needs; spread so that each kind of message is met.
        let at = 1_500 + (round as u64 * 7_919) % 90_000;
        target.line.cut_after(at);
        let words = ["--max-steps", "3", "--on", "box", "--json"];
        let done = lexforge.run(&[&TRAIN[..], &words].concat());
        target.line.mend();
        cuts += target.line.cuts() - before;
        failed += usize::from(done.code != 0);
        let events: Vec<Value> = done
            .out
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        doubled += events
            .iter()
            .filter(|e| e["event"] == "started")
            .count()
            .saturating_sub(1);
        if done.code == 0 {
            each_once(&events);
        } else {
            eprintln!("round {round}, cut at {at}: {}", done.err);
        }
    }
    eprintln!("{rounds} runs, {cuts} cuts, {doubled} started twice, {failed} told as failed");
    assert_eq!((doubled, failed), (0, 0));
    assert!(cuts > 0);
    let all = adapters(&lexforge);
    assert!(all.iter().all(|adapter| *adapter == all[0]), "{all:?}");
}

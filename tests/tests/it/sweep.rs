//! A sweep with the built programs. If it is interrupted, it can be continued. A combination that fails does not stop
//! the others. The best combination on the dev part is named.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WS: &str = "a.lexforge";
/// How long a run may take to get somewhere before the test gives it up as stuck.
const PATIENCE: Duration = Duration::from_secs(300);
const TRAIN: [&str; 16] = [
    "train",
    WS,
    "--base",
    "lexforge-demo",
    "--preset",
    "joint",
    "--threads",
    "1",
    "--seed",
    "7",
    "--checkpoint-every",
    "2",
    "--max-steps",
    "8",
    "--batch-size",
    "4",
];
/// The second rate is absurd: the loss is soon no number.
const SWEEP: [&str; 4] = ["--sweep", "lr=1e-4,1e30,5e-4", "--sweep", "weights=.2/.8"];

fn snapshot() -> Option<Product> {
    let lexforge = Product::with_decoder()?;
    prepared::short(&lexforge.path(WS))?;
    Some(lexforge)
}

/// Events of each run so far, in the order of the runs.
fn said(lexforge: &Product) -> Vec<Vec<Value>> {
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let mut folders: Vec<_> = std::fs::read_dir(bundles)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.retain(|f| f.file_name().unwrap().to_string_lossy().starts_with("run-"));
    folders.sort();
    let events = |folder: &std::path::PathBuf| -> Vec<Value> {
        let text = std::fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |at| &text[..at]);
        let read = |line| serde_json::from_str(line).unwrap();
        whole.lines().map(read).collect()
    };
    folders.iter().map(events).collect()
}

fn starts(events: &[Value]) -> Vec<&Value> {
    let started = |e: &&Value| e["event"] == "started";
    events.iter().filter(started).collect()
}

fn steps(events: &[Value]) -> u64 {
    let made = |e: &&Value| e["event"] == "progress" && e["loss"].is_f64();
    let steps = events.iter().filter(made);
    steps.filter_map(|e| e["step"].as_u64()).max().unwrap_or(0)
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_goes_on_and_what_fails_stops_no_other() {
    let Some(lexforge) = snapshot() else {
        return;
    };
    let words = [&TRAIN[..], &SWEEP].concat();
    let plan = lexforge.json(&[&words[..], &["--plan"]].concat());
    assert_eq!(plan["rows"].as_array().unwrap().len(), 3);
    assert!(lexforge.lines(&["runs", "list", WS]).is_empty());

    // Ended in the third combination, with its worker.
    let mut child = lexforge.start(&words);
    let began = Instant::now();
    let worker = loop {
        let runs = said(&lexforge);
        if let Some(third) = runs.get(2).filter(|events| steps(events) >= 3) {
            break starts(third)[0]["pid"].to_string();
        }
        assert!(
            began.elapsed() < PATIENCE && child.try_wait().unwrap().is_none(),
            "the third combination never begins"
        );
        std::thread::sleep(Duration::from_millis(20));
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-KILL", &worker])
        .status();
    assert!(killed.unwrap().success());
    let left = lexforge.json(&["runs", "sweep", WS]);
    assert_eq!(left["rows"][0]["state"], "finished", "{left:#}");
    assert_eq!(left["rows"][2]["dev"], Value::Null);

    let done = lexforge.json(&words);
    let rows = done["rows"].as_array().unwrap();
    let states: Vec<&Value> = rows.iter().map(|row| &row["state"]).collect();
    assert_eq!(states, ["finished", "failed", "finished"], "{done:#}");
    assert_eq!(rows[1]["failure"]["code"], "loss_not_finite");
    let runs: Vec<&Value> = rows.iter().map(|row| &row["run"]).collect();
    assert_eq!(runs, [1, 2, 3], "no combination is trained twice");
    for row in [&rows[0], &rows[2]] {
        let dev = &row["dev"];
        assert_eq!(dev["measure"], "accuracy");
        assert!(dev["items"].as_u64().unwrap() > 0 && dev["value"].is_f64());
        assert!(row["minutes"].as_f64().unwrap() > 0.0, "{row}");
    }
    let value = |at: usize| rows[at]["dev"]["value"].as_f64().unwrap();
    let lead = value(2) - value(0);
    let (best, tied) = match lead.abs() < 1e-9 {
        // The first of equal ones.
        true => (1, json!([3])),
        false if lead > 0.0 => (3, json!([])),
        false => (1, json!([])),
    };
    assert_eq!((&done["best"], &done["tied"]), (&json!(best), &tied));
    // Finished runs are not repeated. The interrupted run continued from its checkpoint.
    let events = said(&lexforge);
    assert_eq!((events.len(), starts(&events[0]).len()), (3, 1));
    let third = starts(&events[2]);
    assert_eq!(third.len(), 2);
    assert!(third[1]["resumed_from"].is_string(), "{}", third[1]);
    // The test part was not looked at.
    let listed = lexforge.lines(&["runs", "list", WS]);
    assert!(listed.iter().all(|run| run["evaluated"] == false));

    // All is there: it is shown again, with nothing trained anew but what failed.
    let shown = lexforge.json(&["runs", "sweep", WS, "1"]);
    for row in ["/rows/0/run", "/rows/1/failure/code", "/best", "/tied"] {
        assert_eq!(shown.pointer(row), done.pointer(row), "{row}");
    }
    let again = lexforge.json(&words);
    assert_eq!(
        (&again["number"], &again["best"]),
        (&json!(1), &json!(best))
    );
    assert_eq!(lexforge.lines(&["runs", "list", WS]).len(), 3);
    let read = lexforge.run(&["runs", "sweep", WS]);
    assert!(read.out.contains(&format!("Best: {best}")), "{}", read.out);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

#[test]
fn a_sweep_that_cannot_be_is_refused_before_anything_is_trained() {
    let Some(lexforge) = snapshot() else {
        return;
    };
    for (words, reason) in [
        (&["--sweep", "rank=4,8"][..], "no figure"),
        (&["--sweep", "lr="], "no values"),
        (&["--sweep", "lr=1e-4,1e-4"], "twice"),
        (&["--sweep", "tau=0"], "above 0"),
        (&["--sweep", "items=0"], "above 0"),
        (&["--sweep", "items=few"], "neither a number nor all"),
        (&["--sweep", "weights=.4/.4"], "together they must be 1"),
        (
            &["--sweep", "weights=.4/.6", "--preset", "quick-look"],
            "no stage that learns both levels",
        ),
    ] {
        let all = [&["train", WS, "--json", "--base", "lexforge-demo"], words].concat();
        let told = refused(&lexforge.run(&all), "invalid_request");
        assert!(told.contains(reason), "{told}");
    }
    let absent = lexforge.run(&["runs", "sweep", WS, "--json"]);
    refused(&absent, "not_found");
    assert!(lexforge.lines(&["runs", "list", WS]).is_empty());
}

/// Ids of the questions that a run learns from.
fn learnt(lexforge: &Product, run: usize) -> Vec<i64> {
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let mut folders: Vec<_> = std::fs::read_dir(bundles)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.retain(|f| f.file_name().unwrap().to_string_lossy().starts_with("run-"));
    folders.sort();
    let text = std::fs::read_to_string(folders[run].join("inputs/train.jsonl")).unwrap();
    let id = |line: &str| {
        let item: Value = serde_json::from_str(line).unwrap();
        item["id"].as_i64().unwrap()
    };
    text.lines().map(id).collect()
}

/// A second sweep is refused while one is running. The curve has a point for each number of questions, and the report
/// of a run shows it.
#[test]
fn the_number_of_questions_is_tried_and_only_one_sweep_at_a_time() {
    let Some(lexforge) = snapshot() else {
        return;
    };
    let words = [&TRAIN[..], &["--sweep", "items=1,2,all"]].concat();
    let mut child = lexforge.start(&words);
    let began = Instant::now();
    while said(&lexforge).is_empty() {
        assert!(
            began.elapsed() < PATIENCE && child.try_wait().unwrap().is_none(),
            "the first combination never begins"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let other = [&TRAIN[..], &["--sweep", "lr=1e-4,2e-4", "--json"]].concat();
    let told = refused(&lexforge.run(&other), "workspace_busy");
    assert!(told.contains("under way"), "{told}");
    assert!(child.wait().unwrap().success());

    let done = lexforge.json(&["runs", "sweep", WS]);
    assert_eq!(done["number"], 1, "the refused one left no record");
    let rows = done["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let sets: Vec<Vec<i64>> = (0..3).map(|run| learnt(&lexforge, run)).collect();
    for (row, set) in rows.iter().zip(&sets) {
        assert_eq!(row["state"], "finished", "{row}");
        assert_eq!(row["learnt_from"], set.len(), "{row}");
        let [low, high] = [0, 1].map(|at| row["dev"]["interval"][at].as_f64().unwrap());
        let value = row["dev"]["value"].as_f64().unwrap();
        assert!(low <= value && value <= high, "{row}");
    }
    for pair in sets.windows(2) {
        assert!(pair[0].len() < pair[1].len(), "{sets:?}");
        assert!(pair[0].iter().all(|id| pair[1].contains(id)));
    }
    // The fewest questions are those of the first row whose figure is not below the best one's interval.
    let best = &rows[done["best"].as_u64().unwrap() as usize - 1];
    let low = best["dev"]["interval"][0].as_f64().unwrap();
    let within = |row: &&Value| row["dev"]["value"].as_f64().unwrap() >= low;
    assert_eq!(done["enough"], rows.iter().find(within).unwrap()["number"]);
    let read = lexforge.run(&["runs", "sweep", WS]);
    assert!(
        read.out.contains("items all") && read.out.contains("Enough: "),
        "{}",
        read.out
    );

    // The same command trains nothing anew, and the test part was not looked at until now.
    assert_eq!(lexforge.json(&words)["best"], done["best"]);
    let listed = lexforge.lines(&["runs", "list", WS]);
    assert_eq!(listed.len(), 3);
    assert!(listed.iter().all(|run| run["evaluated"] == false));
    let run = best["run"].to_string();
    lexforge.json(&["eval", WS, "--run", &run]);
    let report =
        std::fs::read_to_string(lexforge.path(&format!("a-report-run-{run}.html"))).unwrap();
    assert!(report.contains("Questions of each rule") && report.contains("At most 1 question"));

    for (preset, reason) in [
        ("retrieval", "no questions about rules"),
        ("nmixx", "no questions about rules"),
    ] {
        let words = [
            "train",
            WS,
            "--preset",
            preset,
            "--items-per-anchor",
            "2",
            "--json",
        ];
        let told = refused(&lexforge.run(&words), "invalid_request");
        assert!(told.contains(reason), "{told}");
    }
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

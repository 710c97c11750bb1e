//! A model that was made worse on purpose, on questions that a person reviewed: the gate stops it by its answers alone.

use crate::prepared;
use lexforge_tests::product::{Product, program, refused};
use serde_json::Value;

const WS: &str = "worse.lexforge";
const REASON: &str = "a trial in one branch until May, looked at each week";

/// The decision about a run by the usual rule, against what is active, and the exit code of the verb.
fn gate(lexforge: &Product, run: &str) -> (Value, i32) {
    let done = lexforge.run(&["gate", WS, "--run", run, "--json"]);
    let decision = serde_json::from_str(done.out.trim())
        .unwrap_or_else(|e| panic!("{e}: {}\n{}", done.out, done.err));
    (decision, done.code)
}

fn codes(decision: &Value) -> Vec<&str> {
    let reasons = decision["reasons"].as_array().unwrap();
    reasons.iter().filter_map(|r| r["code"].as_str()).collect()
}

/// Trains the encoder of the product; the newest run is this one.
fn train(lexforge: &Product, how: &[&str]) {
    let encoder = ["train", WS, "--base", "all-MiniLM-L6-v2"];
    lexforge.lines(&[&encoder[..], how].concat());
}

/// A person accepts every question, and the snapshot has those alone.
fn review(lexforge: &Product) {
    let questions = lexforge.lines(&["qca", "export", WS]);
    let ids = questions.iter().map(|question| question["id"].to_string());
    let decide = ["qca", "decide", "--accept", WS].map(str::to_owned);
    let accepted: Vec<String> = decide.into_iter().chain(ids).collect();
    lexforge.lines(&accepted);
    let snapshot = lexforge.json(&["dataset", "freeze", WS, "--policy", "single"]);
    assert_ne!(snapshot["policy"], "unreviewed_automatic", "{snapshot:#}");
}

fn active(lexforge: &Product) -> Value {
    lexforge.json(&["models", "active", WS])["encoder"].clone()
}

fn notes(lexforge: &Product) -> String {
    lexforge.json(&["ask", WS, "What must a firm keep a record of?"])["notes"].to_string()
}

#[test]
fn a_model_made_worse_on_purpose_is_stopped_on_reviewed_questions() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let worker = program("LEXFORGE_WORKER", "lexforge-worker");
    if worker.is_none() || prepared::demo(&lexforge.path(WS)).is_none() {
        return;
    }
    review(&lexforge);

    // A few steps are enough to be better than the base, and nothing else is found against it.
    train(&lexforge, &["--max-steps", "16"]);
    let (better, code) = gate(&lexforge, "1");
    assert_eq!(
        (better["verdict"].as_str(), code),
        (Some("pass"), 0),
        "{better:#}"
    );
    assert!(codes(&better).iter().all(|code| *code == "within_margin"));
    assert_eq!(better["policy"]["reviewed"], true);
    assert_eq!(better["policy"]["least_anchors"], 30);
    let activate = |run: &'static str| ["models", "activate", WS, "--run", run, "--json"];
    assert_eq!(lexforge.json(&activate("1")[..5])["action"], "activate");

    // The same recipe with a learning rate that ruins the weights.
    train(&lexforge, &["--learning-rate", "3", "--max-steps", "1"]);
    let (worse, code) = gate(&lexforge, "2");
    assert_eq!(
        (worse["verdict"].as_str(), code),
        (Some("stop"), 3),
        "{worse:#}"
    );
    assert_eq!(worse["against_run"], 1);
    assert!(codes(&worse).contains(&"worse"), "{worse:#}");
    for reason in worse["reasons"].as_array().unwrap() {
        assert_eq!(reason["blocking"], false, "{reason:#}");
    }
    for figure in worse["figures"].as_array().unwrap() {
        assert!(figure["difference"].as_f64().unwrap() < 0.0, "{figure:#}");
    }
    let stopped = lexforge.run(&activate("2"));
    let message = refused(&stopped, "invalid_request");
    assert!(message.contains("F1: a loss of"), "{message}");
    assert_eq!(active(&lexforge)["run"], 1);
    assert!(!notes(&lexforge).contains("against_the_gate"));

    // Somebody stands for it: that is in the chain and in the next answer, and one step goes back to the good one.
    let stands = [
        "--override",
        "--accept",
        "--by",
        "Ada Example",
        "--reason",
        REASON,
    ];
    let done = lexforge.json(&[&activate("2")[..5], &stands].concat());
    assert_eq!(done["action"], "override");
    assert_eq!(active(&lexforge)["run"], 2);
    let said = notes(&lexforge);
    assert!(
        said.contains("against_the_gate") && said.contains("Ada Example"),
        "{said}"
    );
    let rows = lexforge.lines(&["audit", "list", WS]);
    let overrides: Vec<&Value> = rows
        .iter()
        .filter(|row| row["action"] == "deployment.override")
        .collect();
    assert_eq!(overrides.len(), 1);
    let reason = overrides[0]["reason"].as_str().unwrap();
    assert!(reason.contains(REASON) && reason.contains("Ada Example"));
    let back = lexforge.json(&["models", "rollback", WS]);
    assert_eq!(
        (&back["action"], &back["run"]),
        (&"roll_back".into(), &1.into())
    );
    assert_eq!(active(&lexforge)["overridden"], Value::Null);
    assert!(!notes(&lexforge).contains("against_the_gate"));
    // The bench tells of a run that it learnt on another snapshot than the one whose questions it is asked.
    for (dataset, elsewhere) in [("1", true), ("2", false)] {
        let words = ["bench", WS, "--dataset", dataset, "--systems", "run 1"];
        let notes = lexforge.json(&words)["notes"].to_string();
        let told = notes.contains("run 1 was trained on snapshot 2");
        assert_eq!(told, elsewhere, "{notes}");
    }
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

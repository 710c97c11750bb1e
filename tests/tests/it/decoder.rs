//! A decoder through its stages with the built programs: figures by every scorer, ablations, plans, kills and stops.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use lexforge_tests::repository::chinese_sample;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

const DEMO: &str = "lexforge-demo";
const WS: &str = "a.lexforge";
/// How long a worker may take to get somewhere before the test gives it up as stuck.
const PATIENCE: Duration = Duration::from_secs(300);

/// The main job with a decoder alone, in few steps.
fn decoder_alone(lexforge: &Product, file: &std::path::Path, steps: &str) -> Value {
    lexforge.json(&[
        "run",
        WS,
        file.to_str().unwrap(),
        "--base",
        DEMO,
        "--max-steps",
        steps,
        "--batch-size",
        "4",
    ])
}

fn stages(events: &[Value]) -> Vec<String> {
    let mut stages: Vec<String> = Vec::new();
    for event in events
        .iter()
        .filter(|e| e["event"] == "progress" && e["stage"] != "load")
    {
        let stage = event["stage"].as_str().unwrap().to_owned();
        if stages.last() != Some(&stage) {
            stages.push(stage);
        }
    }
    stages
}

#[track_caller]
fn every_scorer(evaluation: &Value) {
    assert_eq!(evaluation["scorer"], "likelihood");
    let scorers = evaluation["scorers"].as_array().unwrap();
    let names: Vec<&str> = scorers
        .iter()
        .map(|s| s["scorer"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["per_byte", "pmi", "generation", "embedding"]);
    for scorer in scorers {
        let n = scorer["after"]["n"].as_f64().unwrap();
        for (figures, unreadable) in [
            ("before", "unparseable_before"),
            ("after", "unparseable_after"),
        ] {
            // What names no choice is counted, and is among the wrong ones.
            let right = (scorer[figures]["accuracy"].as_f64().unwrap() * n).round();
            assert!(
                right + scorer[unreadable].as_f64().unwrap() <= n,
                "{scorer}"
            );
        }
        assert!(scorer["comparison"]["p_value"].as_f64().unwrap() > 0.0);
    }
    let controls = evaluation["shortcuts"].as_array().unwrap();
    for name in [
        "choices_only",
        "choices_only_base",
        "longest_choice",
        "corpus_overlap",
    ] {
        assert!(
            controls.iter().any(|c| c["name"] == name),
            "no control {name}"
        );
    }
}

#[test]
fn three_stages_end_in_figures_and_an_ablation_leaves_one_out() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let job = decoder_alone(&lexforge, &prepared::short_file(&lexforge), "3");
    assert_eq!(job["run"]["state"], "finished", "{}", job["run"]);
    assert_eq!(
        (&job["run"]["base"], &job["decoder"]),
        (&Value::from(DEMO), &Value::Null)
    );
    every_scorer(&job["evaluation"]["evaluation"]);
    let events = lexforge.lines(&["runs", "follow", WS]);
    assert_eq!(stages(&events), ["sft", "sentence", "token"]);
    let report = std::fs::read_to_string(lexforge.path(job["report"].as_str().unwrap())).unwrap();
    for words in [
        "Every scorer",
        "Stage SFT",
        "Stage token",
        "not for real advice",
    ] {
        assert!(report.contains(words), "{words}");
    }

    // A plan trains nothing.
    let plan = lexforge.json(&[
        "train",
        WS,
        "--base",
        DEMO,
        "--preset",
        "termgpt-paper",
        "--plan",
    ]);
    assert_eq!(plan["preset"], "termgpt_paper");
    assert_eq!(
        (&plan["settings"]["lora"]["r"], &plan["problems"]),
        (&Value::from(16), &Value::Array(vec![]))
    );
    assert_eq!(lexforge.lines(&["runs", "list", WS]).len(), 1);

    let ablation = [
        "train",
        WS,
        "--base",
        DEMO,
        "--without",
        "sentence",
        "--token-loss",
        "paper",
        "--max-steps",
        "2",
        "--batch-size",
        "4",
    ];
    assert_eq!(stages(&lexforge.lines(&ablation)), ["sft", "token"]);
    let both = lexforge.json(&["runs", "compare", WS, "1", "2"]);
    assert_eq!(
        both[1]["settings"]["stages"][1]["objective"]["loss"],
        "paper"
    );
    assert_eq!(both[0]["evaluation"]["evaluation"]["scorer"], "likelihood");
    // Without a number the newest one is measured.
    let eval = lexforge.json(&["eval", WS]);
    assert_eq!(eval["run"], 2);
    every_scorer(&eval);
    assert!(eval["qca"]["n"].as_f64().unwrap() > 0.0 && eval["p_value"].as_f64().is_some());

    for (wrong, code) in [
        (&["--without", "tokens"][..], "invalid_request"),
        (
            &[
                "--without",
                "sft",
                "--without",
                "sentence",
                "--without",
                "token",
            ],
            "invalid_request",
        ),
        (&["--preset", "encoder"], "invalid_request"),
        (
            &["--preset", "joint", "--token-loss", "paper"],
            "invalid_request",
        ),
        (&["--rank", "0"], "invalid_request"),
    ] {
        let words: Vec<&str> = ["train", WS, "--json", "--base", DEMO]
            .into_iter()
            .chain(wrong.iter().copied())
            .collect();
        refused(&lexforge.run(&words), code);
    }
    let encoder = lexforge.run(&["train", WS, "--json", "--preset", "quick-look"]);
    refused(&encoder, "invalid_request");

    // An adapter for another base.
    let texts = lexforge.file("texts.jsonl", b"{\"text\":\"the board\"}\n");
    let artifacts = lexforge
        .path("a.lexforge.artifacts")
        .join("adapters")
        .join(job["run"]["adapter"].as_str().unwrap());
    let embed = |model: &str| {
        let [texts, adapter] = [&texts, &artifacts].map(|p| p.display().to_string());
        lexforge.run(&[
            "models",
            "embed",
            model,
            "--json",
            "--input",
            &texts,
            "--out",
            "v.safetensors",
            "--adapter",
            &adapter,
        ])
    };
    assert_eq!(embed(DEMO).code, 0);
    assert!(refused(&embed("all-MiniLM-L6-v2"), "model_unsupported").contains("another base"));
}

#[test]
fn a_chinese_regulation_gets_a_trained_decoder_where_the_encoder_cannot_read_it() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let job = lexforge.json(&[
        "run",
        WS,
        chinese_sample().to_str().unwrap(),
        "--max-steps",
        "2",
    ]);
    assert_eq!(job["run"], Value::Null);
    assert_eq!(job["skipped"][0]["code"], "language_unsupported");
    assert_eq!(job["decoder"]["run"]["state"], "finished", "{job:#}");
    every_scorer(&job["decoder"]["evaluation"]["evaluation"]);
    let again = lexforge.json(&["run", WS, "--max-steps", "2"]);
    assert_eq!(
        again["decoder"]["run"]["id"], job["decoder"]["run"]["id"],
        "nothing changed: the run is used again"
    );
    assert_eq!(lexforge.lines(&["runs", "list", WS]).len(), 1);
    // Each kind of missing training data is reported in one sentence.
    refused(
        &lexforge.run(&["train", WS, "--json", "--base", "all-MiniLM-L6-v2"]),
        "language_unsupported",
    );
    lexforge.json(&["new", "empty.lexforge"]);
    refused(
        &lexforge.run(&["train", "empty.lexforge", "--json", "--base", DEMO]),
        "step_missing",
    );
}

/// Events of a run so far.
fn said(lexforge: &Product, run: &str) -> Vec<Value> {
    let mut events = Vec::new();
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let mut folders: Vec<_> = std::fs::read_dir(bundles)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    folders.retain(|f| f.file_name().unwrap().to_string_lossy().starts_with("run-"));
    folders.sort();
    let number: usize = run.parse().unwrap();
    if let Some(folder) = folders.get(number - 1) {
        let text = std::fs::read_to_string(folder.join("events.jsonl")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |at| &text[..at]);
        events.extend(
            whole
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()),
        );
    }
    events
}

/// Waits until this attempt has made a step, and gives the worker's process id.
fn step_of(lexforge: &Product, run: &str, attempt: u64, step: u64) -> String {
    let began = Instant::now();
    loop {
        let events = said(lexforge, run);
        let of_attempt = |e: &&Value| e["attempt"] == attempt;
        let started = events
            .iter()
            .filter(of_attempt)
            .find(|e| e["event"] == "started");
        let made = |e: &Value| {
            e["event"] == "progress" && e["loss"].is_f64() && e["step"].as_u64() >= Some(step)
        };
        if let Some(started) = started
            && events.iter().filter(of_attempt).any(made)
        {
            return started["pid"].to_string();
        }
        assert!(
            began.elapsed() < PATIENCE,
            "step {step} of attempt {attempt} never came"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn killed_and_stopped_it_goes_on_to_the_same_adapter_with_one_clean_curve() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    // The uninterrupted run: 4 steps a stage on one thread.
    let settings = [
        "--base",
        DEMO,
        "--max-steps",
        "4",
        "--threads",
        "1",
        "--checkpoint-every",
        "2",
        "--seed",
        "7",
    ];
    let words = |first: &[&str]| -> Vec<String> {
        first
            .iter()
            .chain(&settings)
            .map(|w| (*w).to_owned())
            .collect()
    };
    prepared::short(&lexforge.path(WS)).unwrap();
    let job = lexforge.json(&words(&["run", WS]));
    let whole = job["run"]["adapter"].as_str().unwrap();

    lexforge.json(&words(&["train", WS, "--detach"]));
    let signal = |name: &str, pid: &str| {
        assert!(
            Command::new("kill")
                .args([name, pid])
                .status()
                .unwrap()
                .success()
        )
    };
    // In the second stage, past its beginning.
    signal("-KILL", &step_of(&lexforge, "2", 1, 6));
    let state = |wanted: &str| {
        let began = Instant::now();
        while lexforge.lines(&["runs", "list", WS])[0]["state"] != wanted {
            assert!(began.elapsed() < PATIENCE, "the run is never {wanted}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    state("died");
    lexforge.json(&["runs", "resume", WS, "2", "--detach"]);
    // The system's wish to end, in the third stage.
    signal("-TERM", &step_of(&lexforge, "2", 2, 9));
    state("stopped");
    lexforge.json(&["runs", "resume", WS, "2", "--detach"]);
    state("finished");
    let row = &lexforge.lines(&["runs", "list", WS])[0];
    assert_eq!(
        row["adapter"], whole,
        "an interrupted run ends in another adapter"
    );
    let attempts: BTreeSet<u64> = said(&lexforge, "2")
        .iter()
        .filter_map(|e| e["attempt"].as_u64())
        .collect();
    assert_eq!(attempts.len(), 3);

    // One clean curve, the same as the uninterrupted one's.
    lexforge.json(&["eval", WS, "--run", "2"]);
    let both = lexforge.json(&["runs", "compare", WS, "1", "2"]);
    let curves = |at: usize| both[at]["evaluation"]["evaluation"]["stages"].clone();
    assert_eq!(curves(0).as_array().unwrap().len(), 3);
    assert_eq!(curves(0), curves(1));
    for stage in curves(1).as_array().unwrap() {
        let steps: Vec<u64> = stage["train"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["step"].as_u64().unwrap())
            .collect();
        assert!(
            steps.len() == 4 && steps.windows(2).all(|w| w[1] == w[0] + 1),
            "{steps:?}"
        );
    }
}

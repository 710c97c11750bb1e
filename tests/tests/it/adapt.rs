//! Tests that an encoder can be adapted to the documents by masked words or by restored sentences. The adapted encoder
//! is then used for the search and for another training.

use crate::triplets::corpus;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The bundle of the run of this number, by the order in which they were started.
fn bundle(lexforge: &Product, number: usize) -> PathBuf {
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let folders = std::fs::read_dir(bundles).unwrap().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.retain(|f| f.file_name().unwrap().to_string_lossy().starts_with("run-"));
    folders.sort();
    folders.swap_remove(number - 1)
}

fn texts(bundle: &std::path::Path, file: &str) -> BTreeSet<String> {
    let lines = std::fs::read_to_string(bundle.join("inputs").join(file)).unwrap();
    let text = |line: &str| {
        let item: Value = serde_json::from_str(line).unwrap();
        item["rule"].as_str().unwrap().to_owned()
    };
    lines.lines().map(text).collect()
}

fn train<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "a.lexforge", "--json"], more].concat()
}

#[test]
fn an_encoder_is_adapted_and_a_training_on_triplets_goes_on_from_it() {
    let Some(lexforge) = corpus() else {
        return;
    };
    let refuse = |words: &[&str], code: &str| refused(&lexforge.run(&train(words)), code);
    // There is no run yet from which the training could continue.
    let early = ["--task", "triplets", "--start-from", "1"];
    refuse(&early, "not_found");
    lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    let plan = lexforge.json(&["train", "a.lexforge", "--task", "adapt", "--plan"]);
    assert_eq!(
        (&plan["preset"], &plan["problems"]),
        (&json!("adapt"), &json!([]))
    );
    assert_eq!(plan["stages"][0]["name"], "mlm");
    let done = lexforge.run(&train(&["--task", "adapt", "--max-steps", "3"]));
    assert_eq!(done.code, 0, "{}", done.err);

    // What triplets of the test part were made of is not read, nor is anything of its document.
    let first = bundle(&lexforge, 1);
    let learnt = texts(&first, "train.jsonl");
    assert_eq!(learnt.len() as u64, plan["items"].as_u64().unwrap());
    let held_out = texts(&first, "dev.jsonl");
    assert!(!held_out.is_empty() && learnt.is_disjoint(&held_out));
    let who = |text: &String| {
        let subject = text.split(" shall ").next().unwrap();
        subject.rsplit(' ').next().unwrap().to_owned()
    };
    let learnt: BTreeSet<String> = learnt.iter().map(who).collect();
    let tested = lexforge.lines(&["triplets", "list", "a.lexforge", "--split", "test"]);
    assert!(!tested.is_empty());
    for row in &tested {
        let source = row["triplet"]["source"].as_str().unwrap().to_owned();
        assert!(!learnt.contains(&who(&source)), "{source}");
    }

    // It is searched by.
    let scores = |by: [&str; 2]| -> Vec<String> {
        let words = [
            "search",
            "a.lexforge",
            "Who keeps a register?",
            "--mode",
            "dense",
        ];
        let hits = lexforge.lines(&[&words[..], &by].concat());
        hits.iter().map(|hit| hit["score"].to_string()).collect()
    };
    let base = scores(["--encoder", "all-MiniLM-L6-v2"]);
    let adapted = scores(["--adapter", "1"]);
    assert!(!base.is_empty() && base != adapted, "the adapter counts");

    // Then contrast, from there.
    let further = [
        "--task",
        "triplets",
        "--start-from",
        "1",
        "--max-steps",
        "2",
    ];
    let done = lexforge.run(&train(&further));
    assert_eq!(done.code, 0, "{}", done.err);
    let runs = lexforge.lines(&["runs", "list", "a.lexforge"]);
    let of = |number: u64| runs.iter().find(|run| run["id"] == number).unwrap();
    let start = of(1)["adapter"].as_str().unwrap();
    let job = std::fs::read_to_string(bundle(&lexforge, 2).join("job.json")).unwrap();
    assert!(job.contains(start), "the record says what it went on from");
    let kept = |run: u64| {
        let hash = of(run)["adapter"].as_str().unwrap();
        let adapters = lexforge.path("a.lexforge.artifacts").join("adapters");
        std::fs::read_to_string(adapters.join(hash).join("lexforge.json")).unwrap()
    };
    let further: Value = serde_json::from_str(&kept(2)).unwrap();
    assert_eq!(further["lineage"]["start"], start);
    assert_eq!(further["stages"], json!(["triplets"]));

    // A training that does not fit the run is refused, and so is a setting that this recipe does not have.
    let from =
        |more: &[&'static str]| [&["--task", "triplets", "--start-from", "1"], more].concat();
    refuse(&from(&["--rank", "8"]), "invalid_request");
    refuse(&from(&["--all-weights"]), "invalid_request");
    refuse(&from(&["--base", "another"]), "invalid_request");
    refuse(
        &["--task", "adapt", "--temperature", ".1"],
        "invalid_request",
    );
    let eval = lexforge.run(&["eval", "a.lexforge", "--run", "1", "--json"]);
    refused(&eval, "invalid_request");

    // The other way of adapting learns from the same sentences, and is no objective of another task.
    refuse(
        &["--task", "triplets", "--objective", "tsdae"],
        "invalid_request",
    );
    let restoring = [
        "--task",
        "adapt",
        "--objective",
        "tsdae",
        "--max-steps",
        "2",
    ];
    let done = lexforge.run(&train(&restoring));
    assert_eq!(done.code, 0, "{}", done.err);
    let runs = lexforge.lines(&["runs", "list", "a.lexforge"]);
    let third = runs.iter().find(|run| run["id"] == 3).unwrap();
    assert_eq!(third["recipe"], "TSDAE · tsdae");
    for file in ["train.jsonl", "dev.jsonl"] {
        assert_eq!(texts(&bundle(&lexforge, 3), file), texts(&first, file));
    }
    assert_ne!(third["adapter"], start);
    let restored = scores(["--adapter", "3"]);
    assert!(restored != base && restored != adapted, "it counts too");
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn an_empty_workspace_gives_one_clear_error() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let file = lexforge.file(
        "one.jsonl",
        b"{\"id\":\"1\",\"text\":\"The bank shall keep a register of its clients.\"}\n",
    );
    lexforge.json(&["import".as_ref(), "a.lexforge".as_ref(), file.as_os_str()]);
    let said = refused(
        &lexforge.run(&train(&["--task", "adapt"])),
        "too_little_data",
    );
    assert!(said.contains("sentences to learn from"), "{said}");
}

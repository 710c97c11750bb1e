//! Trains on questions under attack, with the built programs. The tests check which questions are added, how this is
//! recorded, and that nothing from the test part is learnt.

use crate::bench::frozen;
use lexforge_tests::product::Product;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const WS: &str = "a.lexforge";

fn plan(lexforge: &Product, more: &[&str]) -> Value {
    let words = ["train", WS, "--base", "lexforge-demo", "--plan"];
    lexforge.json(&[&words[..], more].concat())
}

/// All files of this name below a folder.
fn named(folder: &Path, name: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named(&path, name, found);
        } else if path.file_name().is_some_and(|n| n == name) {
            found.push(path);
        }
    }
}

fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn attacks_are_learnt_of_the_train_part_alone_and_are_on_record() {
    let Some(lexforge) = frozen() else { return };
    let plain = plan(&lexforge, &[]);
    assert_eq!(plain["attacks"], Value::Null);
    let attacked = plan(&lexforge, &["--attacks"]);
    let counts = attacked["attacks"].as_object().unwrap();
    let count = |attack: &str| counts.get(attack).and_then(Value::as_u64).unwrap_or(0);
    let kept: u64 = ["typo", "homoglyph", "clause_order", "paraphrase"]
        .map(count)
        .iter()
        .sum();
    assert!(count("typo") > 10 && count("number") > 0, "{counts:?}");
    let items = |plan: &Value| plan["items"].as_u64().unwrap();
    assert_eq!(items(&attacked), items(&plain) + kept);

    lexforge.lines(&[
        "train",
        WS,
        "--base",
        "lexforge-demo",
        "--attacks",
        "--max-steps",
        "2",
        "--batch-size",
        "4",
    ]);
    let runs = lexforge.lines(&["runs", "list", WS]);
    let recipe = runs[0]["recipe"].as_str().unwrap();
    assert!(recipe.ends_with("with attacks"), "{recipe}");
    let mut files = Vec::new();
    named(&lexforge.path("."), "train.jsonl", &mut files);
    assert_eq!(files.len(), 1, "{files:?}");
    let learnt = rows(&files[0]);
    assert_eq!(learnt.len() as u64, items(&attacked));
    let (forms, own): (Vec<&Value>, Vec<&Value>) = learnt
        .iter()
        .partition(|item| item["id"].as_i64().unwrap() < 0);
    assert_eq!(forms.len() as u64, kept);
    let ids: HashSet<i64> = learnt.iter().map(|i| i["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), learnt.len(), "each has a number of its own");
    for item in &own {
        let wrong = item["negatives"].as_array().unwrap();
        assert!(!wrong.contains(&item["answer"]), "{item}");
    }
    assert!(
        own.iter()
            .any(|i| i["negatives"].as_array().unwrap().len() > 3)
    );

    // If only test questions ask about a rule, no training item is made from it.
    let test = lexforge.json(&["dataset", "export", WS, "--format", "jsonl", "--out", "out"]);
    assert_eq!(test["format"], "jsonl", "{test}");
    let mut exported = Vec::new();
    named(&lexforge.path("out"), "test.jsonl", &mut exported);
    let asked: HashSet<i64> = rows(&exported[0])
        .iter()
        .map(|item| item["anchor_sentence"].as_i64().unwrap())
        .collect();
    assert!(!asked.is_empty());
    let of_test = |item: &&Value| asked.contains(&item["anchor"].as_i64().unwrap());
    assert_eq!(learnt.iter().find(of_test), None);

    // The adapter says it.
    let mut sidecars = Vec::new();
    named(&lexforge.path("."), "lexforge.json", &mut sidecars);
    let sidecar: Value =
        serde_json::from_str(&std::fs::read_to_string(&sidecars[0]).unwrap()).unwrap();
    assert_eq!(sidecar["lineage"]["attacks"], json!(counts));
}

//! Searching and asking by an encoder that is named, and by an adapter that was tuned in the workspace.

use lexforge_tests::product::{Product, refused};
use serde_json::Value;

const QUESTION: &str = "When must a firm notify the regulator?";

/// The sentences for which a command reports that their vectors were made.
fn made(said: &str) -> Option<usize> {
    let line = said.lines().find(|l| l.starts_with("Made vectors of"))?;
    let number = line.split(' ').nth(3)?;
    number.replace(',', "").parse().ok()
}

/// A workspace in which a run has finished is searched by its adapter.
pub fn the_tuned_one_searches(lexforge: &Product, workspace: &str, run: &Value) {
    let run = run.to_string();
    let search = |more: &[&str]| {
        let words = ["search", workspace, QUESTION, "--json", "--mode", "dense"];
        let done = lexforge.run(&[&words, more].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        let hits: Vec<Value> = done
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        (hits, made(&done.err))
    };
    let scores = |hits: &[Value]| -> Vec<f64> {
        hits.iter()
            .filter_map(|hit| hit["score"].as_f64())
            .collect()
    };
    let (plain, none) = search(&[]);
    assert_eq!(none, None, "the graph's vectors are there");
    let (tuned, all) = search(&["--adapter", &run]);
    assert!(all.is_some_and(|n| n > 200), "{all:?}");
    assert_ne!(scores(&plain), scores(&tuned), "the adapter counts");
    let (again, none) = search(&["--adapter", &run]);
    assert_eq!((scores(&again), none), (scores(&tuned), None));
    // The base model under its name gives what made the graph.
    let (base, _) = search(&["--encoder", "all-MiniLM-L6-v2"]);
    for (a, b) in scores(&base).iter().zip(scores(&plain)) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
    // A document that comes in is added to, and nothing is made twice.
    let note = "# A note\n\nA firm must notify the regulator of a breach within 72 hours. A branch keeps its records for six years.\n";
    let note = lexforge.file("note.md", note.as_bytes());
    lexforge.json(&["import".as_ref(), workspace.as_ref(), note.as_os_str()]);
    let (_, some) = search(&["--adapter", &run]);
    assert!(
        some.is_some_and(|n| n > 0) && some < all,
        "{some:?} of {all:?}"
    );

    let encoder = |more: &[&str]| -> String {
        let answer = lexforge.json(&[&["ask", workspace, QUESTION], more].concat());
        answer["index"]["encoder"].as_str().unwrap().to_owned()
    };
    let (graph, tuned) = (encoder(&[]), encoder(&["--adapter", &run]));
    assert!(tuned.contains("adapter") && graph != tuned, "{tuned}");
    let absent = lexforge.run(&[
        "search",
        workspace,
        QUESTION,
        "--json",
        "--mode",
        "dense",
        "--encoder",
        "absent",
    ]);
    refused(&absent, "model_missing");
    let verified = lexforge.json(&["audit", "verify", workspace]);
    assert_eq!(verified["ok"], true);
}

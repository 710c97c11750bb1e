//! An encoder whose tokenizer takes the workspace's accepted terms whole.

use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const WS: &str = "a.lexforge";

/// Rules of our own writing in which two terms are defined and often used.
fn rules() -> String {
    let mut text = "# Rules on duties\n\n## Article 1\n\n‘reporting officer’ means a person whom the board has named to report events.\n\n\
                    ‘holding company’ means a company that holds the shares of another.\n\n"
        .to_owned();
    for i in 2..20 {
        text.push_str(&format!(
            "## Article {i}\n\nThe reporting officer shall report each event of a holding company within {i} days.\n\n"
        ));
    }
    text
}

#[test]
fn accepted_terms_are_added_to_an_encoder_that_is_then_a_base_model() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let file = lexforge.file("rules.md", rules().as_bytes());
    lexforge.json(&["import".as_ref(), WS.as_ref(), file.as_os_str()]);
    lexforge.json(&["terms", "extract", WS]);
    let add = |more: &[&str]| {
        let words = ["models", "add-words", WS, "--out", "grown", "--json"];
        lexforge.run(&[&words, more].concat())
    };
    // Nobody has said yet what is a term.
    refused(&add(&[]), "step_missing");
    let terms = lexforge.lines(&["terms", "list", WS]);
    let wanted = ["reporting officer", "holding company"];
    for text in wanted {
        let term = terms.iter().find(|term| term["text"] == text).unwrap();
        let id = term["id"].to_string();
        lexforge.json(&["terms", "decide", WS, &id, "--accept"]);
    }
    refused(&add(&["--pieces", "9"]), "too_little_data");
    assert!(!lexforge.path("grown").exists(), "nothing is left");

    let done = add(&["--pieces", "2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let made: Value = serde_json::from_str(&done.out).unwrap();
    let mut words: Vec<&str> = made["added"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["word"].as_str().unwrap())
        .collect();
    words.sort_unstable();
    assert_eq!(words, ["holding company", "reporting officer"]);
    let base = lexforge.json(&["models", "inspect", "all-MiniLM-L6-v2"]);
    let grown = lexforge.json(&["models", "inspect", "grown"]);
    let vocabulary = base["vocabulary"].as_u64().unwrap() + 2;
    assert_eq!(grown["vocabulary"], vocabulary);
    assert_eq!(made["vocabulary"], vocabulary);
    assert_eq!(grown["problems"], json!([]));
    refused(&add(&["--pieces", "2"]), "invalid_request");

    // All of its weights are trained, the new rows among them.
    let train = [
        "train",
        WS,
        "--task",
        "adapt",
        "--base",
        "grown",
        "--all-weights",
        "--plan",
    ];
    let plan = lexforge.run(&[&train[..], &["--json"]].concat());
    let plan: Value = serde_json::from_str(&plan.out).unwrap();
    assert_eq!(plan["base"]["name"], "grown", "{plan:#}");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

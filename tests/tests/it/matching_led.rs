//! Statements that share no word with a rule, and that accepted terms and the graph lead to.

use lexforge_tests::product::Product;
use lexforge_tests::rules::MATCH;
use serde_json::Value;
use std::fs;

const RULES: &str = "# Rules

The firm shall keep a business continuity plan (BCP) for each critical service.

The firm shall test its business continuity plan once a year.

The firm shall keep a register of its outsourcing contracts.
";
const POLICY: &str = "# Handbook

The BCP is rehearsed by all desks in spring.

Visitors wear a badge and sign in at the reception.

Contracts with suppliers stand in a list.
";

fn matched(lexforge: &Product) -> Vec<Value> {
    lexforge.lines(&MATCH)
}

/// The entry for the statement about rehearsals beside the rule about tests.
fn rehearsed(rows: &[Value]) -> Value {
    let says = |text: &Value, words: &str| text.as_str().unwrap().contains(words);
    let rule = rows
        .iter()
        .find(|row| says(&row["rule"]["text"], "shall test"));
    let found = rule.unwrap()["policies"].as_array().unwrap();
    let statement = found.iter().find(|p| says(&p["text"], "rehearsed"));
    statement.unwrap().clone()
}

fn channels(statement: &Value) -> Vec<&str> {
    let found = statement["found_by"].as_array();
    let tags = found.into_iter().flatten();
    tags.map(|tag| tag.as_str().unwrap()).collect()
}

#[test]
fn accepted_terms_and_the_graph_find_what_shares_no_word() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    for (name, text) in [("rules.md", RULES), ("policy.md", POLICY)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    lexforge.json(&["terms", "extract", "a.lexforge"]);
    // Nobody has accepted a term yet, and there is no graph.
    let before = rehearsed(&matched(&lexforge));
    let besides = |statement: &Value| {
        let found = channels(statement);
        (found.contains(&"graph"), found.contains(&"terms"))
    };
    assert_eq!(besides(&before), (false, false), "{before:#}");

    let terms = lexforge.lines(&["terms", "list", "a.lexforge"]);
    let id = |text: &str| {
        let term = terms.iter().find(|term| term["text"] == text);
        term.unwrap_or_else(|| panic!("no term {text}"))["id"].to_string()
    };
    let (plan, short) = (id("business continuity plan"), id("BCP"));
    lexforge.lines(&["terms", "decide", "a.lexforge", &plan, "--accept"]);
    let merge = [
        "terms",
        "decide",
        "a.lexforge",
        &short,
        "--merge-into",
        &plan,
    ];
    lexforge.lines(&merge);
    let by_terms = rehearsed(&matched(&lexforge));
    assert_eq!(besides(&by_terms), (false, true), "{by_terms:#}");
    assert_eq!(by_terms["terms"][0], "business continuity plan");
    assert!(by_terms["edges"].is_null(), "{by_terms:#}");

    lexforge.json(&["graph", "build", "a.lexforge", "--encoder", "lsa"]);
    let rows = matched(&lexforge);
    let by_both = rehearsed(&rows);
    assert_eq!(besides(&by_both), (true, true), "{by_both:#}");
    let edges = by_both["edges"].as_u64().unwrap();
    assert!((1..=3).contains(&edges), "{by_both:#}");

    let rule = rows[1]["rule"]["id"].to_string();
    let shown = lexforge.json(&["match", "show", "a.lexforge", &rule]);
    let methods: Vec<&str> = shown["by_method"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["method"].as_str().unwrap())
        .collect();
    let all = ["bm25", "tfidf", "grams", "graph", "terms", "combined"];
    assert_eq!(methods, all);
    for (name, words) in [
        ("a.csv", "found by"),
        (
            "a.html",
            "Candidates were found by: words, graph, accepted terms.",
        ),
    ] {
        lexforge.json(&["match", "export", "a.lexforge", "--out", name]);
        let paper = fs::read_to_string(lexforge.path(name)).unwrap();
        assert!(paper.contains(words), "{name}: {words}");
    }
}

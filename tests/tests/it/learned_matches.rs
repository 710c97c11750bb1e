//! What people decide about matches is what an encoder can be tuned on.

use lexforge_tests::product::{Product, program, refused};
use lexforge_tests::rules::MATCH;
use serde_json::{Value, json};

const NOUNS: [&str; 56] = [
    "ledgers",
    "passwords",
    "vaults",
    "contracts",
    "backups",
    "complaints",
    "loans",
    "cheques",
    "servers",
    "invoices",
    "archives",
    "badges",
    "couriers",
    "deposits",
    "engines",
    "forecasts",
    "guarantees",
    "hearings",
    "inventories",
    "journals",
    "keys",
    "licences",
    "mandates",
    "notices",
    "outages",
    "pensions",
    "quotas",
    "receipts",
    "samples",
    "tenders",
    "uniforms",
    "vehicles",
    "warranties",
    "yields",
    "zones",
    "auctions",
    "bonds",
    "claims",
    "drills",
    "escrows",
    "alarms",
    "bridges",
    "cables",
    "doors",
    "elevators",
    "fences",
    "gates",
    "hoses",
    "iron",
    "jets",
    "kilns",
    "ladders",
    "meters",
    "nets",
    "ovens",
    "pumps",
];
const VERBS: [&str; 7] = [
    "review",
    "count",
    "lock",
    "record",
    "test",
    "insure",
    "translate",
];
const WHEN: [&str; 5] = [
    "before each winter",
    "within two days of a change",
    "after every audit by the board",
    "whenever a manager resigns",
    "on the first Monday of May",
];

/// A regulation (1) of many articles and a handbook (2) that has a statement for each.
fn matched() -> Option<(Product, Vec<Value>)> {
    let lexforge = Product::find()?;
    program("LEXFORGE_WORKER", "lexforge-worker")?;
    let (mut act, mut handbook) = (String::new(), "# Handbook\n\n".to_owned());
    for (i, noun) in NOUNS.iter().enumerate() {
        let (verb, when) = (VERBS[i % VERBS.len()], WHEN[i % WHEN.len()]);
        act += &format!(
            "Article {}\nOn {noun}\n\n1. The firm shall {verb} its {noun} {when}.\n\n",
            i + 1
        );
        handbook += &format!("Our {noun}: the staff {verb} them {when}.\n\n");
    }
    for (name, text) in [("act.txt", act), ("handbook.md", handbook)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let rows = lexforge.lines(&MATCH);
    assert_eq!(rows.len(), NOUNS.len());
    Some((lexforge, rows))
}

#[test]
fn an_encoder_learns_from_what_was_accepted_and_rejected() {
    let Some((lexforge, rows)) = matched() else {
        return;
    };
    let plan = |words: &[&str]| -> Value {
        let all = [
            ["train", "a.lexforge", "--plan", "--json"].as_slice(),
            words,
        ]
        .concat();
        let done = lexforge.run(&all);
        serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}\n{}", done.out, done.err))
    };
    // Nobody has decided.
    let early = plan(&["--task", "matches"]);
    assert_eq!(early["problems"][0]["code"], "too_little_data", "{early:#}");
    for (i, row) in rows.iter().enumerate() {
        let of = |noun: &str| {
            let listed = row["policies"].as_array().unwrap().iter();
            let mut listed = listed.filter(|p| p["text"].as_str().unwrap().contains(noun));
            listed.next().map(|p| p["id"].to_string())
        };
        let rule = row["rule"]["id"].to_string();
        let noun = NOUNS[i];
        let own = of(noun).unwrap_or_else(|| panic!("nothing about {noun}: {row:#}"));
        let words = [
            "match",
            "decide",
            "a.lexforge",
            "--rule",
            &rule,
            "--verdict",
            "covered",
            "--policy",
            &own,
        ];
        lexforge.lines(&words);
    }
    let plan_of = plan(&["--task", "matches"]);
    assert_eq!(
        (&plan_of["preset"], &plan_of["problems"]),
        (&json!("rules_and_policies"), &json!([])),
        "{plan_of:#}"
    );
    let items = plan_of["items"].as_u64().unwrap();
    assert!((20..NOUNS.len() as u64).contains(&items), "{items}");
    // But for the memory that is free, which changes.
    let decided = |plan: &Value| {
        ["preset", "settings", "items", "stages", "warnings"].map(|part| plan[part].clone())
    };
    assert_eq!(
        decided(&plan(&["--learn-from", "matches"])),
        decided(&plan_of)
    );
    // A contradicted rule is no example of texts that belong together or do not, so too few examples are left.
    for row in rows.iter().skip(10) {
        let rule = row["rule"]["id"].to_string();
        lexforge.lines(&[
            "match",
            "decide",
            "a.lexforge",
            "--rule",
            &rule,
            "--verdict",
            "contradicted",
            "--note",
            "It is the other way round.",
        ]);
    }
    let few = plan(&["--task", "matches"]);
    assert_eq!(few["problems"][0]["code"], "too_little_data", "{few:#}");
    let told = few["problems"][0]["message"].as_str().unwrap();
    assert!(told.contains("10 accepted statements"), "{told}");
    for words in [
        ["--task", "retrieval", "--learn-from", "matches"],
        ["--task", "matches", "--learn-from", "questions"],
    ] {
        let all = [["train", "a.lexforge", "--plan", "--json"], words].concat();
        refused(&lexforge.run(&all), "invalid_request");
    }
}

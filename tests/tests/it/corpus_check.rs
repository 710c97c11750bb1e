//! What is to be looked at before documents are used to train.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const HANDBOOK: &str = "---
title: Handbook of the desk
license: CC BY 4.0
---

# Contacts

Complaints are sent to anna.weber@bank.example or to Dr. Eva Klein.

Fees are paid to DE89 3704 0044 0532 0130 00 within ten days.

Fees are not paid to DE89 3704 0044 0532 0130 01 at any time.
";

#[test]
fn data_of_persons_are_shown_with_their_places() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let badly_read =
        "The c0mpany shall k0ep its m0ney in a sa|e place and c0unt it every day.\n".repeat(12);
    for (name, text) in [("handbook.md", HANDBOOK), ("scan.txt", &badly_read)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let check = lexforge.json(&["docs", "check", "a.lexforge"]);
    assert_eq!(
        check["personal"],
        json!({ "email": 1, "account": 1, "name": 1 }),
        "{check:#}"
    );
    let found: Vec<(&str, &str)> = check["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["text"].as_str().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("email", "anna.weber@bank.example"),
            ("name", "Dr. Eva Klein"),
            ("account", "DE89 3704 0044 0532 0130 00"),
        ]
    );
    for one in check["findings"].as_array().unwrap() {
        assert_eq!(one["document"], 1);
        assert!(one["page"].as_u64() == Some(1) && one["sentence"].is_u64());
    }
    let [handbook, scan] = [&check["documents"][0], &check["documents"][1]];
    assert_eq!(handbook["licence"], "CC BY 4.0", "{handbook:#}");
    assert_eq!(scan["licence"], Value::Null);
    assert_eq!([&handbook["noisy"], &scan["noisy"]], [false, true]);
    assert!(scan["examples"].to_string().contains("m0ney"), "{scan:#}");
    // There are no questions yet.
    assert_eq!(check["classes"], json!([]));
    let one = lexforge.json(&["docs", "check", "a.lexforge", "--document", "2"]);
    assert_eq!(one["personal"], json!({}));
    assert_eq!(one["documents"].as_array().unwrap().len(), 1);
    let gone = lexforge.run(&["docs", "check", "a.lexforge", "--document", "9", "--json"]);
    refused(&gone, "not_found");
}

/// What the chain says of the settings, and of what was known of the data.
fn told(lexforge: &Product, action: &str) -> Vec<(String, String)> {
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let rows = lexforge.lines(&["audit", "list", "a.lexforge"]);
    let mut told: Vec<(i64, String, String)> = rows
        .iter()
        .filter(|row| row["action"] == action)
        .map(|row| {
            let sequence = row["sequence"].as_i64().unwrap();
            (sequence, text(row, "subject"), text(row, "reason"))
        })
        .collect();
    told.sort();
    told.into_iter()
        .map(|(_, subject, reason)| (subject, reason))
        .collect()
}

#[test]
fn what_a_check_found_is_kept_and_stands_in_the_chain_with_each_start_of_a_training() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    // Its first run is the main job's, and nothing was checked before.
    if prepared::trained(&lexforge.path("a.lexforge")).is_none() {
        return;
    }
    let known = |unchecked, personal, unlicensed, of| {
        format!(
            "documents in the data: {of}; not checked {unchecked}, with personal data found {personal}, probably read badly 0, licence unknown {unlicensed}"
        )
    };
    let run = |n| format!("run {n}");
    let first = (run(1), known(1, 0, 1, 1));
    assert_eq!(told(&lexforge, "data.known"), std::slice::from_ref(&first));

    // A check is kept once; the same check again changes nothing.
    let checks = || {
        let kept = told(&lexforge, "setting.set").into_iter();
        let checks = kept.filter(|(subject, _)| subject.contains("documents.checked"));
        checks.count()
    };
    let before = checks();
    let check = ["docs", "check", "a.lexforge"];
    lexforge.json(&check);
    lexforge.json(&check);
    assert_eq!((before, checks()), (0, 1));
    let base = ["--base", "all-MiniLM-L6-v2", "--max-steps", "1"];
    let train = [&["train", "a.lexforge"][..], &base].concat();
    lexforge.lines(&train);
    let second = (run(2), known(0, 0, 1, 1));
    assert_eq!(
        told(&lexforge, "data.known"),
        [first.clone(), second.clone()]
    );

    // A plan starts nothing, and what is refused does not either.
    lexforge.json(&[&train[..], &["--plan"]].concat());
    let refusal = [&train[..], &["--dataset", "9", "--json"]].concat();
    assert_ne!(lexforge.run(&refusal).code, 0);
    assert_eq!(told(&lexforge, "data.known").len(), 2);

    // A document that came later is not checked yet, and is not in the data of the snapshot. One check of it alone
    // leaves what was found in the other.
    let file = lexforge.file("handbook.md", HANDBOOK.as_bytes());
    lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    lexforge.json(&[&check[..], &["--document", "2"]].concat());
    assert_eq!(checks(), 2);
    lexforge.json(&check);
    assert_eq!(checks(), 2);
    lexforge.lines(&train);
    let third = (run(3), known(0, 0, 1, 1));
    assert_eq!(told(&lexforge, "data.known"), [first, second, third]);
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

//! What is to be looked at before documents are used to train.

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

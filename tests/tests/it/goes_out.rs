//! A snapshot as files for others: three forms, a card, and what is measured on the way.

use lexforge_tests::product::refused;
use lexforge_tests::rules::{WS, prepared};
use serde_json::Value;
use std::collections::HashMap;

fn sum(value: &Value) -> u64 {
    value
        .as_object()
        .map_or(0, |o| o.values().filter_map(Value::as_u64).sum())
}

#[test]
fn a_snapshot_is_measured_and_goes_out_in_three_forms() {
    let Some(lexforge) = prepared(120) else {
        return;
    };
    lexforge.json(&["augment", WS]);
    let dataset = lexforge.json(&["dataset", "freeze", WS]);
    let counts: u64 = dataset["by_type"]
        .as_object()
        .unwrap()
        .values()
        .map(sum)
        .sum();
    let of = |part: &str| {
        dataset[part]["sentence"].as_u64().unwrap() + dataset[part]["token"].as_u64().unwrap()
    };
    assert_eq!(counts, of("train") + of("dev") + of("test"));
    let rows: HashMap<(String, String), f64> = dataset["shortcuts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            (
                (r["level"].to_string(), r["name"].to_string()),
                r["accuracy"].as_f64().unwrap(),
            )
        })
        .collect();
    assert!(
        rows.len() >= 5 && rows.values().all(|a| (0.0..=1.0).contains(a)),
        "{rows:?}"
    );
    assert!(dataset["flagged"].is_boolean());
    for format in ["jsonl", "alpaca", "sharegpt"] {
        let out = lexforge.path(format).display().to_string();
        let export = lexforge.json(&["dataset", "export", WS, "--format", format, "--out", &out]);
        assert_eq!(sum(&export["files"]), counts);
        let side: Value = serde_json::from_str(
            &std::fs::read_to_string(lexforge.path(format).join("snapshot.json")).unwrap(),
        )
        .unwrap();
        assert_eq!(
            (&side["snapshot"]["hash"], &side["audit_head"]),
            (&dataset["hash"], &export["audit_head"])
        );
        let ending = if format == "jsonl" { "jsonl" } else { "json" };
        let text =
            std::fs::read_to_string(lexforge.path(format).join(format!("train.{ending}"))).unwrap();
        let items: Vec<Value> = match format {
            "jsonl" => text
                .lines()
                .map(|l| serde_json::from_str(l).unwrap())
                .collect(),
            _ => serde_json::from_str(&text).unwrap(),
        };
        assert_eq!(items.len() as u64, of("train"));
        let field = |item: &Value| match format {
            "jsonl" => item["choices"][item["answer"].as_u64().unwrap() as usize].clone(),
            "alpaca" => item["output"].clone(),
            _ => item["conversations"][1]["value"].clone(),
        };
        assert!(
            items
                .iter()
                .all(|i| field(i).as_str().is_some_and(|t| !t.is_empty()))
        );
        refused(
            &lexforge.run(&[
                "dataset", "export", WS, "--format", format, "--out", &out, "--json",
            ]),
            "invalid_request",
        );
    }
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

//! Reads back a mapping collection that the product wrote. Everything that it names is found again, in the workspace
//! that wrote it and in another one.

use lexforge_tests::product::Product;
use lexforge_tests::repository::sample;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A policy of a firm that never was. Two sections say the same, so that words alone do not tell which is meant.
const POLICY: &str = "# Operational policy

## Incidents

We record every operational incident in a register within one business day of its detection.

Operational incidents are classified within two business days of their detection.

Records are kept by the head of the unit.

## Outsourcing

The performance of the service provider is reviewed at least once a year.

Records are kept by the head of the unit.
";

/// Rules that have ids of their own: numbers, and letters that an id of OSCAL cannot have.
const RULES: &str = "{\"id\":\"1.2\",\"text\":\"The firm shall review the performance of each service provider every year.\"}
{\"id\":\"第1条\",\"text\":\"The firm shall close the windows of the archive at night.\"}
{\"id\":\"第1款\",\"text\":\"The firm shall train its drivers before they carry cash.\"}
";

/// Rules that nothing covers.
const FURTHER: &str = "{\"id\":\"F-1\",\"text\":\"The pilot shall wear a parachute over the sea.\"}
{\"id\":\"F-2\",\"text\":\"The crew shall count the lifeboats before departure.\"}
";

const ROLES: [&str; 8] = [
    "--rules",
    "1",
    "--rules",
    "3",
    "--rules",
    "4",
    "--policies",
    "2",
];

/// A workspace with a regulation (1), a policy (2) and two frameworks (3, 4). For each of the others, the policy covers
/// some rules and leaves some uncovered.
fn imported(lexforge: &Product, workspace: &str) {
    lexforge.json(&["import".into(), workspace.into(), sample()]);
    for (name, text) in [
        ("policy.md", POLICY),
        ("rules.jsonl", RULES),
        ("further.jsonl", FURTHER),
    ] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&[Path::new("import"), Path::new(workspace), &file]);
    }
}

/// Each rule with the texts of what is proposed for it, and the relations.
fn proposed(done: &Value) -> BTreeMap<String, Vec<(Value, Vec<Value>)>> {
    let mut all: BTreeMap<String, Vec<(Value, Vec<Value>)>> = BTreeMap::new();
    for one in done["proposed"].as_array().unwrap() {
        let policies = one["policies"].as_array().unwrap().iter();
        let texts = policies.map(|policy| policy["text"].clone()).collect();
        let rule = one["rule"]["text"].as_str().unwrap().to_owned();
        all.entry(rule)
            .or_default()
            .push((one["relation"].clone(), texts));
    }
    all
}

#[test]
fn all_that_an_own_mapping_names_is_found_again() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    imported(&lexforge, "a.lexforge");
    let matched = [&["match", "a.lexforge", "--words"], &ROLES[..]].concat();
    let rows = lexforge.lines(&matched);
    // Somebody links a rule by hand and leaves the relation open.
    let of = |rows: &[Value], text: &str| -> Value {
        let found = rows.iter().find(|row| {
            let rule = row["rule"]["text"].as_str().unwrap();
            rule.contains(text)
        });
        found
            .unwrap_or_else(|| panic!("no rule says {text}"))
            .clone()
    };
    let windows = of(&rows, "close the windows");
    assert_eq!(windows["verdict"], "not_covered", "{windows:#}");
    let (rule, near) = (
        windows["rule"]["id"].to_string(),
        windows["nearest"][0]["policy"]["id"].to_string(),
    );
    lexforge.lines(&[
        "match",
        "decide",
        "a.lexforge",
        "--rule",
        &rule,
        "--verdict",
        "partly",
        "--policy",
        &near,
    ]);
    lexforge.json(&["match", "export", "a.lexforge", "--out", "own.json"]);
    let rows = lexforge.lines(&["match", "list", "a.lexforge"]);
    // Another workspace, where every sentence has another number.
    let other = lexforge.file("other.md", b"# Office\n\nVisitors wear a badge.\n");
    lexforge.json(&[Path::new("import"), Path::new("b.lexforge"), &other]);
    imported(&lexforge, "b.lexforge");
    let there = [
        "match",
        "import",
        "b.lexforge",
        "own.json",
        "--rules",
        "2",
        "--rules",
        "4",
        "--rules",
        "5",
        "--policies",
        "3",
    ];
    let here = ["match", "import", "a.lexforge", "own.json"];
    for (words, name) in [(&here[..], "here"), (&there[..], "there")] {
        let done = lexforge.json(words);
        assert_eq!(done["missing"], json!([]), "{name}: {done:#}");
        assert_eq!(done["breaches"], json!([]), "{name}");
        assert_eq!(done["found"], done["maps"], "{name}");
        let proposed = proposed(&done);
        for row in &rows {
            let rule = row["rule"]["text"].as_str().unwrap();
            let said = proposed.get(rule);
            let said = said.unwrap_or_else(|| panic!("{name}: nothing is said of {rule}"));
            let decided = &row["decision"];
            let counts = if decided.is_null() { row } else { decided };
            let gap = counts["verdict"] == "not_covered";
            assert_eq!(
                said.iter().any(|(_, texts)| texts.is_empty()),
                gap,
                "{name}: {rule}"
            );
            if gap || !decided.is_null() {
                continue;
            }
            let covering: Vec<&Value> = row["policies"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|policy| policy["covers"] == true)
                .map(|policy| &policy["text"])
                .collect();
            let same = said.iter().any(|(relation, texts)| {
                *relation == row["relation"] && texts.iter().collect::<Vec<_>>() == covering
            });
            assert!(same, "{name}: {rule}: {said:?}");
        }
        let linked = &proposed["The firm shall close the windows of the archive at night."];
        assert_eq!(linked[0].0, "intersects", "{name}: {linked:?}");
    }
    // Read once more, nothing of it is new, which is said in plain words.
    let again = lexforge.run(&here);
    assert_eq!(again.code, 0, "{}", again.err);
    let nothing_new =
        "0 new, 0 of them with statements and 0 that say that nothing covers the rule";
    assert!(again.out.contains(nothing_new), "{}", again.out);
}

#[test]
fn each_rule_stands_in_the_mapping_of_its_own_document() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    imported(&lexforge, "a.lexforge");
    let matched = [&["match", "a.lexforge", "--words"], &ROLES[..]].concat();
    let rows = lexforge.lines(&matched);
    lexforge.json(&["match", "export", "a.lexforge", "--out", "own.json"]);
    let text = std::fs::read_to_string(lexforge.path("own.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mappings = file["mapping-collection"]["mappings"].as_array().unwrap();
    let mut sources: Vec<&str> = mappings
        .iter()
        .map(|one| one["source-resource"]["href"].as_str().unwrap())
        .collect();
    sources.dedup();
    // A framework of which nothing is covered has a mapping, too; otherwise its gaps would be listed nowhere.
    assert_eq!(sources.len(), 3, "{sources:?}");
    for one in mappings {
        let gaps = &one["source-gap-summary"]["unmapped-controls"][0]["with-ids"];
        let gaps = gaps.as_array().unwrap();
        let own = |ids: &[&str]| ids.iter().all(|id| gaps.iter().any(|gap| gap == id));
        if own(&["F-1"]) {
            assert_eq!(gaps.len(), 2, "{gaps:?}");
            assert_eq!(one["maps"][0]["relationship"], "no-relationship");
        }
    }
    let not_covered = rows.iter().filter(|row| row["verdict"] == "not_covered");
    let named: BTreeSet<String> = not_covered
        .map(|row| format!("{} {}", row["rule"]["section"], row["rule"]["text"]))
        .collect();
    let told: BTreeSet<&str> = mappings
        .iter()
        .flat_map(|one| one["source-gap-summary"]["unmapped-controls"].as_array())
        .flatten()
        .flat_map(|gap| gap["with-ids"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(told.len(), named.len());
}

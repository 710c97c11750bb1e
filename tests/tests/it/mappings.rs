//! Mapping collections that others wrote. What they say is found in the documents and proposed, and only a person
//! decides about it.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::repository::data;
use lexforge_tests::rules::MATCH;
use serde_json::{Value, json};

const RULES: &str =
    "{\"id\":\"AC-1\",\"text\":\"The firm shall review the rights of access every year.\"}
{\"id\":\"AC-2\",\"text\":\"The firm shall lock the accounts of leavers within one day.\"}
{\"id\":\"AC-3\",\"text\":\"The firm shall train its staff in the use of passwords.\"}
";
const POLICY: &str = "# Handbook

## 6.3.1 Accounts

Accounts of leavers are locked within one day.

## 6.3.2 Access

Rights of access are reviewed every year.

The canteen opens at eleven.
";

/// A workspace with rules (1) and a policy (2), matched.
fn matched() -> Option<Product> {
    let lexforge = Product::find()?;
    for (name, text) in [("rules.jsonl", RULES), ("handbook.md", POLICY)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    lexforge.lines(&MATCH);
    Some(lexforge)
}

fn import(lexforge: &Product, mapping: &Value) -> Value {
    lexforge.file("mapping.json", mapping.to_string().as_bytes());
    lexforge.json(&["match", "import", "a.lexforge", "mapping.json"])
}

fn map(relation: &str, source: &Value, target: &Value) -> Value {
    json!({ "uuid": "b4385f95-f040-4440-bf0e-d23c425023a2", "relationship": relation, "sources": [source], "targets": [target] })
}

fn collection(method: &str, maps: &[Value]) -> Value {
    let resource = |file: &str| json!({ "type": "catalog", "href": file });
    json!({ "mapping-collection": {
        "uuid": "0850351c-1c74-421c-ad31-8df076b4a785",
        "metadata": {
            "title": "Handbook and controls", "last-modified": "2026-05-24T12:00:54+00:00", "version": "3",
            "oscal-version": "1.2.1", "props": [{ "name": "tool", "value": "mapper 4" }],
        },
        "provenance": {
            "method": method, "matching-rationale": "semantic", "status": "draft", "mapping-description": "By hand",
        },
        "mappings": [{
            "uuid": "8335c45f-e125-4eca-9208-55bde4a248b6",
            "source-resource": resource("rules.jsonl"), "target-resource": resource("handbook.md"), "maps": maps,
        }],
    } })
}

#[test]
fn a_mapping_of_others_is_proposed_and_decides_nothing() {
    let Some(lexforge) = matched() else {
        return;
    };
    let control = |id: &str| json!({ "type": "control", "id-ref": id });
    let words = json!({ "type": "statement", "id-ref": "s-1", "remarks": "Rights of access are reviewed every year." });
    let mapping = collection(
        "manual",
        &[
            map("subset-of", &control("ac-2"), &control("6.3.1")),
            map("equal-to", &control("AC-1"), &words),
            map("equal-to", &control("AC-9"), &control("6.3.1")),
            map("no-relationship", &control("AC-3"), &control("6.3.2")),
        ],
    );
    let done = import(&lexforge, &mapping);
    assert_eq!([&done["maps"], &done["found"]], [4, 3], "{done:#}");
    assert_eq!(done["proposed"].as_array().unwrap().len(), 3, "{done:#}");
    let missing = json!([{ "side": "source", "named": "AC-9", "why": "not_found" }]);
    assert_eq!(done["missing"], missing);
    // A place that breaks the schema is reported with its rule, and is read all the same.
    let breach = &done["breaches"][0];
    assert_eq!(breach["path"], "/mapping-collection/provenance/method");
    assert_eq!([&breach["rule"]], ["enum"]);
    let rows = lexforge.lines(&["match", "list", "a.lexforge"]);
    let of = |id: &str| {
        let row = rows.iter().find(|r| r["rule"]["external_id"] == id);
        row.unwrap_or_else(|| panic!("no rule {id}"))
    };
    for (id, relation, said, statement) in [
        (
            "AC-2",
            json!("subset"),
            "subset-of",
            Some("Accounts of leavers"),
        ),
        ("AC-1", json!("equal"), "equal-to", Some("Rights of access")),
        // A pair without a relation is no gap. Its statement is shown beside it, and there is no relation that could be
        // taken over.
        (
            "AC-3",
            Value::Null,
            "no-relationship",
            Some("Rights of access"),
        ),
    ] {
        let row = of(id);
        assert_eq!(row["status"], "unreviewed", "{row:#}");
        assert!(row["decision"].is_null(), "{row:#}");
        let proposal = &row["proposed"][0];
        assert_eq!(proposal["relation"], relation, "{proposal:#}");
        assert_eq!(proposal["said"], said);
        assert_eq!(proposal["from"]["tool"], "mapper 4");
        assert_eq!(proposal["from"]["sha256"].as_str().unwrap().len(), 64);
        let text = proposal["policies"][0]["text"].as_str();
        assert_eq!(text.is_some(), statement.is_some(), "{proposal:#}");
        assert!(
            text.unwrap_or_default()
                .contains(statement.unwrap_or_default())
        );
    }
    // Read once more it proposes nothing anew.
    let again = import(&lexforge, &mapping);
    assert_eq!(again["known"], 3, "{again:#}");
    assert_eq!(again["proposed"], json!([]));
    // A person's decision stays, whatever is imported later.
    let rule = of("AC-1")["rule"]["id"].to_string();
    lexforge.lines(&["match", "decide", "a.lexforge", "--rule", &rule]);
    let other = collection("human", &[map("superset-of", &control("AC-1"), &words)]);
    let done = import(&lexforge, &other);
    assert_eq!(done["breaches"], json!([]), "{done:#}");
    let rows = lexforge.lines(&["match", "list", "a.lexforge"]);
    let row = rows.iter().find(|r| r["rule"]["external_id"] == "AC-1");
    let row = row.unwrap();
    assert_eq!(row["status"], "accepted", "{row:#}");
    assert_eq!(row["proposed"].as_array().unwrap().len(), 2);
    let proposals = lexforge.lines(&["match", "proposals", "a.lexforge"]);
    assert_eq!(proposals.len(), 4);
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn a_mapping_from_policies_to_rules_is_turned() {
    let Some(lexforge) = matched() else {
        return;
    };
    let control = |id: &str| json!({ "type": "control", "id-ref": id });
    let mut mapping = collection(
        "human",
        &[map("subset-of", &control("6.3.1"), &control("AC-2"))],
    );
    let one = &mut mapping["mapping-collection"]["mappings"][0];
    let side = |file: &str| json!({ "type": "catalog", "href": file });
    one["source-resource"] = side("handbook.md");
    one["target-resource"] = side("rules.jsonl");
    let done = import(&lexforge, &mapping);
    let proposal = &done["proposed"][0];
    assert_eq!(proposal["rule"]["external_id"], "AC-2", "{done:#}");
    assert_eq!(proposal["relation"], "superset");
    assert_eq!(proposal["named"], "AC-2");
}

#[test]
fn names_tell_the_rules_where_both_sides_number_alike() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let rules = "# Act

## 1 Access

The firm shall review the rights of access every year.

## 2 Accounts

The firm shall lock the accounts of leavers within one day.
";
    let policy = "# Own policy

## 1 Leavers

Accounts of leavers are locked within one day.

## 2 Review

Rights of access are reviewed every year.
";
    for (name, text) in [("rules.md", rules), ("policy.md", policy)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let control = |id: &str| json!({ "type": "control", "id-ref": id });
    let mut mapping = collection("human", &[map("subset-of", &control("1"), &control("2"))]);
    let one = &mut mapping["mapping-collection"]["mappings"][0];
    let side = |file: &str| json!({ "type": "catalog", "href": file });
    one["source-resource"] = side("policy.md");
    one["target-resource"] = side("rules.md");
    lexforge.file("mapping.json", mapping.to_string().as_bytes());
    let done = lexforge.json(&[
        "match",
        "import",
        "a.lexforge",
        "mapping.json",
        "--rules",
        "1",
        "--policies",
        "2",
    ]);
    let proposals = done["proposed"].as_array().unwrap();
    assert_eq!(proposals.len(), 1, "{done:#}");
    let text = |of: &Value| of["text"].as_str().unwrap_or_default().to_owned();
    let rule = text(&proposals[0]["rule"]);
    assert!(rule.contains("lock the accounts"), "{done:#}");
    let statement = text(&proposals[0]["policies"][0]);
    assert!(statement.contains("Accounts of leavers"), "{done:#}");
    assert_eq!(proposals[0]["relation"], "superset");
    // A catalogue of rules is no policy, whatever its ids are called.
    mapping["mapping-collection"]["mappings"][0]["source-resource"] = side("rules.md");
    lexforge.file("rules-only.json", mapping.to_string().as_bytes());
    let done = lexforge.json(&[
        "match",
        "import",
        "a.lexforge",
        "rules-only.json",
        "--rules",
        "1",
        "--policies",
        "2",
    ]);
    assert_eq!(done["proposed"], json!([]), "{done:#}");
}

#[test]
fn what_is_said_of_a_policy_that_was_replaced_is_marked_and_can_be_read_in_anew() {
    let Some(lexforge) = matched() else {
        return;
    };
    let control = |id: &str| json!({ "type": "control", "id-ref": id });
    let mut mapping = collection(
        "human",
        &[map("subset-of", &control("AC-2"), &control("6.3.1"))],
    );
    mapping["mapping-collection"]["mappings"][0]["target-resource"]["href"] = json!("policy.md");
    let proposed = || {
        let rows = lexforge.lines(&["match", "list", "a.lexforge"]);
        let row = rows.iter().find(|r| r["rule"]["external_id"] == "AC-2");
        let proposed = row.unwrap()["proposed"].as_array().unwrap().clone();
        let gone: Vec<bool> = proposed.iter().map(|one| one["gone"] == true).collect();
        gone
    };
    import(&lexforge, &mapping);
    assert_eq!(proposed(), [false]);
    // The newer version has the same sentence, under another number.
    let newer = POLICY.replace("The canteen opens at eleven.", "The canteen opens at noon.");
    let file = lexforge.file("handbook 2.md", newer.as_bytes());
    lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    lexforge.lines(&[
        "match",
        "a.lexforge",
        "--rules",
        "1",
        "--policies",
        "3",
        "--words",
    ]);
    assert_eq!(proposed(), [true]);
    let done = import(&lexforge, &mapping);
    assert_eq!(done["known"], 0, "{done:#}");
    assert_eq!(proposed(), [true, false]);
}

#[test]
fn a_gap_is_said_once_and_not_of_a_rule_that_is_mapped_elsewhere() {
    let Some(lexforge) = matched() else {
        return;
    };
    let control = |id: &str| json!({ "type": "control", "id-ref": id });
    let mut mapping = collection(
        "human",
        &[map("subset-of", &control("AC-1"), &control("6.3.2"))],
    );
    let mappings = &mut mapping["mapping-collection"]["mappings"];
    // Each mapping lists what it leaves uncovered, though another one covers it.
    mappings[0]["source-gap-summary"] = json!({
        "uuid": "6a2f7d0e-33b5-4d0b-8f61-0b6f2f6f2d11",
        "unmapped-controls": [{ "with-ids": ["AC-2", "AC-3"] }],
    });
    let mut second = mappings[0].clone();
    second["maps"] = json!([map("subset-of", &control("AC-2"), &control("6.3.1"))]);
    second["source-gap-summary"]["unmapped-controls"] =
        json!([{ "with-ids": ["AC-1"] }, { "with-ids": ["AC-3"] }]);
    mappings.as_array_mut().unwrap().push(second);
    let done = import(&lexforge, &mapping);
    let told: Vec<(&str, usize)> = done["proposed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let rule = one["rule"]["external_id"].as_str().unwrap();
            (rule, one["policies"].as_array().unwrap().len())
        })
        .collect();
    let gaps: Vec<&str> = told
        .iter()
        .filter(|(_, policies)| *policies == 0)
        .map(|(rule, _)| *rule)
        .collect();
    assert_eq!((told.len(), gaps), (3, vec!["AC-3"]), "{done:#}");
    assert_eq!(done["known"], 0);
    let again = import(&lexforge, &mapping);
    assert_eq!(
        (&again["known"], &again["proposed"]),
        (&json!(3), &json!([]))
    );
}

#[test]
fn an_own_mapping_is_found_again_and_breaks_nothing() {
    let Some(lexforge) = matched() else {
        return;
    };
    lexforge.json(&["match", "export", "a.lexforge", "--out", "own.json"]);
    let done = lexforge.json(&["match", "import", "a.lexforge", "own.json"]);
    assert_eq!(done["breaches"], json!([]), "{done:#}");
    assert!(done["found"].as_u64().unwrap() > 0, "{done:#}");
}

#[test]
fn what_is_no_mapping_is_refused() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    for (name, text) in [("rules.jsonl", RULES), ("handbook.md", POLICY)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let run = |file: &str, more: &[&str]| {
        let words = ["match", "import", "a.lexforge", file, "--json"];
        lexforge.run(&[words.as_slice(), more].concat())
    };
    lexforge.file("empty.json", b"{\"mapping-collection\":{}}");
    lexforge.file("other.json", b"{\"catalog\":{}}");
    lexforge.file("broken.json", b"{");
    // Without a matching it is unknown which sentences are rules.
    refused(&run("empty.json", &[]), "step_missing");
    let roles = ["--rules", "1", "--policies", "2"];
    for (file, why) in [
        ("empty.json", "maps no control"),
        ("other.json", "has no object"),
        ("broken.json", "is no JSON"),
    ] {
        let told = refused(&run(file, &roles), "file_unreadable");
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn collections_of_another_tool_are_read_with_their_breaches() {
    let Some(folder) = data("oscal-mapping") else {
        return;
    };
    let Some(lexforge) = matched() else {
        return;
    };
    for (name, maps, broken) in [
        (
            "pci_mapping.json",
            8,
            vec!["/provenance/method", "/provenance/status"],
        ),
        (
            "comprehensive_mapping.json",
            4,
            vec![
                "/mappings/0/maps/0/qualifiers/0/subject",
                "/mappings/0/maps/0/qualifiers/0/predicate",
                "/mappings/0/maps/0/qualifiers/0/category",
            ],
        ),
    ] {
        let file = folder.join(name);
        let done = lexforge.json(&["match".into(), "import".into(), "a.lexforge".into(), file]);
        assert_eq!(done["maps"], maps, "{done:#}");
        let paths: Vec<&str> = done["breaches"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| {
                b["path"]
                    .as_str()
                    .unwrap()
                    .trim_start_matches("/mapping-collection")
            })
            .collect();
        assert_eq!(paths, broken, "{done:#}");
        assert!(!done["missing"].as_array().unwrap().is_empty());
    }
}

//! Tests of `oscal_schema`.

use super::*;
use serde_json::json;

const UUID: &str = "0850351c-1c74-421c-ad31-8df076b4a785";

fn collection() -> Value {
    let resource = json!({ "type": "catalog", "href": "rules.json" });
    json!({
        "uuid": UUID,
        "metadata": {
            "title": "Rules and controls", "last-modified": "2026-05-24T12:00:54+00:00", "version": "1", "oscal-version": "1.2.1",
        },
        "provenance": { "method": "human", "matching-rationale": "semantic", "status": "draft", "mapping-description": "x" },
        "mappings": [{
            "uuid": UUID,
            "source-resource": resource,
            "target-resource": resource,
            "maps": [{
                "uuid": UUID,
                "relationship": "equal-to",
                "sources": [{ "type": "control", "id-ref": "R-1" }],
                "targets": [{ "type": "statement", "id-ref": "c-1_smt.a" }],
            }],
        }],
    })
}

fn told(collection: &Value) -> Vec<(String, String)> {
    let found = breaches(collection, "");
    found.into_iter().map(|b| (b.path, b.rule)).collect()
}

#[test]
fn a_sound_collection_breaks_nothing() {
    let sound = collection();
    assert!(told(&sound).is_empty());
    // A single mapping need not be in a list.
    let mut alone = sound.clone();
    alone["mappings"] = sound["mappings"][0].clone();
    assert!(told(&alone).is_empty());
}

#[test]
fn each_breach_is_told_with_its_place_and_its_rule() {
    let map = |at: &str| format!("/mappings/0/maps/0{at}");
    for (place, value, expected) in [
        ("/provenance/method", json!("manual"), "enum"),
        ("/provenance/status", json!("published"), "enum"),
        (
            "/uuid",
            json!("0850351c-1c74-121c-ad31-8df076b4a785"),
            "pattern",
        ),
        ("/metadata/last-modified", json!("yesterday"), "pattern"),
        ("/metadata/title", json!(" A title"), "pattern"),
        (
            "/mappings/0/maps/0/relationship",
            json!("equal to"),
            "pattern",
        ),
        ("/mappings/0/maps/0/targets", json!([]), "min_items"),
        ("/mappings/0/maps/0/sources", json!("R-1"), "type"),
        ("/mappings/0/maps/0", json!(1), "type"),
    ] {
        let mut broken = collection();
        if let Some(field) = broken.pointer_mut(place) {
            *field = value;
        }
        assert_eq!(told(&broken), [(place.to_owned(), expected.to_owned())]);
    }
    let mut broken = collection();
    if let Some(Value::Object(one)) = broken.pointer_mut(&map("")) {
        one.remove("targets");
        one.insert("score/1".to_owned(), json!(1));
    }
    let expected = [(map("/targets"), "required"), (map("/score~11"), "unknown")];
    let expected = expected.map(|(place, rule)| (place, rule.to_owned()));
    assert_eq!(told(&broken), expected);
}

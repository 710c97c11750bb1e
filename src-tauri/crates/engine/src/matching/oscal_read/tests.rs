//! Tests of `oscal_read`.

use super::*;
use serde_json::json;

#[test]
fn a_pair_without_a_relation_and_a_broken_map_are_no_gaps() {
    let read = Collection::of(&json!({ "mappings": [{ "maps": [
            {
                "relationship": "no-relationship",
                "sources": [{ "id-ref": "ac-3" }],
                "targets": [{ "id-ref": "6.3.2" }],
            },
            { "sources": [{ "id-ref": "ac-4" }] },
        ] }] }));
    assert!(read.maps.iter().all(|map| !map.gap && !map.relates()));
    assert_eq!(read.maps[0].targets.len(), 1);
    let targets = "/mapping-collection/mappings/0/maps/1/targets";
    let told = |b: &MatchBreach| b.path == targets && b.rule == "required";
    assert!(read.breaches.iter().any(told), "{:?}", read.breaches);
}

#[test]
fn a_file_is_named_as_it_is_called() {
    for (href, expected) in [
        ("./Own%20policy.md", Some("Own policy.md")),
        // As we write the name of a Chinese file.
        (
            "./%E5%8A%9E%E6%B3%95%EF%BC%882024%EF%BC%89.pdf",
            Some("办法（2024）.pdf"),
        ),
        ("catalogs/PCI%20DSS/catalog.json", Some("PCI DSS")),
        ("up to 5%.pdf", Some("up to 5%.pdf")),
        ("5%办法.pdf", Some("5%办法.pdf")),
        // These bytes are no valid text.
        ("a%FF.pdf", Some("a%FF.pdf")),
        ("folder/", None),
    ] {
        assert_eq!(file_name(href).as_deref(), expected, "{href}");
    }
}

#[test]
fn what_a_map_says_besides_changes_nothing_of_what_is_read() {
    let read = |besides: Value| {
        let mut map = json!({
            "uuid": "11111111-1111-5111-8111-111111111111",
            "relationship": "equal-to",
            "sources": [{ "type": "statement", "id-ref": "R-1" }],
            "targets": [{ "type": "statement", "id-ref": "P-1" }],
            "confidence-score": { "percentage": 0.5 },
        });
        if !besides.is_null() {
            map["props"] = besides;
        }
        let read = Collection::of(&json!({ "mappings": [{ "maps": [map] }] }));
        let of_the_map = |breach: &&MatchBreach| breach.path.contains("/maps/");
        assert_eq!(read.breaches.iter().find(of_the_map), None);
        read.maps
    };
    // Files of earlier versions say of a probability neither what it rests on nor anything else.
    let earlier = read(Value::Null);
    assert_eq!(earlier.len(), 1);
    let rests = json!([{ "name": "probability-rests-on", "value": "learned from decisions" }]);
    assert_eq!(read(rests), earlier);
}

#[test]
fn what_another_tool_wrote_is_read_with_its_breaches() {
    let read = Collection::of(&json!({
        "metadata": { "title": "PCI", "version": "V1.0", "parties": [{ "name": "Mapper" }] },
        "mappings": [{
            "source-resource": { "type": "catalog", "href": "catalogs/PCI/catalog.json" },
            "target-resource": { "type": "catalog", "href": "#r-1" },
            "maps": [{
                "relationship": "subset-of",
                "sources": [{ "type": "control", "id-ref": "PCI-6.3.1" }],
                "targets": [{ "type": "statement", "id-ref": "ra-5_smt.a", "remarks": "Scans are made." }],
                "confidence-score": { "percentage": 0.5 },
            }],
            "source-gap-summary": { "unmapped-controls": [{ "with-ids": ["PCI-9.1"] }] },
        }],
        "provenance": { "method": "manual" },
        "back-matter": { "resources": [{
            "uuid": "r-1", "title": "Own policy",
            "rlinks": [{ "href": "./Own%20policy.md", "hashes": [{ "algorithm": "SHA-256", "value": "AB" }] }],
        }] },
    }));
    assert_eq!((read.maps.len(), read.from.method.as_str()), (2, "manual"));
    assert_eq!(read.from.tool.as_deref(), Some("Mapper"));
    let (source, target) = &read.resources[0];
    assert_eq!(source.names, ["PCI"]);
    assert_eq!(target.names, ["Own policy", "Own policy.md"]);
    assert_eq!(target.hashes, ["ab"]);
    let map = &read.maps[0];
    assert_eq!(map.confidence.as_deref(), Some("0.5"));
    assert_eq!(map.targets[0].words, ["Scans are made."]);
    // Seen from the other side a subset is a superset.
    let seen = [MatchSide::Source, MatchSide::Target].map(|side| map.relation(side));
    let expected = [MatchRelation::Subset, MatchRelation::Superset];
    assert_eq!(seen, expected.map(Some));
    assert!(read.maps[1].gap && !map.gap);
    assert!(map.relates() && !read.maps[1].relates());
    assert!(
        read.breaches
            .iter()
            .any(|b| b.path == "/mapping-collection/provenance/method" && b.rule == "enum")
    );
}

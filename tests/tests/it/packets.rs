//! Answers of colleagues that claim what cannot be, and names that look alike.

use lexforge_tests::product::{Product, refused};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A workspace with terms and questions, and an answer to a packet of two of its terms: the decided one.
fn answered(lexforge: &Product) -> String {
    let mut text = "# Rules on duties\n\n".to_owned();
    for (i, term) in [
        "reporting officer",
        "material event",
        "holding company",
        "client account",
    ]
    .iter()
    .enumerate()
    {
        text.push_str(&format!(
            "## Article {}\n\n‘{term}’ means a thing of kind {i}.\n\nThe {term} shall be kept for {i} years.\n\n",
            i + 1
        ));
    }
    let file = lexforge.file("rules.md", text.as_bytes());
    lexforge.json(&["import", "a.lexforge", &file.display().to_string()]);
    lexforge.json(&["terms", "extract", "a.lexforge"]);
    lexforge.json(&[
        "packet",
        "write",
        "a.lexforge",
        "share.json",
        "--for",
        "Reviewer 2",
        "--most",
        "2",
    ]);
    lexforge.json(&["packet", "open", "share.json", "mine.lexforge"]);
    let queue = lexforge.json(&["terms", "queue", "mine.lexforge"]);
    let id = queue["item"]["term"]["id"].to_string();
    lexforge.json(&["terms", "decide", "mine.lexforge", &id, "--reject"]);
    lexforge.json(&["packet", "answer", "mine.lexforge", "answer.json"]);
    id
}

/// The answer with a change to its decision, and a hash that fits.
fn forged(lexforge: &Product, change: impl Fn(&mut Value)) {
    let mut file: Value =
        serde_json::from_slice(&std::fs::read(lexforge.path("answer.json")).unwrap()).unwrap();
    change(&mut file["body"]["decisions"][0]);
    let body = serde_json::to_string(&file["body"]).unwrap();
    let hash = hex::encode(Sha256::digest(body.as_bytes()));
    let text = format!(
        "{{\"format\":\"lexforge-review-answer\",\"version\":1,\"sha256\":\"{hash}\",\"body\":{body}}}\n"
    );
    lexforge.file("forged.json", text.as_bytes());
}

#[test]
fn a_decision_of_the_year_9999_locks_nobody_out() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let id = answered(&lexforge);
    for made in [
        "9999-12-31T23:59:59.999Z",
        "2090-01-01T00:00:00.000Z",
        "2001-01-01T00:00:00.000Z",
    ] {
        forged(&lexforge, |decision| decision["made"] = made.into());
        let merged = lexforge.json(&["packet", "merge", "a.lexforge", "forged.json"]);
        assert_eq!(
            (&merged["merged"], &merged["untimely"]["decisions"]),
            (&Value::from(0), &Value::from(1)),
            "{merged:#}"
        );
        assert_eq!(
            merged["untimely"]["items"],
            serde_json::json!([format!("term {id}")])
        );
        let told = lexforge.run(&["packet", "merge", "a.lexforge", "forged.json"]);
        assert!(
            told.out.contains(&format!("term {id}")) && told.out.contains("clock"),
            "{}",
            told.out
        );
        let decided = lexforge.run(&[
            "terms",
            "decide",
            "a.lexforge",
            &id,
            "--accept",
            "--as",
            "Reviewer 2",
        ]);
        assert_eq!(decided.code, 0, "{}", decided.err);
    }
    assert_eq!(
        lexforge.json(&["packet", "merge", "a.lexforge", "answer.json"])["merged"],
        1
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn an_answer_decides_only_what_its_packet_held() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let id = answered(&lexforge);
    let packet: Value =
        serde_json::from_slice(&std::fs::read(lexforge.path("share.json")).unwrap()).unwrap();
    let held: Vec<i64> = packet["body"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["id"].as_i64().unwrap())
        .collect();
    let all = lexforge.lines(&["terms", "list", "a.lexforge"]);
    let foreign = all
        .iter()
        .filter_map(|t| t["id"].as_i64())
        .find(|id| !held.contains(id))
        .unwrap();
    forged(&lexforge, |decision| {
        decision["subject"]["id"] = foreign.into()
    });
    let merged = lexforge.json(&["packet", "merge", "a.lexforge", "forged.json"]);
    assert_eq!(
        (&merged["merged"], &merged["foreign"]["decisions"]),
        (&Value::from(0), &Value::from(1)),
        "{merged:#}"
    );
    assert_eq!(
        merged["foreign"]["items"],
        serde_json::json!([format!("term {foreign}")])
    );
    let told = lexforge.run(&["packet", "merge", "a.lexforge", "forged.json"]);
    assert!(
        told.out.contains(&format!("term {foreign}")),
        "{}",
        told.out
    );
    assert!(
        lexforge
            .lines(&["terms", "list", "a.lexforge", "--status", "rejected"])
            .is_empty()
    );
    assert_eq!(
        lexforge.json(&["packet", "merge", "a.lexforge", "answer.json"])["merged"],
        1
    );
    let rejected = lexforge.lines(&["terms", "list", "a.lexforge", "--status", "rejected"]);
    assert_eq!(rejected[0]["id"].to_string(), id);
}

#[test]
fn names_that_look_alike_are_never_silently_two() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    lexforge.json(&["new", "a.lexforge"]);
    let names = |words: &[&str]| {
        let view = lexforge.json(&[&["people", "add", "a.lexforge"], words].concat());
        view["people"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    for same in ["Bea", "B\u{200d}ea", "Ｂｅａ", "BEA"] {
        assert_eq!(names(&[same]), ["Bea", "Reviewer 1"], "{same:?}");
    }
    let told = refused(
        &lexforge.run(&["people", "add", "a.lexforge", "Веа", "--json"]),
        "name_alike",
    );
    assert!(told.contains("“Bea”"), "{told}");
    assert_eq!(names(&["Веа", "--same-person"]), ["Bea", "Reviewer 1"]);
    assert_eq!(
        names(&["Веа", "--another-person"]),
        ["Bea", "Reviewer 1", "Веа"]
    );
    for bad in ["Be\u{202e}a", "Be\u{1b}[31ma", "Be\u{e0041}a"] {
        refused(
            &lexforge.run(&["people", "add", "a.lexforge", bad, "--json"]),
            "invalid_request",
        );
    }
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

//! Vectors of whole clauses and of the parts of long passages: when they are made, and what they make of the order.

use lexforge_tests::product::{Product, program};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const WS: &str = "a.lexforge";
const QUESTION: &str = "For how many years does a ferry company keep its log?";

/// The sentences of a long passage, a passage of one sentence, and what a document says in a section.
const LONG: [&str; 3] = [
    "The harbour master inspects each berth in spring.",
    "The ferry operator keeps its log book for six years.",
    "Pilots are examined every second year by a doctor.",
];
const SHORT: &str = "The ferry operator sends its log book to the harbour master.";
const SECTION: [&str; 3] = [
    "Log books",
    "The operator of a ferry enters each voyage in a book.",
    "It keeps the book for as long as the harbour rules demand.",
];

fn line(id: &str, text: &str) -> String {
    json!({"id": id, "text": text}).to_string() + "\n"
}

fn import(lexforge: &Product, workspace: &str, name: &str, text: &str) {
    let file = lexforge.file(name, text.as_bytes());
    lexforge.json(&["import", workspace, file.to_str().unwrap(), "--no-vectors"]);
}

/// How many sentences, and how many whole clauses and parts of passages, got vectors.
fn made(lexforge: &Product) -> (u64, u64) {
    let made = lexforge.json(&["vectors", WS]);
    let count = |what: &str| made[what].as_u64().unwrap();
    (count("made"), count("clauses"))
}

/// The cosine of the question with each of these texts, by a search for sentences.
fn cosines(lexforge: &Product, texts: &[(&str, &str)]) -> BTreeMap<String, f64> {
    const OTHER: &str = "texts.lexforge";
    let lines: String = texts.iter().map(|(id, text)| line(id, text)).collect();
    import(lexforge, OTHER, "texts.jsonl", &lines);
    lexforge.json(&["vectors", OTHER]);
    let words = ["search", OTHER, QUESTION, "--mode", "dense", "--top", "20"];
    let hit = |hit: &Value| {
        let id = hit["external_id"].as_str().unwrap().to_owned();
        (id, hit["score"].as_f64().unwrap())
    };
    lexforge.lines(&words).iter().map(hit).collect()
}

/// The scores of clauses for the question, as shares of the greatest.
fn ranked(lexforge: &Product) -> BTreeMap<String, f64> {
    let query = json!({"id": "q", "question": QUESTION}).to_string();
    let queries = lexforge.file("queries.jsonl", query.as_bytes());
    let qrels = lexforge.file("right.qrels", b"q 0 long 1\n");
    let [queries, qrels] = [queries, qrels].map(|path| path.display().to_string());
    lexforge.json(&[
        "rank",
        "eval",
        WS,
        "--queries",
        &queries,
        "--qrels",
        &qrels,
        "--mode",
        "dense",
        "--trec",
        "ranking.run",
    ]);
    let run = std::fs::read_to_string(lexforge.path("ranking.run")).unwrap();
    run.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            // A clause without an id of its own is called by the number of its first sentence.
            let name = match fields[2].parse::<u64>() {
                Ok(_) => "section",
                Err(_) => fields[2],
            };
            (name.to_owned(), fields[4].parse().unwrap())
        })
        .collect()
}

#[test]
fn a_clause_is_as_near_as_its_whole_and_its_nearest_part() {
    if program("LEXFORGE_WORKER", "lexforge-worker").is_none() {
        return;
    }
    let Some(lexforge) = Product::find() else {
        return;
    };
    let (long, section) = (LONG.join(" "), SECTION.join(" "));
    let passages = line("long", &long) + &line("short", SHORT);
    import(&lexforge, WS, "rules.jsonl", &passages);
    let [heading, first, second] = SECTION;
    let document = format!("# {heading}\n\n{first} {second}\n");
    import(&lexforge, WS, "section.md", &document);

    // Two passages and three sentences; three parts of the long passage, and the section as a whole.
    assert_eq!(made(&lexforge), (5, 4));
    assert_eq!(made(&lexforge), (0, 0));

    let texts = [
        ("long", long.as_str()),
        ("long 1", LONG[0]),
        ("long 2", LONG[1]),
        ("long 3", LONG[2]),
        ("short", SHORT),
        ("section", &section),
        ("section 1", heading),
        ("section 2", first),
        ("section 3", second),
    ];
    let cosines = cosines(&lexforge, &texts);
    assert_eq!(cosines.len(), texts.len(), "{cosines:?}");
    let mean = |whole: &str| {
        let prefix = format!("{whole} ");
        let parts = cosines.iter().filter(|(id, _)| id.starts_with(&prefix));
        let nearest = parts.map(|(_, cosine)| *cosine).fold(f64::MIN, f64::max);
        (cosines[whole] + nearest) / 2.0
    };
    let expected = [
        ("long", mean("long")),
        ("short", cosines["short"]),
        ("section", mean("section")),
    ];
    let greatest = expected.iter().map(|one| one.1).fold(f64::MIN, f64::max);
    let ranked = ranked(&lexforge);
    for (name, mean) in expected {
        let (score, mean) = (ranked[name], mean / greatest);
        assert!((score - mean).abs() < 1e-4, "{name}: {score}, not {mean}");
    }

    // After a further import only what is new is made. What measures the search makes it, too.
    import(
        &lexforge,
        WS,
        "more.jsonl",
        &line("more", &LONG[..2].join(" ")),
    );
    assert_eq!(made(&lexforge), (1, 2));
    import(
        &lexforge,
        WS,
        "other.jsonl",
        &line("other", &LONG[1..].join(" ")),
    );
    lexforge.json(&["terms", "extract", WS]);
    let again = lexforge.json(&["graph", "build", WS]);
    assert_eq!(again["sentences"], 7, "{again}");
    assert!(self::ranked(&lexforge).contains_key("other"));
    assert_eq!(made(&lexforge), (0, 0));
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

//! Triplets from a document to a tuned encoder: made, decided, given out, read in, learnt from and measured.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const WHO: [&str; 10] = [
    "bank",
    "broker",
    "insurer",
    "trustee",
    "depositary",
    "auditor",
    "custodian",
    "adviser",
    "issuer",
    "administrator",
];
const WHAT: [&str; 8] = [
    "keep a register of its clients for six years",
    "report each loss above 5 % of its capital to the authority within ten days",
    "appoint a compliance officer in accordance with this Part",
    "hold the money of its clients apart from its own money at all times",
    "publish its fees before the end of each month",
    "review its plan at least annually on the basis of its own figures",
    "notify the authority within 72 hours where appropriate",
    "retain the records of each transfer for at least eight years in order to show them",
];

const WHEN: [&str; 10] = [
    "Where a client asks for it",
    "If the authority so decides",
    "Where the market is closed",
    "If a contract ends early",
    "Where a fee is due",
    "If a complaint is made",
    "Where a branch is opened",
    "If a limit is exceeded",
    "Where a payment fails",
    "If a register is lost",
];

/// Eighty rules in ten documents; no two of them are nearly the same.
pub fn corpus() -> Option<Product> {
    let lexforge = Product::find()?;
    let documents = WHO.iter().enumerate().map(|(document, who)| {
        let mut passages = String::new();
        for (number, duty) in WHAT.iter().enumerate() {
            let when = WHEN[(document + number) % WHEN.len()];
            let text = format!("{when}, the {who} shall {duty}.");
            let line = json!({ "id": format!("{who}-{number}"), "text": text });
            passages.push_str(&(line.to_string() + "\n"));
        }
        (format!("{who}.jsonl"), passages)
    });
    prepared::documents("duties", &lexforge, &documents.collect::<Vec<_>>());
    Some(lexforge)
}

fn counted(rows: &[Value], pointer: &str) -> Vec<String> {
    let of = |row: &Value| {
        row.pointer(pointer)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let mut all: Vec<String> = rows.iter().filter_map(of).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_document_becomes_triplets_and_these_a_tuned_encoder() {
    let Some(lexforge) = corpus() else {
        return;
    };
    let refuse = |words: &[&str], code: &str| refused(&lexforge.run(words), code);
    refuse(
        &["triplets", "measure", "a.lexforge", "--json"],
        "step_missing",
    );
    refuse(
        &["train", "a.lexforge", "--task", "triplets", "--json"],
        "too_little_data",
    );
    let made = lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    assert!(made["kept"].as_u64().unwrap() >= 80, "{made:#}");
    let rows = lexforge.lines(&["triplets", "list", "a.lexforge"]);
    assert_eq!(rows.len() as u64, made["kept"].as_u64().unwrap());
    assert_eq!(counted(&rows, "/triplet/split"), ["dev", "test", "train"]);
    assert!(counted(&rows, "/triplet/shift").len() > 3);
    // Whole documents are in one part.
    for who in WHO {
        let own: Vec<Value> = rows
            .iter()
            .filter(|row| {
                row["triplet"]["source"]
                    .as_str()
                    .unwrap()
                    .contains(&format!("the {who} "))
            })
            .cloned()
            .collect();
        assert!(counted(&own, "/triplet/split").len() <= 1, "{who}");
    }
    let first = rows[0]["id"].to_string();
    lexforge.json(&[
        "triplets",
        "decide",
        "a.lexforge",
        &first,
        "--reject",
        "--note",
        "reads badly",
    ]);
    let again = lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    assert_eq!(made, again);
    let rejected = lexforge.lines(&["triplets", "list", "a.lexforge", "--status", "rejected"]);
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0]["triplet"], rows[0]["triplet"]);

    // Out and in again: nothing twice.
    lexforge.json(&["triplets", "export", "a.lexforge", "out.jsonl"]);
    let came = lexforge.json(&["triplets", "import", "a.lexforge", "out.jsonl"]);
    assert_eq!(came["kept"], 0);
    lexforge.file("bad.jsonl", b"{\"source\":\"a\"}\n");
    refuse(
        &["triplets", "import", "a.lexforge", "bad.jsonl", "--json"],
        "corpus_line_invalid",
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );

    let train = [
        "train",
        "a.lexforge",
        "--task",
        "triplets",
        "--epochs",
        "6",
        "--learning-rate",
        "1e-3",
        "--json",
    ];
    let plan = lexforge.json(&["train", "a.lexforge", "--task", "triplets", "--plan"]);
    assert_eq!(
        (&plan["preset"], &plan["problems"]),
        (&json!("nmixx"), &json!([]))
    );
    let done = lexforge.run(&train);
    assert_eq!(done.code, 0, "{}", done.err);
    let general = "sentence1,sentence2,score\nA man sings.,A man is singing.,5\nA dog runs.,A dog is running fast.,4\n\
                   A cat sleeps.,Two planes land.,0\nShe cooks rice.,He plays the flute.,0.5\n";
    lexforge.file("general.csv", general.as_bytes());
    let found = lexforge.json(&[
        "triplets",
        "measure",
        "a.lexforge",
        "--run",
        "1",
        "--points",
        "50,100",
        "--sts",
        "general.csv",
    ]);
    let points = found["points"].as_array().unwrap();
    let accuracy = |place: usize| points[place]["accuracy"]["value"].as_f64().unwrap();
    assert_eq!(points.len(), 3);
    assert!(accuracy(2) > accuracy(0), "{found:#}");
    assert!(points[2]["gained"][0]["value"].is_number());
    // There are no questions with choices to evaluate on, and it says what to do instead.
    refuse(&["eval", "a.lexforge", "--json"], "invalid_request");
}

#[test]
fn reviewers_accept_correct_and_reject_triplets() {
    let Some(lexforge) = corpus() else {
        return;
    };
    lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    let train = ["triplets", "list", "a.lexforge", "--split", "train"];
    let ids: Vec<String> = lexforge
        .lines(&train)
        .iter()
        .map(|row| row["id"].to_string())
        .collect();
    let planned = || {
        let plan = lexforge.json(&["train", "a.lexforge", "--task", "triplets", "--plan"]);
        let warnings = plan["warnings"].to_string();
        (plan["items"].as_u64(), warnings)
    };
    let before = planned();
    assert!(
        before.1.contains("0 of "),
        "nobody has reviewed: {}",
        before.1
    );
    let decide = |who: &str, words: &[&str]| {
        let start = ["triplets", "decide", "a.lexforge", "--as", who];
        lexforge.json(&[&start[..], words].concat())
    };
    let first = lexforge.json(&["triplets", "queue", "a.lexforge", "--as", "Reviewer 1"]);
    assert_eq!(first["item"]["kind"], "triplet", "{first:#}");
    decide("Reviewer 1", &[&ids[0], &ids[1], &ids[2], "--accept"]);
    decide("Reviewer 2", &[&ids[0], &ids[1], "--accept"]);
    decide(
        "Reviewer 2",
        &[&ids[2], "--reject", "--note", "reads badly"],
    );
    decide(
        "Reviewer 2",
        &[&ids[3], "--reject", "--note", "says the same"],
    );
    let (positive, negative) = ("It is put in other words.", "It says something else.");
    let corrected = [
        ids[4].as_str(),
        "--accept",
        "--positive",
        positive,
        "--negative",
        negative,
    ];
    decide("Reviewer 1", &corrected);
    let same = [
        ids[5].as_str(),
        "--accept",
        "--positive",
        positive,
        "--negative",
        positive,
    ];
    let start = ["triplets", "decide", "a.lexforge", "--json"];
    let run = lexforge.run(&[&start[..], &same].concat());
    refused(&run, "invalid_request");

    let of = |status: &str| lexforge.lines(&["triplets", "list", "a.lexforge", "--status", status]);
    assert_eq!(
        (
            of("conflict").len(),
            of("rejected").len(),
            of("accepted").len()
        ),
        (1, 1, 3)
    );
    let row = of("accepted")
        .into_iter()
        .find(|row| row["corrected"] == true)
        .unwrap();
    assert_eq!(row["triplet"]["negative"], negative);
    let agreement = lexforge.json(&["triplets", "agreement", "a.lexforge"]);
    assert_eq!(agreement["overall"]["items"], 3);
    assert!((agreement["overall"]["percent"]["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);

    // Rejected triplets and those about which reviewers differ are not learnt from, and the report says so.
    let after = planned();
    assert!(
        after
            .1
            .contains("Triplets are left out: 1 that reviewers rejected, and 1 about"),
        "{}",
        after.1
    );
    let (before, after) = (before.0.unwrap(), after.0.unwrap());
    assert_eq!(after, before - 2, "one rejected, one in conflict");
    // Made again, everything that was decided stays.
    lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    assert_eq!(
        (
            of("conflict").len(),
            of("rejected").len(),
            of("accepted").len()
        ),
        (1, 1, 3)
    );
    decide(
        "Reviewer 1",
        &[
            &ids[2],
            "--accept",
            "--adjudicate",
            "--note",
            "the sentence is sound",
        ],
    );
    assert_eq!(of("conflict").len(), 0);
    lexforge.json(&[
        "triplets",
        "export",
        "a.lexforge",
        "out.jsonl",
        "--status",
        "accepted",
    ]);
    let out = std::fs::read_to_string(lexforge.path("out.jsonl")).unwrap();
    assert!(out.contains(negative) && out.lines().count() == 4, "{out}");
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

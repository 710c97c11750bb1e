//! Labelled questions on the command line, what is measured on them, and the figures of a ranking.

use crate::answering::{keys, named};
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

/// A corpus of passages, with ids p1, p2 and so on.
fn passages(texts: &[&str]) -> String {
    texts
        .iter()
        .enumerate()
        .map(|(i, text)| json!({ "id": format!("p{}", i + 1), "text": text }).to_string() + "\n")
        .collect()
}

fn corpus(texts: &[&str]) -> Option<Product> {
    let lexforge = Product::find()?;
    let file = lexforge.file("corpus.jsonl", passages(texts).as_bytes());
    lexforge.json(&["import".as_ref(), "a.lexforge".as_ref(), file.as_os_str()]);
    Some(lexforge)
}

const TEXTS: [&str; 4] = [
    "A depositary shall keep a ledger.",
    "A broker shall keep a vault.",
    "An insurer shall publish a prospectus.",
    "A trustee shall hold a covenant.",
];

#[test]
fn labelled_questions_are_counted_and_come_back_out() {
    let Some(lexforge) = corpus(&TEXTS) else {
        return;
    };
    let labels = [
        r#"{"id":"q1","question":"Who keeps a ledger?","passage_ids":["p1"],"answer":"a depositary"}"#,
        r#"{"question":"Who keeps a ledger?","passage_ids":[]}"#,
        r#"{"question":"Who keeps bees?","passage_ids":["p9"]}"#,
        r#"{"question":"Who keeps bees?","passage_ids":"#,
        r#"{"question":"","passage_ids":["p1"]}"#,
        r#"{"question":"Who keeps bees?","passage_ids":[]}"#,
    ]
    .join("\n");
    lexforge.file("labels.jsonl", labels.as_bytes());
    let report = lexforge.json(&["pairs", "import", "a.lexforge", "labels.jsonl"]);
    assert_eq!(
        (&report["imported"], &report["unchanged"], &report["pairs"]),
        (&json!(2), &json!(0), &json!(2))
    );
    let lines: Vec<u64> = report["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [2, 3, 4, 5], "{report:#}");
    let listed = lexforge.lines(&["pairs", "list", "a.lexforge"]);
    assert_eq!(
        listed[0],
        json!({ "id": "q1", "question": "Who keeps a ledger?", "passage_ids": ["p1"], "answer": "a depositary", "source": "imported" })
    );
    // What goes out comes back in.
    lexforge.json(&["pairs", "export", "a.lexforge", "out.jsonl"]);
    let again = lexforge.json(&["pairs", "import", "a.lexforge", "out.jsonl"]);
    assert_eq!(
        (&again["imported"], &again["unchanged"], &again["rejected"]),
        (&json!(0), &json!(2), &json!([]))
    );
    assert_eq!(
        lexforge
            .run(&["pairs", "import", "a.lexforge", "nowhere.jsonl"])
            .code,
        1
    );

    let calibrated = lexforge.json(&["calibrate", "a.lexforge"]);
    assert!(keys(&calibrated).is_superset(&named(&[
        "answerable",
        "unanswerable",
        "auc",
        "by_document",
        "threshold",
        "certificate",
        "index",
    ])));
    assert_eq!(
        (&calibrated["answerable"], &calibrated["unanswerable"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(calibrated["certificate"]["reason"], "too_few_labels");
    assert_eq!(calibrated["certificate"]["needed"], 57);
    let few = lexforge.file(
        "few.jsonl",
        br#"{"question":"Who holds a covenant?","passage_ids":["p4"]}"#,
    );
    let more = lexforge.json(&[
        "calibrate".as_ref(),
        "a.lexforge".as_ref(),
        "--labels".as_ref(),
        few.as_os_str(),
    ]);
    assert_eq!(more["certificate"]["needed"], 56);
    refused(
        &lexforge.run(&["calibrate", "a.lexforge", "--alpha", "0", "--json"]),
        "invalid_request",
    );
}

/// Figures that were counted by hand over a ranking that is plain to see.
#[test]
fn figures_of_a_ranking_are_those_counted_by_hand() {
    let Some(lexforge) = corpus(&TEXTS) else {
        return;
    };
    let questions = [("q1", "ledger"), ("q2", "keep vault"), ("q3", "covenant")];
    let queries: String = questions
        .iter()
        .map(|(id, text)| json!({ "id": id, "text": text }).to_string() + "\n")
        .collect();
    lexforge.file("queries.jsonl", queries.as_bytes());
    // In q1 the right passage comes first. In q2 both passages with `keep` are found, the vault first; the right
    // passages are the second one and one that is not found. In q3 the right passage is not found at all.
    lexforge.file("qrels.txt", b"q1 0 p1 1\nq2 0 p1 1\nq2 0 p3 1\nq3 0 p2 1\n");
    let report = lexforge.json(&[
        "rank",
        "eval",
        "a.lexforge",
        "--queries",
        "queries.jsonl",
        "--qrels",
        "qrels.txt",
        "--trec",
        "run.trec",
    ]);
    assert_eq!(
        keys(&report),
        named(&[
            "n",
            "mode",
            "tokeniser",
            "encoder",
            "adapter",
            "recall@10",
            "map@10",
            "ndcg@10",
            "mrr",
            "both@10",
            "ranker",
            "unit",
            "clusters",
            "intervals"
        ])
    );
    assert_eq!(
        (&report["n"], &report["mode"], &report["encoder"]),
        (&json!(3), &json!("lexical"), &Value::Null)
    );
    let run = std::fs::read_to_string(lexforge.path("run.trec")).unwrap();
    let ranked: Vec<Vec<&str>> = run.lines().map(|line| line.split(' ').collect()).collect();
    assert!(
        ranked
            .iter()
            .all(|l| l.len() == 6 && l[1] == "Q0" && l[5] == "lexforge"),
        "{run}"
    );
    let order: Vec<(&str, &str, &str)> = ranked.iter().map(|l| (l[0], l[2], l[3])).collect();
    assert_eq!(
        order,
        [
            ("q1", "p1", "1"),
            ("q2", "p2", "1"),
            ("q2", "p1", "2"),
            ("q3", "p4", "1")
        ]
    );
    let near = |field: &str, expected: f64| {
        let value = report[field].as_f64().unwrap();
        assert!(
            (value - expected).abs() < 1e-9,
            "{field}: {value}, not {expected}"
        );
    };
    near("recall@10", (1.0 + 0.5 + 0.0) / 3.0);
    near("map@10", (1.0 + 0.25 + 0.0) / 3.0);
    near("mrr", (1.0 + 0.5 + 0.0) / 3.0);
    let second = 1.0 / 3.0_f64.log2();
    near("ndcg@10", (1.0 + second / (1.0 + second)) / 3.0);
    near("both@10", 0.0);
    assert_eq!(
        (&report["ranker"], &report["unit"], &report["clusters"]),
        (&Value::Null, &json!("document"), &json!(1))
    );
    // The run on file has the same figures, whoever reads it; q4 has no line in it.
    lexforge.file(
        "more.txt",
        b"q1 0 p1 1\nq2 0 p1 1\nq2 0 p3 1\nq3 0 p2 1\nq4 0 p1 1\n",
    );
    let read = lexforge.json(&[
        "metrics", "ranking", "--qrels", "more.txt", "--run", "run.trec",
    ]);
    for field in ["n", "recall@10", "map@10", "ndcg@10", "mrr", "both@10"] {
        assert_eq!(read[field], report[field], "{field}");
    }
    assert_eq!(
        (&read["unit"], &read["clusters"], &read["missing"]),
        (&json!("passage"), &json!(2), &json!(1))
    );
    let same = lexforge.json(&[
        "metrics",
        "ranking",
        "--qrels",
        "more.txt",
        "--run",
        "run.trec",
        "--against",
        "run.trec",
    ]);
    let first = &same["against"][0];
    assert_eq!(
        (&first["measure"], &first["difference"]["high"]),
        (&json!("recall@10"), &json!(0.0))
    );
    refused(
        &lexforge.run(&[
            "metrics", "ranking", "--qrels", "more.txt", "--run", "more.txt", "--json",
        ]),
        "invalid_request",
    );
    lexforge.file("broken.txt", b"q1 0 p1 1\nq1 p1\n");
    let message = refused(
        &lexforge.run(&[
            "rank",
            "eval",
            "a.lexforge",
            "--queries",
            "queries.jsonl",
            "--qrels",
            "broken.txt",
            "--json",
        ]),
        "invalid_request",
    );
    assert!(message.contains("Line 2"), "{message}");
}

/// Two corpus files in which each thing has a heading and a rule. The questions ask for the rule, but a search by words
/// finds the shorter heading first.
fn headings_and_rules() -> Option<Product> {
    let lexforge = Product::find()?;
    for part in 0..2 {
        let lines: String = (0..25)
            .map(|i| {
                let (number, thing) = (part * 25 + i, thing(part * 25 + i));
                let heading = json!({ "id": format!("h{number}"), "text": format!("Keeping the {thing}") });
                let rule = format!(
                    "A firm shall keep the {thing} in a safe place on its own premises, and shall show it to the authority \
                     without delay whenever the authority asks to see it in writing."
                );
                format!("{heading}\n{}\n", json!({ "id": format!("r{number}"), "text": rule }))
            })
            .collect();
        let file = lexforge.file(&format!("part{part}.jsonl"), lines.as_bytes());
        lexforge.json(&["import".as_ref(), "a.lexforge".as_ref(), file.as_os_str()]);
    }
    Some(lexforge)
}

/// A word that names nothing else.
fn thing(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap_or_default());
    format!("zo{}{}rk", letter(number / 7), letter(number % 7 + 9))
}

#[test]
fn a_ranker_is_fitted_on_labelled_questions_and_used() {
    let Some(lexforge) = headings_and_rules() else {
        return;
    };
    let labels = |numbers: std::ops::Range<usize>| -> String {
        numbers
            .map(|n| {
                let question = format!("How shall a firm keep the {}?", thing(n));
                json!({ "id": format!("q{n}"), "question": question, "passage_ids": [format!("r{n}")], "kind": (["even", "odd"][n % 2]) })
                    .to_string()
                    + "\n"
            })
            .collect()
    };
    lexforge.file("few.jsonl", labels(0..10).as_bytes());
    let train = |labels: &str| {
        ["rank", "train", "a.lexforge", "--labels", labels, "--json"].map(str::to_owned)
    };
    let message = refused(&lexforge.run(&train("few.jsonl")), "too_little_data");
    assert!(message.contains("30 are missing"), "{message}");
    lexforge.file("all.jsonl", labels(0..50).as_bytes());
    let report = lexforge.json(&train("all.jsonl"));
    assert_eq!(
        (
            &report["questions"],
            &report["kept"],
            &report["ranked"]["unit"]
        ),
        (&json!(50), &json!(true), &json!("document"))
    );
    let mrr = |part: &str| report[part]["mrr"].as_f64().unwrap();
    assert!(mrr("half") < 0.6 && mrr("ranked") > 0.9, "{report:#}");

    let qrels: String = (0..50).map(|n| format!("q{n} 0 r{n} 1\n")).collect();
    lexforge.file("qrels.txt", qrels.as_bytes());
    let eval = |more: &[&str]| {
        let words = [
            "rank",
            "eval",
            "a.lexforge",
            "--queries",
            "all.jsonl",
            "--qrels",
            "qrels.txt",
        ];
        lexforge.json(&[&words[..], more].concat())
    };
    let ranked = eval(&["--against-half", "--out", "ranked.trec"]);
    assert_eq!(ranked["ranker"], json!({ "id": 1, "questions": 50 }));
    let kinds: Vec<&String> = ranked["by_kind"].as_object().unwrap().keys().collect();
    assert_eq!(kinds, ["even", "odd"]);
    let gain = |report: &Value| {
        let of = |c: &&Value| c["measure"] == "mrr";
        let all = report["against"].as_array().unwrap();
        all.iter().find(of).unwrap()["difference"]["value"]
            .as_f64()
            .unwrap()
    };
    assert!(gain(&ranked) > 0.3, "{ranked:#}");
    // Without it the order is as before, and the run on file says the same of it.
    let half = eval(&["--half", "--against", "ranked.trec"]);
    assert_eq!(half["ranker"], Value::Null);
    assert!((gain(&half) + gain(&ranked)).abs() < 1e-12, "{half:#}");
    let against = eval(&["--half", "--against-mode", "lexical"]);
    assert_eq!(against["against"][0]["difference"]["value"], 0.0);

    let answer = lexforge.json(&[
        "ask",
        "a.lexforge",
        &format!("How shall a firm keep the {}?", thing(3)),
    ]);
    assert_eq!(answer["index"]["ranker"]["questions"], 50);
    let first = answer["citations"][0]["quote"].as_str().unwrap();
    assert!(first.contains("safe place"), "{answer:#}");
    // Vectors alone leave nothing to weigh, and there are none here.
    refused(
        &lexforge.run(&["rank", "train", "a.lexforge", "--mode", "dense", "--json"]),
        "invalid_request",
    );
}

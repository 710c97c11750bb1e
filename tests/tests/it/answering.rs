//! Questions to the documents on the command line: the answer's fields, the history, tables of questions.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::repository::{data, sample};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// A workspace with the sample regulation.
fn with_sample() -> Option<Product> {
    let lexforge = Product::find()?;
    let words = ["import".into(), "a.lexforge".into(), sample()];
    lexforge.json(&words);
    Some(lexforge)
}

/// The names of an object's fields.
pub fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

/// These names.
pub fn named<'a>(names: &[&'a str]) -> BTreeSet<&'a str> {
    names.iter().copied().collect()
}

const HAIRCUT: &str = "What does “haircut” mean?";
const NOWHERE: &str = "How do I cook rice?";

/// In Beijing it is the morning of a day on which a rule may begin to hold while it is still yesterday in UTC. Of two
/// places that are 26 hours apart, at least one has another day than UTC.
#[test]
fn what_is_in_force_is_asked_of_the_day_here() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    let day = |zone: &str| {
        let mut command = lexforge.command(&["ask", "a.lexforge", HAIRCUT, "--json"]);
        let answered = command.env("TZ", zone).output().unwrap();
        let answer: Value = serde_json::from_slice(&answered.stdout).unwrap();
        answer["as_of"].as_str().unwrap().to_owned()
    };
    let (east, west) = (day("EAST-14"), day("WEST12"));
    assert!(east > west, "{east} {west}");
}

/// That the documents have no answer today labels the question, also where today is another day in UTC.
#[test]
fn a_refusal_of_the_day_here_labels_its_question() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    for (zone, question) in [("EAST-14", NOWHERE), ("WEST12", "How do I bake bread?")] {
        let json = |words: &[&str]| -> Value {
            let mut command = lexforge.command(words);
            let told = command.env("TZ", zone).output().unwrap();
            serde_json::from_slice(&told.stdout).unwrap()
        };
        let answer = json(&["ask", "a.lexforge", question, "--json"]);
        assert_eq!(answer["found"], false, "{question}");
        let id = answer["id"].to_string();
        json(&[
            "ask",
            "a.lexforge",
            "--again",
            &id,
            "--verdict",
            "right",
            "--json",
        ]);
        let pairs = lexforge.run(&["pairs", "list", "a.lexforge"]);
        assert!(pairs.out.contains(question), "{zone}: {}", pairs.out);
    }
}

#[test]
fn an_answer_has_its_fields_and_leads_to_its_page() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    let answer = lexforge.json(&["ask", "a.lexforge", HAIRCUT]);
    assert_eq!(
        keys(&answer),
        named(&[
            "id",
            "asked",
            "question",
            "found",
            "answer",
            "statements",
            "citations",
            "passages",
            "premise",
            "terms",
            "notes",
            "probability",
            "threshold",
            "certificate",
            "model",
            "adapter",
            "written",
            "index",
            "corpus_hash",
            "documents",
            "as_of",
            "audit_entry",
        ])
    );
    assert_eq!(answer["found"], true, "{answer:#}");
    assert_eq!(answer["model"], "extractive");
    assert_eq!(answer["adapter"], Value::Null);
    assert_eq!(answer["corpus_hash"].as_str().unwrap().len(), 64);
    let statement = &answer["statements"][0];
    assert_eq!(
        keys(statement),
        named(&["text", "citations", "kept", "reason", "marks"])
    );
    assert_eq!(statement["citations"], json!([0]));
    assert_eq!(
        keys(&answer["certificate"]),
        named(&[
            "alpha",
            "confidence",
            "n",
            "wrong",
            "answered_share",
            "valid",
            "reason",
            "needed",
            "made"
        ])
    );
    assert_eq!(answer["certificate"]["reason"], "not_measured");
    let place = [
        "document",
        "title",
        "language",
        "page",
        "section",
        "boxes",
        "quote",
        "sentence",
        "external_id",
        "superseded_by",
    ];
    let citation = &answer["citations"][0];
    assert_eq!(keys(citation), named(&place));
    let clause = &answer["passages"][0];
    assert!(keys(clause).is_superset(&named(&place)));
    assert!(keys(clause).is_superset(&named(&["text", "score", "marks"])));

    // The quote is the sentence that the library has, on its page and in its boxes.
    let sentences = lexforge.lines(&["docs", "a.lexforge", "--sentences"]);
    let own = sentences
        .iter()
        .find(|s| s["id"] == citation["sentence"])
        .unwrap();
    assert_eq!(own["text"], citation["quote"]);
    assert_eq!(own["page"], citation["page"]);
    assert_eq!(own["boxes"], citation["boxes"]);
    assert!(
        citation["quote"]
            .as_str()
            .unwrap()
            .contains("“haircut” means"),
        "{citation:#}"
    );

    // The same question again is the same answer, found in the same documents.
    let again = lexforge.json(&["ask", "a.lexforge", HAIRCUT]);
    for field in [
        "answer",
        "statements",
        "citations",
        "passages",
        "probability",
        "corpus_hash",
        "index",
    ] {
        assert_eq!(again[field], answer[field], "{field}");
    }

    let none = lexforge.json(&["ask", "a.lexforge", NOWHERE]);
    assert_eq!(none["found"], false);
    assert_eq!(
        (&none["citations"], &none["statements"], &none["answer"]),
        (&json!([]), &json!([]), &json!(""))
    );
    let shown = lexforge.run(&["ask", "a.lexforge", NOWHERE]);
    assert_eq!(shown.code, 0);
    assert!(
        shown.out.starts_with("Not in these documents."),
        "{}",
        shown.out
    );
    let near = lexforge.json(&[
        "ask",
        "a.lexforge",
        "May a controller transfer personal data to a third country?",
    ]);
    assert_eq!(near["found"], false, "{near:#}");
    assert!((1..=5).contains(&near["passages"].as_array().unwrap().len()));
}

/// The article that every user of the regulation knows.
#[test]
fn the_gdpr_answers_with_its_article() {
    let (Some(lexforge), Some(gdpr)) = (Product::find(), data("pdf-core-en/GDPR.pdf")) else {
        return;
    };
    lexforge.json(&[
        "import".as_ref(),
        "a.lexforge".as_ref(),
        gdpr.as_os_str(),
        "--no-second-reader".as_ref(),
    ]);
    let question = "Within how many hours shall the controller notify a personal data breach to the supervisory authority?";
    let answer = lexforge.json(&["ask", "a.lexforge", question]);
    assert_eq!(answer["found"], true, "{answer:#}");
    let cited = answer["citations"].as_array().unwrap();
    let right = cited
        .iter()
        .find(|c| c["section"].as_str().unwrap().contains("Article 33"));
    let right = right.unwrap_or_else(|| panic!("{cited:#?}"));
    assert!(
        right["quote"].as_str().unwrap().contains("72 hours"),
        "{right:#}"
    );
    assert!(
        right["boxes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|b| b[0].as_u64() >= right["page"].as_u64())
    );
    // "… competent in accordance with Article 55": what the rule leans on has its own page.
    let refers = answer["refers"].as_array().unwrap();
    let named = refers.iter().find(|r| r["text"] == "Article 55");
    let named = named.unwrap_or_else(|| panic!("{refers:#?}"));
    let section = named["place"]["section"].as_str().unwrap();
    assert!(section.contains("Article 55"), "{named:#}");
    let cites = cited[usize::try_from(named["from"].as_u64().unwrap()).unwrap()].clone();
    assert!(
        cites["quote"].as_str().unwrap().contains("Article 55"),
        "{cites:#}"
    );
    let told = lexforge.run(&["ask", "a.lexforge", question]).out;
    assert!(told.contains("The cited clauses refer to:\n"), "{told}");
    assert!(told.contains("Article 55: "), "{told}");
}

#[test]
fn questions_that_cannot_be_asked() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    refused(
        &lexforge.run(&["ask", "a.lexforge", " ", "--json"]),
        "invalid_request",
    );
    refused(
        &lexforge.run(&[
            "ask",
            "a.lexforge",
            HAIRCUT,
            "--as-of",
            "2024-02-30",
            "--json",
        ]),
        "invalid_request",
    );
    refused(
        &lexforge.run(&["ask", "missing.lexforge", HAIRCUT, "--json"]),
        "workspace_missing",
    );
    refused(
        &lexforge.run(&["ask", "a.lexforge", "--again", "99", "--json"]),
        "not_found",
    );
    for (way, code) in [
        ("endpoint:nobody", "not_found"),
        ("endpoint", "not_found"),
        ("adapter:9", "not_found"),
        ("adapter", "step_missing"),
    ] {
        let words = ["ask", "a.lexforge", HAIRCUT, "--with", way, "--json"];
        refused(&lexforge.run(&words), code);
    }
    for usage in [
        &["ask", "a.lexforge"][..],
        &["ask", "a.lexforge", HAIRCUT, "--verdict", "right"],
        &["ask", "a.lexforge", "--again", "1", "--verdict", "perhaps"],
        &["ask", "a.lexforge", "--batch", "q.csv"],
        &["ask", "a.lexforge", HAIRCUT, "--history"],
        &["ask", "a.lexforge", HAIRCUT, "--with", "magic"],
        &["ask", "a.lexforge", HAIRCUT, "--with", "adapter:x"],
        &["ask", "a.lexforge", HAIRCUT, "--compare", "extractive"],
        &["ask", "a.lexforge", "--prefer", "first"],
        &["ask", "a.lexforge", "--prefer", "first", "--between", "1"],
    ] {
        assert_eq!(lexforge.run(usage).code, 2, "{usage:?}");
    }
    assert_eq!(
        lexforge.lines(&["ask", "a.lexforge", "--history"]),
        Vec::<Value>::new()
    );
}

#[test]
fn answers_are_kept_and_judged() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    let given = lexforge.json(&["ask", "a.lexforge", HAIRCUT]);
    let none = lexforge.json(&["ask", "a.lexforge", NOWHERE]);
    assert_eq!((&given["id"], &none["id"]), (&json!(1), &json!(2)));
    let kept = lexforge.json(&["ask", "a.lexforge", "--again", "1"]);
    assert_eq!(kept, given);

    let judged = lexforge.json(&["ask", "a.lexforge", "--again", "1", "--verdict", "right"]);
    assert_eq!(judged["verdict"], "right");
    let judged = lexforge.json(&["ask", "a.lexforge", "--again", "2", "--verdict", "right"]);
    assert_eq!(judged["verdict"], "right");
    let history = lexforge.lines(&["ask", "a.lexforge", "--history"]);
    let listed: Vec<_> = history
        .iter()
        .map(|r| (&r["id"], &r["found"], &r["verdict"]))
        .collect();
    assert_eq!(
        listed,
        [
            (&json!(2), &json!(false), &json!("right")),
            (&json!(1), &json!(true), &json!("right"))
        ]
    );
    let pairs = lexforge.lines(&["pairs", "list", "a.lexforge"]);
    let passages: Vec<&Value> = pairs.iter().map(|p| &p["passage_ids"]).collect();
    let cited: Vec<String> = given["citations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| format!("#{}", c["sentence"]))
        .collect();
    assert_eq!(passages, [&json!(cited), &json!([])]);
    assert!(pairs.iter().all(|p| p["source"] == "verdict"));
    lexforge.json(&["ask", "a.lexforge", "--again", "1", "--verdict", "wrong"]);
    assert_eq!(lexforge.lines(&["pairs", "list", "a.lexforge"]).len(), 1);
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

/// The rows of a table, by any separator.
fn rows(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let bytes = std::fs::read(path).unwrap();
    let text = std::str::from_utf8(&bytes)
        .unwrap()
        .strip_prefix('\u{feff}')
        .unwrap();
    let cells = |line: &str| -> Vec<String> {
        let inner = line.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
        inner
            .split("\",\"")
            .map(|cell| cell.replace("\"\"", "\""))
            .collect()
    };
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let head = cells(lines.next().unwrap());
    (head, lines.map(cells).collect())
}

#[test]
fn a_table_of_questions_is_answered_and_holds_no_formula() {
    let Some(lexforge) = with_sample() else {
        return;
    };
    for (name, table) in [
        (
            "comma.csv",
            format!("no,question\n1,{HAIRCUT}\n2,=1+1\n3,\n4,{NOWHERE}\n"),
        ),
        (
            "semicolon.csv",
            format!("no;Question\r\n1;{HAIRCUT}\r\n2;=1+1\r\n3;\r\n4;{NOWHERE}\r\n"),
        ),
    ] {
        lexforge.file(name, table.as_bytes());
        let report = lexforge.json(&["ask", "a.lexforge", "--batch", name, "--out", "answers.csv"]);
        let count = |field: &str| report[field].as_u64().unwrap();
        assert_eq!(
            (count("questions"), count("empty")),
            (3, 1),
            "{name}: {report:#}"
        );
        assert_eq!(
            count("answered") + count("refused"),
            3,
            "{name}: {report:#}"
        );
        let (head, rows) = rows(&lexforge.path("answers.csv"));
        assert_eq!(
            head,
            [
                "question",
                "found",
                "answer",
                "probability",
                "document",
                "section",
                "page",
                "quote",
                "verdict",
                "answer_id",
                "audit_entry",
                "note"
            ]
        );
        assert_eq!(rows[0][0], HAIRCUT);
        assert_eq!(rows[0][1], "yes");
        assert!(rows[0][7].contains("“haircut” means"), "{:?}", rows[0]);
        assert_eq!(rows[0][6], "2");
        assert_eq!(rows[0][8], "", "room for a verdict");
        assert!(rows[0][9].parse::<u64>().is_ok());
        assert!(rows[0][10].parse::<u64>().is_ok());
        let formula = rows.iter().find(|row| row[0].contains("1+1")).unwrap();
        assert_eq!(formula[0], "'=1+1");
        for cell in rows
            .iter()
            .flatten()
            .flat_map(|cell| cell.split([';', '\t', '\n']))
        {
            assert!(
                !cell.trim_start().starts_with(['=', '+', '-', '@']),
                "{name}: {cell}"
            );
        }
        let none = rows.iter().find(|row| row[0] == NOWHERE).unwrap();
        assert_eq!((none[1].as_str(), none[2].as_str()), ("no", ""));
        assert!(none[11].starts_with("not in these documents"));
    }
    // Each answer is in the history, too, and the question there is as it was typed.
    let history = lexforge.lines(&["ask", "a.lexforge", "--history"]);
    assert_eq!(history.len(), 6);
    assert!(
        history.iter().any(|row| row["question"] == "=1+1"),
        "{history:#?}"
    );

    lexforge.file("empty.csv", b"question\n\n\n");
    refused(
        &lexforge.run(&[
            "ask",
            "a.lexforge",
            "--batch",
            "empty.csv",
            "--out",
            "none.csv",
            "--json",
        ]),
        "too_little_data",
    );
    assert!(!lexforge.path("none.csv").exists());
}

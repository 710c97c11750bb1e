//! Tables of questions and answers with the built programs. The tests read and write workbooks, take in verdicts that
//! somebody wrote into a table, and check the certificate of a model's answers.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::question_backend::fenced;
use lexforge_tests::rules::{BREACHES, NOTIFY, WS, add, with_rules};
use serde_json::{Value, json};

/// The cells of a table as they are written here: each in quotes.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim_start_matches('\u{feff}');
    let inner = inner.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
    inner.split("\",\"").map(str::to_owned).collect()
}

/// Verdicts go back in with the table in which somebody wrote them; a row that cannot be meant is named.
#[test]
fn verdicts_come_back_with_their_table() {
    let Some(lexforge) = with_rules(BREACHES) else {
        return;
    };
    let table = format!(
        "question\n{NOTIFY}\nWho keeps a register of processing activities?\nHow do I cook rice?\n"
    );
    lexforge.file("q.csv", table.as_bytes());
    lexforge.json(&["ask", WS, "--batch", "q.csv", "--out", "a.csv"]);
    let text = std::fs::read_to_string(lexforge.path("a.csv")).unwrap();
    let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
    let head = cells(lines.next().unwrap());
    let (verdict, id) = (
        head.iter().position(|c| c == "verdict").unwrap(),
        head.iter().position(|c| c == "answer_id").unwrap(),
    );
    let mut filled = format!("{}\n", head.join(","));
    let mut rows = 0;
    let mut first_of = std::collections::BTreeMap::new();
    for line in lines {
        let mut row = cells(line);
        rows += 1;
        assert_eq!(row[verdict], "", "{line}");
        let first = first_of.insert(row[id].clone(), ()).is_none();
        row[verdict] = match (row[id].as_str(), first) {
            ("1", true) => "Right".to_owned(),
            ("2", true) => "maybe".to_owned(),
            _ => String::new(),
        };
        let quoted: Vec<String> = row.iter().map(|cell| format!("\"{cell}\"")).collect();
        filled.push_str(&format!("{}\n", quoted.join(",")));
    }
    // An answer that is not here, and one of this number to another question.
    let mut stray = vec![String::new(); head.len()];
    stray[0] = "Another question?".to_owned();
    stray[verdict] = "wrong".to_owned();
    for number in ["99", "3", ""] {
        stray[id] = number.to_owned();
        if number == "3" {
            // This row comes before the answer's own row, which has no verdict.
            let line = format!("{}\n", stray.join(","));
            let at = filled.find('\n').unwrap() + 1;
            filled.insert_str(at, &line);
        } else {
            filled.push_str(&format!("{}\n", stray.join(",")));
        }
    }
    assert!(rows >= 3);
    lexforge.file("filled.csv", filled.as_bytes());
    let report = lexforge.json(&["ask", WS, "--verdicts-from", "filled.csv"]);
    assert_eq!(
        (&report["judged"], &report["unchanged"]),
        (&json!(1), &json!(0)),
        "{report:#}"
    );
    let reasons: Vec<&str> = report["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["reason"].as_str().unwrap())
        .collect();
    for said in [
        "another question",
        "no verdict",
        "no answer 99",
        "no number",
    ] {
        assert!(
            reasons.iter().any(|reason| reason.contains(said)),
            "{said}: {report:#}"
        );
    }
    assert_eq!(reasons.len(), 4, "{report:#}");
    let pairs = lexforge.lines(&["pairs", "list", WS]);
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0]["source"], "verdict");
    let again = lexforge.json(&["ask", WS, "--verdicts-from", "filled.csv"]);
    assert_eq!(
        (&again["judged"], &again["unchanged"]),
        (&json!(0), &json!(1))
    );
    let told = refused(
        &lexforge.run(&["ask", WS, "--verdicts-from", "q.csv", "--json"]),
        "invalid_request",
    );
    assert!(told.contains("answer_id"), "{told}");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// Workbooks go in and come out: what was written as one is read as one, by the parser's process.
#[test]
fn a_workbook_of_questions_is_answered() {
    let Some(lexforge) = with_rules(BREACHES) else {
        return;
    };
    let table = format!("no,question\n1,{NOTIFY}\n2,=1+1 and what else?\n");
    lexforge.file("q.csv", table.as_bytes());
    lexforge.json(&["ask", WS, "--batch", "q.csv", "--out", "a.xlsx"]);
    let book = std::fs::read(lexforge.path("a.xlsx")).unwrap();
    assert!(book.starts_with(b"PK"));
    // The answers have the questions in a column that is called so.
    let report = lexforge.json(&["ask", WS, "--batch", "a.xlsx", "--out", "b.csv"]);
    assert_eq!(
        (&report["sheet"], &report["other_sheets"]),
        (&json!("Answers"), &json!(0))
    );
    assert!(report["questions"].as_u64().unwrap() >= 2, "{report:#}");
    let text = std::fs::read_to_string(lexforge.path("b.csv")).unwrap();
    assert!(
        text.contains(NOTIFY) && text.contains("\"'=1+1 and what else?\""),
        "{text}"
    );
    // Without the parser's program, no workbook can be read.
    let done = lexforge
        .command(&["ask", WS, "--batch", "a.xlsx", "--out", "c.csv", "--json"])
        .env("LEXFORGE_PARSE", lexforge.path("nowhere"))
        .output()
        .unwrap();
    assert!(!done.status.success());
    assert!(!lexforge.path("c.csv").exists());
    for (name, bytes, code) in [
        (
            "broken.xlsx",
            &b"PK\x03\x04 and no more"[..],
            "unsupported_format",
        ),
        (
            "old.xls",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
            "unsupported_format",
        ),
        ("two.csv", b"a,b\nc,d\n", "unsupported_format"),
    ] {
        lexforge.file(name, bytes);
        let words = ["ask", WS, "--batch", name, "--out", "d.csv", "--json"];
        let told = refused(&lexforge.run(&words), code);
        assert!(told.starts_with("The table cannot be read"), "{told}");
        assert!(!lexforge.path("d.csv").exists());
    }
}

/// Each way to an answer has a certificate of its own.
#[test]
fn what_a_model_writes_is_certified_for_itself() {
    let texts: Vec<String> = (0..70)
        .map(|i| {
            let actor = ["depositary", "broker", "insurer", "trustee", "custodian"][i % 5];
            let object = [
                "ledger",
                "vault",
                "mandate",
                "prospectus",
                "premium",
                "covenant",
                "warrant",
                "dividend",
                "tariff",
                "escrow",
                "charter",
                "audit",
                "register",
                "policy",
            ][(i / 5) % 14];
            format!(
                "The {actor} shall deposit each {object} with the registrar within {} days.",
                i + 2
            )
        })
        .collect();
    let Some(lexforge) = Product::find() else {
        return;
    };
    let passages: String = texts
        .iter()
        .enumerate()
        .map(|(i, text)| json!({"id": format!("p{i}"), "text": text}).to_string() + "\n")
        .collect();
    lexforge.file("corpus.jsonl", passages.as_bytes());
    lexforge.json(&["import", WS, "corpus.jsonl"]);
    let question = |text: &str| {
        let who = text
            .split(" shall deposit each ")
            .next()
            .unwrap_or_default();
        let what = text
            .split(" shall deposit each ")
            .nth(1)
            .unwrap_or_default();
        let what = what.split(" with ").next().unwrap_or_default();
        format!(
            "Within how many days shall {} deposit each {what} with the registrar?",
            who.to_lowercase()
        )
    };
    let labels: String = texts
        .iter()
        .enumerate()
        .map(|(i, t)| {
            json!({"question": question(t), "passage_ids": [format!("p{i}")]}).to_string() + "\n"
        })
        .collect();
    lexforge.file("labels.jsonl", labels.as_bytes());
    lexforge.json(&["pairs", "import", WS, "labels.jsonl"]);
    // The model repeats the first clause that it gets, which is the one that fits best.
    let backend = |body: &Value| {
        let messages = body["messages"].as_array();
        let user = messages
            .and_then(|m| m.last())
            .and_then(|m| m["content"].as_str())
            .unwrap_or_default();
        let clause = fenced(user, "1").unwrap_or_default();
        let rule = clause.split_once("]\n").map_or(clause, |(_, text)| text);
        json!({"statements": [{"text": rule, "cites": [{"clause": 1, "quote": rule}]}]}).to_string()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(backend)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let asked = question(&texts[3]);
    let written = |lexforge: &Product| {
        let words = ["ask", WS, &asked, "--with", "endpoint:firm", "--yes"];
        lexforge.json(&words)["certificate"].clone()
    };
    // The certificate is for quoted clauses, and does not apply to answers of a model.
    let clear = lexforge.json(&["calibrate", WS]);
    assert_eq!(clear["certificate"]["valid"], true, "{clear:#}");
    assert_eq!(
        lexforge.json(&["ask", WS, &asked])["certificate"]["valid"],
        true
    );
    let void = written(&lexforge);
    assert_eq!(
        (&void["valid"], &void["reason"]),
        (&json!(false), &json!("writer_changed"))
    );
    let report = lexforge.json(&["calibrate", WS, "--with", "endpoint:firm", "--yes"]);
    assert_eq!(report["certificate"]["valid"], true, "{report:#}");
    assert_eq!(report["certificate"]["writer"]["model"], "m");
    assert!(report["certificate"]["n"].as_u64().unwrap() >= 59);
    assert_eq!(written(&lexforge)["valid"], true);
    // Each keeps its own.
    let own = lexforge.json(&["ask", WS, &asked]);
    assert_eq!(
        (&own["certificate"]["valid"], &own["certificate"]["writer"]),
        (&json!(true), &Value::Null)
    );
    // Another model behind the same name is another one.
    let other = FaultProxy::start(
        Backend::Own(Box::new(|_| json!({"statements": []}).to_string())),
        Weather::default(),
    );
    add(&lexforge, &other.url(), &[]);
    let report = lexforge.run(&["calibrate", WS, "--with", "base:no-such-model", "--json"]);
    assert_ne!(report.code, 0, "{}", report.out);
    let words = ["ask", WS, &asked, "--with", "endpoint:firm", "--yes"];
    let answer = lexforge.json(&words);
    // The model writes no statement, so the answer consists of clauses, and their certificate applies.
    assert_eq!(
        (&answer["model"], &answer["certificate"]["valid"]),
        (&json!("extractive"), &json!(true))
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

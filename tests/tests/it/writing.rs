//! Writing questions, with the built programs: prompts as files and their bench, and the estimate.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::question_backend::{self, fenced};
use lexforge_tests::rules::{WS, add, prepared};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::HashSet;

pub(crate) fn number(lexforge: &Product, sql: &str) -> u64 {
    let database =
        Connection::open_with_flags(lexforge.path(WS), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

pub(crate) fn sum(value: &Value) -> u64 {
    value
        .as_object()
        .map_or(0, |o| o.values().filter_map(Value::as_u64).sum())
}

pub(crate) fn written(report: &Value) -> u64 {
    report["questions"]
        .as_object()
        .unwrap()
        .values()
        .map(sum)
        .sum()
}

pub(crate) fn user(body: &Value) -> &str {
    body["messages"]
        .as_array()
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str())
        .unwrap_or_default()
}

/// A number that follows from a text and is the same in every run.
pub(crate) fn lot(text: &str) -> u64 {
    text.bytes()
        .fold(7, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(b)))
        % 10
}

/// A model that first fails on some rules and does better when it is told why, and a judge of the same kind.
pub(crate) fn fickle(body: &Value) -> String {
    let user = user(body);
    let again = user.contains("could not be used");
    let rule = fenced(user, "A").unwrap_or_default().to_owned();
    if let Some(question) = fenced(user, "Q") {
        return match (lot(question), again) {
            (0, false) => "Nine out of ten.".to_owned(),
            (1 | 2, _) => json!({"reason": "Two choices are right.", "score": 4}).to_string(),
            _ => json!({"reason": "No fault.", "score": 9}).to_string(),
        };
    }
    match (lot(&rule), again) {
        (0, false) => "I would rather not.".to_owned(),
        (1, false) if fenced(user, "B").is_some() => question_backend::answer(body).replace(
            "What is required where it says",
            "Which of the following is right where it says",
        ),
        (2, _) => "Never.".to_owned(),
        _ => question_backend::answer(body),
    }
}

#[test]
fn an_estimate_is_made_of_answers_that_the_run_uses() {
    let Some(lexforge) = prepared(200) else {
        return;
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(fickle)), Weather::default());
    add(
        &lexforge,
        &proxy.url(),
        &["--price-in", "2", "--price-out", "6"],
    );
    let estimate = lexforge.json(&["augment", WS, "--endpoint", "firm", "--estimate"]);
    let of = |name: &str| estimate[name].as_u64().unwrap();
    assert_eq!(
        (of("sample"), of("asked"), proxy.seen().all()),
        (20, 20, 20),
        "{estimate:#}"
    );
    assert_eq!(of("open"), of("prompts") - 20);
    assert!(
        estimate["cost"].as_f64().unwrap() > 0.0 && estimate["seconds"].as_f64().unwrap() > 0.0
    );
    let share = &estimate["accepted"];
    assert!(
        share["low"].as_f64() < share["value"].as_f64()
            && share["value"].as_f64() < share["high"].as_f64()
    );
    assert!(
        lexforge.lines(&["qca", "export", WS]).is_empty(),
        "an estimate writes no question"
    );
    // A second estimate asks nothing new, and the run asks only the rest.
    let again = lexforge.json(&["augment", WS, "--endpoint", "firm", "--estimate", "--judge"]);
    assert_eq!((&again["accepted"], proxy.seen().all()), (share, 20));
    assert!(again["judge_calls"].as_u64().unwrap() > 0);
    let report = lexforge.json(&["augment", WS, "--endpoint", "firm"]);
    assert!(
        proxy.seen().answered.values().all(|n| *n == 1),
        "a prompt of the sample was asked again"
    );
    let calls = report["asked"]["calls"].as_u64().unwrap();
    let expected = of("calls");
    assert!(
        calls.abs_diff(expected) <= expected / 4,
        "{calls} calls where {expected} were expected"
    );
    // The estimate's interval is for the first answers; those asked anew come on top.
    let first = written(&report) + sum(&report["rejected"]) + sum(&report["asked"]["unparseable"]);
    assert!(first >= of("prompts"));
    // A sample of what was written comes first in the review.
    let sample: Vec<u64> = report["sample"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let ids: HashSet<u64> = lexforge
        .lines(&["qca", "export", WS])
        .iter()
        .filter_map(|q| q["id"].as_u64())
        .collect();
    assert!(
        sample.len() == 30.min(ids.len()) && sample.iter().all(|id| ids.contains(id)),
        "{sample:?}"
    );
}

#[test]
fn a_prompt_is_a_file_that_a_user_edits_and_tries() {
    let Some(lexforge) = prepared(80) else { return };
    let listed = lexforge.lines(&["prompts", "list", WS]);
    assert_eq!(listed.len(), 26);
    assert!(
        listed
            .iter()
            .all(|p| p["version"] == 0 && p["hash"].as_str().unwrap().len() == 64)
    );
    let shown = lexforge.run(&["prompts", "show", WS, "sentence-qca"]);
    assert!(
        shown.out.starts_with("lexforge prompt: sentence-qca, en\n"),
        "{}",
        shown.out
    );

    let proxy = FaultProxy::start(Backend::Own(Box::new(fickle)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let first = lexforge.json(&["augment", WS, "--endpoint", "firm"]);
    let asked = proxy.seen().all();

    // A wording that cannot be used is refused with the reason; one that can is a new version.
    let bad = lexforge
        .file("bad.txt", shown.out.replace("{neighbour}", "").as_bytes())
        .display()
        .to_string();
    let said = refused(
        &lexforge.run(&["prompts", "edit", WS, &bad, "--json"]),
        "invalid_request",
    );
    assert!(said.contains("{neighbour} is missing"), "{said}");
    let edited = shown.out.replace(
        "You write exam questions",
        "You write careful exam questions",
    );
    let good = lexforge
        .file("good.txt", edited.as_bytes())
        .display()
        .to_string();
    let kept = lexforge.json(&["prompts", "edit", WS, &good]);
    assert_eq!(kept["version"], 1);

    // Answers to another wording of the prompts are not used. These rules give only questions about sentences, and all
    // of them are asked again.
    let second = lexforge.json(&["augment", WS, "--endpoint", "firm"]);
    assert_eq!(
        (proxy.seen().all(), second["asked"]["from_cache"].as_u64()),
        (2 * asked, Some(0)),
        "{second:#}"
    );
    let now = proxy.seen().all();
    lexforge.json(&["prompts", "reset", WS, "sentence-qca"]);
    let third = lexforge.json(&["augment", WS, "--endpoint", "firm"]);
    assert_eq!(
        (proxy.seen().all(), &third["questions"]),
        (now, &first["questions"]),
        "the shipped wording's answers are there"
    );
    let versions = lexforge.lines(&["prompts", "list", WS, "--versions"]);
    assert_eq!(
        versions
            .iter()
            .map(|v| v["text"].is_string())
            .collect::<Vec<_>>(),
        [true, false]
    );

    // The bench shows what is sent, what is answered, and how the answer is read. No question is kept.
    let questions = lexforge.lines(&["qca", "export", WS]);
    let anchor = questions[0]["anchor_sentence"].to_string();
    for kind in [
        "sentence-qca",
        "token-qca",
        "judge",
        "paraphrase",
        "translation",
        "query-generation",
        "entity-extraction",
    ] {
        let before = proxy.seen().all();
        let plan = lexforge.run(&["prompts", "try", WS, kind, "--sentence", &anchor, "--json"]);
        if plan.code != 0 {
            // Some anchors have no term to ask about.
            assert_eq!(kind, "token-qca", "{}", plan.err);
            continue;
        }
        let plan: Value = serde_json::from_str(&plan.out).unwrap();
        assert_eq!(proxy.seen().all(), before, "a plan sent something");
        let trial = lexforge.json(&[
            "prompts",
            "try",
            WS,
            kind,
            "--sentence",
            &anchor,
            "--endpoint",
            "firm",
        ]);
        assert_eq!(
            (&trial["system"], &trial["user"]),
            (&plan["system"], &plan["user"]),
            "{kind}"
        );
        assert!(!trial["answer"].as_str().unwrap().is_empty());
        assert!(
            trial["parsed"].is_object() || trial["turned_down"]["reason"].is_string(),
            "{trial:#}"
        );
        if kind == "sentence-qca" {
            assert_eq!(
                (&trial["known"], &trial["parsed"]["kind"]),
                (&json!(true), &json!("question")),
                "{trial:#}"
            );
        }
        if kind == "paraphrase" {
            assert_eq!(
                (&trial["known"], &trial["turned_down"]["reason"]),
                (&json!(false), &json!("wrong_fields"))
            );
            assert!(trial["milliseconds"].is_u64() && trial["prompt_tokens"].is_u64());
        }
    }
    let unsaved = lexforge.json(&[
        "prompts",
        "try",
        WS,
        "sentence-qca",
        "--sentence",
        &anchor,
        "--file",
        &good,
    ]);
    assert!(unsaved["system"].as_str().unwrap().contains("careful"));
    assert_eq!(lexforge.lines(&["qca", "export", WS]), questions);
    assert_eq!(lexforge.lines(&["prompts", "list", WS])[2]["version"], 0);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

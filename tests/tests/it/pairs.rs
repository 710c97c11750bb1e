//! Asks a question about each pair of anchor and neighbour and about each term, with the built programs. The tests
//! check what is planned, made and left out, the limits on the number of questions, and a `kill -9` in the middle.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::Product;
use lexforge_tests::question_backend::{self, fenced};
use lexforge_tests::rules::{PATIENCE, WS, add, prepared};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const EACH: [&str; 8] = [
    "augment",
    WS,
    "--endpoint",
    "firm",
    "--reask",
    "0",
    "--per",
    "pair",
];

/// A model that asks the same question about a rule for each of its neighbours. Some of its questions are vague, and
/// some of its rephrased sentences say more than was asked.
fn model(body: &Value) -> String {
    let user = body["messages"]
        .as_array()
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str())
        .unwrap_or_default();
    let answer = question_backend::answer(body);
    let Some(other) = fenced(user, "B") else {
        return match fenced(user, "T").map(lot) {
            Some(lot) if lot % 3 == 0 => answer.replace(" and no later", " carefully and no later"),
            Some(lot) if lot % 3 == 1 => {
                let rule = fenced(user, "A").unwrap_or_default();
                let copied = rule.replacen(fenced(user, "T").unwrap_or_default(), "…", 1);
                json!({"question": copied, "rephrased": rule}).to_string()
            }
            _ => answer,
        };
    };
    match lot(other) % 9 {
        0 => answer.replace(
            "What is required where",
            "Which of the following is right where",
        ),
        _ => answer,
    }
}

fn lot(text: &str) -> u64 {
    text.bytes().map(u64::from).sum()
}

fn of(items: &Value, field: &str) -> u64 {
    items[field].as_u64().unwrap()
}

fn left_out(items: &Value) -> u64 {
    let reasons = items["left_out"].as_object().unwrap();
    reasons.values().filter_map(Value::as_u64).sum()
}

/// Everything that could be asked for was made, or is counted under the reason why it was not.
fn check_nothing_is_dropped(report: &Value) {
    let items = &report["items"];
    assert_eq!(
        of(items, "possible"),
        of(items, "made") + left_out(items),
        "{items:#}"
    );
    let written: u64 = report["questions"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|splits| splits.as_object().unwrap().values())
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(of(items, "made"), written, "{items:#}");
}

fn endpoint(lexforge: &Product, delay: u64) -> FaultProxy {
    let weather = Weather {
        delay,
        ..Weather::default()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(model)), weather);
    add(lexforge, &proxy.url(), &["--concurrency", "8"]);
    proxy
}

#[test]
fn each_pair_and_each_term_is_asked_about_within_the_caps() {
    let Some(lexforge) = prepared(90) else { return };
    let _proxy = endpoint(&lexforge, 0);
    let one = lexforge.json(&EACH[..6]);
    check_nothing_is_dropped(&one);

    let estimate = lexforge.json(&[&EACH[..], &["--estimate"]].concat());
    let each = lexforge.json(&EACH);
    check_nothing_is_dropped(&each);
    let (planned, items) = (&estimate["items"], &each["items"]);
    for field in ["anchors", "possible", "asked"] {
        assert_eq!(planned[field], items[field], "{field}");
    }
    // The estimate counts prompts: questions that are word for word the same once.
    assert!(of(&estimate, "prompts") <= of(items, "asked"));
    assert_eq!(estimate["prompts"], each["asked"]["prompts"]);
    // A rule of this corpus has about two neighbours, and its terms hardly any that are like them.
    for field in ["asked", "made"] {
        let (few, many) = (of(&one["items"], field), of(items, field));
        assert!(many > few, "{field}: {few} and {many}");
    }
    assert!(of(&items["left_out"], "banned_phrase") > 0, "{items:#}");

    let choices = |q: &Value| q["choices"].as_array().unwrap().len();
    let questions = lexforge.lines(&["qca", "export", WS]);
    assert_eq!(questions.len() as u64, of(items, "made"));
    let (terms, sentences): (Vec<_>, Vec<_>) =
        questions.iter().partition(|q| q["level"] == "token");
    assert!(sentences.iter().all(|q| choices(q) == 4));
    assert!(terms.iter().all(|q| (3..=8).contains(&choices(q))));
    // One question set against several neighbours is no duplicate: what differs are the wrong choices.
    let mut sets: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for question in &sentences {
        let mut choices: Vec<&str> = question["choices"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        choices.sort_unstable();
        let asked = question["question"].as_str().unwrap();
        assert!(
            sets.entry(asked).or_default().insert(choices.join("\n")),
            "twice the same: {question}"
        );
    }
    assert!(sets.values().any(|of| of.len() > 1), "{items:#}");
    let duplicates = items["left_out"]["duplicate_question"].as_u64();
    assert!(
        duplicates.unwrap_or(0) * 10 < of(items, "asked"),
        "{items:#}"
    );

    let capped = lexforge.json(&[&EACH[..], &["--max-per-anchor", "1"]].concat());
    check_nothing_is_dropped(&capped);
    let items = &capped["items"];
    assert!(of(items, "asked") <= of(items, "anchors"), "{items:#}");
    assert!(of(&items["left_out"], "capped_per_anchor") > 0, "{items:#}");

    let few = lexforge.json(&[&EACH[..], &["--max-questions", "50"]].concat());
    check_nothing_is_dropped(&few);
    let items = &few["items"];
    assert_eq!(of(items, "asked"), 50, "{items:#}");
    assert!(of(&items["left_out"], "capped_in_all") > 0, "{items:#}");

    let done = lexforge.run(&["augment", WS, "--per", "pair"]);
    assert_ne!(done.code, 0, "the offline generator has no pairs");
}

#[test]
#[cfg(unix)]
fn pairs_outlive_a_kill() {
    let Some(whole) = prepared(60) else { return };
    let undisturbed = endpoint(&whole, 0);
    let expected = whole.json(&EACH);
    let all = undisturbed.seen().all();

    let Some(lexforge) = prepared(60) else { return };
    let proxy = endpoint(&lexforge, 2);
    let mut child = lexforge.start(&EACH);
    let began = Instant::now();
    while (proxy.seen().answered.len() as u64) < all / 2 {
        assert!(began.elapsed() < PATIENCE, "no progress");
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = proxy.seen().all();
    assert!(before < all, "nothing was left to ask");

    let report = lexforge.json(&EACH);
    check_nothing_is_dropped(&report);
    for field in ["questions", "rejected", "items"] {
        assert_eq!(report[field], expected[field], "{field}");
    }
    // The requests that were running when the program was killed are sent once more: at most eight at a time.
    let asked = proxy.seen().all();
    assert!(asked <= all + 8, "{asked} requests where {all} suffice");
    lexforge.json(&EACH);
    assert_eq!(proxy.seen().all(), asked);
}

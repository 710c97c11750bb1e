//! Tests of a language model behind an endpoint as a system of the bench. The model is judged only by what it writes.
//! It is asked only with consent, and each question is asked once. If the endpoint fails, there are partial results.

use crate::bench::frozen;
use crate::endpoints::own_address;
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::question_backend::fenced;
use lexforge_tests::rules::{WS, add};
use serde_json::{Value, json};

const FIRM: &str = "endpoint firm";
const DEMO: &str = "base lexforge-demo";

/// An endpoint that names the first choice. If the question's length is a multiple of seven, the reply names no choice.
/// Every question without choices gets the same answer.
fn reply(body: &Value) -> String {
    let messages = body["messages"].as_array();
    let user = messages
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str());
    let user = user.unwrap_or_default();
    let Some(question) = fenced(user, "Q") else {
        return json!({"answer": "ready"}).to_string();
    };
    match fenced(user, "1") {
        None => "The management body.".to_owned(),
        Some(_) if question.chars().count().is_multiple_of(7) => "I cannot say.".to_owned(),
        Some(_) => json!({"choices": [1]}).to_string(),
    }
}

fn bench(lexforge: &Product, systems: &str, more: &[&str]) -> Value {
    let words = [&["bench", WS, "--systems", systems][..], more].concat();
    lexforge.json(&words)
}

fn rows<'t>(table: &'t Value, system: &str) -> Vec<&'t Value> {
    let rows = table["systems"].as_array().unwrap();
    rows.iter().filter(|row| row["system"] == system).collect()
}

#[test]
fn an_endpoint_stands_beside_what_writes_and_is_asked_once() {
    let Some(lexforge) = frozen() else { return };
    let proxy = FaultProxy::start(Backend::Own(Box::new(reply)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let systems = format!("tfidf,{DEMO},{FIRM}");
    let table = bench(&lexforge, &systems, &["--baseline", DEMO]);
    assert_eq!(table["missing"], json!([]), "{table:#}");
    let found = rows(&table, FIRM);
    assert_eq!(
        (found.len(), &found[0]["scorer"]),
        (1, &json!("generation"))
    );
    let (firm, n) = (found[0], &table["n"]);
    assert_eq!(&firm["figures"]["n"], n);
    assert_eq!(firm["against"]["against"], DEMO);
    assert_eq!(&firm["against"]["n"], n);
    let accuracy = firm["figures"]["accuracy"].as_f64().unwrap();
    assert!(accuracy > 0.0 && accuracy < 0.6, "{accuracy}");
    assert_eq!(
        (&firm["written"]["n"], &firm["written"]["empty"]),
        (n, &json!(0))
    );
    assert!(
        table["notes"].to_string().contains("by its number"),
        "{table:#}"
    );

    // What it wrote is compared answer by answer with what the baseline wrote.
    let against = firm["written"]["against"].as_array().unwrap();
    let measures: Vec<&Value> = against.iter().map(|one| &one["measure"]).collect();
    assert_eq!(measures, ["rouge_l", "meteor", "chrf", "bleu"], "{firm:#}");
    for figure in ["rouge1", "rouge2", "shorter_bleu"] {
        assert!(!firm["written"][figure].is_null(), "{figure}: {firm:#}");
    }
    assert!(
        against
            .iter()
            .all(|one| one["n"] == *n && one["against"] == DEMO)
    );
    // Every question is sent twice, with its choices and without them, and never again.
    let seen = proxy.seen();
    assert!(seen.requests.values().all(|times| *times == 1));
    assert!(seen.requests.len() as u64 <= 2 * n.as_u64().unwrap());
    let again = bench(&lexforge, &systems, &["--baseline", DEMO]);
    assert_eq!(again["systems"], table["systems"]);
    assert_eq!(proxy.seen().requests, seen.requests);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);

    // It has no figures under another scorer, so that it is not compared with systems that count words.
    let table = bench(&lexforge, &systems, &["--baseline", "tfidf"]);
    assert!(rows(&table, FIRM)[0]["against"].is_null(), "{table:#}");

    // If no endpoint is named, none is asked.
    add(&lexforge, &proxy.url(), &["--max-tokens", "77"]);
    let all = lexforge.json(&["bench", WS]);
    assert!(rows(&all, FIRM).is_empty());
    assert_eq!(proxy.seen().requests, seen.requests);

    // Terms in contexts need vectors, which an endpoint does not give. An endpoint that does not exist is named in the
    // error.
    let terms = lexforge.run(&["bench", WS, "--terms", "--systems", FIRM, "--json"]);
    let said = format!("{}{}", terms.out, terms.err);
    assert!(
        said.contains("gives no vectors") || said.contains("too_little_data"),
        "{said}"
    );
    let table = bench(&lexforge, "tfidf,endpoint nobody", &[]);
    assert_eq!(table["missing"][0]["failure"]["code"], "not_found");
}

#[test]
fn an_endpoint_that_fails_in_the_middle_keeps_what_it_answered() {
    let Some(lexforge) = frozen() else { return };
    let weather = Weather {
        stalls: 200,
        ..Weather::default()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(reply)), weather);
    add(
        &lexforge,
        &proxy.url(),
        &["--attempts", "1", "--timeout", "2"],
    );
    let systems = format!("tfidf,{DEMO},{FIRM}");
    let table = bench(&lexforge, &systems, &["--baseline", DEMO]);
    let missing = &table["missing"][0];
    assert_eq!(missing["system"], FIRM, "{table:#}");
    let why = missing["failure"]["message"].as_str().unwrap();
    assert!(why.contains("questions have no answer"), "{why}");
    let (n, firm) = (table["n"].as_u64().unwrap(), rows(&table, FIRM)[0]);
    let answered = firm["figures"]["n"].as_u64().unwrap();
    assert!(answered > 0 && answered < n, "{answered} of {n}");
    assert_eq!(firm["against"]["n"], answered);
    assert_eq!(rows(&table, DEMO)[0]["figures"]["n"], n);
    let notes = table["notes"].to_string();
    assert!(
        notes.contains(&format!("has answered {answered} of {n} questions")),
        "{notes}"
    );
    // The endpoint fails only once. The second time the remaining questions are asked, and the table is complete.
    let table = bench(&lexforge, &systems, &["--baseline", DEMO]);
    assert_eq!(table["missing"], json!([]), "{table:#}");
    assert_eq!(rows(&table, FIRM)[0]["figures"]["n"], n);
}

#[test]
fn an_endpoint_elsewhere_is_asked_only_once_somebody_agreed() {
    let Some(ip) = own_address() else {
        lexforge_needs::unavailable("this machine has no address but its loopback");
        return;
    };
    let Some(lexforge) = frozen() else { return };
    let proxy = FaultProxy::start_at(ip, Backend::Own(Box::new(reply)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let systems = format!("tfidf,{FIRM}");
    let table = bench(&lexforge, &systems, &[]);
    let missing = &table["missing"][0];
    assert_eq!(missing["failure"]["code"], "consent_missing", "{table:#}");
    let why = missing["failure"]["message"].as_str().unwrap();
    assert!(why.contains(&ip.to_string()), "{why}");
    assert_eq!(proxy.seen().requests.len(), 0, "nothing was sent");
    assert_eq!(rows(&table, "tfidf").len(), 1, "the table keeps the others");
    let table = bench(&lexforge, &systems, &["--yes"]);
    assert_eq!(rows(&table, FIRM)[0]["figures"]["n"], table["n"]);
    // An endpoint alone has nobody to be compared with, and under attack it is compared with itself.
    let attacked = lexforge.json(&["bench", WS, "--attack", "--systems", FIRM, "--yes"]);
    let attacks = attacked["rows"].as_array().unwrap();
    assert!(!attacks.is_empty() && attacks.iter().all(|row| row["scorer"] == "generation"));
    refused(
        &lexforge.run(&["bench", WS, "--systems", "endpoint ", "--json"]),
        "invalid_request",
    );
}

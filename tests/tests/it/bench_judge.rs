//! Tests of a judge behind an endpoint who looks at what systems of the bench wrote: marks, pairs in both orders,
//! replies that cannot be read, consent, and how much the judge agrees with people.

use crate::endpoints::own_address;
use crate::prepared;
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::question_backend::fenced;
use lexforge_tests::repository::demo_decoder;
use lexforge_tests::rules::{WS, add};
use serde_json::{Value, json};
use std::path::PathBuf;

const RULES: &str = "# Rules on breaches

## Article 1

A controller shall notify the supervisory authority of a personal data breach within 72 hours.

## Article 2

A processor shall not disclose a personal data breach to the press.
";
const NOTIFY: &str = "Within how many hours shall a controller notify the supervisory authority of a personal data breach?";

/// Makes a folder with a second decoder. It is the shipped decoder with a different setting of its positions, so that
/// it writes other words.
fn twin(lexforge: &Product) {
    let folder = lexforge.path("models").join("twin");
    std::fs::create_dir_all(&folder).unwrap();
    for file in std::fs::read_dir(demo_decoder()).unwrap() {
        let file = file.unwrap().path();
        std::fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let config = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let config = config
        .replace("\"lexforge-demo\"", "\"twin\"")
        .replace("10000.0", "500.0");
    std::fs::write(folder.join("config.json"), config).unwrap();
}

/// Where the two decoders are.
pub fn models(lexforge: &Product) -> PathBuf {
    PathBuf::from(std::env::join_paths([lexforge.path("models"), demo_decoder()]).unwrap())
}

/// A workspace of the short regulation and the rules on breaches with a snapshot, and two decoders that write.
pub fn short() -> Option<Product> {
    let lexforge = Product::with_decoder()?;
    twin(&lexforge);
    let models = models(&lexforge);
    let lexforge = lexforge.with("LEXFORGE_MODELS", models);
    let (workspace, maker) = (lexforge.path(WS), Product::with_decoder()?);
    prepared::copied("short-with-rules", &workspace, maker, |maker| {
        let rules = maker.file("rules.md", RULES.as_bytes());
        prepared::freeze(maker, &[prepared::short_file(maker), rules])
    });
    Some(lexforge)
}

/// A judge that gives marks from 1 to 4 by length and prefers the longer of two answers. If the question's length is a
/// multiple of three, it prefers the first answer; if it is a multiple of seven or eight, its reply cannot be read.
pub fn reply(body: &Value) -> String {
    let messages = body["messages"].as_array();
    let user = messages
        .and_then(|m| m.last())
        .and_then(|m| m["content"].as_str());
    let user = user.unwrap_or_default();
    let length = |label: &str| fenced(user, label).map(|text| text.chars().count());
    let Some(question) = length("Q") else {
        return json!({"answer": "ready"}).to_string();
    };
    if question.is_multiple_of(7) || question.is_multiple_of(8) {
        return "I would rather not say.".to_owned();
    }
    if let (Some(first), Some(second)) = (length("F"), length("S")) {
        let better = if question.is_multiple_of(3) || first > second {
            "first"
        } else if first < second {
            "second"
        } else {
            "neither"
        };
        return json!({"reason": "by length", "better": better}).to_string();
    }
    let mark = 1 + length("W").unwrap_or_default() % 4;
    json!({"reason": "by length", "correct": mark, "complete": mark, "grounded": 5, "restrained": 5, "plain": 4})
        .to_string()
}

fn bench(lexforge: &Product) -> Value {
    lexforge.json(&[
        "bench",
        WS,
        "--systems",
        "tfidf,base lexforge-demo,base twin",
        "--baseline",
        "base lexforge-demo",
        "--judge",
        "firm",
    ])
}

fn written<'t>(table: &'t Value, system: &str) -> &'t Value {
    let rows = table["systems"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["system"] == system && row["scorer"] == "generation");
    &row.unwrap()["written"]
}

#[test]
fn what_systems_write_is_marked_and_compared_in_both_orders() {
    let Some(lexforge) = short() else { return };
    let proxy = FaultProxy::start(Backend::Own(Box::new(reply)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let table = bench(&lexforge);
    assert_eq!(table["missing"], json!([]), "{table:#}");
    let n = table["n"].as_u64().unwrap();
    for system in ["base lexforge-demo", "base twin"] {
        let judged = &written(&table, system)["judged"];
        let count = |name: &str| judged[name].as_u64().unwrap();
        assert_eq!(count("n") + count("unreadable"), n, "{judged:#}");
        assert_eq!((count("unanswered"), count("without_rule")), (0, 0));
        let mark = |name: &str| judged["marks"][name].as_f64().unwrap();
        assert!(mark("grounded") > mark("correct") || count("n") == count("empty"));
        let all: f64 = ["correct", "complete", "grounded", "restrained", "plain"]
            .map(mark)
            .iter()
            .sum();
        assert!((all / 5.0 - judged["mean"].as_f64().unwrap()).abs() < 1e-9);
        assert!(judged["ci95"][0].as_f64() <= judged["mean"].as_f64());
    }
    let judge = &table["judge"];
    assert_eq!(
        (&judge["endpoint"], &judge["model"]),
        (&json!("firm"), &json!("m"))
    );
    let pair = &judge["pairs"][0];
    assert_eq!(
        (&pair["system"], &pair["against"]),
        (&json!("base twin"), &json!("base lexforge-demo"))
    );
    let of = |name: &str| pair[name].as_u64().unwrap();
    assert_eq!(of("n"), of("better") + of("worse") + of("neither"));
    assert_eq!(
        of("n") + of("contradicted") + of("unreadable"),
        n,
        "{pair:#}"
    );
    assert!(
        of("better") + of("worse") > 0 && of("contradicted") > 0,
        "{pair:#}"
    );
    assert!(of("unreadable") > 0, "{pair:#}");
    let lead = (of("better") as f64 - of("worse") as f64) / of("n") as f64;
    assert!((pair["lead"].as_f64().unwrap() - lead).abs() < 1e-9);
    // For each reply that cannot be read, the judge was asked again twice, and the reply is counted.
    let unparseable = judge["asked"]["unparseable"]["no_object"].as_u64().unwrap();
    assert!(
        unparseable > 0 && unparseable.is_multiple_of(3),
        "{judge:#}"
    );
    let notes = table["notes"].to_string();
    assert!(notes.contains("not compared with experts"), "{notes}");
    assert!(judge["preferences"].is_null() && judge["verdicts"].is_null());

    // No prompt is sent a second time, and the figures stay the same.
    let asked = proxy.seen().requests.len();
    let again = bench(&lexforge);
    assert_eq!(again["judge"]["asked"]["calls"], 0);
    assert_eq!(again["judge"]["pairs"], judge["pairs"]);
    assert_eq!(proxy.seen().requests.len(), asked);

    // The judge is compared with people's verdicts on answers.
    for _ in 0..2 {
        let answer = lexforge.json(&["ask", WS, NOTIFY]);
        assert_eq!(answer["found"], true, "{answer:#}");
    }
    lexforge.json(&["ask", WS, "--again", "1", "--verdict", "right"]);
    lexforge.json(&["ask", WS, "--again", "2", "--verdict", "wrong"]);
    lexforge.json(&["ask", WS, "--prefer", "equal", "--between", "1,2"]);
    let table = bench(&lexforge);
    let found = &table["judge"];
    assert_eq!(
        found["verdicts"],
        json!({"n": 2, "agreed": 1, "unclear": 0, "not_shown": 0}),
        "{found:#}"
    );
    assert_eq!(found["preferences"]["n"], 1, "{found:#}");
    assert!(
        !table["notes"]
            .to_string()
            .contains("not compared with experts")
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);

    // A system that writes no texts cannot be judged, and another table has no judge.
    let refuse = |more: &[&str]| {
        let words = [&["bench", WS, "--json", "--judge", "firm"][..], more].concat();
        lexforge.run(&words)
    };
    let said = refused(&refuse(&["--systems", "tfidf"]), "invalid_request");
    assert!(said.contains("nothing to judge"), "{said}");
    refused(&refuse(&["--attack"]), "invalid_request");
}

#[test]
fn a_judge_elsewhere_is_asked_only_once_somebody_agreed_and_one_that_fails_keeps_the_table() {
    let Some(ip) = own_address() else {
        lexforge_needs::unavailable("this machine has no address but its loopback");
        return;
    };
    let Some(lexforge) = short() else { return };
    let proxy = FaultProxy::start_at(ip, Backend::Own(Box::new(reply)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    let words = [
        "bench",
        WS,
        "--systems",
        "base lexforge-demo",
        "--judge",
        "firm",
    ];
    let said = refused(
        &lexforge.run(&[&words[..], &["--json"]].concat()),
        "consent_missing",
    );
    assert!(said.contains(&ip.to_string()), "{said}");
    assert_eq!(proxy.seen().requests.len(), 0, "nothing was sent");
    let table = lexforge.json(&[&words[..], &["--yes"]].concat());
    assert!(written(&table, "base lexforge-demo")["judged"]["n"].as_u64() > Some(0));
    assert!(table["judge"]["pairs"].as_array().unwrap().is_empty());

    // An address where nobody listens: the table stays, the judge is missing.
    let gone = std::net::TcpListener::bind((ip, 0)).unwrap();
    let url = format!("http://{}/v1", gone.local_addr().unwrap());
    drop(gone);
    add(&lexforge, &url, &["--attempts", "1", "--timeout", "2"]);
    let table = lexforge.json(&[&words[..], &["--yes"]].concat());
    assert_eq!(table["missing"][0]["system"], "judge firm", "{table:#}");
    let judged = &written(&table, "base lexforge-demo")["judged"];
    assert!(judged["unanswered"].as_u64() > Some(0), "{judged:#}");
}

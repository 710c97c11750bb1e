//! Systems side by side on the test questions of a snapshot, with the built programs.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const WS: &str = "a.lexforge";
const DEMO: &str = "base lexforge-demo";

/// A workspace with a snapshot, and nothing trained on it.
pub fn frozen() -> Option<Product> {
    let lexforge = Product::with_decoder()?;
    prepared::short(&lexforge.path(WS))?;
    Some(lexforge)
}

fn rows<'a>(table: &'a Value, system: &str) -> Vec<&'a Value> {
    let rows = table["systems"].as_array().unwrap();
    rows.iter().filter(|row| row["system"] == system).collect()
}

#[test]
fn systems_stand_side_by_side_and_are_asked_once() {
    let Some(lexforge) = frozen() else {
        return;
    };
    let bench = |systems: &str, baseline: &str| {
        lexforge.json(&["bench", WS, "--systems", systems, "--baseline", baseline])
    };
    let all = format!("tfidf,lsa,bm25,{DEMO},base nowhere");
    // Before, nothing is scored, and how long it takes cannot be told.
    let plan = || lexforge.json(&["bench", WS, "--systems", &all, "--plan"]);
    let of = |plan: &Value, system: &str| {
        let rows = plan["systems"].as_array().unwrap();
        rows.iter()
            .find(|row| row["system"] == system)
            .cloned()
            .unwrap()
    };
    let before = plan();
    assert_eq!(before["missing"][0]["system"], "base nowhere", "{before:#}");
    assert_eq!(
        (&before["time"]["seconds"], &before["time"]["unknown"]),
        (&Value::Null, &json!(4))
    );
    let table = bench(&all, "tfidf");
    // Afterwards the model's answers are stored, and the pace of the others is known.
    let after = plan();
    let (open, stored) = (of(&before, DEMO), of(&after, DEMO));
    assert_eq!((&open["open"], &open["kept"]), (&table["n"], &json!(0)));
    assert_eq!((&stored["open"], &stored["kept"]), (&json!(0), &table["n"]));
    assert_eq!(after["time"]["unknown"], 0, "{after:#}");
    let range = after["time"]["seconds"].as_array().unwrap();
    assert!(range[0].as_f64() <= range[1].as_f64() && range[1].as_f64() > Some(0.0));
    assert!(table["n"].as_u64().unwrap() > 0 && table["clusters"].as_u64().unwrap() > 0);
    assert!(table["power"]["smallest_difference"].as_f64().unwrap() > 0.0);
    for counted in ["lsa", "bm25"] {
        let found = rows(&table, counted);
        assert_eq!((found.len(), &found[0]["scorer"]), (1, &json!("embedding")));
        let against = &found[0]["against"];
        assert_eq!(against["against"], "tfidf");
        let (p, corrected) = (&against["p_value"], &against["p_holm"]);
        assert!(
            corrected.as_f64().unwrap() >= p.as_f64().unwrap(),
            "{against}"
        );
    }
    let scorers: Vec<&Value> = rows(&table, DEMO)
        .iter()
        .map(|row| &row["scorer"])
        .collect();
    assert_eq!(scorers, ["likelihood", "generation", "embedding"]);
    // Two scorers are never compared.
    for row in rows(&table, DEMO) {
        assert_eq!(
            row["against"].is_null(),
            row["scorer"] != "embedding",
            "{row}"
        );
    }
    assert_eq!(table["missing"][0]["system"], "base nowhere");
    assert_eq!(table["missing"].as_array().unwrap().len(), 1);
    // In words, a difference has what it shows, and what is missing has what to do.
    let words = ["bench", WS, "--systems", "tfidf,bm25,base nowhere"];
    let told = lexforge.run(&words).out;
    let verdicts = [": better", ": worse", ": cannot be told apart"];
    let of_bm25 = told.lines().find(|line| line.contains("against tfidf"));
    assert!(
        of_bm25.is_some_and(|line| verdicts.iter().any(|verdict| line.contains(verdict))),
        "{told}"
    );
    let mut rest = told
        .lines()
        .skip_while(|line| !line.contains("missing: base nowhere: "));
    assert!(
        rest.nth(1)
            .is_some_and(|hint| hint.contains("LEXFORGE_MODELS")),
        "{told}"
    );
    // A table without a system is no success.
    let none = lexforge.run(&["bench", WS, "--systems", "run 99", "--json"]);
    assert_eq!(none.code, 1, "{}", none.out);
    assert!(none.out.contains("run 99"), "{}", none.out);
    let page = lexforge.run(&["report", WS, "--compare", "99", "--json"]);
    refused(&page, "not_found");
    assert!(!lexforge.path("a-comparison.html").exists());

    // Terms that a system confuses are listed with their questions and pages. With one kind of document, there are no
    // figures by class.
    let confused: Vec<&Value> = table["systems"].as_array().unwrap().iter().collect();
    let pairs = confused
        .iter()
        .flat_map(|row| row["confused"].as_array().unwrap());
    let at: Vec<&Value> = pairs
        .flat_map(|pair| pair["at"].as_array().unwrap())
        .collect();
    assert!(
        !at.is_empty() && at.iter().all(|at| at["document"] == 1),
        "{at:?}"
    );
    assert!(at.iter().all(|at| at["page"].as_u64() > Some(0)));
    assert!(confused.iter().all(|row| row["by_class"].is_null()));

    // The model's results are in the workspace and its chain, and are used from there.
    let rows_before = lexforge.json(&["audit", "verify", WS])["rows"].clone();
    let again = bench(&format!("tfidf,lsa,bm25,{DEMO}"), "tfidf");
    assert_eq!(again["systems"], table["systems"]);
    let verified = lexforge.json(&["audit", "verify", WS]);
    assert_eq!(
        (&verified["ok"], &verified["rows"]),
        (&json!(true), &rows_before)
    );

    // What it wrote is held against the right choices; an encoder that is not there is named, and the table stays.
    let with = |encoder: &str| {
        let words = ["bench", WS, "--systems", DEMO, "--bertscore", encoder];
        lexforge.json(&words)
    };
    let written = |table: &Value| rows(table, DEMO)[1]["written"].clone();
    let found = written(&with("lexforge-demo"));
    assert_eq!(found["n"], table["n"], "{found}");
    let f1 = found["bertscore"]["f1"].as_f64().unwrap();
    assert!(f1 > 0.0 && f1 <= 1.0 + 1e-6, "{found}");
    let without = with("nowhere");
    assert_eq!(without["missing"][0]["system"], "BERTScore nowhere");
    let rest = written(&without);
    assert_eq!(
        (&rest["bertscore"], &rest["rougeL"]),
        (&Value::Null, &found["rougeL"])
    );
    assert_eq!(rows(&without, DEMO)[0]["written"], Value::Null);

    // General language stands beside the domain, of what has vectors of a model.
    let pair = |i: usize| {
        let (a, b) = (
            "a dog runs ".repeat(1 + i % 5),
            "a cat sleeps ".repeat(1 + i % 7),
        );
        json!({"a": format!("{a}{i}"), "b": format!("{b}{i}"), "score": (i * 7) % 11}).to_string()
    };
    let lines: Vec<String> = (0..24).map(pair).collect();
    let general = |lines: &[String]| {
        let file = lexforge.file("general.jsonl", lines.join("\n").as_bytes());
        let file = file.display().to_string();
        let systems = format!("tfidf,{DEMO},eol lexforge-demo");
        let words = ["bench", WS, "--systems", &systems, "--baseline", DEMO];
        lexforge.run(&[&words[..], &["--general", &file, "--json"]].concat())
    };
    let done = general(&lines);
    let beside: Value = serde_json::from_str(&done.out).unwrap();
    let of = |system: &str| {
        let row = rows(&beside, system)
            .into_iter()
            .find(|row| row["scorer"] == "embedding");
        row.unwrap()["general"].clone()
    };
    assert_eq!(
        (&of(DEMO)["n"], &of(DEMO)["gained"]),
        (&json!(24), &Value::Null)
    );
    let rho = |system: &str| of(system)["spearman"]["value"].as_f64().unwrap();
    let gained = of("eol lexforge-demo")["gained"]["value"].as_f64().unwrap();
    assert!((rho("eol lexforge-demo") - rho(DEMO) - gained).abs() < 1e-9);
    assert!(of("tfidf").is_null());
    let said = refused(&general(&lines[..5]), "invalid_request");
    assert!(said.contains("there are 5"), "{said}");

    for (systems, baseline) in [("tfidf,planet 9", "tfidf"), ("tfidf", "lsa")] {
        let done = lexforge.run(&[
            "bench",
            WS,
            "--systems",
            systems,
            "--baseline",
            baseline,
            "--json",
        ]);
        refused(&done, "invalid_request");
    }
}

/// The demo's regulations have so many test articles that its first report can decide something.
#[test]
fn the_demo_has_twice_the_test_articles_of_the_sample() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let table = |name: &str| lexforge.json(&["bench", name, "--systems", "tfidf"]);
    prepared::frozen(&lexforge.path("alone.lexforge")).unwrap();
    let alone = table("alone.lexforge");
    let ws = "both.lexforge";
    let snapshot = prepared::demo(&lexforge.path(ws)).unwrap();
    let both = table(ws);
    // What the test questions will show is said with the snapshot.
    assert_eq!(snapshot["power"], both["power"], "{snapshot:#}");
    assert_eq!(snapshot["hash"], both["dataset"], "{snapshot:#}");
    let clusters = |table: &Value| table["clusters"].as_u64().unwrap();
    let shows = |table: &Value| table["power"]["smallest_difference"].as_f64().unwrap();
    assert_eq!(both["unit"], "article");
    assert!(
        clusters(&both) >= 25 && clusters(&both) > clusters(&alone),
        "{} and {}",
        clusters(&both),
        clusters(&alone)
    );
    assert!(shows(&both) < shows(&alone), "{both:#}");
}

#[test]
fn runs_of_one_recipe_with_other_seeds_are_one_system() {
    let Some(lexforge) = frozen() else {
        return;
    };
    // What the test questions will show is known before anything is trained.
    let plan = lexforge.json(&["train", WS, "--base", "lexforge-demo", "--plan"]);
    let counted = lexforge.json(&["bench", WS, "--systems", "tfidf"]);
    assert_eq!(plan["power"], counted["power"], "{plan:#}");
    let train = |preset: &str, seed: &str| {
        let words = ["train", WS, "--base", "lexforge-demo", "--preset", preset];
        let few = ["--seed", seed, "--max-steps", "2", "--batch-size", "2"];
        lexforge.lines(&[&words[..], &few].concat());
    };
    train("gritlm", "1");
    train("gritlm", "2");
    train("contrastive-token", "1");
    // Of named runs those of one recipe, and a baseline among them is what it became a part of.
    let named = ["--systems", "run 1,run 2,run 3", "--baseline", "run 2"];
    let named = lexforge.json(&[&["bench", WS, "--by-recipe"][..], &named].concat());
    assert_eq!(named["baseline"], "runs 1+2", "{named:#}");
    assert!(rows(&named, "run 1").is_empty() && rows(&named, "run 3").len() == 3);
    let table = lexforge.json(&["bench", WS, "--by-recipe", "--baseline", DEMO]);
    assert!(rows(&table, "run 1").is_empty() && rows(&table, "run 2").is_empty());
    let (both, alone) = (rows(&table, "runs 1+2"), rows(&table, "run 3"));
    assert_eq!((both.len(), alone.len()), (3, 3), "{table:#}");
    for row in &both {
        assert_eq!(
            (&row["runs"], &row["figures"]["n"]),
            (&json!(2), &table["n"])
        );
        assert_eq!(row["against"]["n"], table["n"], "{row}");
    }
    assert!(alone[0]["runs"].is_null() && alone[0]["by_run"].is_null());
    assert_eq!(both[0]["by_run"].as_array().unwrap().len(), 2);
    // The figure is the mean of both runs'.
    let systems = ["bench", WS, "--systems", "run 1,run 2,runs 1+3"];
    let each = lexforge.json(&systems);
    let accuracy = |row: &Value| row["figures"]["accuracy"].as_f64().unwrap();
    let mean = (accuracy(rows(&each, "run 1")[0]) + accuracy(rows(&each, "run 2")[0])) / 2.0;
    assert!((accuracy(both[0]) - mean).abs() < 1e-9, "{mean}");
    // Another recipe is no part of it.
    let missing = &each["missing"][0];
    assert_eq!(missing["system"], "runs 1+3");
    let why = missing["failure"]["message"].as_str().unwrap();
    assert!(why.contains("differ in more than their seed"), "{why}");
    // A run can be looked at as it was at a checkpoint; one that is not there names those that are.
    let looked = lexforge.json(&["bench", WS, "--systems", "run 1,checkpoint 1/none"]);
    let why = looked["missing"][0]["failure"]["message"].as_str().unwrap();
    let there = why.split(": ").nth(1).unwrap().trim_end_matches('.');
    let newest = there.split(", ").last().unwrap();
    let name = format!("checkpoint 1/{newest}");
    let looked = lexforge.json(&["bench", WS, "--systems", &format!("run 1,{name}")]);
    assert_eq!(looked["missing"], json!([]), "{looked:#}");
    assert_eq!(rows(&looked, &name).len(), 3);
    let attacked = lexforge.run(&["bench", WS, "--attack", "--systems", "runs 1+2", "--json"]);
    refused(&attacked, "invalid_request");
}

#[test]
fn questions_are_asked_as_they_are_and_under_attack() {
    let Some(lexforge) = frozen() else {
        return;
    };
    // What cannot be measured together is refused in words.
    for words in [
        &["--attack", "--baseline", "tfidf"][..],
        &["--attack", "--by-recipe"],
        &["--terms", "--judge", "local"],
        &["--exam", "harbour", "--dataset", "1"],
        &["--sample", "5"],
    ] {
        let done = lexforge.run(&[&["bench", WS, "--json"][..], words].concat());
        refused(&done, "invalid_request");
    }
    let words = [
        "bench",
        WS,
        "--attack",
        "--systems",
        "tfidf,base lexforge-demo,base nowhere",
    ];
    let table = lexforge.json(&words);
    let counts = table["attacked"].as_array().unwrap();
    assert_eq!(counts.len(), 7);
    let count = |attack: &str| {
        let found = counts.iter().find(|c| c[0] == attack).unwrap();
        found[1].as_u64().unwrap()
    };
    assert!(count("typo") > 10 && count("number") > 0, "{counts:?}");
    let rows = table["rows"].as_array().unwrap();
    for row in rows {
        let attack = row["attack"].as_str().unwrap();
        assert_eq!(row["n"].as_u64(), Some(count(attack)), "{row}");
        let kept = ["typo", "homoglyph", "clause_order", "paraphrase"].contains(&attack);
        assert_eq!(row["keeps_the_sense"], kept);
        let (p, corrected) = (&row["accuracy"]["p_value"], &row["accuracy"]["p_holm"]);
        assert!(corrected.as_f64() >= p.as_f64(), "{row}");
    }
    // A question in letters that only look alike has other words for one who counts words.
    let of = |system: &str, attack: &str| {
        let found = rows
            .iter()
            .find(|r| r["system"] == system && r["attack"] == attack);
        found.unwrap()
    };
    let gap = &of("tfidf", "homoglyph")["gap"];
    assert_ne!(gap["after"], gap["before"], "{gap}");
    assert!(of(DEMO, "typo")["gap"].is_null(), "likelihood has no gap");
    assert_eq!(table["missing"][0]["system"], "base nowhere");
    assert_eq!(
        lexforge.json(&words),
        table,
        "the second time says the same"
    );
}

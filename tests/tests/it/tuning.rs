//! An encoder that is tuned on labelled questions: the run, what it is refused for, and the search by it.

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
const WHAT: [(&str, &str); 6] = [
    ("keep a ledger of its clients", "write down whom it serves"),
    (
        "report each loss above 5 % of its capital",
        "tell the regulator of a great loss",
    ),
    (
        "appoint a compliance officer",
        "name somebody who watches the rules",
    ),
    (
        "hold clients' money apart from its own",
        "separate what belongs to others",
    ),
    ("publish its fees once a year", "say what it charges"),
    ("keep its records for six years", "store its papers long"),
];

/// Sixty clauses in ten documents, and a question in other words about each.
pub(crate) fn corpus() -> Option<Product> {
    let lexforge = Product::find()?;
    let mut questions = String::new();
    let mut relevant = String::new();
    let mut documents = Vec::new();
    for who in WHO {
        let mut passages = String::new();
        for (number, (duty, asked)) in WHAT.iter().enumerate() {
            let id = format!("{who}-{number}");
            let text = format!("{number} A {who} shall {duty}.");
            passages.push_str(&(json!({ "id": id, "text": text }).to_string() + "\n"));
            let question = format!("Must a {who} {asked}?");
            let line = json!({ "id": id, "question": question, "passage_ids": [id] });
            questions.push_str(&(line.to_string() + "\n"));
            relevant.push_str(&format!("{id} 0 {id} 1\n"));
        }
        documents.push((format!("{who}.jsonl"), passages));
    }
    prepared::documents("clauses", &lexforge, &documents);
    lexforge.file("questions.jsonl", questions.as_bytes());
    lexforge.file("relevant.qrels", relevant.as_bytes());
    Some(lexforge)
}

fn map_10(lexforge: &Product, more: &[&str]) -> f64 {
    let words = [
        "rank",
        "eval",
        "a.lexforge",
        "--queries",
        "questions.jsonl",
        "--qrels",
        "relevant.qrels",
        "--mode",
        "dense",
    ];
    let report = lexforge.json(&[&words, more].concat());
    report["map@10"]
        .as_f64()
        .unwrap_or_else(|| panic!("{report:#}"))
}

#[test]
fn an_encoder_is_tuned_on_labelled_questions_and_searches() {
    let Some(lexforge) = corpus() else {
        return;
    };
    let train = [
        "train",
        "a.lexforge",
        "--task",
        "retrieval",
        "--epochs",
        "4",
        "--batch-size",
        "8",
        "--json",
    ];
    refused(&lexforge.run(&train), "too_little_data");
    lexforge.json(&["pairs", "import", "a.lexforge", "questions.jsonl"]);
    let plan = lexforge.json(&["train", "a.lexforge", "--task", "retrieval", "--plan"]);
    assert_eq!(plan["preset"], "retrieval");
    assert_eq!(plan["problems"], json!([]));
    let done = lexforge.run(&train);
    assert_eq!(done.code, 0, "{}", done.err);
    let run = &lexforge.lines(&["runs", "list", "a.lexforge"])[0];
    assert_eq!(
        (&run["state"], &run["dataset"]),
        (&json!("finished"), &Value::Null)
    );
    // There are no questions with choices to evaluate on, and it says what to do instead.
    refused(
        &lexforge.run(&["eval", "a.lexforge", "--json"]),
        "invalid_request",
    );

    let (before, after) = (
        map_10(&lexforge, &["--encoder", "all-MiniLM-L6-v2"]),
        map_10(&lexforge, &["--adapter", "1"]),
    );
    assert!(
        after > before,
        "it has learnt these very questions: {before} {after}"
    );
    let general = "sentence1,sentence2,score\nA man sings.,A man is singing.,5\nA dog runs.,A dog is running fast.,4\n\
                   A cat sleeps.,Two planes land.,0\nShe cooks rice.,He plays the flute.,0.5\n";
    lexforge.file("general.csv", general.as_bytes());
    let curve = lexforge.json(&[
        "rank",
        "curve",
        "a.lexforge",
        "1",
        "--queries",
        "questions.jsonl",
        "--qrels",
        "relevant.qrels",
        "--general",
        "general.csv",
        "--points",
        "0,50,100",
    ]);
    let points = curve.as_array().unwrap();
    let of = |place: usize| points[place]["map@10"].as_f64().unwrap();
    // The ends are the base model and the tuned one.
    assert!(
        (of(0) - before).abs() < 1e-9 && (of(2) - after).abs() < 1e-9,
        "{curve:#}"
    );
    assert!(
        points
            .iter()
            .all(|p| p["general"].as_f64().is_some_and(|rho| rho > 0.0)),
        "{curve:#}"
    );
    let half = map_10(&lexforge, &["--adapter", "1", "--blend", "50"]);
    assert!((half - of(1)).abs() < 1e-9);
    // Questions that it learnt from do not show how often it is right.
    let of_adapter =
        |words: &[&str]| lexforge.run(&[words, &["--adapter", "1", "--json"]].concat());
    let calibrated = of_adapter(&["calibrate", "a.lexforge"]);
    assert_eq!(calibrated.code, 0, "{}", calibrated.err);
    let calibrated: Value = serde_json::from_str(&calibrated.out).unwrap();
    let count = |name: &str| calibrated[name].as_u64().unwrap();
    let pairs = lexforge.lines(&["pairs", "list", "a.lexforge"]).len() as u64;
    assert!(
        count("learned") > 0 && count("answerable") > 0,
        "{calibrated}"
    );
    assert_eq!(count("learned") + count("answerable"), pairs);
    let message = refused(
        &of_adapter(&["rank", "train", "a.lexforge"]),
        "too_little_data",
    );
    assert!(
        message.contains("the encoder was tuned on them"),
        "{message}"
    );
    // Chosen once, it is what questions are searched with where none is named, and what a certificate is about.
    let searched_by = || {
        lexforge.json(&["ask", "a.lexforge", "Must a bank say what it charges?"])["index"]["encoder"].clone()
    };
    let chosen = |words: &[&str]| -> Vec<(Value, Value)> {
        let rows = lexforge.json(&[&["rank", "use", "a.lexforge"], words].concat());
        let rows = rows.as_array().unwrap().clone();
        rows.into_iter()
            .map(|row| (row["choice"]["run"].clone(), row["chosen"].clone()))
            .collect()
    };
    let (no, yes) = (json!(false), json!(true));
    assert_eq!(
        chosen(&["--adapter", "1"]),
        [(Value::Null, no.clone()), (json!(1), yes.clone())]
    );
    assert!(searched_by().as_str().unwrap().contains("adapter"));
    assert_eq!(
        lexforge.json(&["calibrate", "a.lexforge"])["learned"],
        calibrated["learned"]
    );
    assert_eq!(chosen(&[]), [(Value::Null, yes), (json!(1), no)]);
    assert_eq!(searched_by(), "");
    refused(
        &lexforge.run(&["rank", "use", "a.lexforge", "--adapter", "9", "--json"]),
        "not_found",
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn all_weights_are_tuned_searched_blended_and_leave_as_a_whole_model() {
    let Some(lexforge) = corpus() else {
        return;
    };
    lexforge.json(&["pairs", "import", "a.lexforge", "questions.jsonl"]);
    let train = [
        "train",
        "a.lexforge",
        "--task",
        "retrieval",
        "--all-weights",
        "--epochs",
        "6",
        "--batch-size",
        "8",
    ];
    let plan = lexforge.json(&[&train[..], &["--plan"]].concat());
    let settings = &plan["settings"];
    assert_eq!(
        (&settings["tune"], &settings["stages"][0]["learning_rate"]),
        (&json!("all"), &json!(5e-5))
    );
    // Few steps want more of each.
    let done = lexforge.run(&[&train[..], &["--learning-rate", "2e-4", "--json"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let run = &lexforge.lines(&["runs", "list", "a.lexforge"])[0];
    assert_eq!(run["state"], "finished");
    assert!(
        run["recipe"]
            .as_str()
            .is_some_and(|recipe| recipe.contains("all weights")),
        "{run}"
    );
    let base = map_10(&lexforge, &["--encoder", "all-MiniLM-L6-v2"]);
    let tuned = map_10(&lexforge, &["--adapter", "1"]);
    assert!(
        tuned > base,
        "it has learnt these very questions: {base} {tuned}"
    );
    let half = map_10(&lexforge, &["--adapter", "1", "--blend", "50"]);
    assert!(half > base, "{base} {half}");

    let export = |more: &[&str]| {
        let words = ["models", "export", "a.lexforge", "1", "--json"];
        lexforge.run(&[&words[..], more].concat())
    };
    let message = refused(&export(&["--format", "peft"]), "invalid_request");
    assert!(message.contains("All weights"), "{message}");
    let merged = export(&["--format", "merged", "--dtype", "f32", "--out", "whole"]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    let whole = map_10(&lexforge, &["--encoder", "whole"]);
    assert!((whole - tuned).abs() < 0.01, "{whole} {tuned}");

    // All weights have no rank.
    let ranked = lexforge.run(&[&train[..], &["--rank", "8"]].concat());
    assert_ne!(ranked.code, 0);
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn the_search_as_it_is_teaches_an_encoder() {
    let Some(lexforge) = corpus() else {
        return;
    };
    let duties = "# Duties\n\n## 1 Ledgers of clients\n\nA bank shall keep its ledger for ten years.\n\n\
                  ## 2 Losses of capital\n\nA loss shall be reported within two days.\n";
    let file = lexforge.file("duties.md", duties.as_bytes());
    lexforge.json(&["import".as_ref(), "a.lexforge".as_ref(), file.as_os_str()]);
    lexforge.json(&["pairs", "import", "a.lexforge", "questions.jsonl"]);
    let train = |more: &[&str]| {
        let all = [&["train", "a.lexforge", "--task", "retrieval"][..], more];
        all.concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let refused_for = |more: &[&str], words: &str| {
        let message = refused(&lexforge.run(&train(more)), "invalid_request");
        assert!(message.contains(words), "{message}");
    };
    refused_for(&["--distill", "2", "--json"], "at most 1");
    refused_for(
        &["--distill", "1", "--distill-list", "1", "--json"],
        "2 clauses",
    );
    let distill = ["--distill", ".5", "--unlabelled"];
    let plan = lexforge.json(&train(&[&distill[..], &["--plan"]].concat()));
    // There are no vectors yet, so that the teacher has the words alone.
    let taught = &plan["taught"];
    assert_eq!(taught["encoder"], "");
    assert_eq!(taught["headings"], 2, "{taught}");
    let labelled = taught["labelled"].as_u64().unwrap();
    assert_eq!(plan["items"], labelled + 2);
    let without = lexforge.json(&train(&["--plan"]));
    assert_eq!(without["items"], labelled);
    assert_eq!(without["taught"], Value::Null);

    let figures = ["--epochs", "6", "--batch-size", "8", "--json"];
    let done = lexforge.run(&train(&[&distill[..], &figures].concat()));
    assert_eq!(done.code, 0, "{}", done.err);
    let run = &lexforge.lines(&["runs", "list", "a.lexforge"])[0];
    assert_eq!(run["state"], "finished");
    assert_eq!(run["recipe"], "retrieval · retrieval stage (distilled)");
    let (before, after) = (
        map_10(&lexforge, &["--encoder", "all-MiniLM-L6-v2"]),
        map_10(&lexforge, &["--adapter", "1"]),
    );
    assert!(after > before, "{before} {after}");
    // The run's record contains what it learnt from.
    let bundles = lexforge.path("a.lexforge.artifacts").join("bundles");
    let jobs: Vec<Value> = std::fs::read_dir(bundles)
        .unwrap()
        .map(|bundle| bundle.unwrap().path())
        .filter(|bundle| {
            bundle
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("run-")
        })
        .map(|bundle| {
            serde_json::from_slice(&std::fs::read(bundle.join("job.json")).unwrap()).unwrap()
        })
        .collect();
    let [job] = &jobs[..] else {
        panic!("{jobs:?}");
    };
    let taught = &job["job"]["lineage"]["taught"];
    assert_eq!(
        (&taught["labelled"], &taught["headings"]),
        (&json!(labelled), &json!(2))
    );
}

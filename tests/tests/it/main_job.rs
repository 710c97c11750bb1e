//! The main job from the first page to the report, on the sample and on real regulations, and what its steps print.

use lexforge_tests::product::{Product, program};
use lexforge_tests::repository::{chinese_sample, data, sample};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

fn with_worker() -> Option<Product> {
    program("LEXFORGE_WORKER", "lexforge-worker")?;
    Product::find()
}

/// Steps that are enough to see that training works; the full recipe takes minutes.
const FEW_STEPS: &str = "2";

fn run(lexforge: &Product, workspace: &str, files: &[PathBuf]) -> Value {
    run_with(lexforge, workspace, files, &[])
}

fn run_with(lexforge: &Product, workspace: &str, files: &[PathBuf], options: &[&str]) -> Value {
    let mut words = vec![
        "run".to_owned(),
        workspace.to_owned(),
        "--max-steps".to_owned(),
        FEW_STEPS.to_owned(),
    ];
    words.extend(options.iter().map(|option| (*option).to_owned()));
    words.extend(files.iter().map(|f| f.display().to_string()));
    lexforge.json(&words)
}

#[track_caller]
fn has(value: &Value, fields: &[&str]) {
    for field in fields {
        assert!(value.get(field).is_some(), "{field} is missing in {value}");
    }
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

#[track_caller]
fn figures(lexforge: &Product, job: &Value) {
    let view = &job["evaluation"];
    has(view, &["run", "report", "evaluation", "hashes", "dataset"]);
    for (name, hash) in view["hashes"].as_object().unwrap() {
        if let Some(hash) = hash.as_str() {
            assert!(hash.len() >= 32, "the hash of the {name} is “{hash}”");
        }
    }
    let report = std::fs::read_to_string(lexforge.path(job["report"].as_str().unwrap())).unwrap();
    assert!(report.contains("<svg"), "no loss curve");
    assert!(
        !report.contains("<script") && !report.contains("src=\"http"),
        "the report is not self-contained"
    );
    assert!(report.contains(view["hashes"]["dataset"].as_str().unwrap()));
}

#[test]
fn the_sample_becomes_a_report() {
    let Some(lexforge) = with_worker() else {
        return;
    };
    let job = run(&lexforge, "a.lexforge", &[sample()]);
    assert_eq!(job["pages"], 15);
    assert!(number(&job["sentences"]) > 200.0, "{}", job["sentences"]);
    assert!(
        number(&job["terms"]["defined"]) >= 40.0,
        "45 terms are defined: {}",
        job["terms"]
    );
    for kind in [
        "shared_entity",
        "same_type",
        "similar_entity",
        "lexical",
        "reference",
    ] {
        assert!(
            number(&job["edges"][kind]) > 0.0,
            "no edge of the kind {kind}: {}",
            job["edges"]
        );
    }
    for level in ["sentence", "token"] {
        for split in ["train", "dev", "test"] {
            assert!(
                number(&job["questions"]["questions"][level][split]) > 0.0,
                "{}",
                job["questions"]
            );
        }
    }
    assert_eq!(job["skipped"], Value::Array(vec![]));
    assert_eq!(job["run"]["state"], "finished");
    assert!(number(&job["run"]["loss"]).is_finite());
    figures(&lexforge, &job);

    // The main job again: nothing is imported, and the audit chain proves that nothing changed.
    let again = run(&lexforge, "a.lexforge", &[sample()]);
    assert_eq!(again["import"]["imported"], Value::Array(vec![]));
    assert_eq!(again["import"]["unchanged"][0]["file"], "regulation.pdf");
    assert_eq!(again["pages"], job["pages"]);
    assert_eq!(
        again["dataset"]["hash"], job["dataset"]["hash"],
        "an unchanged corpus gives the same snapshot"
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );

    shapes(&lexforge, &job["run"]["id"].to_string());
    crate::encoders::the_tuned_one_searches(&lexforge, "a.lexforge", &job["run"]["id"]);
}

/// The fields on which others rely, of a workspace in which everything was done.
fn shapes(lexforge: &Product, encoder: &str) {
    let ws = "a.lexforge";
    let terms = lexforge.lines(&["terms", "list", ws]);
    has(
        &terms[0],
        &["id", "text", "class", "status", "mentions", "definition"],
    );
    let lead = terms
        .iter()
        .find(|t| t["text"] == "lead supervisor")
        .unwrap();
    assert_eq!(lead["class"], "defined");
    assert!(
        lead["definition"]
            .as_str()
            .unwrap()
            .contains("coordinates all examinations"),
        "{lead}"
    );
    for near in [
        "executive supervisor",
        "eligible collateral",
        "qualified collateral",
        "critical outsourcing",
    ] {
        assert!(
            terms
                .iter()
                .any(|t| t["text"] == near && t["class"] == "defined"),
            "{near}"
        );
    }

    let stats = lexforge.json(&["graph", "stats", ws]);
    has(
        &stats,
        &[
            "sentences",
            "entities",
            "edges",
            "seconds",
            "peak_memory_mb",
        ],
    );

    let questions = lexforge.lines(&["qca", "export", ws]);
    for question in &questions {
        has(
            question,
            &[
                "id",
                "level",
                "question",
                "choices",
                "answer",
                "rephrased",
                "anchor_sentence",
                "source",
                "status",
                "split",
                "cluster",
            ],
        );
        let choices = question["choices"].as_array().unwrap();
        assert!(number(&question["answer"]) < choices.len() as f64);
        assert_eq!(question["source"], "offline");
        let mut different: Vec<&str> = choices.iter().map(|c| c.as_str().unwrap()).collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(
            different.len(),
            choices.len(),
            "two choices are the same: {question}"
        );
    }
    // The place of the answer must not give it away.
    let mut places = [0.0_f64; 8];
    for question in &questions {
        places[number(&question["answer"]) as usize] += 1.0;
    }
    let four = questions
        .iter()
        .filter(|q| q["choices"].as_array().unwrap().len() == 4)
        .count() as f64;
    assert!(
        places[..4].iter().all(|n| *n > four / 8.0),
        "the answers' places are uneven: {places:?}"
    );

    let datasets = lexforge.lines(&["dataset", "list", ws]);
    assert_eq!(datasets.len(), 1);

    let runs = lexforge.lines(&["runs", "list", ws]);
    has(
        &runs[0],
        &[
            "id", "state", "recipe", "base", "dataset", "stage", "step", "of", "started", "best",
            "adapter",
        ],
    );
    let events = lexforge.lines(&["runs", "follow", ws]);
    assert!(
        events.iter().any(|e| e.to_string().contains("checkpoint")),
        "no checkpoint among {} events",
        events.len()
    );

    let eval = lexforge.json(&["eval", ws, "--run", encoder]);
    has(&eval, &["qca", "isotropy", "baseline", "p_value"]);
    has(
        &eval["qca"],
        &[
            "accuracy",
            "precision",
            "recall",
            "f1",
            "ci95",
            "n",
            "by_type",
            "choice_cosine_gap",
        ],
    );
    // The gap between a term and its contexts is a different figure from the gap between questions and choices. So
    // either exactly these three figures are there, or none of them.
    let terms = eval["terms"].as_object().unwrap();
    let names: BTreeSet<&str> = terms.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        BTreeSet::from(["macro_f1", "mean_cosine_gap", "pairwise_accuracy"])
    );
    let measured = !eval["terms_apart"].is_null();
    assert!(
        terms.values().all(|v| v.is_number() == measured),
        "{}",
        eval["terms"]
    );

    for mode in ["lexical", "dense"] {
        let hits = lexforge.lines(&["search", ws, "payment of a ransom", "--mode", mode]);
        has(
            &hits[0],
            &[
                "rank",
                "id",
                "external_id",
                "score",
                "text",
                "document",
                "page",
            ],
        );
        let first: Vec<&str> = hits
            .iter()
            .take(3)
            .map(|h| h["text"].as_str().unwrap())
            .collect();
        assert!(
            first.iter().any(|t| t.contains("ransom")),
            "{mode}: {first:?}"
        );
    }
    for check in lexforge.lines(&["doctor"]) {
        has(&check, &["check", "ok", "found", "remedy"]);
    }
}

#[test]
fn the_text_stages_work_on_a_plain_file() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let text = "\u{201c}Lead supervisor\u{201d} means the supervisor who signs the plan. See Art. 12 of Regulation No. 7. 中文。";
    let file = lexforge
        .file("a.txt", text.as_bytes())
        .display()
        .to_string();
    let scalars: Vec<char> = text.chars().collect();
    let spans = lexforge.lines(&["text", "segment", &file]);
    assert!(spans.len() >= 2);
    for span in &spans {
        let (start, end) = (
            number(&span["start"]) as usize,
            number(&span["end"]) as usize,
        );
        assert_eq!(
            scalars[start..end].iter().collect::<String>(),
            span["text"].as_str().unwrap()
        );
        assert!(
            !span["text"].as_str().unwrap().ends_with("Art."),
            "cut at an abbreviation"
        );
    }
    let definitions = lexforge.lines(&["text", "definitions", &file]);
    assert_eq!(
        definitions[0]["term"].as_str().unwrap().to_lowercase(),
        "lead supervisor"
    );
    has(&definitions[0], &["term", "definition", "start", "end"]);

    let rules = std::fs::read_to_string(sample().with_extension("txt")).unwrap();
    let file = lexforge
        .file("rules.txt", rules.as_bytes())
        .display()
        .to_string();
    let terms = lexforge.lines(&["text", "terms", &file]);
    has(&terms[0], &["term", "score", "count"]);
    assert!(
        terms
            .iter()
            .take(60)
            .any(|t| t["term"] == "eligible collateral"),
        "{:?}",
        &terms[..10]
    );
}

/// A Chinese corpus gets terms, graph and questions; the encoder of the demo reads English only, and that is said.
#[test]
fn a_chinese_corpus_goes_as_far_as_it_can() {
    let Some(lexforge) = with_worker() else {
        return;
    };
    let job = run(&lexforge, "zh.lexforge", &[chinese_sample()]);
    assert!(
        number(&job["terms"]["defined"]) >= 6.0,
        "nine terms are defined: {}",
        job["terms"]
    );
    assert!(number(&job["graph"]["sentences"]) > 30.0);
    assert!(
        job["graph"]["encoder"]
            .as_str()
            .unwrap()
            .to_lowercase()
            .contains("lsa"),
        "{}",
        job["graph"]["encoder"]
    );
    assert_eq!(job["run"], Value::Null);
    let said: Vec<&str> = job["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["code"].as_str().unwrap())
        .collect();
    assert!(said.contains(&"language_unsupported"), "{said:?}");
    assert!(lexforge.path(job["report"].as_str().unwrap()).is_file());
}

/// The clusters of a single document are single articles or recitals, and the parts are 6:1:3 of the questions.
#[track_caller]
fn articles(lexforge: &Product, ws: &str) {
    let dataset = &lexforge.lines(&["dataset", "list", ws])[0];
    assert_eq!(dataset["cluster_kind"], "article", "{dataset}");
    let folder = lexforge.path("frozen");
    lexforge.json(&["dataset", "export", ws, "--out", folder.to_str().unwrap()]);
    let mut counts: BTreeMap<&str, BTreeMap<String, u32>> = BTreeMap::new();
    let exported: BTreeMap<i64, Value> = lexforge
        .lines(&["qca", "export", ws])
        .into_iter()
        .map(|question| (question["id"].as_i64().unwrap(), question))
        .collect();
    for part in ["train", "dev", "test"] {
        for line in std::fs::read_to_string(folder.join(format!("{part}.jsonl")))
            .unwrap()
            .lines()
        {
            let question: Value = serde_json::from_str(line).unwrap();
            let cluster = question["cluster"].as_str().unwrap();
            let single = cluster.split_once(' ').is_some_and(|(kind, number)| {
                ["Article", "Recital"].contains(&kind) && number.chars().all(|c| c.is_ascii_digit())
            });
            assert!(
                single || !cluster.contains('='),
                "no cluster holds more than one article: {cluster}"
            );
            assert_eq!(
                exported[&question["id"].as_i64().unwrap()]["cluster"],
                cluster
            );
            *counts
                .entry(part)
                .or_default()
                .entry(cluster.to_owned())
                .or_default() += 1;
        }
    }
    let of = |part: &str| f64::from(counts[part].values().sum::<u32>());
    let all = of("train") + of("dev") + of("test");
    for (part, share) in [("train", 0.6), ("dev", 0.1), ("test", 0.3)] {
        let largest = counts[part].iter().max_by_key(|(_, n)| **n).unwrap();
        eprintln!(
            "{part}: {} questions, {:.1} %, {} clusters, largest {largest:?}",
            of(part),
            100.0 * of(part) / all,
            counts[part].len()
        );
        assert!(
            (of(part) / all - share).abs() <= 0.02,
            "{part}: {} of {all}",
            of(part)
        );
        assert_eq!(dataset["clusters"][part]["clusters"], counts[part].len());
        assert_eq!(dataset["clusters"][part]["largest"], *largest.1);
    }
}

#[test]
fn a_real_regulation_becomes_a_report() {
    let Some(pdf) = data("pdf-core-en/GDPR.pdf") else {
        return;
    };
    let Some(lexforge) = with_worker() else {
        return;
    };
    // The encoder alone; the sample's job has the decoder, too, which takes as long again.
    let encoder = ["--base", "all-MiniLM-L6-v2"];
    let job = run_with(
        &lexforge,
        "gdpr.lexforge",
        std::slice::from_ref(&pdf),
        &encoder,
    );
    assert_eq!(job["pages"], 88);
    assert!(number(&job["sentences"]) > 1000.0);
    assert!(
        number(&job["terms"]["defined"]) >= 20.0,
        "Article 4 defines 26 terms: {}",
        job["terms"]
    );
    assert_eq!(job["run"]["state"], "finished");
    figures(&lexforge, &job);
    articles(&lexforge, "gdpr.lexforge");
    let again = run_with(&lexforge, "gdpr.lexforge", &[pdf], &encoder);
    assert_eq!(again["import"]["imported"], Value::Array(vec![]));
    let terms = lexforge.lines(&["terms", "list", "gdpr.lexforge"]);
    assert!(
        terms
            .iter()
            .any(|t| t["text"] == "personal data" && t["class"] == "defined")
    );
}

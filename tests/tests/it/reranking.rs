//! Tunes a cross-encoder on labelled questions. The tests check the run, the measurement that decides whether the
//! cross-encoder is used, and the search with it.

use crate::matching::linked_set;
use crate::tuning::corpus;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

/// The labels of the first documents, and those of the others.
fn halves(lexforge: &Product) {
    let all = std::fs::read_to_string(lexforge.path("questions.jsonl")).unwrap();
    let lines: Vec<&str> = all.lines().collect();
    let (first, others) = lines.split_at(lines.len() / 2);
    lexforge.file("first.jsonl", first.join("\n").as_bytes());
    lexforge.file("others.jsonl", others.join("\n").as_bytes());
}

fn difference<'r>(figures: &'r Value, measure: &str) -> &'r Value {
    let against = figures["against"].as_array().unwrap();
    against
        .iter()
        .find(|one| one["measure"] == measure)
        .unwrap()
}

#[test]
fn a_cross_encoder_is_tuned_measured_and_used_where_it_is_better() {
    let Some(lexforge) = corpus() else {
        return;
    };
    halves(&lexforge);
    let ws = "a.lexforge";
    let train = [
        "train",
        ws,
        "--task",
        "rerank",
        "--epochs",
        "6",
        "--batch-size",
        "4",
        "--max-length",
        "64",
    ];
    refused(
        &lexforge.run(&[&train[..], &["--json"]].concat()),
        "too_little_data",
    );
    lexforge.json(&["pairs", "import", ws, "first.jsonl"]);
    let plan = lexforge.json(&[&train[..], &["--plan"]].concat());
    assert_eq!(plan["preset"], "rerank");
    assert_eq!(plan["problems"], json!([]));
    assert_eq!(plan["stages"][0]["name"], "rerank");
    // A temperature and a teacher are for runs that compare vectors.
    let other = |more: &[&str]| lexforge.run(&[&train[..], more, &["--json"]].concat());
    refused(&other(&["--temperature", ".1"]), "invalid_request");
    refused(&other(&["--distill", ".5"]), "invalid_request");

    let done = lexforge.run(&[&train[..], &["--json"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let run = &lexforge.lines(&["runs", "list", ws])[0];
    assert_eq!(run["state"], "finished");
    assert_eq!(run["recipe"], "rerank · rerank stage");
    // A cross-encoder makes no vectors for the search.
    assert_eq!(
        lexforge
            .json(&["rank", "use", ws])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // The few questions that were held out say too little, and until it was measured it is not used.
    let rerank = |more: &[&str]| lexforge.run(&[&["rank", "rerank", ws, "--json"], more].concat());
    let message = refused(&rerank(&["--run", "1"]), "too_little_data");
    assert!(message.contains("were not learned from"), "{message}");
    refused(&rerank(&["--run", "1", "--on"]), "step_missing");
    refused(&rerank(&["--run", "9"]), "not_found");
    let rows = || lexforge.lines(&["rank", "rerank", ws]);
    assert_eq!(
        (&rows()[0]["on"], &rows()[0]["gap"]),
        (&json!(false), &json!("not_measured"))
    );
    let distilled = [
        "train",
        ws,
        "--task",
        "retrieval",
        "--distill",
        ".5",
        "--teacher",
        "1",
    ];
    refused(
        &lexforge.run(&[&distilled[..], &["--json"]].concat()),
        "step_missing",
    );

    let measured = rerank(&["--run", "1", "--labels", "others.jsonl"]);
    assert_eq!(measured.code, 0, "{}", measured.err);
    let report: Value = serde_json::from_str(&measured.out).unwrap();
    assert!(report["with"]["n"].as_u64().unwrap() >= 20, "{report:#}");
    assert!(report["learned"].as_u64().unwrap() >= 20, "{report:#}");
    let map = difference(&report["with"], "map@10");
    let better = map["difference"]["low"].as_f64().unwrap() > 0.0
        && report["with"]["recall@10"].as_f64() >= report["without"]["recall@10"].as_f64()
        && report["name"]["percent"] != 0;
    assert_eq!(report["gap"].is_null(), better, "{report:#}");
    assert_eq!(rows()[0]["on"], better);

    let question = "Must a bank say what it charges?";
    let asked = |more: &[&str]| lexforge.json(&[&["ask", ws, question], more].concat());
    let in_use = |answer: &Value| answer["index"]["rerank"]["run"].clone();
    let on = if better { json!(1) } else { Value::Null };
    assert_eq!(in_use(&asked(&[])), on);
    // Named, it is used whether it is on or not.
    let named = asked(&["--rerank", "1"]);
    assert_eq!(in_use(&named), 1);
    assert_eq!(
        named["index"]["rerank"]["percent"],
        report["name"]["percent"]
    );
    refused(
        &lexforge.run(&["ask", ws, question, "--rerank", "9", "--json"]),
        "not_found",
    );

    let eval = [
        "rank",
        "eval",
        ws,
        "--queries",
        "questions.jsonl",
        "--qrels",
        "relevant.qrels",
    ];
    let figures = lexforge.json(&[&eval[..], &["--rerank", "1"]].concat());
    assert_eq!(figures["rerank"]["run"], 1);
    assert_eq!(figures["learned"], report["learned"]);
    assert_eq!(
        difference(&figures, "map@10")["against"],
        "without the cross-encoder"
    );
    let half = lexforge.json(&[&eval[..], &["--half"]].concat());
    assert_eq!(half["rerank"], Value::Null);

    // A search of sentences has the same hits in another order.
    let found = |more: &[&str]| -> Vec<String> {
        let hits = lexforge.lines(&[&["search", ws, "bank", "--top", "6"], more].concat());
        hits.iter()
            .map(|hit| hit["external_id"].to_string())
            .collect()
    };
    let (mut with, mut without) = (found(&["--rerank", "1"]), found(&[]));
    assert_eq!(with.len(), 6);
    with.sort();
    without.sort();
    assert_eq!(with, without, "six sentences have the word");

    // Without the worker the clauses stand as they are found, and the answer says so.
    let words = ["ask", ws, question, "--rerank", "1", "--json"];
    let gone = lexforge
        .command(&words)
        .env("LEXFORGE_WORKER", lexforge.path("nothing"))
        .output()
        .unwrap();
    assert!(
        gone.status.success(),
        "{}",
        String::from_utf8_lossy(&gone.stderr)
    );
    let gone: Value = serde_json::from_slice(&gone.stdout).unwrap();
    assert_eq!(in_use(&gone), Value::Null);
    let note = json!({ "note": "not_reranked", "run": 1, "gap": "gone" });
    assert!(
        gone["notes"].as_array().unwrap().contains(&note),
        "{gone:#}"
    );

    // As a teacher only where it ranks better than the words.
    let plan = lexforge.run(&[&distilled[..], &["--plan", "--json"]].concat());
    let plan: Value = serde_json::from_str(&plan.out).unwrap();
    let taught = report["alone"]["map@10"].as_f64() > report["words"]["map@10"].as_f64();
    assert_eq!(
        plan["problems"].as_array().unwrap().is_empty(),
        taught,
        "{plan:#}"
    );
    assert_eq!(plan["taught"]["ordered_by"], 1);

    // A certificate that was measured with it is void without it, and valid again with it.
    if better {
        let calibrated = lexforge.json(&["calibrate", ws, "--alpha", ".9"]);
        assert_eq!(calibrated["index"]["rerank"]["run"], 1);
        assert!(calibrated["learned"].as_u64().unwrap() > 0);
    }
    let off = rerank(&["--off"]);
    assert_eq!(off.code, 0, "{}", off.err);
    assert_eq!(rows()[0]["on"], false);
    let without = asked(&[]);
    assert_eq!(in_use(&without), Value::Null);
    if better {
        assert_eq!(without["certificate"]["valid"], false);
        assert_eq!(rerank(&["--run", "1", "--on"]).code, 0);
        assert_eq!(in_use(&asked(&[])), 1);
    } else {
        refused(&rerank(&["--run", "1", "--on"]), "step_missing");
    }
    taught_without_labels(&lexforge, taught);
    assert_eq!(lexforge.json(&["audit", "verify", ws])["ok"], true);
}

/// Thirty headings in six documents, each over one rule of its own.
fn headed(lexforge: &Product) {
    for (place, years) in [
        ("harbour", 3),
        ("market", 4),
        ("border", 5),
        ("island", 6),
        ("valley", 7),
        ("capital", 8),
    ] {
        let mut text = String::new();
        for what in [
            "cash ledger",
            "night roster",
            "client letter",
            "audit trail",
            "loss report",
        ] {
            text.push_str(&format!(
                "## {place} {what}\n\nThe {place} branch shall keep its {what} for {years} years.\n\n"
            ));
        }
        let file = lexforge.file(&format!("{place}.md"), text.as_bytes());
        lexforge.json(&["import".as_ref(), "a.lexforge".as_ref(), file.as_os_str()]);
    }
}

/// GPL: an encoder learns the margins of run 1 where that is a teacher, and of none where it is not.
fn taught_without_labels(lexforge: &Product, is_teacher: bool) {
    let train = ["train", "a.lexforge", "--task", "gpl", "--json"];
    let run = |more: &[&str]| lexforge.run(&[&train[..], more].concat());
    let plan = |more: &[&str]| -> Value {
        let plan = run(&[&["--plan"], more].concat());
        serde_json::from_str(&plan.out).unwrap()
    };
    let codes = |plan: &Value| -> Vec<Value> {
        let problems = plan["problems"].as_array().unwrap().iter();
        problems.map(|problem| problem["code"].clone()).collect()
    };
    // What is shown as margins is learnt as margins.
    refused(&run(&["--triplet-loss", "triplet"]), "invalid_request");
    // The labelled questions are no material, and there is nothing else yet.
    let early = plan(&[]);
    assert!(
        codes(&early).contains(&json!("too_little_data")),
        "{early:#}"
    );
    headed(lexforge);
    let found = plan(&[]);
    if !is_teacher {
        // A cross-encoder that is not good enough is refused, whether it is named or not, and no sample is shown.
        assert_eq!(codes(&found), ["step_missing"], "{found:#}");
        assert_eq!(codes(&plan(&["--teacher", "1"])), ["invalid_request"]);
        assert_eq!(found.get("samples"), None);
        refused(&run(&[]), "step_missing");
        return;
    }
    assert_eq!(codes(&found), Vec::<Value>::new(), "{found:#}");
    assert_eq!(found["stages"][0]["name"], "triplets");
    let taught = &found["taught"];
    assert_eq!(
        (&taught["ordered_by"], &taught["labelled"]),
        (&json!(1), &json!(0))
    );
    assert!(taught["headings"].as_u64().unwrap() >= 20, "{found:#}");
    // The samples: a heading's clause without the heading, another clause, and how much better the first is.
    let samples = found["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 5, "{found:#}");
    for sample in samples {
        let [question, positive, negative] =
            ["question", "positive", "negative"].map(|part| sample[part].as_str().unwrap());
        assert!(positive.contains("shall keep its") && !positive.contains("##"));
        assert!(!positive.starts_with(question), "{sample}");
        assert_ne!(positive, negative);
        assert!((-1.0..=1.0).contains(&sample["margin"].as_f64().unwrap()));
    }
    // A second plan has the same samples: the plan is asked for whenever a figure changes.
    assert_eq!(plan(&["--epochs", "2"])["samples"], found["samples"]);

    let done = run(&["--max-steps", "3"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let runs = lexforge.lines(&["runs", "list", "a.lexforge"]);
    let recipe = |run: &&Value| run["recipe"] == "GPL · triplet stage";
    let made = runs.iter().find(recipe).unwrap();
    assert_eq!(made["state"], "finished");
    let number = made["id"].to_string();
    // It makes vectors, by which sentences are found.
    let hits = lexforge.lines(&[
        "search",
        "a.lexforge",
        "Which branch keeps a ledger?",
        "--mode",
        "dense",
        "--adapter",
        &number,
    ]);
    assert!(!hits.is_empty());
    // It is a method of matching under the name of its recipe, as one to compare with.
    linked_set(lexforge);
    let bench = ["match", "--benchmark", "set", "--tuned", "a.lexforge"];
    let rows = lexforge.lines(&[&bench[..], &["--run", &number]].concat());
    let name = format!("GPL (run {number} on all-MiniLM-L6-v2)");
    assert!(rows.iter().any(|row| row["method"] == name), "{rows:#?}");
    // Another recipe has no teacher, and a sweep has nothing to choose by.
    let other = [
        "train",
        "a.lexforge",
        "--task",
        "adapt",
        "--teacher",
        "1",
        "--json",
    ];
    refused(&lexforge.run(&other), "invalid_request");
    refused(&run(&["--sweep", "lr=1e-4,2e-4"]), "invalid_request");
}

//! Encoders of the sentence graph through the command line: one for each language, and decoders that read each sentence
//! twice.

use super::graph::{WS, copy, import, number};
use lexforge_domain::api::{EncoderChoice, SearchMode, SearchRequest};
use lexforge_engine::Engine;
use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

/// Each language may have its own encoder. What is used is told by language, later builds go on with it, and an encoder
/// that was deleted is named with its language.
#[test]
fn each_language_may_have_its_own_encoder() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let own = lexforge.path("own-encoder");
    copy(&lexforge_needs::root().join("models/demo"), &own);
    import(&lexforge, 1, 30);
    let for_chinese = format!("zh={}", own.display());
    let build = ["graph", "build", WS, "--encoder", "en=lsa"];
    let build = [&build[..], &["--encoder", for_chinese.as_str()]].concat();
    // No document is in Chinese yet.
    let told = refused(
        &lexforge.run(&[&build[..], &["--json"]].concat()),
        "invalid_request",
    );
    assert!(told.contains("zh"), "{told}");

    let rules: String = (1..9)
        .map(|i| {
            let text = format!("商业银行应当在{i}日内向监管机构报告流动性风险。");
            json!({"id": format!("z{i}"), "text": text}).to_string() + "\n"
        })
        .collect();
    let file = lexforge.file("rules-zh.jsonl", rules.as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    lexforge.json(&["terms", "extract", WS]);
    let parts = |stats: &Value| {
        let mut parts: Vec<(String, Value)> = stats["parts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| {
                let encoder = part["encoder"].as_str().unwrap();
                let name = encoder.split([' ', '(']).next().unwrap_or_default();
                (name.to_owned(), part["languages"].clone())
            })
            .collect();
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        parts
    };
    let wanted = vec![
        ("char-ngram".to_owned(), json!(["en"])),
        ("own-encoder".to_owned(), json!(["zh"])),
    ];
    assert_eq!(parts(&lexforge.json(&build)), wanted);
    import(&lexforge, 2, 6);
    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(update["kind"], "update");
    assert_eq!(parts(&update["stats"]), wanted);
    assert!(
        !lexforge
            .lines(&["search", WS, "Who reports?", "--mode", "dense"])
            .is_empty()
    );

    std::fs::remove_dir_all(&own).unwrap();
    import(&lexforge, 3, 6);
    for words in [
        &["graph", "update", WS, "--json"][..],
        &["search", WS, "Who reports?", "--mode", "dense", "--json"],
    ] {
        let told = refused(&lexforge.run(words), "model_missing");
        assert!(
            told.contains("own-encoder") && told.contains("language zh"),
            "{words:?}: {told}"
        );
    }
    let counted = lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    assert_eq!(counted["parts"].as_array().map(Vec::len), Some(1));
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// A decoder that reads each sentence twice makes other vectors than one that reads it once, and goes on with them. An
/// encoder, and a model that was tuned here, are refused.
#[test]
fn a_decoder_reads_each_sentence_twice() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    import(&lexforge, 1, 30);
    let encoder = |stats: &Value| stats["parts"][0]["encoder"].as_str().unwrap().to_owned();
    let vectors = |stats: &Value| stats["parts"][0]["vectors"].as_str().unwrap().to_owned();
    let once = lexforge.json(&["graph", "build", WS, "--encoder", "lexforge-demo"]);
    let build = ["graph", "build", WS, "--encoder", "echo lexforge-demo"];
    let twice = lexforge.json(&build);
    let name = encoder(&twice);
    assert!(
        name.starts_with("lexforge-demo (last") && name.contains("echo"),
        "{name}"
    );
    assert_ne!(vectors(&once), vectors(&twice));
    import(&lexforge, 2, 6);
    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(update["kind"], "update");
    assert_eq!(number(&update["stats"]["sentences"]), 36);
    assert_eq!(encoder(&update["stats"]), name);
    let rebuilt = lexforge.json(&["graph", "build", WS, "--encoder", "en=echo lexforge-demo"]);
    assert_eq!(encoder(&rebuilt), name);
    let asked = ["search", WS, "Who reports?", "--mode", "dense"];
    assert!(!lexforge.lines(&asked).is_empty());
    let tuned = [&build[..], &["--adapter", "1", "--json"]].concat();
    refused(&lexforge.run(&tuned), "invalid_request");
    if lexforge_needs::model("all-MiniLM-L6-v2").is_some() {
        let encoder = ["graph", "build", WS, "--encoder", "echo all-MiniLM-L6-v2"];
        let told = refused(
            &lexforge.run(&[&encoder[..], &["--json"]].concat()),
            "invalid_request",
        );
        assert!(told.contains("is an encoder"), "{told}");
    }
}

/// A model is told to read otherwise by another program, while a workspace is open. What is open makes the vectors of
/// questions and of sentences anew, as one does that opens the workspace only then. A graph of the earlier vectors is
/// not searched with questions of the new ones.
#[test]
fn what_is_open_notices_that_a_model_reads_otherwise() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let own = lexforge.path("own-encoder");
    copy(&lexforge_needs::root().join("models/demo"), &own);
    let folder = own.to_str().unwrap();
    let told_to_read = |pooling: &str| {
        lexforge.json(&["models", "reading", folder, "--pooling", pooling]);
    };
    told_to_read("mean");
    import(&lexforge, 1, 12);
    lexforge.json(&["graph", "build", WS, "--encoder", folder]);
    let engine = Engine::open(&lexforge.path(WS)).unwrap();
    let question = "Who reports which losses?";
    let found = |by: Option<&str>| -> Result<Vec<f32>, lexforge_domain::Failure> {
        let hits = engine.corpus().search(&SearchRequest {
            query: question.to_owned(),
            mode: SearchMode::Dense,
            top: 3,
            document: None,
            encoder: by.map(|folder| EncoderChoice {
                model: Some(folder.to_owned()),
                ..EncoderChoice::default()
            }),
        })?;
        Ok(hits.iter().map(|hit| hit.score as f32).collect())
    };
    // Vectors differ in their last digits with the texts that are read beside them.
    let alike = |one: &[f32], other: &[f32]| {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    let before = found(Some(folder)).unwrap();
    let of_graph = found(None).unwrap();
    assert!(alike(&before, &of_graph), "{before:?}, {of_graph:?}");

    told_to_read("last");
    let after = found(Some(folder)).unwrap();
    assert!(!alike(&after, &before), "{after:?}");
    let anew = ["search", WS, question, "--mode", "dense", "--top", "3"];
    let anew = lexforge.lines(&[&anew[..], &["--encoder", folder]].concat());
    let anew: Vec<f32> = anew
        .iter()
        .map(|hit| hit["score"].as_f64().unwrap() as f32)
        .collect();
    assert!(alike(&after, &anew), "{after:?}, {anew:?}");
    let refusal = found(None).unwrap_err();
    assert!(refusal.message.contains("own-encoder"), "{refusal:?}");
    lexforge.json(&["graph", "build", WS, "--encoder", folder]);
    let of_graph = found(None).unwrap();
    assert!(alike(&after, &of_graph), "{after:?}, {of_graph:?}");
}

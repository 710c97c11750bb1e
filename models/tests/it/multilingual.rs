//! multilingual-e5-small-q4, as tools/four_bits.py writes it, compared with tokens and vectors of the program that came
//! with the weights (tests/python/record_multilingual.py).

use crate::common::*;
use lexforge_domain::protocol::{EmbedJob, Job, TextSide};
use lexforge_models::texts::tokenizer::TextTokenizer;
use serde::Deserialize;
use serde_json::json;

const MULTILINGUAL: &str = "multilingual-e5-small-q4";
/// The other program computes with activations of eight bits, so its vectors are close but not equal. When the vectors
/// were recorded, the lowest cosine was .9999.
const LEAST_COSINE: f32 = 0.9995;

#[derive(Deserialize)]
struct Recorded {
    side: String,
    text: String,
    tokens: Vec<u32>,
    vector: Vec<f32>,
}

fn recorded() -> Vec<Recorded> {
    serde_json::from_str(include_str!("data/multilingual.json")).unwrap()
}

#[test]
fn its_tokens_are_those_of_the_weights() {
    let Some(model) = lexforge_needs::model(MULTILINGUAL) else {
        return;
    };
    let tokenizer = TextTokenizer::open(&model, 512).unwrap();
    for one in recorded() {
        let before = match one.side.as_str() {
            "question" => "query: ",
            _ => "passage: ",
        };
        let text = format!("{before}{}", one.text);
        let found = tokenizer.tokenize(&[&text]).unwrap();
        assert_eq!(found[0].ids, one.tokens, "{text}");
        assert_eq!(found[0].unknown_tokens, 0, "{text}");
    }
}

#[test]
fn its_vectors_are_near_those_of_the_weights() {
    let Some(model) = lexforge_needs::model(MULTILINGUAL) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle");
    let job = EmbedJob {
        pooling: None,
        normalize: None,
        max_length: None,
        side: TextSide::Passage,
        ..embed_job(MULTILINGUAL, 512)
    };
    write_job(&bundle, Job::Embed(job.clone()));
    let lines: Vec<_> = recorded()
        .iter()
        .map(|one| json!({"text": one.text, "side": one.side}))
        .collect();
    write_jsonl(&bundle.join(&job.input), &lines);
    run_well(&bundle, model.parent().unwrap());
    let found = embeddings(&bundle.join("out/embeddings.safetensors"));
    assert_eq!(found.len(), lines.len());
    for (ours, one) in found.iter().zip(recorded()) {
        let cosine: f32 = ours.iter().zip(&one.vector).map(|(a, b)| a * b).sum();
        assert!(cosine >= LEAST_COSINE, "{}: {cosine}", one.text);
    }
}

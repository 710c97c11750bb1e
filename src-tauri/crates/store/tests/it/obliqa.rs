//! Lexical search on a public benchmark: ObliQA's development questions over 40 rulebooks (13,732 passages). Recall@10
//! and MAP@10 are counted as trec_eval counts them (`recall_10`, `map_cut_10`). Skipped if the data is missing.

use crate::common;
use lexforge_domain::document::{DocumentFormat, ParsedDocument};
use lexforge_store::Workspace;
use serde_json::Value;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

fn data_folder() -> Option<PathBuf> {
    lexforge_needs::data("retrieval-obliqa")
}

fn read(path: PathBuf) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A passage's name in the questions: number of its document and its place there.
fn name(value: &Value) -> String {
    format!(
        "{} {}",
        value["DocumentID"],
        value["PassageID"].as_str().unwrap()
    )
}

fn corpus(number: usize, passages: &Value) -> ParsedDocument {
    let mut document = common::document(&format!("{number}"), &[]);
    document.format = DocumentFormat::Jsonl;
    document.sentences = passages
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            let mut sentence = common::sentence(p["Passage"].as_str().unwrap(), 1, None);
            sentence.external_id = Some(name(p));
            sentence
        })
        .collect();
    document
}

#[test]
fn recall_and_map_reach_the_best_published_bm25() {
    let Some(folder) = data_folder() else { return };
    let files = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(files.path().join("obliqa.lexforge")).unwrap();
    let started = Instant::now();
    for number in 1..=40 {
        let file = format!("{number}.json");
        let passages = read(folder.join("StructuredRegulatoryDocuments").join(&file));
        let document = corpus(number, &passages);
        workspace
            .write("benchmark", |w| {
                w.insert_document(&document, &file, file.as_bytes())
            })
            .unwrap();
    }
    let documents = workspace.read(|r| r.documents()).unwrap();
    let passages: u32 = documents.iter().map(|d| d.sentences).sum();
    let imported = started.elapsed();

    let started = Instant::now();
    let questions = read(folder.join("ObliQA_dev.json"));
    let (mut recall, mut map, mut n) = (0.0, 0.0, 0.0);
    for question in questions.as_array().unwrap() {
        let gold: HashSet<String> = question["Passages"]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect();
        let hits = workspace
            .read(|r| r.search_lexical_in(question["Question"].as_str().unwrap(), None, 10))
            .unwrap();
        let (mut found, mut precision) = (0.0, 0.0);
        for hit in &hits {
            if gold.contains(hit.external_id.as_deref().unwrap()) {
                found += 1.0;
                precision += found / hit.rank as f64;
            }
        }
        recall += found / gold.len() as f64;
        map += precision / gold.len() as f64;
        n += 1.0;
    }
    let (recall, map) = (recall / n, map / n);
    println!(
        "{passages} passages in {:.1} s; {n} questions in {:.1} s: Recall@10 {recall:.4}, MAP@10 {map:.4}",
        imported.as_secs_f64(),
        started.elapsed().as_secs_f64()
    );
    assert_eq!(passages, 13_732);
    assert!(recall >= 0.785, "Recall@10 {recall:.4}");
    assert!(map >= 0.655, "MAP@10 {map:.4}");
}

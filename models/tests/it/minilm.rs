//! all-MiniLM-L6-v2 through the real program: against recorded values and on STS-B.

use crate::common::*;
use lexforge_domain::protocol::{EmbedResult, InspectResult, JobResult, RESULT_FILE};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

fn result(bundle: &Path) -> EmbedResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Embed(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn embeddings_are_those_of_sentence_transformers() {
    #[derive(Deserialize)]
    struct Recorded {
        max_length: usize,
        texts: Vec<String>,
        vectors: Vec<Vec<f32>>,
    }
    let Some(model) = minilm() else { return };
    let recorded: Recorded =
        serde_json::from_str(include_str!("data/minilm_embeddings.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle");
    embed_bundle(
        &bundle,
        &embed_job(MINILM, recorded.max_length),
        &recorded.texts,
    );
    run_well(&bundle, model.parent().unwrap());
    let found = embeddings(&bundle.join("out/embeddings.safetensors"));
    for (text, (ours, theirs)) in recorded
        .texts
        .iter()
        .zip(found.iter().zip(&recorded.vectors))
    {
        let difference = ours
            .iter()
            .zip(theirs)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(difference <= 1e-5, "{text:?}: {difference}");
    }
    let result = result(&bundle);
    assert_eq!(
        (result.rows, result.dim, result.truncated),
        (recorded.texts.len() as u64, 384, 1)
    );
    assert!(
        result.unknown_rate > 0.0 && result.unknown_rate < 0.1,
        "{}",
        result.unknown_rate
    );
}

#[test]
fn sts_b_english_test_has_the_published_correlation() {
    let (Some(model), Some(file)) = (minilm(), data("sts-stsb-en-zh/stsb-en-test.csv")) else {
        return;
    };
    let rows = csv(&std::fs::read_to_string(file).unwrap());
    let texts: Vec<&str> = rows
        .iter()
        .flat_map(|row| [row[0].as_str(), row[1].as_str()])
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle");
    embed_bundle(&bundle, &embed_job(MINILM, 256), &texts);
    run_well(&bundle, model.parent().unwrap());
    let found = embeddings(&bundle.join("out/embeddings.safetensors"));
    let cosines: Vec<f64> = found
        .chunks_exact(2)
        .map(|pair| {
            pair[0]
                .iter()
                .zip(&pair[1])
                .map(|(a, b)| f64::from(a * b))
                .sum()
        })
        .collect();
    let gold: Vec<f64> = rows.iter().map(|row| row[2].parse().unwrap()).collect();
    let rho = pearson(&ranks(&cosines), &ranks(&gold));
    println!(
        "STS-B English test: Spearman {rho:.4} over {} pairs",
        gold.len()
    );
    assert!((rho - 0.8203).abs() <= 0.001, "{rho}");
}

#[test]
fn inspect_describes_the_model() {
    let Some(model) = minilm() else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"))
        .arg("inspect")
        .arg(model)
        .arg("--json")
        .output()
        .unwrap();
    let result: InspectResult = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (result.parameters, result.layers, result.hidden_size),
        (22_713_216, 6, 384)
    );
    assert_eq!(
        (result.architecture.as_str(), result.dtype.as_str()),
        ("bert", "F32")
    );
    assert!(result.problems.is_empty(), "{:?}", result.problems);
}

/// Fields of a CSV text with quoted fields.
fn csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let row = rows.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                row.last_mut().unwrap().push(letters.next().unwrap())
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            '\r' if !quoted => {}
            other => row.last_mut().unwrap().push(other),
        }
    }
    rows.retain(|row| row.len() == 3);
    rows
}

/// Ranks from 1, ties with their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&i| values[i] < values[tied[0]]);
        for &index in tied {
            ranks[index] = first as f64 + (tied.len() as f64 + 1.0) / 2.0;
        }
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(x, y)| f(x - ma, y - mb)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

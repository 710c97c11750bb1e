//! Compares every architecture with what Transformers computes from the same weights
//! (tests/python/record_architectures.py). Decoders are also compared with themselves: packed, with common beginnings,
//! and step by step.

use crate::common::formula::write_model;
use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::cache::Cache;
use lexforge_models::architectures::classifier::{Classifier, PairTokens};
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::packing::{Node, Packed};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

const TOLERANCE: f64 = 1e-4;

#[derive(Deserialize)]
struct Recorded {
    sequences: Vec<Vec<u32>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: serde_json::Value,
    tensors: BTreeMap<String, Vec<i64>>,
    #[serde(default)]
    logits: Vec<Vec<Vec<f32>>>,
    #[serde(default)]
    bidirectional: Vec<Vec<Vec<f32>>>,
    #[serde(default)]
    hidden: Vec<Vec<Vec<f32>>>,
    #[serde(default)]
    scores: Vec<Vec<f32>>,
}

fn recorded() -> Recorded {
    // Tests run side by side already.
    tch::set_num_threads(1);
    serde_json::from_str(include_str!("data/architectures.json")).unwrap()
}

fn folder_of(case: &Case, root: &Path, kind: Kind, shards: usize) -> PathBuf {
    let folder = root.join(format!("{}-{kind:?}-{shards}", case.name));
    write_model(&folder, &case.config, &case.tensors, kind, shards);
    folder
}

fn decoder(folder: &Path) -> Box<dyn Decoder> {
    Config::of_folder(folder)
        .unwrap()
        .load_decoder(folder, None, Device::Cpu)
        .unwrap()
}

fn table(rows: &[Vec<f32>]) -> Tensor {
    Tensor::from_slice2(rows)
}

fn difference(a: &Tensor, b: &Tensor) -> f64 {
    assert_eq!(a.size(), b.size());
    (a.to_kind(Kind::Float) - b.to_kind(Kind::Float))
        .abs()
        .max()
        .double_value(&[])
}

#[track_caller]
fn close(what: &str, ours: &Tensor, theirs: &Tensor, tolerance: f64) {
    let found = difference(ours, theirs);
    assert!(found <= tolerance, "{what}: {found:.2e}");
}

/// All sequences in one batch; each one's rows, in their order.
fn batched(sequences: &[Vec<u32>], run: impl FnOnce(&Packed) -> Tensor) -> Vec<Tensor> {
    let nodes: Vec<Node> = sequences
        .iter()
        .map(|ids| Node { ids, after: None })
        .collect();
    let (packed, starts) = Packed::tree(&nodes, Device::Cpu).unwrap();
    let rows = run(&packed);
    starts
        .iter()
        .zip(sequences)
        .map(|(&start, ids)| rows.narrow(0, start, ids.len() as i64))
        .collect()
}

#[test]
fn decoders_give_the_logits_of_transformers() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for case in recorded.cases.iter().filter(|case| !case.logits.is_empty()) {
        let model = decoder(&folder_of(case, folder.path(), Kind::Float, 1));
        let run = |attention| {
            move |model: &dyn Decoder, packed: &Packed| {
                model.hidden(packed, attention, Pass::Infer).unwrap()
            }
        };
        let causal = batched(&recorded.sequences, |packed| {
            model
                .logits(&run(Attention::Causal)(model.as_ref(), packed))
                .unwrap()
        });
        for (ours, theirs) in causal.iter().zip(&case.logits) {
            close(&case.name, ours, &table(theirs), TOLERANCE);
        }
        let both = batched(&recorded.sequences, |packed| {
            run(Attention::Bidirectional)(model.as_ref(), packed)
        });
        for (number, (ours, theirs)) in both.iter().zip(&case.bidirectional).enumerate() {
            close(
                &format!("{} bidirectional", case.name),
                ours,
                &table(theirs),
                TOLERANCE,
            );
            // Each sequence alone gives the same result.
            let alone = Packed::of(&[&recorded.sequences[number]], Device::Cpu).unwrap();
            let alone = run(Attention::Bidirectional)(model.as_ref(), &alone);
            close(
                &format!("{} alone", case.name),
                &alone,
                &table(theirs),
                TOLERANCE,
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 14);
}

#[test]
fn the_two_directions_differ() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    let model = decoder(&folder_of(
        &recorded.cases[0],
        folder.path(),
        Kind::Float,
        1,
    ));
    let packed = Packed::of(&[&recorded.sequences[0]], Device::Cpu).unwrap();
    let [causal, both] = [Attention::Causal, Attention::Bidirectional]
        .map(|a| model.hidden(&packed, a, Pass::Infer).unwrap());
    let first = |x: &Tensor| x.narrow(0, 0, 1);
    assert!(
        difference(&first(&causal), &first(&both)) > 0.01,
        "the first token must see the others"
    );
}

#[test]
fn a_shared_beginning_is_computed_once_and_changes_nothing() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    for case in recorded.cases.iter().filter(|case| !case.logits.is_empty()) {
        let model = decoder(&folder_of(case, folder.path(), Kind::Float, 1));
        let text = &recorded.sequences[1];
        let (start, middle, end) = (&text[..4], &text[4..5], &text[5..]);
        let nodes = [
            Node {
                ids: &recorded.sequences[0],
                after: None,
            },
            Node {
                ids: start,
                after: None,
            },
            Node {
                ids: &[21, 22, 23],
                after: Some(1),
            },
            Node {
                ids: middle,
                after: Some(1),
            },
            Node {
                ids: end,
                after: Some(3),
            },
        ];
        let (packed, starts) = Packed::tree(&nodes, Device::Cpu).unwrap();
        assert_eq!(packed.ids.size()[0], 5 + 4 + 3 + 1 + 6);
        let hidden = model
            .hidden(&packed, Attention::Causal, Pass::Infer)
            .unwrap();
        let logits = model.logits(&hidden).unwrap();
        let theirs = table(&case.logits[1]);
        for (node, from) in [(1, 0), (3, 4), (4, 5)] {
            let length = nodes[node].ids.len() as i64;
            let ours = logits.narrow(0, starts[node], length);
            close(
                &case.name,
                &ours,
                &theirs.narrow(0, from, length),
                TOLERANCE,
            );
        }
        close(
            &case.name,
            &logits.narrow(0, starts[0], 5),
            &table(&case.logits[0]),
            TOLERANCE,
        );
        assert!(
            model
                .hidden(&packed, Attention::Bidirectional, Pass::Infer)
                .is_err()
        );
    }
}

#[test]
fn reading_step_by_step_gives_the_same_logits() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    for case in recorded.cases.iter().filter(|case| !case.logits.is_empty()) {
        let model = decoder(&folder_of(case, folder.path(), Kind::Float, 1));
        let theirs = table(&case.logits[1]);
        for cuts in [vec![11], vec![1; 11], vec![6, 1, 4], vec![3, 3, 3, 2]] {
            let mut cache = Cache::new();
            let mut read = 0;
            for count in cuts {
                let ids = &recorded.sequences[1][read..read + count];
                let logits = model
                    .logits(&model.follow(ids, &mut cache).unwrap())
                    .unwrap();
                close(
                    &case.name,
                    &logits,
                    &theirs.narrow(0, read as i64, count as i64),
                    TOLERANCE,
                );
                read += count;
            }
            assert_eq!(cache.length(), 11);
        }
    }
}

#[test]
fn encoders_give_the_vectors_of_transformers() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for case in recorded.cases.iter().filter(|case| !case.hidden.is_empty()) {
        let path = folder_of(case, folder.path(), Kind::Float, 2);
        let config = Config::of_folder(&path).unwrap();
        let model = config.load(&path, Device::Cpu).unwrap();
        let rows = batched(&recorded.sequences, |packed| {
            model.forward(packed, Pass::Infer).unwrap()
        });
        for (ours, theirs) in rows.iter().zip(&case.hidden) {
            close(&case.name, ours, &table(theirs), 1e-5);
        }
        assert_eq!(
            config.sizes().positions,
            if case.name == "bert" { 40 } else { 38 }
        );
        checked += 1;
    }
    assert_eq!(checked, 3);
}

#[test]
fn classifiers_give_the_scores_of_transformers() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for case in recorded.cases.iter().filter(|case| !case.scores.is_empty()) {
        let path = folder_of(case, folder.path(), Kind::Float, 1);
        let model = Classifier::load(&path, Device::Cpu).unwrap();
        let pair = |ids: &Vec<u32>| {
            let types = (0..ids.len()).map(|i| u32::from(i >= 3)).collect();
            PairTokens {
                ids: ids.clone(),
                types,
            }
        };
        let inputs: Vec<PairTokens> = recorded.sequences.iter().map(pair).collect();
        let scores = model.scores(&inputs).unwrap();
        close(&case.name, &scores, &table(&case.scores), TOLERANCE);
        assert_eq!(model.labels(), case.scores[0].len() as i64);
        checked += 1;
    }
    assert_eq!(checked, 2);
    let headless = recorded
        .cases
        .iter()
        .find(|case| case.name == "bert")
        .unwrap();
    assert!(
        Classifier::load(
            &folder_of(headless, folder.path(), Kind::Float, 1),
            Device::Cpu
        )
        .is_err()
    );
}

#[test]
fn half_precision_and_shards_are_read_as_they_are() {
    let recorded = recorded();
    let folder = tempfile::tempdir().unwrap();
    let case = recorded
        .cases
        .iter()
        .find(|case| case.name == "qwen3-untied")
        .unwrap();
    for kind in [Kind::BFloat16, Kind::Half] {
        let path = folder_of(case, folder.path(), kind, 3);
        let config = Config::of_folder(&path).unwrap();
        let logits = |wanted: Option<Kind>| {
            let model = config.load_decoder(&path, wanted, Device::Cpu).unwrap();
            let rows = batched(&recorded.sequences, |packed| {
                let hidden = model
                    .hidden(packed, Attention::Causal, Pass::Infer)
                    .unwrap();
                assert_eq!(hidden.kind(), wanted.unwrap_or(kind));
                model.logits(&hidden).unwrap()
            });
            Tensor::cat(&rows, 0)
        };
        let theirs = Tensor::cat(
            &case
                .logits
                .iter()
                .map(|rows| table(rows))
                .collect::<Vec<_>>(),
            0,
        );
        let size = theirs.abs().max().double_value(&[]);
        // Rounding of the weights alone, then of every step too.
        for wanted in [Some(Kind::Float), None] {
            let found = difference(&logits(wanted), &theirs) / size;
            assert!(found > 1e-6 && found < 0.03, "{kind:?} {wanted:?}: {found}");
        }
    }
}

//! The loss and its gradient: against PyTorch, and whole against in pieces.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use lexforge_domain::protocol::Pooling;
use lexforge_models::encoder::Encoder;
use lexforge_models::infonce::{Comparison, Item};
use lexforge_models::items::Items;
use lexforge_models::{adapter, gradients, lora, pooling};
use serde::Deserialize;
use tch::{Device, Tensor};

#[derive(Deserialize)]
struct Recorded {
    temperature: f64,
    hidden: i64,
    items: Vec<RecordedItem>,
    vectors: Vec<f32>,
    losses: Vec<f32>,
    gradient: Vec<f32>,
}

#[derive(Deserialize)]
struct RecordedItem {
    anchor: i64,
    answer_group: i64,
    question: usize,
    answer: usize,
    negatives: Vec<usize>,
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max)
}

#[test]
fn loss_and_gradient_are_pytorchs() {
    let recorded: Recorded = serde_json::from_str(include_str!("data/infonce.json")).unwrap();
    let items: Vec<Item> = recorded
        .items
        .into_iter()
        .map(|i| Item {
            anchor: i.anchor,
            answer_group: i.answer_group,
            question: i.question,
            answer: i.answer,
            negatives: i.negatives,
        })
        .collect();
    let references: Vec<&Item> = items.iter().collect();
    let comparison = Comparison::of(&references, true);
    let raw = Tensor::from_slice(&recorded.vectors).view([-1, recorded.hidden]).set_requires_grad(true);
    let rows: Vec<i64> = comparison.texts.iter().map(|&t| t as i64).collect();
    let unit = pooling::unit_rows(&raw.index_select(0, &Tensor::from_slice(&rows))).unwrap();
    let losses = comparison.losses(&unit, recorded.temperature).unwrap();
    comparison.mean_loss(&unit, recorded.temperature).unwrap().backward();
    let found = Vec::<f32>::try_from(losses.detach()).unwrap();
    let difference = largest_difference(&found, &recorded.losses);
    assert!(difference < 1e-5, "losses differ by {difference}");
    let found = Vec::<f32>::try_from(raw.grad().view([-1])).unwrap();
    let difference = largest_difference(&found, &recorded.gradient);
    assert!(difference < 1e-5, "gradients differ by {difference}");
    assert!(recorded.gradient.iter().any(|g| g.abs() > 0.1), "a gradient that is not zero");
}

/// Loss and gradients of one batch with a token budget and a dropout.
fn batch(budget: usize, dropout: f64) -> (f64, Vec<f32>) {
    let folder = tempfile::tempdir().unwrap();
    let models = common::tiny_models(folder.path());
    let mut encoder = Encoder::open(&models.join(common::TINY), Pooling::Mean, 32, Device::Cpu).unwrap();
    let mut job = common::train_job();
    job.lora.dropout = dropout;
    tch::manual_seed(5);
    lora::adapt(&mut encoder.linears(), &job.lora).unwrap();
    let parameters = adapter::trained(&encoder);
    // B is zero in a fresh adapter, and A would then have no gradient.
    for (name, tensor) in &parameters {
        if name.ends_with("lora_B.weight") {
            tch::no_grad(|| tensor.shallow_clone().normal_(0.0, 0.1));
        }
    }
    let bundle = folder.path().join("bundle");
    common::train_bundle(&bundle, &job, &common::items(6, 9), &[]);
    let items = Items::read(&bundle.join(&job.train), &encoder.tokenizer).unwrap();
    let comparison = items.comparison(&[0, 1, 2, 3, 4, 5], true);
    let texts = items.tokens_of(&comparison);
    tch::manual_seed(6);
    let loss = gradients::accumulate(&encoder, &texts, &comparison, 0.1, budget).unwrap();
    let gradient = parameters.values().flat_map(|p| Vec::<f32>::try_from(p.grad().view([-1])).unwrap()).collect();
    (loss, gradient)
}

#[test]
fn pieces_give_the_loss_and_gradient_of_the_whole() {
    let (loss, gradient) = batch(100_000, 0.0);
    assert!(gradient.iter().any(|g| g.abs() > 1e-3));
    for budget in [10, 40, 90] {
        let (piecewise, pieces) = batch(budget, 0.0);
        assert!((loss - piecewise).abs() < 1e-5, "budget {budget}: {loss} {piecewise}");
        let difference = largest_difference(&gradient, &pieces);
        assert!(difference < 1e-5, "budget {budget}: gradients differ by {difference}");
    }
}

#[test]
fn dropout_is_replayed_piece_by_piece() {
    let (once, gradient) = batch(40, 0.3);
    let (again, same) = batch(40, 0.3);
    assert_eq!((once, &gradient), (again, &same), "the same seed gives the same step");
    let (without, plain) = batch(40, 0.0);
    assert!((once - without).abs() > 1e-6);
    assert!(largest_difference(&gradient, &plain) > 1e-6);
}

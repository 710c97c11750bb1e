//! All ways of computing give the same loss and gradient: through the whole graph; with logits for a few rows at a
//! time; and with each layer computed again for its gradient, with the same dropout.

use crate::common::formula::{DECODER, tiny_decoder};
use crate::common::{TINY, tiny_models};
use lexforge_domain::protocol::{LoraSpec, Pooling};
use lexforge_models::adapters::adapter;
use lexforge_models::adapters::lora::{self, Linear, Pass};
use lexforge_models::architectures::architecture::Config;
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::encoder::{DecoderVectors, Encoder, Text, Vectors};
use lexforge_models::architectures::recompute::Way;
use lexforge_models::decoding::language::Exchange;
use lexforge_models::losses::loss::TokenLoss;
use lexforge_models::losses::masked::{Masked, MaskedText};
use lexforge_models::losses::sft::Sft;
use lexforge_models::losses::token_loss::{Kind as LossKind, TermLoss, TokenItem, Wrong};
use lexforge_models::shim::{LowRankTensors, low_rank_linear};
use lexforge_models::tensors::NamedTensors;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tch::{Device, Kind, Tensor};

/// The tests share libtorch's generator, one at a time.
fn generator() -> MutexGuard<'static, ()> {
    static GENERATOR: Mutex<()> = Mutex::new(());
    GENERATOR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An adapter with dropout that does something.
fn adapt(layers: &mut [&mut Linear], targets: &[&str]) {
    tch::set_num_threads(1);
    tch::manual_seed(3);
    let targets = targets.iter().map(|t| (*t).to_owned()).collect();
    lora::adapt(
        layers,
        &LoraSpec {
            r: 4,
            alpha: 8.0,
            dropout: 0.2,
            targets,
        },
    )
    .unwrap();
    tch::no_grad(|| {
        for layer in layers.iter() {
            let Some(low) = layer.low_rank() else {
                continue;
            };
            let _ = low.b.shallow_clone().normal_(0.0, 0.1);
        }
    });
}

/// The gradients so far, which are then forgotten.
fn gradients(layers: &[&Linear]) -> NamedTensors {
    let trained = adapter::trained(layers);
    trained
        .into_iter()
        .map(|(name, mut tensor)| {
            let gradient = tensor.grad().copy();
            tensor.zero_grad();
            (name, gradient)
        })
        .collect()
}

/// Loss and gradients from one state of the generator.
fn computed(layers: &[&Linear], loss: impl FnOnce() -> f64) -> (f64, NamedTensors, f64) {
    tch::manual_seed(11);
    let loss = loss();
    let next = Tensor::rand([1], (Kind::Double, Device::Cpu)).double_value(&[0]);
    (loss, gradients(layers), next)
}

fn same(what: &str, one: &(f64, NamedTensors, f64), two: &(f64, NamedTensors, f64)) {
    assert!(
        (one.0 - two.0).abs() < 1e-6 * one.0.abs().max(1.0),
        "{what}: {} {}",
        one.0,
        two.0
    );
    // Random numbers that are drawn afterwards are the same, too.
    assert!((one.2 - two.2).abs() < 1e-12, "{what}");
    let largest = one
        .1
        .values()
        .map(|gradient| gradient.abs().max().double_value(&[]))
        .fold(0.0, f64::max);
    assert!(largest > 1e-3, "{what}: there is no gradient");
    for (name, gradient) in &one.1 {
        let difference = (gradient - &two.1[name]).abs().max().double_value(&[]);
        assert!(
            difference < 1e-6 * largest.max(1.0),
            "{what} {name}: {difference} of {largest}"
        );
    }
}

fn every_way<L: TokenLoss>(decoder: &dyn Decoder, loss: &L, items: &[L::Item]) {
    let batch: Vec<&L::Item> = items.iter().collect();
    let layers = decoder.linears_ref();
    let graph = computed(&layers, || {
        let loss = loss.loss(decoder, &batch, Pass::Train).unwrap();
        loss.backward();
        loss.double_value(&[])
    });
    for recompute in [false, true] {
        let way = Way {
            recompute,
            scale: 1.0,
        };
        let found = computed(&layers, || {
            loss.backward(decoder, &batch, Pass::Train, way).unwrap()
        });
        same(
            &format!("{} recompute {recompute}", loss.name()),
            &graph,
            &found,
        );
        // The scale multiplies the gradient alone.
        let scaled = Way {
            scale: 1024.0,
            ..way
        };
        let mut found = computed(&layers, || {
            loss.backward(decoder, &batch, Pass::Train, scaled).unwrap()
        });
        found
            .1
            .values_mut()
            .for_each(|gradient| *gradient = &*gradient / 1024.0);
        same(&format!("{} scaled", loss.name()), &graph, &found);
    }
    let without = tch::no_grad(|| {
        loss.loss(decoder, &batch, Pass::Infer)
            .unwrap()
            .double_value(&[])
    });
    let value = loss.value(decoder, &batch).unwrap();
    assert!((without - value).abs() < 1e-6 * value.max(1.0) && (value - graph.0).abs() > 1e-4);
}

fn decoder(targets: &[&str]) -> Box<dyn Decoder> {
    let folder = tempfile::tempdir().unwrap();
    tiny_decoder(&tiny_models(folder.path()));
    let folder = folder.path().join(DECODER);
    let mut decoder = Config::of_folder(&folder)
        .unwrap()
        .load_decoder(&folder, None, Device::Cpu)
        .unwrap();
    adapt(&mut decoder.linears(), targets);
    decoder
}

#[test]
fn a_token_loss_has_one_gradient_in_every_way() {
    let _generator = generator();
    let exchange = |ids: &[u32], answer| Exchange {
        ids: ids.to_vec(),
        answer,
        ..Exchange::default()
    };
    let asked = [
        exchange(&[2, 5, 9, 4, 7, 3], 3),
        exchange(&[2, 8, 3], 1),
        exchange(&[2, 6, 11, 20, 4, 3], 4),
    ];
    let wrong = |ids: &[u32], divergence, end| Wrong {
        ids: ids.to_vec(),
        divergence,
        term_end: end,
        scored: 3..(end + 1).min(ids.len()),
    };
    let terms = [
        TokenItem {
            ids: vec![2, 5, 9, 10, 11, 7, 3],
            answer: 2,
            scored: 3..6,
            wrong: vec![
                wrong(&[2, 5, 9, 10, 7, 3], 4, 4),
                wrong(&[2, 5, 9, 14, 15, 16, 7, 3], 3, 6),
            ],
        },
        TokenItem {
            ids: vec![2, 6, 4, 20, 3],
            answer: 3,
            scored: 3..5,
            wrong: vec![wrong(&[2, 6, 4, 21, 3], 3, 4)],
        },
    ];
    let masked = [MaskedText {
        ids: vec![2, 4, 1, 8, 1, 3],
        hidden: vec![(2, 9), (4, 12)],
    }];
    // With an adapter from the second layer on the first one needs no gradient.
    for targets in [
        &[lora::ALL_LINEAR][..],
        &["layers.1.self_attn.v_proj", "layers.1.mlp.down_proj"],
    ] {
        let decoder = decoder(targets);
        let decoder = decoder.as_ref();
        every_way(decoder, &Sft, &asked);
        for kind in [LossKind::Candidates, LossKind::Divergence, LossKind::Paper] {
            every_way(decoder, &TermLoss::new(kind), &terms);
        }
        // Seen from both sides.
        every_way(decoder, &Masked { from_before: true }, &masked);
    }
}

#[test]
fn a_loss_over_vectors_has_one_gradient_in_every_way() {
    let _generator = generator();
    let ids: [&[u32]; 3] = [&[2, 5, 9, 3], &[2, 8, 3], &[2, 6, 11, 20, 4, 3]];
    let texts: Vec<Text<'_>> = ids.iter().map(|&ids| ids.into()).collect();
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let mut encoder = Encoder::open(&models.join(TINY), Pooling::Mean, 32, Device::Cpu).unwrap();
    adapt(&mut encoder.linears(), &["query", "value", "dense"]);
    let decoder = decoder(&[lora::ALL_LINEAR]);
    let vectors = DecoderVectors {
        decoder: decoder.as_ref(),
        pooling: Pooling::Last,
        attention: Attention::Bidirectional,
    };
    let subjects: [(&dyn Vectors, Vec<&Linear>); 2] = [
        (&encoder, encoder.linears_ref()),
        (&vectors, decoder.linears_ref()),
    ];
    for (model, layers) in &subjects {
        let graph = computed(layers, || {
            let loss = model
                .encode_texts(&texts, Pass::Train)
                .unwrap()
                .square()
                .mean(Kind::Float);
            loss.backward();
            loss.double_value(&[])
        });
        for recompute in [false, true] {
            let way = Way {
                recompute,
                scale: 1.0,
            };
            let mut loss = |vectors: &Tensor| Ok(vectors.square().mean(Kind::Float));
            let found = computed(layers, || {
                model.backward(&texts, Pass::Train, way, &mut loss).unwrap()
            });
            same(&format!("vectors, recompute {recompute}"), &graph, &found);
        }
    }
}

#[test]
fn what_is_dropped_is_random_of_the_right_share_and_the_same_for_the_gradient() {
    let _generator = generator();
    let (tokens, width) = (300, 200);
    let eye = Tensor::eye(width, (Kind::Float, Device::Cpu));
    let (weight, a, b) = (
        eye.zeros_like(),
        eye.copy().set_requires_grad(true),
        eye.copy(),
    );
    let x = Tensor::ones([tokens, width], (Kind::Float, Device::Cpu)).set_requires_grad(true);
    let layer = LowRankTensors {
        weight: &weight,
        largest: None,
        bias: None,
        a: &a,
        b: &b,
    };
    let masks: Vec<Tensor> = [7, 7, 8]
        .iter()
        .map(|&seed| {
            tch::manual_seed(seed);
            low_rank_linear(&x, &layer, 1.0, 0.25).unwrap()
        })
        .collect();
    assert_eq!(masks[0], masks[1]);
    let share = |t: &Tensor| t.to_kind(Kind::Double).mean(Kind::Double).double_value(&[]);
    // Standard error of a share over 60,000: 0.0018.
    for mask in &masks {
        assert!((share(&mask.eq(0.0)) - 0.25).abs() < 0.01);
        assert!((mask.max().double_value(&[]) - 4.0 / 3.0).abs() < 1e-6);
    }
    // Dropped independently in rows, in columns and from call to call.
    let zero = masks[0].eq(0.0);
    let other = masks[2].eq(0.0);
    let both = |a: &Tensor, b: &Tensor| share(&a.logical_and(b));
    assert!((both(&zero, &other) - 0.0625).abs() < 0.006);
    assert!(
        (both(
            &zero.narrow(0, 1, tokens - 1),
            &zero.narrow(0, 0, tokens - 1)
        ) - 0.0625)
            .abs()
            < 0.006
    );
    assert!(
        (both(&zero.narrow(1, 1, width - 1), &zero.narrow(1, 0, width - 1)) - 0.0625).abs() < 0.006
    );
    masks[0].sum(Kind::Float).backward();
    assert!((x.grad() - &masks[0]).abs().max().double_value(&[]) < 1e-5);
    // By A: the columns' sums of what was kept, whatever the row.
    let kept = masks[0]
        .detach()
        .sum_dim_intlist([0i64].as_slice(), true, Kind::Float);
    assert!((a.grad() - kept).abs().max().double_value(&[]) < 1e-3);
}

//! Tests of restoring sentences from what is left of them. The gradient fits the loss. A run learns, can be resumed
//! with the same bits, and can be divided among ranks. Its result can be read like any adapter.

use crate::common::formula::{DECODER, tiny_decoder};
use crate::common::stages::{adapter, result, trained_and_killed};
use crate::common::*;
use lexforge_domain::protocol::{
    DenoisingObjective, Event, Objective, Pooling, StageSpec, TrainItem, TrainJob, Tune,
};
use lexforge_models::Error;
use lexforge_models::adapters::adapter::Sidecar;
use lexforge_models::architectures::encoder::Encoder;
use lexforge_models::architectures::recompute::Way;
use lexforge_models::architectures::sentence_decoder::{DecoderSizes, SentenceDecoder};
use lexforge_models::losses::restored::{Damaged, Restorer};
use lexforge_models::tensors::{NamedTensors, from_bytes};
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// Sentences of the tiny model's tokens, of several lengths and two of one length, with what is left of them.
fn damaged() -> Vec<Damaged> {
    let of = |whole: &[u32], left: &[u32]| Damaged {
        whole: whole.to_vec(),
        left: left.to_vec(),
    };
    vec![
        of(&[2, 4, 5, 6, 7, 8, 3], &[2, 5, 8, 3]),
        of(&[2, 9, 10, 3], &[2, 9, 3]),
        of(&[2, 12, 5, 14, 3], &[2, 12, 14, 3]),
        of(&[2, 20, 21, 22, 3], &[2, 21, 3]),
    ]
}

fn weight(texts: &[Damaged]) -> f64 {
    1.0 / texts.iter().map(Damaged::foretold).sum::<usize>() as f64
}

/// The tiny encoder with all weights trained, and a decoder beside it.
fn opened(models: &Path) -> (Encoder, SentenceDecoder) {
    let none = NamedTensors::new();
    let folder = models.join(TINY);
    let encoder = Encoder::open_to_train(&folder, Pooling::Mean, 32, &none, Device::Cpu).unwrap();
    let sizes = DecoderSizes {
        hidden: 32,
        inner: 64,
        vector: 32,
        longest: 32,
    };
    tch::manual_seed(5);
    let words = encoder.words().unwrap();
    let decoder = SentenceDecoder::fresh(&folder, words, sizes, Device::Cpu).unwrap();
    (encoder, decoder)
}

fn restorer<'a>(
    encoder: &'a Encoder,
    decoder: &'a SentenceDecoder,
    pooling: Pooling,
) -> Restorer<'a> {
    Restorer {
        encoder,
        pooling,
        decoder,
        words: encoder.words().unwrap(),
    }
}

/// The gradient that a backward pass adds to every trained tensor.
fn gradients(trained: &NamedTensors) -> BTreeMap<String, Tensor> {
    let mut found = BTreeMap::new();
    for (name, tensor) in trained {
        let mut gradient = tensor.grad();
        if gradient.defined() {
            found.insert(name.clone(), gradient.copy());
            let _ = gradient.zero_();
        }
    }
    found
}

fn apart(one: &Tensor, other: &Tensor) -> f64 {
    (one - other).abs().max().double_value(&[])
}

#[test]
fn the_gradient_is_how_steeply_the_loss_rises() {
    tch::set_num_threads(1);
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    for pooling in [Pooling::Mean, Pooling::Cls] {
        let (encoder, decoder) = opened(&models);
        let restorer = restorer(&encoder, &decoder, pooling);
        let texts = damaged();
        let all: Vec<&Damaged> = texts.iter().collect();
        let weight = weight(&texts);
        let of_encoder = encoder.all_weights().unwrap().tensors();
        let own = decoder.tensors();
        assert_eq!(own.len(), 28);
        let trained: NamedTensors = of_encoder.into_iter().chain(decoder.tensors()).collect();
        let learnt = restorer.backward(&all, weight, Way::default()).unwrap();
        let value = restorer.value(&all, weight).unwrap();
        assert!((learnt - value).abs() < 1e-5, "{learnt} {value}");
        let plain = gradients(&trained);
        // Every part of the decoder is learnt, and the encoder with the table of its words.
        for name in own.keys() {
            assert!(plain.contains_key(name), "{name}");
        }
        let of_words = plain.keys().filter(|n| n.contains("word_embeddings"));
        assert_eq!(of_words.count(), 1);
        let of_query = plain
            .keys()
            .find(|n| n.contains("layer.0.attention.self.query.weight"));
        let reached = plain[of_query.unwrap()].abs().max().double_value(&[]);
        assert!(reached > 1e-6, "{reached}");
        for (name, gradient) in &plain {
            let length = gradient.square().sum(Kind::Double).double_value(&[]).sqrt();
            if length < 1e-6 {
                continue;
            }
            let mut tensor = trained[name].shallow_clone();
            let step = 5e-3;
            let mut at = |by: f64| {
                let way = gradient * (by / length);
                tch::no_grad(|| {
                    let _ = tensor.g_add_(&way);
                });
            };
            at(step);
            let above = restorer.value(&all, weight).unwrap();
            at(-2.0 * step);
            let below = restorer.value(&all, weight).unwrap();
            at(step);
            let found = (above - below) / (2.0 * step);
            let off = (found - length).abs();
            assert!(off < 0.02 * length + 2e-4, "{name}: {found} {length}");
        }

        // In two pieces whose parts add up, with layers computed again, and times a scale.
        let [first, rest] = [&all[..1], &all[1..]];
        let recompute = Way {
            recompute: true,
            ..Way::default()
        };
        let pieces = restorer.backward(first, weight, recompute).unwrap()
            + restorer.backward(rest, weight, recompute).unwrap();
        assert!((pieces - value).abs() < 1e-5, "{pieces} {value}");
        for (name, other) in gradients(&trained) {
            assert!(apart(&plain[&name], &other) < 1e-5, "{name}");
        }
        let scaled = Way {
            scale: 4.0,
            ..Way::default()
        };
        let same = restorer.backward(&all, weight, scaled).unwrap();
        assert!((same - value).abs() < 1e-5, "{same} {value}");
        for (name, other) in gradients(&trained) {
            assert!(apart(&(&plain[&name] * 4.0), &other) < 1e-4, "{name}");
        }
    }
}

#[test]
fn a_sentence_counts_the_same_alone_and_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (encoder, decoder) = opened(&models);
    let restorer = restorer(&encoder, &decoder, Pooling::Mean);
    let texts = damaged();
    let value = |some: &[&Damaged]| restorer.value(some, 0.25).unwrap();
    let alone: f64 = texts.iter().map(|text| value(&[text])).sum();
    let all: Vec<&Damaged> = texts.iter().collect();
    let turned: Vec<&Damaged> = texts.iter().rev().collect();
    for together in [value(&all), value(&turned)] {
        assert!((alone - together).abs() < 1e-5, "{alone} {together}");
    }
    // The decoder is told of the encoder's vector: with another sentence's the loss is another.
    let other = Damaged {
        left: texts[1].left.clone(),
        ..texts[0].clone()
    };
    let [own, others] = [value(&[&texts[0]]), value(&[&other])];
    assert!((own - others).abs() > 1e-3, "{own} {others}");
}

fn denoising(pooling: Pooling) -> StageSpec {
    StageSpec {
        objective: Objective::Denoising(DenoisingObjective {
            share: 0.6,
            pooling,
        }),
        epochs: 8,
        batch_size: 8,
        learning_rate: 5e-3,
        ..sentence_stage()
    }
}

fn job(tune: Tune) -> TrainJob {
    let mut job = train_job();
    job.settings.tune = tune;
    job.settings.stages = vec![denoising(Pooling::Mean)];
    job
}

#[test]
fn an_encoder_learns_and_a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    // Its tokenizer has no mask, and none is needed.
    let models = tiny_models(folder.path());
    let (train, dev) = (sentences(300, 1), sentences(40, 2));
    for tune in [Tune::Lora, Tune::All] {
        let folder = folder.path().join(format!("{tune:?}"));
        let straight = trained_and_killed(&folder, &models, &job(tune), [&train, &dev]);
        let whole = result(&straight);
        let stage = &whole.stages[0];
        assert_eq!((stage.name.as_str(), stage.items), ("tsdae", 300));
        let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
        assert!(after < 0.7 * before, "{tune:?}: {before} {after}");
        // The decoder is no part of what was made, and the encoder learnt.
        let named = from_bytes(&adapter(&straight), Error::Shim).unwrap();
        let beside = |name: &&String| name.contains("sentence_decoder") || name.contains("head");
        assert_eq!(named.keys().find(beside), None);
        let moved = named
            .iter()
            .filter(|(name, _)| tune == Tune::All || name.contains("lora_B"));
        let moved = moved.map(|(_, tensor)| tensor.abs().max().double_value(&[]));
        let most = moved.fold(0.0, f64::max);
        assert!(most > 1e-3, "{tune:?}: {most}");
    }
}

/// Loss of every step.
fn losses(bundle: &Path) -> Vec<f64> {
    let events = events(bundle).into_iter();
    events
        .filter_map(|e| match e.event {
            Event::Progress { loss, .. } => loss,
            _ => None,
        })
        .collect()
}

#[test]
fn micro_batches_and_ranks_have_the_losses_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (train, dev) = (sentences(60, 1), sentences(10, 2));
    let made = |name: &str, ranks: usize, micro_batch: Option<usize>| {
        let mut job = job(Tune::Lora);
        job.settings.lora.dropout = 0.0;
        let stage = &mut job.settings.stages[0];
        // Uneven parts, and few steps at a small rate, so that rounding does not grow.
        stage.batch_size = 7;
        stage.micro_batch = micro_batch;
        stage.max_steps = Some(6);
        stage.learning_rate = 3e-4;
        let at = folder.path().join(name);
        train_bundle(&at, &job, &train, &dev);
        let mut command = command(&at, &models);
        if ranks > 1 {
            command.args(["--ranks", &ranks.to_string()]);
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {said}");
        losses(&at)
    };
    let plain = made("plain", 1, None);
    assert_eq!(plain.len(), 6);
    for (name, ranks, micro_batch) in [
        ("pieces", 1, Some(2)),
        ("two", 2, None),
        ("both", 2, Some(2)),
    ] {
        let other = made(name, ranks, micro_batch);
        assert_eq!(other.len(), plain.len(), "{name}");
        for (one, other) in plain.iter().zip(&other) {
            assert!(
                (one - other).abs() < 1e-5 * one.max(1.0),
                "{name}: {one} {other}"
            );
        }
    }
}

#[test]
fn the_adapter_is_read_as_the_stage_pooled() {
    let mut job = job(Tune::Lora);
    job.settings.stages = vec![denoising(Pooling::Cls)];
    let alone = Sidecar::of_job(&job, 32, 1);
    assert_eq!((alone.pooling, alone.temperature), (Pooling::Cls, 0.0));
    job.settings.stages.push(sentence_stage());
    let before = Sidecar::of_job(&job, 32, 1);
    assert_eq!((before.pooling, before.temperature), (Pooling::Mean, 0.1));
    assert_eq!(before.stages, ["tsdae", "sentence"]);
}

#[test]
fn what_cannot_be_restored_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    tiny_decoder(&models);
    let refused = |name: &str, job: &TrainJob, train: &[TrainItem], words: &str| {
        let at = folder.path().join(name);
        train_bundle(&at, job, train, &[]);
        let output = run(&at, &models);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{said}");
    };
    let texts = sentences(20, 1);
    let mut decoder = job(Tune::Lora);
    decoder.model.name = DECODER.into();
    refused("decoder", &decoder, &texts, "tsdae tunes text encoders");
    refused("empty", &job(Tune::Lora), &[], "no training items");
    let mut all = job(Tune::Lora);
    all.settings.stages[0].objective = Objective::Denoising(DenoisingObjective {
        share: 1.0,
        pooling: Pooling::Mean,
    });
    refused("all", &all, &texts, "share of deleted words");
}

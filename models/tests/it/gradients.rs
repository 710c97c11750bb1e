//! The loss and its gradient: against PyTorch, and whole against in pieces.

use crate::common;
use crate::common::formula::{values, write_model};
use lexforge_domain::protocol::{LoraSpec, MeaningItem, Objective, Pooling, StageSpec, TrainItem};
use lexforge_models::adapters::{adapter, lora};
use lexforge_models::architectures::encoder::{Encoder, Text};
use lexforge_models::architectures::pooling;
use lexforge_models::architectures::recompute::Way;
use lexforge_models::losses::gradients;
use lexforge_models::losses::gradients::Part;
use lexforge_models::losses::infonce::{Comparison, Item};
use lexforge_models::losses::vector_loss::InfoNce;
use lexforge_models::training::lessons::{self, Batch, Material, Trainee};
use lexforge_models::training::ranks::Ranks;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use tch::{Device, Kind, Tensor};

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
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f32::max)
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
    let raw = Tensor::from_slice(&recorded.vectors)
        .view([-1, recorded.hidden])
        .set_requires_grad(true);
    let rows: Vec<i64> = comparison.texts.iter().map(|&t| t as i64).collect();
    let unit = pooling::unit_rows(&raw.index_select(0, &Tensor::from_slice(&rows))).unwrap();
    let losses = comparison.losses(&unit, recorded.temperature).unwrap();
    comparison
        .mean_loss(&unit, recorded.temperature)
        .unwrap()
        .backward();
    let found = Vec::<f32>::try_from(losses.detach()).unwrap();
    let difference = largest_difference(&found, &recorded.losses);
    assert!(difference < 1e-5, "losses differ by {difference}");
    let found = Vec::<f32>::try_from(raw.grad().view([-1])).unwrap();
    let difference = largest_difference(&found, &recorded.gradient);
    assert!(difference < 1e-5, "gradients differ by {difference}");
    assert!(
        recorded.gradient.iter().any(|g| g.abs() > 0.1),
        "a gradient that is not zero"
    );
}

/// libtorch's generator is one for the whole process.
static GENERATOR: Mutex<()> = Mutex::new(());

/// Loss and gradients of one batch with a token budget and a dropout, at the weights moved by `along`.
fn batch(budget: usize, dropout: f64, along: &[f32]) -> (f64, Vec<f32>) {
    batch_of(
        common::TINY,
        Pooling::Mean,
        &["query", "key", "value", "dense"],
        budget,
        dropout,
        along,
    )
}

fn batch_of(
    model: &str,
    pooling: Pooling,
    targets: &[&str],
    budget: usize,
    dropout: f64,
    along: &[f32],
) -> (f64, Vec<f32>) {
    let _one_at_a_time = GENERATOR.lock().unwrap_or_else(PoisonError::into_inner);
    tch::set_num_threads(1);
    let folder = tempfile::tempdir().unwrap();
    let models = common::tiny_models(folder.path());
    common::formula::tiny_decoder(&models);
    let mut encoder = Encoder::open(&models.join(model), pooling, 32, Device::Cpu).unwrap();
    let mut job = common::train_job();
    job.settings.lora.dropout = dropout;
    job.settings.lora.targets = targets.iter().map(|target| (*target).to_owned()).collect();
    tch::manual_seed(5);
    lora::adapt(&mut encoder.linears(), &job.settings.lora).unwrap();
    let parameters = adapter::trained(&encoder.linears_ref());
    let mut at = 0;
    for (name, tensor) in &parameters {
        let mut tensor = tensor.shallow_clone();
        let _no_grad = tch::no_grad_guard();
        // B is zero in a fresh adapter, and A would then have no gradient.
        if name.ends_with("lora_B.weight") {
            let _ = tensor.normal_(0.0, 0.1);
        }
        if !along.is_empty() {
            let _ = tensor
                .g_add_(&Tensor::from_slice(&along[at..at + tensor.numel()]).view_as(&tensor));
        }
        at += tensor.numel();
    }
    let drafted = common::items(6, 9);
    let strings: Vec<&str> = drafted
        .iter()
        .flat_map(|item| {
            [&item.question, &item.answer]
                .into_iter()
                .chain(&item.negatives)
        })
        .map(String::as_str)
        .collect();
    let tokens = encoder.tokenizer.tokenize(&strings).unwrap();
    // Five texts an item: question, answer and three wrong choices.
    let items: Vec<Item> = (0..6)
        .map(|i| Item {
            anchor: drafted[i].anchor,
            answer_group: drafted[i].answer_group,
            question: 5 * i,
            answer: 5 * i + 1,
            negatives: (5 * i + 2..5 * i + 5).collect(),
        })
        .collect();
    let comparison = Comparison::of(&items.iter().collect::<Vec<_>>(), true);
    let texts: Vec<Text<'_>> = comparison
        .texts
        .iter()
        .map(|&text| tokens[text].ids.as_slice().into())
        .collect();
    tch::manual_seed(6);
    let loss = InfoNce {
        comparison: &comparison,
        temperature: 0.1,
    };
    let part = Part {
        budget,
        way: Way::default(),
        ranks: &Ranks::alone(),
    };
    let loss = gradients::accumulate(&encoder, &texts, &loss, part)
        .unwrap()
        .0;
    let gradient = parameters
        .values()
        .flat_map(|p| Vec::<f32>::try_from(p.grad().view([-1])).unwrap())
        .collect();
    (loss, gradient)
}

#[test]
fn pieces_give_the_loss_and_gradient_of_the_whole() {
    let (loss, gradient) = batch(100_000, 0.0, &[]);
    assert!(gradient.iter().any(|g| g.abs() > 1e-3));
    for budget in [10, 40, 90] {
        let (piecewise, pieces) = batch(budget, 0.0, &[]);
        assert!(
            (loss - piecewise).abs() < 1e-5,
            "budget {budget}: {loss} {piecewise}"
        );
        let difference = largest_difference(&gradient, &pieces);
        assert!(
            difference < 1e-5,
            "budget {budget}: gradients differ by {difference}"
        );
    }
}

#[test]
fn a_decoder_in_pieces_gives_the_loss_and_gradient_of_the_whole() {
    for pooling in [Pooling::Last, Pooling::Mean] {
        let run = |budget| {
            batch_of(
                common::formula::DECODER,
                pooling,
                &["all-linear"],
                budget,
                0.0,
                &[],
            )
        };
        let (loss, gradient) = run(100_000);
        assert!(gradient.iter().any(|g| g.abs() > 1e-3));
        for budget in [10, 60] {
            let (piecewise, pieces) = run(budget);
            assert!(
                (loss - piecewise).abs() < 1e-5,
                "budget {budget}: {loss} {piecewise}"
            );
            let difference = largest_difference(&gradient, &pieces);
            assert!(
                difference < 2e-5,
                "budget {budget}: gradients differ by {difference}"
            );
        }
    }
}

#[test]
fn dropout_is_replayed_so_that_the_gradient_is_that_of_the_loss() {
    let (without, _) = batch(40, 0.0, &[]);
    let (loss, gradient) = batch(40, 0.3, &[]);
    assert!((loss - without).abs() > 1e-3, "dropout acts");
    // Along the gradient the loss must change by its squared norm, if both passes dropped the same.
    let squared: f64 = gradient.iter().map(|g| f64::from(g * g)).sum();
    let size = 1e-3 / squared.sqrt();
    let moved = |sign: f64| {
        let along: Vec<f32> = gradient
            .iter()
            .map(|g| (sign * size * f64::from(*g)) as f32)
            .collect();
        batch(40, 0.3, &along).0
    };
    let slope = (moved(1.0) - moved(-1.0)) / (2.0 * size);
    assert!(
        (slope / squared - 1.0).abs() < 0.02,
        "slope {slope}, squared norm {squared}"
    );
}

/// tests/python/record_joint.py
#[derive(Deserialize)]
struct RecordedJoint {
    config: serde_json::Value,
    tensors: BTreeMap<String, Vec<i64>>,
    lora: LoraSpec,
    temperature: f64,
    weights: [f64; 2],
    items: Vec<TrainItem>,
    cases: Vec<JointCase>,
}

#[derive(Deserialize)]
struct JointCase {
    pooling: Pooling,
    levels: [f64; 2],
    loss: f64,
    gradients: BTreeMap<String, Vec<f32>>,
}

/// Loss and gradients of the joint stage over all items, on an encoder with the weights of the recording.
fn joint(
    recorded: &RecordedJoint,
    pooling: Pooling,
    weights: [f64; 2],
    micro_batch: Option<usize>,
) -> (f64, BTreeMap<String, Vec<f32>>) {
    let way = Way::default();
    joint_after(recorded, pooling, weights, (micro_batch, way), None, &[])
}

/// Loss and gradients of the joint stage, with terms read after a layer, and with terms that acts define differently.
fn joint_after(
    recorded: &RecordedJoint,
    pooling: Pooling,
    weights: [f64; 2],
    (micro_batch, way): (Option<usize>, Way),
    term_layer: Option<usize>,
    meanings: &[MeaningItem],
) -> (f64, BTreeMap<String, Vec<f32>>) {
    let _one_at_a_time = GENERATOR.lock().unwrap_or_else(PoisonError::into_inner);
    tch::set_num_threads(1);
    let folder = tempfile::tempdir().unwrap();
    let model = common::tiny_models(folder.path()).join(common::TINY);
    write_model(&model, &recorded.config, &recorded.tensors, Kind::Float, 1);
    let encoder = Encoder::open(&model, pooling, 32, Device::Cpu).unwrap();
    let mut trainee = Trainee::Encoder(encoder);
    lora::adapt(&mut trainee.linears(), &recorded.lora).unwrap();
    let parameters = adapter::trained(&trainee.linears_ref());
    for (name, tensor) in &parameters {
        let _no_grad = tch::no_grad_guard();
        tensor.shallow_clone().copy_(&values(name, &tensor.size()));
    }
    let material = Material {
        train: recorded.items.clone(),
        dev: Vec::new(),
        replay: Vec::new(),
        meanings: meanings.to_vec(),
        retrieval: None,
        triplets: None,
        rerank: None,
        longest: 32,
        seed: 1,
    };
    let stage = StageSpec {
        objective: Objective::Joint {
            temperature: recorded.temperature,
            sentence: weights[0],
            token: weights[1],
            pooling,
            term_layer,
        },
        ..common::sentence_stage()
    };
    let lesson = lessons::of_stage(&stage, &trainee, &material).unwrap();
    assert_eq!(lesson.items(), recorded.items.len() + meanings.len());
    assert!(lesson.left_out().is_empty(), "{:?}", lesson.left_out());
    let numbers: Vec<usize> = (0..lesson.items()).collect();
    let batch = Batch {
        numbers: &numbers,
        epoch: 0,
        number: 0,
        micro_batch,
        budget: 4096,
        way,
        ranks: &Ranks::alone(),
    };
    let learnt = lesson.learn(&trainee, batch).unwrap();
    let gradients = parameters
        .iter()
        .map(|(name, p)| {
            let gradient = Vec::<f32>::try_from(p.grad().view([-1])).unwrap();
            (name.clone(), gradient)
        })
        .collect();
    (learnt.loss, gradients)
}

#[test]
fn the_joint_loss_of_an_encoder_and_its_gradients_are_pytorchs() {
    let recorded: RecordedJoint = serde_json::from_str(include_str!("data/joint.json")).unwrap();
    assert_eq!(recorded.cases.len(), 3);
    for case in &recorded.cases {
        let name = case.pooling.tag();
        let [sentences, terms] = recorded.weights;
        for (weights, expected) in [
            ([1.0, 0.0], case.levels[0]),
            ([0.0, 1.0], case.levels[1]),
            ([sentences, terms], case.loss),
        ] {
            let (loss, _) = joint(&recorded, case.pooling, weights, None);
            let difference = (loss - expected).abs();
            assert!(difference < 1e-5, "{name}, {weights:?}: {difference}");
        }
        for micro_batch in [None, Some(1)] {
            let (loss, found) = joint(&recorded, case.pooling, recorded.weights, micro_batch);
            assert!((loss - case.loss).abs() < 1e-5, "{name}: {loss}");
            assert!(found.keys().eq(case.gradients.keys()), "{name}");
            for (parameter, gradient) in &case.gradients {
                let difference = largest_difference(&found[parameter], gradient);
                assert!(difference < 1e-5, "{name}, {parameter}: {difference}");
            }
        }
        let greatest = case.gradients.values().flatten().map(|g| g.abs());
        assert!(
            greatest.fold(0.0, f32::max) > 0.1,
            "gradients that are not zero"
        );
    }
}

/// Terms read after the first of two layers have the same loss and gradient as in a model that has only this layer. The
/// texts of the other level go through both layers.
#[test]
fn terms_of_an_inner_layer_are_those_of_a_model_that_ends_there() {
    let recorded: RecordedJoint = serde_json::from_str(include_str!("data/joint.json")).unwrap();
    let mut ending: RecordedJoint = serde_json::from_str(include_str!("data/joint.json")).unwrap();
    ending.config["num_hidden_layers"] = 1.into();
    ending
        .tensors
        .retain(|name, _| !name.starts_with("encoder.layer.1."));
    let whole = Way::default();
    let again = Way {
        recompute: true,
        ..whole
    };
    let mean = Pooling::Mean;
    let (short, expected) = joint(&ending, mean, [0.0, 1.0], None);
    for how in [(None, whole), (Some(1), whole), (None, again)] {
        let (loss, found) = joint_after(&recorded, mean, [0.0, 1.0], how, Some(1), &[]);
        assert!((loss - short).abs() < 1e-5, "{how:?}: {loss} {short}");
        for (name, gradient) in &found {
            let difference = match expected.get(name) {
                Some(expected) => largest_difference(gradient, expected),
                None => gradient.iter().fold(0.0, |most: f32, g| most.max(g.abs())),
            };
            assert!(difference < 1e-5, "{how:?}, {name}: {difference}");
        }
    }
    assert!(expected.values().flatten().any(|g| g.abs() > 0.1));
    // Whole texts are read after the last layer all the same, and so are terms of a layer that the model does not have.
    let (sentences, _) = joint(&recorded, mean, [1.0, 0.0], None);
    let (last, _) = joint(&recorded, mean, [0.4, 0.6], None);
    let after =
        |weights, layer| joint_after(&recorded, mean, weights, (None, whole), Some(layer), &[]).0;
    assert!((after([1.0, 0.0], 1) - sentences).abs() < 1e-5);
    assert!((after([0.4, 0.6], 1) - (0.4 * sentences + 0.6 * short)).abs() < 1e-5);
    assert!((after([0.4, 0.6], 2) - last).abs() < 1e-6);
    assert!((after([0.4, 0.6], 1) - last).abs() > 1e-3);
}

/// If two acts define a term differently, its use moves to the definition of its own act and away from the other.
#[test]
fn what_another_act_means_by_a_term_is_its_negative() {
    let mut recorded: RecordedJoint =
        serde_json::from_str(include_str!("data/joint.json")).unwrap();
    recorded.items.clear();
    let own = MeaningItem {
        anchor: 1,
        term: "supervisor".to_owned(),
        used: "the supervisor shall approve the loan".to_owned(),
        meaning: "the supervisor must keep the audit of the year".to_owned(),
        others: vec!["the board may limit the supervisor".to_owned()],
    };
    let swapped = MeaningItem {
        meaning: own.others[0].clone(),
        others: vec![own.meaning.clone()],
        ..own.clone()
    };
    let loss = |item: &MeaningItem| {
        let how = (None, Way::default());
        let items = std::slice::from_ref(item);
        joint_after(&recorded, Pooling::Mean, [0.4, 1.0], how, None, items).0
    };
    // With one wrong meaning the shares of both, each as the right one, are the whole.
    let (right, wrong) = (loss(&own), loss(&swapped));
    assert!((f64::exp(-right) + f64::exp(-wrong) - 1.0).abs() < 1e-4);
    assert!((right - wrong).abs() > 1e-3);
}

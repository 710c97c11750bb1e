//! Pairs of a question and a passage: how they are read, what is learnt of them, and what is refused.

use crate::common::formula::values;
use crate::common::pairs::*;
use crate::common::*;
use lexforge_domain::protocol::{
    LoraSpec, Objective, Pooling, RerankItem, RerankObjective, StageSpec, TrainJob, Tune,
};
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::adapters::{adapter, head};
use lexforge_models::architectures::encoder::{Encoder, Text, Vectors};
use lexforge_models::architectures::recompute::Way;
use lexforge_models::tensors::NamedTensors;
use lexforge_models::texts::pairs::Pairing;
use lexforge_models::texts::tokenizer::TextTokenizer;
use lexforge_models::training::lessons::{self, Batch, Lesson, Material, RerankMaterial, Trainee};
use lexforge_models::training::ranks::Ranks;
use std::path::Path;
use tch::{Device, Kind};

fn encoder(folder: &Path) -> Encoder {
    Encoder::open(&folder.join(TINY), Pooling::Cls, 32, Device::Cpu).unwrap()
}

#[test]
fn a_pair_is_read_as_the_tokenizer_puts_it_together() {
    let folder = tempfile::tempdir().unwrap();
    paired_models(folder.path());
    let tiny = folder.path().join(TINY);
    for folder in [Some(tiny), minilm()].into_iter().flatten() {
        let encoder = Encoder::open(&folder, Pooling::Cls, 32, Device::Cpu).unwrap();
        let tokenizer = &encoder.tokenizer;
        assert_eq!(encoder.token_types, 2);
        let pairing = Pairing::of(tokenizer, encoder.token_types, 32, 0.5).unwrap();
        let of = |text: &str| tokenizer.own_tokens(&[text]).unwrap().concat();
        for (question, passage) in [
            ("must the bank report", "the bank shall report every year"),
            ("audit", "a"),
            ("MAY a client", "Zebras, 12.5 % (approve)"),
        ] {
            let own = tokenizer.tokenize_pairs(&[(question, passage)]).unwrap();
            let (pair, cut) = pairing.pair(&of(question), &of(passage));
            assert_eq!((&pair, cut), (&own[0], false), "{question}");
            assert_eq!((pair.types[0], pair.types[pair.types.len() - 1]), (0, 1));
        }
        let (pair, cut) = pairing.pair(&of("audit"), &of(&"the bank ".repeat(40)));
        assert_eq!((pair.ids.len(), cut), (32, true));
    }
}

#[test]
fn two_separators_and_one_type_are_kept_as_roberta_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let tiny = tiny_models(folder.path()).join(TINY);
    let path = tiny.join("tokenizer.json");
    let mut tokenizer: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    tokenizer["post_processor"] = serde_json::json!({
        "type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2], "trim_offsets": true, "add_prefix_space": false,
    });
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    let tokenizer = TextTokenizer::open(&tiny, 32).unwrap();
    let pairing = Pairing::of(&tokenizer, 1, 32, 0.5).unwrap();
    let own = |text: &str| tokenizer.own_tokens(&[text]).unwrap().concat();
    let question = "must the bank report";
    let whole = tokenizer.tokenize_pairs(&[(question, "audit")]).unwrap();
    let (pair, cut) = pairing.pair(&own(question), &own("audit"));
    assert_eq!(
        (&pair.ids, pair.types.len(), cut),
        (&whole[0].ids, 0, false)
    );
    assert_eq!(pair.ids.iter().filter(|id| **id == 3).count(), 3);
    let (pair, cut) = pairing.pair(&own("audit"), &own(&"the bank ".repeat(40)));
    assert_eq!((pair.ids.len(), cut), (32, true));
}

#[test]
fn a_score_is_the_heads_of_the_pairs_vector() {
    let folder = tempfile::tempdir().unwrap();
    paired_models(folder.path());
    let plain = encoder(folder.path());
    let pairing = Pairing::of(&plain.tokenizer, plain.token_types, 32, 0.5).unwrap();
    let own = |text: &str| plain.tokenizer.own_tokens(&[text]).unwrap().concat();
    let texts = ["the bank shall report every year", "audit", "a client may"];
    let pairs = texts.map(|text| pairing.pair(&own("must the bank report"), &own(text)).0);
    let layer = head::to_train(32, Device::Cpu).unwrap();
    let parts: NamedTensors = [("head.weight", vec![1, 32]), ("head.bias", vec![1])]
        .map(|(name, size)| (name.to_owned(), values(name, &size)))
        .into();
    assert!(head::set(&layer, &parts).unwrap());
    let scorer = encoder(folder.path()).with_head(Pooling::Cls, layer);
    let read: Vec<Text<'_>> = pairs.iter().map(Text::from).collect();
    let _no_grad = tch::no_grad_guard();
    let scores = scorer.encode_texts(&read, Pass::Infer).unwrap();
    let vectors = plain.encode_texts(&read, Pass::Infer).unwrap();
    let expected = vectors.matmul(&parts["head.weight"].tr()) + &parts["head.bias"];
    let difference = (&scores - &expected).abs().max().double_value(&[]);
    assert_eq!(scores.size(), [3, 1]);
    assert!(difference < 1e-5, "{difference}");
    // Which text a token belongs to counts.
    let untyped: Vec<Text<'_>> = pairs.iter().map(|p| p.ids.as_slice().into()).collect();
    let other = scorer.encode_texts(&untyped, Pass::Infer).unwrap();
    assert!((&scores - &other).abs().min().double_value(&[]) > 1e-4);
    // The score of a pair depends neither on other pairs nor on their order.
    for (number, pair) in read.iter().enumerate() {
        let alone = scorer.encode_texts(std::slice::from_ref(pair), Pass::Infer);
        let difference =
            alone.unwrap().double_value(&[0, 0]) - scores.double_value(&[number as i64, 0]);
        assert!(difference.abs() < 1e-5, "{number}: {difference}");
    }
}

/// A cross-encoder to be trained, its trained tensors, and six questions; each is read with all of its passages.
fn lesson(folder: &Path) -> (Trainee, NamedTensors, Box<dyn Lesson>) {
    paired_models(folder);
    let layer = head::to_train(32, Device::Cpu).unwrap();
    let mut trainee = Trainee::Encoder(encoder(folder).with_head(Pooling::Cls, layer));
    let spec = LoraSpec {
        dropout: 0.0,
        ..train_job().settings.lora
    };
    lora::adapt(&mut trainee.linears(), &spec).unwrap();
    let mut parameters = adapter::trained(&trainee.linears_ref());
    parameters.extend(head::tensors(trainee.head().unwrap()));
    for (name, tensor) in &parameters {
        let _no_grad = tch::no_grad_guard();
        tensor.shallow_clone().copy_(&values(name, &tensor.size()));
    }
    let (passages, items) = corpus(6);
    let text = |passage: &serde_json::Value| passage["text"].as_str().unwrap().to_owned();
    let material = Material {
        train: Vec::new(),
        dev: Vec::new(),
        replay: Vec::new(),
        meanings: Vec::new(),
        retrieval: None,
        triplets: None,
        rerank: Some(RerankMaterial {
            train: items,
            dev: Vec::new(),
            passages: passages.iter().map(text).collect(),
        }),
        longest: 32,
        seed: 1,
    };
    let stage = StageSpec {
        objective: Objective::Rerank(RerankObjective {
            negatives: 6,
            ..RerankObjective::default()
        }),
        ..sentence_stage()
    };
    let lesson = lessons::of_stage(&stage, &trainee, &material).unwrap();
    assert_eq!(lesson.items(), 6);
    (trainee, parameters, lesson)
}

/// The loss of all items; their gradient is added to that of the trained tensors.
fn learn(trainee: &Trainee, lesson: &dyn Lesson, budget: usize, way: Way) -> f64 {
    let numbers: Vec<usize> = (0..lesson.items()).collect();
    let batch = Batch {
        numbers: &numbers,
        epoch: 0,
        number: 0,
        micro_batch: None,
        budget,
        way,
        ranks: &Ranks::alone(),
    };
    lesson.learn(trainee, batch).unwrap().loss
}

fn taken(parameters: &NamedTensors) -> Vec<Vec<f32>> {
    let of = |tensor: &tch::Tensor| {
        let mut gradient = tensor.grad();
        let taken = Vec::<f32>::try_from(gradient.view([-1])).unwrap();
        let _ = gradient.zero_();
        taken
    };
    parameters.values().map(of).collect()
}

#[test]
fn the_loss_and_its_gradient_are_those_of_the_formula_whole_and_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let (trainee, parameters, lesson) = lesson(folder.path());
    let lesson = lesson.as_ref();
    let whole = Way::default();
    let loss = learn(&trainee, lesson, 4096, whole);
    let gradients = taken(&parameters);

    // The formula, from the scores of all pairs.
    let (passages, items) = corpus(6);
    let Trainee::Encoder(encoder) = &trainee else {
        unreachable!();
    };
    let pairing = Pairing::of(&encoder.tokenizer, 2, 32, 0.5).unwrap();
    let own = |text: &str| encoder.tokenizer.own_tokens(&[text]).unwrap().concat();
    let of_item = |item: &RerankItem| -> f64 {
        let _no_grad = tch::no_grad_guard();
        let numbers = item.positives.iter().chain(&item.negatives);
        let score = |number: &u32| {
            let passage = own(passages[*number as usize]["text"].as_str().unwrap());
            let (pair, _) = pairing.pair(&own(&item.question), &passage);
            let score = encoder.encode_texts(&[Text::from(&pair)], Pass::Infer);
            score.unwrap().double_value(&[0, 0])
        };
        let scores: Vec<f64> = numbers.map(score).collect();
        scores.iter().map(|s| s.exp()).sum::<f64>().ln() - scores[0]
    };
    let expected = items.iter().map(of_item).sum::<f64>() / 6.0;
    assert!((loss - expected).abs() < 1e-5, "{loss} {expected}");

    // A few lists at a time, a list in pieces, and each layer again for its gradient.
    for (budget, recompute) in [(200, false), (40, false), (4096, true)] {
        let again = learn(&trainee, lesson, budget, Way { recompute, ..whole });
        assert!((again - loss).abs() < 1e-5, "{budget}: {again} {loss}");
        for (name, (one, other)) in parameters
            .keys()
            .zip(gradients.iter().zip(taken(&parameters)))
        {
            let difference =
                largest_difference(std::slice::from_ref(one), std::slice::from_ref(&other));
            assert!(difference < 1e-5, "{budget}, {name}: {difference}");
        }
    }

    // The slope along a direction of each trained tensor.
    let step = 1e-2;
    let mut steepest = 0f64;
    for ((name, tensor), gradient) in parameters.iter().zip(&gradients) {
        let direction = values(&format!("{name} moved"), &tensor.size()).to_kind(Kind::Float);
        let direction = &direction / direction.norm();
        let moved = |by: f64| {
            tch::no_grad(|| {
                let _ = tensor.shallow_clone().g_add_(&(&direction * by));
            });
            learn(&trainee, lesson, 4096, whole)
        };
        let (ahead, behind) = (moved(step), moved(-2.0 * step));
        moved(step);
        let slope = (ahead - behind) / (2.0 * step);
        let along = Vec::<f32>::try_from(direction.view([-1])).unwrap();
        let expected: f64 = gradient
            .iter()
            .zip(&along)
            .map(|(g, d)| f64::from(g * d))
            .sum();
        let difference = (slope - expected).abs();
        assert!(
            difference < 1e-3 + 0.01 * expected.abs(),
            "{name}: {slope} {expected}"
        );
        steepest = steepest.max(slope.abs());
    }
    assert!(steepest > 0.05, "slopes that are not zero: {steepest}");
}

#[test]
fn what_cannot_be_learnt_is_left_out_or_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    formula::tiny_decoder(folder);
    let (passages, items) = corpus(40);
    let mut short = job(Tune::Lora);
    short.settings.stages[0].max_steps = Some(2);

    let mut some = items.clone();
    some[20].negatives.clear();
    let another = some[22].positives[0];
    some[21].positives.push(another);
    let at = folder.join("left-out");
    bundle_of(&at, &short, &passages, &some);
    run_well(&at, folder);
    let told = result(&at);
    assert_eq!(told.left_out["rerank: no_negatives"], 1);
    // Of 32 questions one is left out, and one has two passages that answer it.
    assert_eq!(told.stages[0].items, 32);

    type Change<'a> = &'a dyn Fn(&mut TrainJob, &mut Vec<RerankItem>, &mut Vec<serde_json::Value>);
    let refused = |name: &str, change: Change<'_>, words: &str| {
        let (mut job, mut items, mut passages) = (short.clone(), items.clone(), passages.clone());
        change(&mut job, &mut items, &mut passages);
        let at = folder.join(name);
        bundle_of(&at, &job, &passages, &items);
        assert!(!run(&at, folder).status.success(), "{name}");
        let (_, message, hint) = failure(&at);
        assert!(
            message.contains(words) && !hint.is_empty(),
            "{name}: {message}"
        );
    };
    refused(
        "nothing-right",
        &|_, items, _| items[30].positives.clear(),
        "question q30 has no passage that answers it",
    );
    refused(
        "both",
        &|_, items, _| {
            let right = items[30].positives[0];
            items[30].negatives.push(right);
        },
        "question q30 has passage 210 among those that answer it",
    );
    refused(
        "beyond",
        &|_, items, _| items[30].negatives[0] = 280,
        "names passage 280, and the job has 280",
    );
    refused(
        "asks-nothing",
        &|_, items, _| items[3].question = " ".into(),
        "question q3 is empty",
    );
    refused(
        "says-nothing",
        &|_, _, passages| passages[5]["text"] = " ".into(),
        "Passage 5 of the job is empty",
    );
    refused(
        "decoder",
        &|job, _, _| {
            job.model.name = formula::DECODER.into();
            job.settings.lora.targets = vec!["all-linear".into()];
        },
        "the base model is a decoder",
    );
    refused(
        "without",
        &|job, _, _| job.passages = None,
        "the job has no passages",
    );
    refused(
        "room",
        &|job, _, _| job.settings.max_length = 4,
        "no room for a question",
    );
    refused(
        "two",
        &|job, _, _| job.settings.stages.push(sentence_stage()),
        "beside rerank",
    );
    refused(
        "no-wrong",
        &|job, _, _| {
            job.settings.stages[0].objective = Objective::Rerank(RerankObjective {
                negatives: 0,
                ..RerankObjective::default()
            });
        },
        "negatives must be 1 or more in the stage rerank",
    );
}

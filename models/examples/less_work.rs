//! Measures how much time each saving of work gains. The product's computation and the naive one
//! (tests/it/common/naive.rs) run in turn, with the same weights and items. Loss and gradient are compared first.
//!
//! cargo run -p lexforge-models --example less_work -- MODEL QUESTIONS.jsonl
//!
//! MODEL is the folder of a decoder, QUESTIONS.jsonl the output of `lexforge qca export WORKSPACE --json`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/it/common/naive.rs"]
mod naive;

use lexforge_domain::protocol::{LoraSpec, Pooling};
use lexforge_domain::qca::QcaLevel;
use lexforge_models::adapters::adapter;
use lexforge_models::adapters::lora::{self, Pass};
use lexforge_models::architectures::decoder::Attention;
use lexforge_models::architectures::encoder::{DecoderVectors, Text};
use lexforge_models::architectures::recompute::Way;
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::language::{Exchange, LanguageModel};
use lexforge_models::device;
use lexforge_models::losses::gradients::{self, Part};
use lexforge_models::losses::infonce::{Comparison, Item};
use lexforge_models::losses::loss::TokenLoss;
use lexforge_models::losses::sft::{Form, Sft, exchange};
use lexforge_models::losses::token_loss::{Kind as LossKind, TermLoss, TokenItem};
use lexforge_models::losses::vector_loss::InfoNce;
use lexforge_models::platform::processor_seconds;
use lexforge_models::training::ranks::Ranks;
use lexforge_models::training::token_item::Draft;
use serde::Deserialize;
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// Items of a batch.
const BATCH: usize = 16;
const ROUNDS: usize = 3;

#[derive(Deserialize)]
struct Question {
    level: QcaLevel,
    question: String,
    choices: Vec<String>,
    answer: usize,
    anchor_sentence: i64,
    rephrased: Option<String>,
}

impl Question {
    fn right(&self) -> &str {
        &self.choices[self.answer]
    }

    fn wrong(&self) -> Vec<&str> {
        let others = self
            .choices
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != self.answer);
        others.map(|(_, choice)| choice.as_str()).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, questions] = arguments.as_slice() else {
        return Err("a model's folder and a file of questions".into());
    };
    let threads = device::set_threads(2);
    let mut model = LanguageModel::open(Path::new(folder), Some(Kind::Float), Device::Cpu)?;
    tch::manual_seed(3);
    let spec = LoraSpec {
        r: 16,
        alpha: 32.0,
        dropout: 0.0,
        targets: vec![lora::ALL_LINEAR.into()],
    };
    lora::adapt(&mut model.decoder.linears(), &spec)?;
    let text = std::fs::read_to_string(questions)?;
    let all = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Question>, _>>()?;
    let of = |level: QcaLevel| {
        all.iter()
            .filter(move |q| q.level == level)
            .step_by(7)
            .take(BATCH)
            .collect::<Vec<_>>()
    };
    let (sentences, terms) = (of(QcaLevel::Sentence), of(QcaLevel::Token));
    println!(
        "{BATCH} items a batch, {threads} threads, medians of {ROUNDS} rounds, processor time"
    );
    let decoder = model.decoder.as_ref();
    let bench = Bench { model: &model };

    let asked = sentences.iter().chain(&terms).map(|q| {
        let choices: Vec<&str> = q.choices.iter().map(String::as_str).collect();
        exchange(
            &model.language,
            &q.question,
            &choices,
            q.right(),
            Form::Choices,
        )
    });
    let items: Vec<Exchange> = asked.collect::<Result<_, _>>()?;
    let batch: Vec<&Exchange> = items.iter().collect();
    let ours = || {
        Sft.backward(decoder, &batch, Pass::Train, Way::default())
            .unwrap()
    };
    bench.compare(
        "SFT: packed, logits where the loss reads, against padding and all logits",
        ours,
        || naive::padded_answers(decoder, &items),
    );

    let drafted = terms
        .iter()
        .map(|q| -> Result<Option<TokenItem>, Box<dyn Error>> {
            let Some(sentence) = &q.rephrased else {
                return Ok(None);
            };
            let prompt = model.language.prompt(&[Message::user(&q.question)])?;
            Ok(Draft {
                prompt: &prompt,
                sentence,
                term: q.right(),
                wrong: &q.wrong(),
            }
            .item(&model.language)?
            .item)
        });
    let drafted: Vec<TokenItem> = drafted
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    let batch: Vec<&TokenItem> = drafted.iter().collect();
    let loss = TermLoss::new(LossKind::Candidates);
    let ours = || {
        loss.backward(decoder, &batch, Pass::Train, Way::default())
            .unwrap()
    };
    bench.compare(
        "token stage: beginnings shared by all wrong terms, against each sentence whole",
        ours,
        || naive::candidates(decoder, &drafted),
    );

    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut texts: Vec<Vec<u32>> = Vec::new();
    let mut number = |text| {
        *numbers.entry(text).or_insert_with(|| {
            texts.push(model.language.compared("", text, 512).unwrap().ids);
            texts.len() - 1
        })
    };
    let compared: Vec<Item> = sentences
        .iter()
        .map(|q| Item {
            anchor: q.anchor_sentence,
            answer_group: -1,
            question: number(&q.question),
            answer: number(q.right()),
            negatives: q.wrong().into_iter().map(&mut number).collect(),
        })
        .collect();
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let comparison = Comparison::of(&compared.iter().collect::<Vec<_>>(), false);
    let distinct: Vec<Text<'_>> = comparison
        .texts
        .iter()
        .map(|&text| texts[text].into())
        .collect();
    let vectors = DecoderVectors {
        decoder,
        pooling: Pooling::Mean,
        attention: Attention::Bidirectional,
    };
    let nce = InfoNce {
        comparison: &comparison,
        temperature: 0.05,
    };
    let ranks = Ranks::alone();
    let part = Part {
        budget: usize::MAX / 2,
        way: Way::default(),
        ranks: &ranks,
    };
    let ours = || {
        gradients::accumulate(&vectors, &distinct, &nce, part)
            .unwrap()
            .0
    };
    bench.compare(
        "sentence stage: each text once, packed by length, against one by one",
        ours,
        || naive::comparison(decoder, &comparison, &texts, 0.05),
    );

    let answers = sentences
        .iter()
        .map(|q| {
            let choices: Vec<&str> = q.choices.iter().map(String::as_str).collect();
            model.language.asked(&q.question, &choices)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let groups: Vec<_> = answers.iter().collect();
    let ours = timed(|| model.answer_logs(&groups).unwrap());
    let naively = timed(|| {
        answers
            .iter()
            .map(|a| naive::answer_logs(decoder, &a.texts(), a.first()))
            .collect::<Vec<Vec<f64>>>()
    });
    let largest = ours
        .1
        .iter()
        .flatten()
        .zip(naively.1.iter().flatten())
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(largest < 1e-3, "the scores differ by {largest}");
    line(
        "scoring: four choices on one beginning, against each whole",
        ours.0,
        naively.0,
    );
    Ok(())
}

struct Bench<'a> {
    model: &'a LanguageModel,
}

impl Bench<'_> {
    fn gradients(&self) -> Vec<Tensor> {
        let take = |mut tensor: Tensor| {
            let gradient = tensor.grad().copy();
            tensor.zero_grad();
            gradient
        };
        adapter::trained(&self.model.decoder.linears_ref())
            .into_values()
            .map(take)
            .collect()
    }

    fn compare(&self, what: &str, ours: impl Fn() -> f64, naively: impl Fn() -> Tensor) {
        let naive_step = || {
            let loss = naively();
            loss.backward();
            loss.double_value(&[])
        };
        let loss = ours();
        let gradients = self.gradients();
        let naive_loss = naive_step();
        assert!(
            (loss - naive_loss).abs() < 1e-5 * naive_loss.max(1.0),
            "{what}: {loss} {naive_loss}"
        );
        for (a, b) in gradients.iter().zip(self.gradients()) {
            let difference = (a - &b).abs().max().double_value(&[]);
            assert!(
                difference < 1e-5 * b.abs().max().double_value(&[]).max(1.0),
                "{what}: a gradient differs by {difference}"
            );
        }
        let seconds = [timed(&ours).0, timed(naive_step).0];
        line(what, seconds[0], seconds[1]);
        self.gradients();
    }
}

fn line(what: &str, ours: f64, naively: f64) {
    println!(
        "{:.2} x ({ours:.2} s against {naively:.2} s)  {what}",
        naively / ours
    );
}

/// Median processor time of some rounds, and what the last one gave.
fn timed<T>(act: impl Fn() -> T) -> (f64, T) {
    let mut seconds = Vec::with_capacity(ROUNDS);
    let mut last = act();
    for _ in 0..ROUNDS {
        let began = processor_seconds();
        last = act();
        seconds.push(processor_seconds() - began);
    }
    seconds.sort_by(f64::total_cmp);
    (seconds[ROUNDS / 2], last)
}

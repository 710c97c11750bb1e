//! Runs an epoch of the three stages, for `tools/bench/epoch.py`. Makes the training items from a list of questions.
//! Each line of standard input names a stage: either the whole stage is run, or only the loss of its first batch is
//! computed. The reply is one line of JSON. `tokens` gives the same items as token numbers, for the program that is
//! compared with this one.
#![allow(clippy::print_stdout)]

use lexforge_domain::protocol::{LoraSpec, Objective, StageSpec, TrainItem};
use lexforge_domain::qca::QcaLevel;
use lexforge_models::adapters::{adapter, lora};
use lexforge_models::architectures::recompute::Way;
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::language::{Compared, Language, LanguageModel};
use lexforge_models::device;
use lexforge_models::losses::sft::{self, Form};
use lexforge_models::platform::{peak_resident_mb, processor_seconds};
use lexforge_models::training::lessons::{self, Batch, Inputs, Lesson, Material, Trainee};
use lexforge_models::training::optimizer::Optimizer;
use lexforge_models::training::ranks::Ranks;
use lexforge_models::training::token_item::Draft;
use serde::Deserialize;
use serde_json::{Value, json};
use std::error::Error;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tch::Device;

/// The input that this program and the program compared with it both get.
#[derive(Deserialize)]
struct Plan {
    model: PathBuf,
    items: PathBuf,
    stages: Vec<StageSpec>,
    lora: LoraSpec,
    max_length: usize,
    threads: usize,
    seed: u64,
    /// Numbers of the items of each stage whose loss is compared.
    first: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the plan's file is missing")?;
    let plan: Plan = serde_json::from_slice(&std::fs::read(path)?)?;
    device::set_threads(plan.threads);
    let model = LanguageModel::open(&plan.model, None, Device::Cpu)?;
    let inputs = Inputs {
        train: &plan.items,
        dev: &plan.items,
        replay: None,
        meanings: None,
        passages: None,
        mined: Path::new(""),
        triplets: false,
        pairs: false,
    };
    let material = Material::read(&inputs, plan.max_length, plan.seed)?;
    if arguments.next().as_deref() == Some("tokens") {
        println!("{}", tokens(&model.language, &material, &plan)?);
        return Ok(());
    }
    let mut trainee = Trainee::Decoder(model);
    tch::manual_seed(42);
    lora::adapt(&mut trainee.linears(), &plan.lora)?;
    let stages = plan
        .stages
        .iter()
        .map(|spec| lessons::of_stage(spec, &trainee, &material))
        .collect::<Result<Vec<_>, _>>()?;
    let budget = lessons::token_budget(&trainee);
    let (ranks, way) = (Ranks::alone(), Way::default());
    println!(
        "{}",
        json!({"items": stages.iter().map(|stage| stage.items()).collect::<Vec<_>>()})
    );
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (word, number) = line
            .split_once(' ')
            .ok_or("a line is a word and a stage's number")?;
        let number: usize = number.trim().parse()?;
        let (spec, lesson): (&StageSpec, &dyn Lesson) =
            (&plan.stages[number], stages[number].as_ref());
        let mut optimizer =
            Optimizer::new(adapter::trained(&trainee.linears_ref()), spec.weight_decay)?;
        let batch = |numbers, number| Batch {
            numbers,
            epoch: 0,
            number,
            micro_batch: None,
            budget,
            way,
            ranks: &ranks,
        };
        if word == "first" {
            let numbers: Vec<usize> = (0..plan.first).collect();
            let learnt = lesson.learn(&trainee, batch(&numbers, 0))?;
            optimizer.clear_gradients();
            println!("{}", json!({"loss": learnt.loss}));
            continue;
        }
        let order = lessons::order(lesson.items(), plan.seed, number, 0);
        let (began, processor) = (Instant::now(), processor_seconds());
        let (mut losses, mut computed) = (Vec::new(), 0);
        for (step, numbers) in order.chunks(spec.batch_size).enumerate() {
            optimizer.clear_gradients();
            let learnt = lesson.learn(&trainee, batch(numbers, step as u64))?;
            optimizer.step(spec.learning_rate, spec.max_grad_norm, 1.0)?;
            losses.push(learnt.loss);
            computed += learnt.tokens;
        }
        let (wall, processor) = (
            began.elapsed().as_secs_f64(),
            processor_seconds() - processor,
        );
        let loss = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
        println!(
            "{}",
            json!({"wall": wall, "processor": processor, "tokens": computed, "loss": loss, "peak_mb": peak_resident_mb()})
        );
    }
    Ok(())
}

/// The items of each stage as token numbers.
fn tokens(language: &Language, material: &Material, plan: &Plan) -> Result<Value, Box<dyn Error>> {
    let mut stages = Vec::new();
    for spec in &plan.stages {
        let mut items = Vec::new();
        for item in &material.train {
            let made = match &spec.objective {
                Objective::Sft { .. } => Some(answer(language, item)?),
                Objective::Sentence(sentence) if item.level == QcaLevel::Sentence => {
                    let text =
                        |instruction: &str, text: &str| -> Result<Value, lexforge_models::Error> {
                            let Compared { ids, pooled, .. } =
                                language.compared(instruction, text, plan.max_length)?;
                            Ok(json!({"ids": ids, "pooled": [pooled.start, pooled.end]}))
                        };
                    let choices: Vec<Value> = std::iter::once(&item.answer)
                        .chain(&item.negatives)
                        .map(|choice| text("", choice))
                        .collect::<Result<_, _>>()?;
                    let question = text(&sentence.instruction, &item.question)?;
                    Some(
                        json!({"question": question, "choices": choices, "anchor": item.anchor, "group": item.answer_group}),
                    )
                }
                Objective::Token { .. } if item.level == QcaLevel::Token => terms(language, item)?,
                _ => None,
            };
            items.extend(made);
        }
        stages.push(items);
    }
    Ok(json!(stages))
}

fn answer(language: &Language, item: &TrainItem) -> Result<Value, lexforge_models::Error> {
    let exchange = sft::exchange(language, &item.question, &[], &item.answer, Form::Open)?;
    Ok(json!({"ids": exchange.ids, "answer": exchange.answer}))
}

fn terms(language: &Language, item: &TrainItem) -> Result<Option<Value>, lexforge_models::Error> {
    let Some(rephrased) = &item.rephrased else {
        return Ok(None);
    };
    let prompt = language.prompt(&[Message::user(&item.question)])?;
    let wrong: Vec<&str> = item.negatives.iter().map(String::as_str).collect();
    let sentence = language.harmless(rephrased);
    let made = Draft {
        prompt: &prompt,
        sentence: &sentence,
        term: &item.answer,
        wrong: &wrong,
    }
    .item(language)?
    .item;
    Ok(made.map(|made| {
        let wrong: Vec<Value> = made
            .wrong
            .iter()
            .map(|w| json!({"ids": w.ids, "divergence": w.divergence, "scored": [w.scored.start, w.scored.end]}))
            .collect();
        json!({"ids": made.ids, "answer": made.answer, "scored": [made.scored.start, made.scored.end], "wrong": wrong})
    }))
}

//! Jobs that train a cross-encoder on the tiny encoder.

use super::*;
use lexforge_domain::protocol::{
    JobResult, Objective, RESULT_FILE, RerankItem, RerankObjective, TrainJob, TrainResult, Tune,
};
use std::path::Path;

/// Passages of eight words. What answers a question has the word "approve", and nothing else has it.
pub fn corpus(questions: u32) -> (Vec<serde_json::Value>, Vec<RerankItem>) {
    let mut random = Random(5);
    let mut passages = Vec::new();
    let items = (0..questions).map(|number| {
        let first = 7 * number;
        for place in 0..7 {
            let text = words(&mut random, 8).replace("approve", "keep");
            let mut all: Vec<&str> = text.split(' ').collect();
            if place == 0 {
                for word in all.iter_mut().step_by(2) {
                    *word = "approve";
                }
            }
            passages.push(serde_json::json!({"text": all.join(" "), "clause": first + place}));
        }
        RerankItem {
            id: format!("q{number}"),
            question: words(&mut random, 4),
            positives: vec![first],
            negatives: (first + 1..first + 7).collect(),
        }
    });
    let items = items.collect();
    (passages, items)
}

pub fn job(tune: Tune) -> TrainJob {
    let mut job = train_job();
    job.passages = Some("inputs/passages.jsonl".into());
    job.settings.tune = tune;
    let stage = &mut job.settings.stages[0];
    stage.objective = Objective::Rerank(RerankObjective {
        negatives: 3,
        ..RerankObjective::default()
    });
    stage.batch_size = 8;
    stage.epochs = 5;
    stage.learning_rate = match tune {
        Tune::Lora => 5e-3,
        Tune::All => 1e-3,
    };
    job
}

pub fn bundle(folder: &Path, job: &TrainJob) {
    let (passages, items) = corpus(200);
    bundle_of(folder, job, &passages, &items);
}

pub fn bundle_of(
    folder: &Path,
    job: &TrainJob,
    passages: &[serde_json::Value],
    items: &[RerankItem],
) {
    let (dev, train) = items.split_at(items.len() / 5);
    train_bundle(folder, job, &[], &[]);
    write_jsonl(&folder.join(&job.train), train);
    write_jsonl(&folder.join(&job.dev), dev);
    write_jsonl(&folder.join("inputs/passages.jsonl"), passages);
}

/// The tiny model with BERT's own way to put two texts together.
pub fn paired_models(folder: &Path) {
    let path = tiny_models(folder).join(TINY).join("tokenizer.json");
    let mut tokenizer: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let special =
        |name: &str, kind: u32| serde_json::json!({"SpecialToken": {"id": name, "type_id": kind}});
    let text =
        |name: &str, kind: u32| serde_json::json!({"Sequence": {"id": name, "type_id": kind}});
    tokenizer["post_processor"]["pair"] = serde_json::json!([
        special("[CLS]", 0),
        text("A", 0),
        special("[SEP]", 0),
        text("B", 1),
        special("[SEP]", 1)
    ]);
    std::fs::write(&path, tokenizer.to_string()).unwrap();
}

pub fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

pub fn adapter(bundle: &Path) -> Vec<u8> {
    let folder = bundle.join(result(bundle).adapter);
    std::fs::read(folder.join("adapter_model.safetensors")).unwrap()
}

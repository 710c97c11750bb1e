//! Compares the memory that `inspect` estimates with the memory that a training takes, and tests a lack of memory.
#![cfg(target_os = "linux")]

use crate::common::formula::{qwen3_shapes, write_model};
use crate::common::*;
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    Event, InspectResult, JobResult, MemoryEstimate, NegativePool, Objective, Pooling, Precision,
    QuestionForm, RESULT_FILE, SentenceObjective, StageSpec, TokenLossKind, TrainItem, TrainJob,
    TrainSettings,
};
use lexforge_domain::qca::QcaLevel;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tch::Kind;

const DECODER: &str = "decoder-27m";
const ENCODER: &str = "encoder-27m";
const VOCABULARY: usize = 16_384;
const LONGEST: usize = 256;

/// Two models of 27 million parameters whose words are tokens.
fn models(folder: &Path) {
    let (hidden, inner) = (512i64, 1536i64);
    let config = serde_json::json!({
        "model_type": "qwen3", "vocab_size": VOCABULARY, "hidden_size": hidden, "intermediate_size": inner,
        "num_hidden_layers": 6, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64,
        "max_position_embeddings": LONGEST, "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "eos_token_id": 1,
    });
    let shapes = qwen3_shapes(VOCABULARY as i64, hidden, inner, 6, (8, 4, 64));
    write_model(&folder.join(DECODER), &config, &shapes, Kind::Float, 1);

    let inner = 2048;
    let config = serde_json::json!({
        "model_type": "bert", "vocab_size": VOCABULARY, "hidden_size": hidden, "num_hidden_layers": 6,
        "num_attention_heads": 8, "intermediate_size": inner, "max_position_embeddings": LONGEST, "type_vocab_size": 2,
    });
    let mut shapes = BTreeMap::new();
    let mut add = |name: &str, shape: &[i64]| drop(shapes.insert(name.to_owned(), shape.to_vec()));
    add(
        "embeddings.word_embeddings.weight",
        &[VOCABULARY as i64, hidden],
    );
    add(
        "embeddings.position_embeddings.weight",
        &[LONGEST as i64, hidden],
    );
    add("embeddings.token_type_embeddings.weight", &[2, hidden]);
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..6 {
        let at = |name: &str| format!("encoder.layer.{layer}.{name}");
        let own = [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ];
        let square = own.map(|name| (at(name), hidden, hidden));
        let wide = [
            (at("intermediate.dense"), inner, hidden),
            (at("output.dense"), hidden, inner),
        ];
        for (name, outputs, inputs) in square.into_iter().chain(wide) {
            add(&format!("{name}.weight"), &[outputs, inputs]);
            add(&format!("{name}.bias"), &[outputs]);
        }
        norms.extend([at("attention.output.LayerNorm"), at("output.LayerNorm")]);
    }
    for name in norms {
        add(&format!("{name}.weight"), &[hidden]);
        add(&format!("{name}.bias"), &[hidden]);
    }
    write_model(&folder.join(ENCODER), &config, &shapes, Kind::Float, 1);

    let words: serde_json::Map<String, serde_json::Value> = (2..VOCABULARY)
        .map(|n| (format!("w{n}"), n.into()))
        .chain([
            ("[UNK]".to_owned(), 0.into()),
            ("[END]".to_owned(), 1.into()),
        ])
        .collect();
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"},
    });
    for model in [DECODER, ENCODER] {
        std::fs::write(
            folder.join(model).join("tokenizer.json"),
            tokenizer.to_string(),
        )
        .unwrap();
    }
}

fn text(random: &mut Random, count: usize) -> Vec<String> {
    (0..count)
        .map(|_| format!("w{}", 100 + random.below(VOCABULARY - 100)))
        .collect()
}

/// Items whose texts are as long as the longest length allows.
fn long_items(level: QcaLevel) -> Vec<TrainItem> {
    let mut random = Random(5);
    (0..24)
        .map(|id| {
            let mut text = |count| text(&mut random, count);
            let (question, mut sentence) = (text(LONGEST - 152), text(150));
            sentence[100] = "w7".into();
            // Compared texts are longer than is read, and are cut.
            let long = level == QcaLevel::Sentence;
            TrainItem {
                id,
                anchor: id,
                level,
                question: question.join(" "),
                answer: if long {
                    sentence.join(" ")
                } else {
                    "w7".into()
                },
                negatives: (0..3)
                    .map(|n| {
                        if long {
                            text(300).join(" ")
                        } else {
                            format!("w{}", 8 + n)
                        }
                    })
                    .collect(),
                answer_group: -1,
                rephrased: (!long).then(|| sentence.join(" ")),
                rule: String::new(),
            }
        })
        .collect()
}

fn stage(objective: Objective, batch_size: usize) -> StageSpec {
    StageSpec {
        objective,
        batch_size,
        // The second has all that a step can take: the optimiser's averages are there.
        max_steps: Some(2),
        warmup_steps: 0,
        learning_rate: 1e-5,
        ..sentence_stage()
    }
}

fn sft() -> Objective {
    Objective::Sft {
        form: QuestionForm::Open,
        replay: 0.0,
    }
}

fn sentence() -> Objective {
    Objective::Sentence(SentenceObjective {
        temperature: 0.1,
        in_batch: true,
        pool: NegativePool::Batch,
        pooling: Pooling::Mean,
        instruction: String::new(),
        all_levels: true,
    })
}

fn job(model: &str, stage: StageSpec) -> TrainJob {
    let mut job = train_job();
    job.model.name = model.into();
    job.settings.lora.r = 16;
    job.settings.lora.targets = vec!["all-linear".into()];
    job.settings.max_length = LONGEST;
    job.settings.stages = vec![stage];
    (job.evaluate_every, job.checkpoint_every) = (0, 0);
    job
}

/// The estimate of `inspect --plan`.
fn estimated(folder: &Path, model: &str, settings: &TrainSettings) -> MemoryEstimate {
    let plan = folder.join("plan.json");
    std::fs::write(&plan, serde_json::to_vec(settings).unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"));
    command
        .arg("inspect")
        .arg(folder.join(model))
        .arg("--plan")
        .arg(&plan)
        .arg("--json");
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: InspectResult = serde_json::from_slice(&output.stdout).unwrap();
    found.memory.unwrap()
}

/// The memory that the training takes in addition to an idle worker.
fn taken(folder: &Path, name: &str, job: &TrainJob) -> f64 {
    let bundle = folder.join(name);
    let token = matches!(job.settings.stages[0].objective, Objective::Token { .. });
    train_bundle(
        &bundle,
        job,
        &long_items(if token {
            QcaLevel::Token
        } else {
            QcaLevel::Sentence
        }),
        &[],
    );
    run_well(&bundle, folder);
    let idle = events(&bundle)
        .into_iter()
        .find_map(|event| match event.event {
            Event::Progress {
                stage, memory_mb, ..
            } if stage == "load" => memory_mb,
            _ => None,
        });
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => {
            assert!(result.left_out.is_empty(), "{:?}", result.left_out);
            result.peak_memory_mb - idle.unwrap()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_estimate_is_within_fifteen_percent_of_what_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    models(folder.path());
    let decoder = |objective, batch| job(DECODER, stage(objective, batch));
    let mut small = decoder(sft(), 4);
    small.settings.stages[0].micro_batch = Some(2);
    small.settings.lora.r = 64;
    let mut again = decoder(sft(), 6);
    again.settings.activation_checkpointing = true;
    // Most processors multiply half precision slowly: one item a step.
    let mut half = decoder(sft(), 1);
    half.settings.precision = Precision::Bf16;
    let mut encoder = job(ENCODER, stage(sentence(), 1));
    encoder.settings.lora.r = 8;
    let mut four = decoder(sft(), 2);
    four.settings.precision = Precision::Nf4;
    let cases = [
        ("sft, four bits", four),
        ("sft", decoder(sft(), 4)),
        ("sft in pieces, rank 64", small),
        ("sft, recomputed", again),
        ("sentence", decoder(sentence(), 1)),
        (
            "token",
            decoder(
                Objective::Token {
                    loss: TokenLossKind::Candidates,
                },
                3,
            ),
        ),
        ("encoder", encoder),
        ("bf16", half),
    ];
    let mut far = Vec::new();
    for (name, job) in &cases {
        let estimated = estimated(folder.path(), &job.model.name, &job.settings);
        let taken = taken(folder.path(), name, job);
        let off = estimated.total_mb / taken - 1.0;
        println!(
            "{name}: estimated {:.0} MiB, taken {taken:.0} MiB, {:+.1} %",
            estimated.total_mb,
            100.0 * off
        );
        assert!(estimated.available_mb.is_some_and(|free| free > 0.0));
        if off.abs() > 0.15 {
            far.push((*name, off));
        }
    }
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn a_lack_of_memory_names_the_setting_that_would_fit() {
    let folder = tempfile::tempdir().unwrap();
    models(folder.path());
    let job = job(DECODER, stage(sft(), 4));
    let (free, tight) = (folder.path().join("free"), folder.path().join("tight"));
    for bundle in [&free, &tight] {
        train_bundle(bundle, &job, &long_items(QcaLevel::Sentence), &[]);
    }
    // The largest address space that the training takes, and then less of it.
    let mut child = start(&free, folder.path());
    let mut largest = 0u64;
    while child.try_wait().unwrap().is_none() {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| {
            line.strip_prefix("VmPeak:")?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        });
        largest = largest.max(peak.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {}; exec \"$0\" run \"$1\" --models \"$2\"",
            largest - 200 * 1024
        ))
        .arg(env!("CARGO_BIN_EXE_lexforge-worker"))
        .args([tight.as_path(), folder.path()])
        .env("OMP_WAIT_POLICY", "passive")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let (code, message, hint) = failure(&tight);
    assert_eq!(code, Code::OutOfMemory.tag(), "{message}");
    assert!(
        hint.contains("micro_batch = 2") && hint.contains("checkpoint is kept"),
        "{hint}"
    );
}

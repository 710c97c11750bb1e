//! Shared by the worker's tests: a tiny model made on the spot, bundles, and the real program.

pub mod formula;
pub mod naive;
pub mod pairs;
pub mod server;
pub mod stages;

use lexforge_domain::protocol::{
    Decay, EVENTS_FILE, EmbedJob, Event, JOB_FILE, Job, JobEvent, JobFile, Lineage, LoraSpec,
    ModelRef, NegativePool, Objective, PROTOCOL_VERSION, Pooling, Precision, SentenceObjective,
    StageSpec, TextSide, TrainItem, TrainJob, TrainSettings, Tune,
};
use lexforge_domain::qca::QcaLevel;
use lexforge_models::tensors;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tch::Tensor;

pub const TINY: &str = "tiny-bert";
pub const MINILM: &str = "all-MiniLM-L6-v2";

/// The repository's root.
pub fn root() -> PathBuf {
    lexforge_needs::root()
}

/// The folder of all-MiniLM-L6-v2 that `tools/setup` fetches; `None`, said aloud, where it is absent.
pub fn minilm() -> Option<PathBuf> {
    lexforge_needs::model(MINILM)
}

/// A file of the data folder; `None`, said aloud, where the folder is absent.
pub fn data(path: &str) -> Option<PathBuf> {
    lexforge_needs::data(path)
}

/// Words of the tiny model's vocabulary.
pub const WORDS: [&str; 24] = [
    "the",
    "bank",
    "shall",
    "report",
    "loan",
    "risk",
    "capital",
    "board",
    "approve",
    "keep",
    "supervisor",
    "executive",
    "limit",
    "client",
    "must",
    "not",
    "may",
    "register",
    "audit",
    "year",
    "every",
    "of",
    "a",
    "to",
];

/// Makes a folder with a tiny BERT of random weights and gives the folder above it.
pub fn tiny_models(folder: &Path) -> PathBuf {
    let model = folder.join(TINY);
    std::fs::create_dir_all(&model).unwrap();
    let (hidden, inner, layers) = (32i64, 64i64, 2);
    let specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
    let vocabulary: Vec<&str> = specials.iter().chain(&WORDS).copied().collect();
    let config = serde_json::json!({
        "model_type": "bert", "vocab_size": vocabulary.len(), "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": 4, "intermediate_size": inner, "max_position_embeddings": 64, "type_vocab_size": 2,
        "hidden_act": "gelu", "layer_norm_eps": 1e-12,
    });
    std::fs::write(model.join("config.json"), config.to_string()).unwrap();
    let entries: serde_json::Map<String, serde_json::Value> = vocabulary
        .iter()
        .enumerate()
        .map(|(i, w)| ((*w).to_owned(), i.into()))
        .collect();
    let added: Vec<_> = specials
        .iter()
        .enumerate()
        .map(|(id, content)| {
            serde_json::json!({"id": id, "content": content, "special": true, "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false})
        })
        .collect();
    let special =
        |name: &str, id: usize| serde_json::json!({"id": name, "ids": [id], "tokens": [name]});
    let tokenizer = serde_json::json!({
        "version": "1.0",
        // Shipped settings that must not act: a cut at 6 tokens and padding to 16.
        "truncation": {"max_length": 6, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
            "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": added,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": special("[CLS]", 2), "[SEP]": special("[SEP]", 3)}},
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": entries, "unk_token": "[UNK]"},
    });
    std::fs::write(model.join("tokenizer.json"), tokenizer.to_string()).unwrap();

    let mut random = Random(7);
    let mut weights = tensors::NamedTensors::new();
    let mut add = |name: String, shape: &[i64], around: f32, spread: f32| {
        let count: i64 = shape.iter().product();
        let values: Vec<f32> = (0..count)
            .map(|_| around + spread * random.next())
            .collect();
        weights.insert(
            format!("bert.{name}"),
            Tensor::from_slice(&values).view(shape),
        );
    };
    add(
        "embeddings.word_embeddings.weight".into(),
        &[vocabulary.len() as i64, hidden],
        0.0,
        1.0,
    );
    add(
        "embeddings.position_embeddings.weight".into(),
        &[64, hidden],
        0.0,
        0.2,
    );
    add(
        "embeddings.token_type_embeddings.weight".into(),
        &[2, hidden],
        0.0,
        0.2,
    );
    add("embeddings.LayerNorm.weight".into(), &[hidden], 1.0, 0.1);
    add("embeddings.LayerNorm.bias".into(), &[hidden], 0.0, 0.1);
    for layer in 0..layers {
        let shapes = [
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", inner, hidden),
            ("output.dense", hidden, inner),
        ];
        for (name, outputs, inputs) in shapes {
            add(
                format!("encoder.layer.{layer}.{name}.weight"),
                &[outputs, inputs],
                0.0,
                0.3,
            );
            add(
                format!("encoder.layer.{layer}.{name}.bias"),
                &[outputs],
                0.0,
                0.1,
            );
        }
        for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
            add(
                format!("encoder.layer.{layer}.{name}.weight"),
                &[hidden],
                1.0,
                0.1,
            );
            add(
                format!("encoder.layer.{layer}.{name}.bias"),
                &[hidden],
                0.0,
                0.1,
            );
        }
    }
    std::fs::write(
        model.join("model.safetensors"),
        tensors::to_bytes(&weights).unwrap(),
    )
    .unwrap();
    folder.to_owned()
}

/// Numbers that look random, the same on every run (Knuth's linear congruence).
pub struct Random(pub u64);

impl Random {
    /// Within ±1.
    pub fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / (1u64 << 23) as f32 - 1.0
    }

    /// Below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.next() + 1.0) / 2.0) * limit as f32) as usize % limit
    }
}

/// A text of the tiny model's words.
pub fn words(random: &mut Random, count: usize) -> String {
    (0..count)
        .map(|_| WORDS[random.below(WORDS.len())])
        .collect::<Vec<_>>()
        .join(" ")
}

/// Items of the tiny model's words.
pub fn items(count: usize, seed: u64) -> Vec<TrainItem> {
    let mut random = Random(seed);
    (0..count as i64)
        .map(|id| {
            let length = 3 + random.below(6);
            TrainItem {
                id,
                anchor: id / 2,
                question: words(&mut random, length),
                answer: words(&mut random, length + 2),
                negatives: (0..3).map(|_| words(&mut random, length + 1)).collect(),
                answer_group: id,
                level: QcaLevel::Sentence,
                rephrased: None,
                rule: String::new(),
            }
        })
        .collect()
}

/// Texts in which words are in a fixed order, so that those around a mask tell what it hides.
pub fn sentences(count: usize, seed: u64) -> Vec<TrainItem> {
    let mut random = Random(seed);
    let order = &WORDS[..12];
    (0..count)
        .map(|number| {
            let first = random.below(order.len());
            let length = 6 + random.below(6);
            let text: Vec<&str> = (0..length)
                .map(|n| order[(first + n) % order.len()])
                .collect();
            // With a word of its own, so that no two texts are the same.
            let text = format!("{} {number}", text.join(" "));
            TrainItem::of_text(number as i64, text)
        })
        .collect()
}

/// Two epochs of the sentence stage over all items.
pub fn sentence_stage() -> StageSpec {
    StageSpec {
        objective: Objective::Sentence(SentenceObjective {
            temperature: 0.1,
            in_batch: true,
            pool: NegativePool::Batch,
            pooling: Pooling::Mean,
            instruction: String::new(),
            all_levels: true,
        }),
        epochs: 2,
        batch_size: 4,
        micro_batch: None,
        max_steps: None,
        learning_rate: 1e-3,
        warmup_steps: 2,
        decay: Decay::Linear,
        weight_decay: 0.01,
        max_grad_norm: 1.0,
        patience: None,
    }
}

/// A train job on the tiny model, on one thread.
pub fn train_job() -> TrainJob {
    TrainJob {
        model: ModelRef {
            name: TINY.into(),
            sha256: String::new(),
        },
        train: "inputs/train.jsonl".into(),
        dev: "inputs/dev.jsonl".into(),
        passages: None,
        replay: None,
        meanings: None,
        adapter: None,
        settings: TrainSettings {
            tune: Tune::Lora,
            lora: LoraSpec {
                r: 4,
                alpha: 8.0,
                dropout: 0.1,
                targets: ["query", "key", "value", "dense"]
                    .map(str::to_owned)
                    .to_vec(),
            },
            stages: vec![sentence_stage()],
            max_length: 32,
            precision: Precision::Auto,
            activation_checkpointing: false,
            seed: 42,
            threads: 1,
        },
        checkpoint_every: 10,
        evaluate_every: 10,
        lineage: Lineage::default(),
    }
}

/// Makes the bundle of a train job.
pub fn train_bundle(folder: &Path, job: &TrainJob, train: &[TrainItem], dev: &[TrainItem]) {
    write_job(folder, Job::Train(job.clone()));
    write_jsonl(&folder.join(&job.train), train);
    write_jsonl(&folder.join(&job.dev), dev);
}

pub fn embed_job(model: &str, max_length: usize) -> EmbedJob {
    EmbedJob {
        model: ModelRef {
            name: model.into(),
            sha256: String::new(),
        },
        adapter: None,
        input: "inputs/texts.jsonl".into(),
        output: "out/embeddings.safetensors".into(),
        pooling: Some(Pooling::Mean),
        causal: None,
        normalize: Some(true),
        max_length: Some(max_length),
        side: TextSide::Plain,
        terms: None,
        threads: 0,
    }
}

/// Makes the bundle of an embed job.
pub fn embed_bundle<T: AsRef<str>>(folder: &Path, job: &EmbedJob, texts: &[T]) {
    write_job(folder, Job::Embed(job.clone()));
    let lines: Vec<_> = texts
        .iter()
        .map(|text| serde_json::json!({"text": text.as_ref()}))
        .collect();
    write_jsonl(&folder.join(&job.input), &lines);
}

pub fn write_job(folder: &Path, job: Job) {
    std::fs::create_dir_all(folder).unwrap();
    let file = JobFile {
        protocol_version: PROTOCOL_VERSION,
        job,
    };
    std::fs::write(folder.join(JOB_FILE), serde_json::to_vec(&file).unwrap()).unwrap();
}

pub fn write_jsonl<T: Serialize>(path: &Path, records: &[T]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: Vec<String> = records
        .iter()
        .map(|r| serde_json::to_string(r).unwrap() + "\n")
        .collect();
    std::fs::write(path, lines.concat()).unwrap();
}

/// The worker on a bundle, with one folder of models.
pub fn command(bundle: &Path, models: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"));
    command
        .arg("run")
        .arg(bundle)
        .arg("--models")
        .arg(models)
        .stdin(Stdio::null());
    // Threads that spin while they wait take the processor from other tests.
    command
        .env("OMP_WAIT_POLICY", "passive")
        .env_remove("LEXFORGE_MODELS");
    command
}

/// Runs the worker to its end.
pub fn run(bundle: &Path, models: &Path) -> Output {
    command(bundle, models).output().unwrap()
}

/// Runs the worker and expects a good end.
pub fn run_well(bundle: &Path, models: &Path) {
    let output = run(bundle, models);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Starts the worker.
pub fn start(bundle: &Path, models: &Path) -> Child {
    command(bundle, models)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Whole events of a bundle.
pub fn events(bundle: &Path) -> Vec<JobEvent> {
    let text = std::fs::read_to_string(bundle.join(EVENTS_FILE)).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |at| &text[..at]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Waits until this attempt of the worker has made this optimiser step.
pub fn wait_for_step(bundle: &Path, child: &mut Child, attempt: u32, wanted: u64) {
    let made = |e: &Event| matches!(e, Event::Progress { stage, step, .. } if stage == "sentence" && *step >= wanted);
    wait_for(bundle, child, attempt, made);
}

/// Waits until this attempt of the worker has made this optimiser step, in any stage.
pub fn wait_for_any_step(bundle: &Path, child: &mut Child, attempt: u32, wanted: u64) {
    wait_for(
        bundle,
        child,
        attempt,
        |e| matches!(e, Event::Progress { loss: Some(_), step, .. } if *step >= wanted),
    );
}

/// Waits until this attempt of the worker waits.
pub fn wait_for_pause(bundle: &Path, child: &mut Child, attempt: u32) {
    wait_for(bundle, child, attempt, |e| {
        matches!(e, Event::Paused { .. })
    });
}

fn wait_for(bundle: &Path, child: &mut Child, attempt: u32, wanted: impl Fn(&Event) -> bool) {
    while !events(bundle)
        .iter()
        .any(|e| e.attempt == attempt && wanted(&e.event))
    {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the worker ended too early"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The failure that the last event reports.
pub fn failure(bundle: &Path) -> (String, String, String) {
    match events(bundle).pop().map(|e| e.event) {
        Some(Event::Failed {
            code,
            message,
            hint,
            ..
        }) => (code, message, hint),
        other => panic!("no failure but {other:?}"),
    }
}

/// Rows of an embed job's output.
pub fn embeddings(path: &Path) -> Vec<Vec<f32>> {
    let read = tensors::read(path, lexforge_models::Error::Shim).unwrap();
    Vec::<Vec<f32>>::try_from(&read["embeddings"]).unwrap()
}

/// Largest difference of two tables.
pub fn largest_difference(a: &[Vec<f32>], b: &[Vec<f32>]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .flatten()
        .zip(b.iter().flatten())
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f32::max)
}

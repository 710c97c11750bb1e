//! How the application and the worker talk: a job bundle is a folder with relative paths only.
//!
//! ```text
//! bundle/
//!   job.json         one [`JobFile`]
//!   inputs/…         JSONL, safetensors
//!   adapter/…        an adapter to start from or to apply, in PEFT's format
//!   control          one [`Control`] word, polled at each step; absent = go on
//!   lock             held (exclusively) by the worker while it runs
//!   events.jsonl     one [`JobEvent`] a line, append-only; a torn last line is ignored
//!   stderr.log
//!   checkpoints/step-0000040/…  with `manifest.json` written last ([`CheckpointManifest`])
//!   tuned/…          the chosen adapter of a train job, in PEFT's format
//!   result.json      one [`JobResult`], written last
//! ```

use serde::{Deserialize, Serialize};

/// Version of this protocol; a worker refuses a bundle of another one.
pub const PROTOCOL_VERSION: u32 = 1;

/// Name of the job's file in its bundle.
pub const JOB_FILE: &str = "job.json";
/// Name of the event file in a bundle.
pub const EVENTS_FILE: &str = "events.jsonl";
/// Name of the control file in a bundle.
pub const CONTROL_FILE: &str = "control";
/// Name of the lock file in a bundle.
pub const LOCK_FILE: &str = "lock";
/// Name of the result's file in a bundle.
pub const RESULT_FILE: &str = "result.json";
/// Name of the log of the worker's standard error in a bundle.
pub const STDERR_FILE: &str = "stderr.log";
/// Folder of the checkpoints in a bundle.
pub const CHECKPOINTS_DIR: &str = "checkpoints";
/// Name of a checkpoint's manifest.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Environment variable that lists folders in which the worker looks for base models.
pub const MODELS_ENV: &str = "LEXFORGE_MODELS";

/// A base model by name and content; the target resolves it among its own model folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRef {
    /// The folder's name, for example `all-MiniLM-L6-v2`.
    pub name: String,
    /// SHA-256 of `config.json`, followed by that of the weights' index where there is one, hexadecimal.
    /// Empty = not checked.
    pub sha256: String,
}

/// `job.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobFile {
    /// [`PROTOCOL_VERSION`] of the writer.
    pub protocol_version: u32,
    /// What to do.
    pub job: Job,
}

/// What a worker does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "a process holds one job; nothing is saved by a box")]
pub enum Job {
    /// Train an adapter.
    Train(TrainJob),
    /// Embed texts.
    Embed(EmbedJob),
    /// Describe a model folder.
    Inspect(InspectJob),
}

/// How token vectors become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Mean over real tokens; padding is never counted.
    Mean,
    /// The first token.
    Cls,
    /// The last real token.
    Last,
}

/// Embed each line of `input` with `model` (and an adapter).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbedJob {
    /// The encoder.
    pub model: ModelRef,
    /// Folder of an adapter in the bundle.
    #[serde(default)]
    pub adapter: Option<String>,
    /// JSONL file in the bundle with `{"text": …}` a line.
    pub input: String,
    /// safetensors file to write in the bundle: one F32 tensor `embeddings` [rows, dim], rows in input order.
    pub output: String,
    /// Pooling.
    pub pooling: Pooling,
    /// Scale each row to unit length.
    pub normalize: bool,
    /// Longest input in tokens; longer ones are cut, and counted in the result.
    pub max_length: usize,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// Describe a model folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectJob {
    /// The model.
    pub model: ModelRef,
}

/// Low-rank adaptation of linear layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoraSpec {
    /// Rank r.
    pub r: usize,
    /// α; the update is scaled by α / r.
    pub alpha: f64,
    /// Dropout before the down projection.
    pub dropout: f64,
    /// Names of the linear layers, as PEFT's `target_modules` (`query`, `key`, `value`, `dense` …).
    pub targets: Vec<String>,
}

/// The sentence stage: InfoNCE on question–choice items (METHODS §1.3.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceStage {
    /// Temperature τ.
    pub temperature: f64,
    /// Choices of the other items of the batch are negatives too (masked where they may be right).
    pub in_batch: bool,
    /// Pooling.
    pub pooling: Pooling,
    /// Epochs.
    pub epochs: usize,
    /// Items a batch.
    pub batch_size: usize,
    /// Most optimiser steps; the schedule is fitted to it. None = as many as the epochs have.
    #[serde(default)]
    pub max_steps: Option<usize>,
    /// Peak learning rate.
    pub learning_rate: f64,
    /// Warm-up in steps; the schedule then falls linearly to 0.
    pub warmup_steps: usize,
    /// Weight decay.
    pub weight_decay: f64,
    /// Largest gradient norm.
    pub max_grad_norm: f64,
}

/// Train an adapter on frozen items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainJob {
    /// The base model.
    pub model: ModelRef,
    /// JSONL of [`TrainItem`] in the bundle.
    pub train: String,
    /// JSONL of [`TrainItem`] for the held-out loss.
    pub dev: String,
    /// The adapter.
    pub lora: LoraSpec,
    /// The stage.
    pub sentence: SentenceStage,
    /// Longest input in tokens.
    pub max_length: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads; 0 = all. Recorded, since the sums depend on it.
    pub threads: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
    /// Steps between looks at the dev items.
    pub evaluate_every: usize,
    /// Lineage that goes into `lexforge.json` beside the adapter: hashes of dataset, corpus and graph.
    pub lineage: Lineage,
}

/// Where an adapter comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineage {
    /// Content hash of the dataset snapshot.
    pub dataset: String,
    /// Hash of the corpus.
    pub corpus: String,
    /// When the graph was built, RFC 3339.
    pub graph_date: String,
    /// Review policy of the snapshot.
    pub policy: String,
}

/// One training item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainItem {
    /// The question's id.
    pub id: i64,
    /// The anchor; items of one anchor are never each other's negatives.
    pub anchor: i64,
    /// The question.
    pub question: String,
    /// The right answer.
    pub answer: String,
    /// Its own wrong choices.
    pub negatives: Vec<String>,
    /// Near-duplicate group of the answer; answers of one group are never each other's negatives.
    pub answer_group: i64,
}

/// What the user wants of a running worker: the word in the control file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// Wait at the next step.
    Pause,
    /// Go on.
    Resume,
    /// Write a checkpoint at the next step and go on.
    Checkpoint,
    /// Write a checkpoint and leave.
    Stop,
}

impl Control {
    /// The word in the control file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Checkpoint => "checkpoint",
            Self::Stop => "stop",
        }
    }

    /// The wish that a word names.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Pause, Self::Resume, Self::Checkpoint, Self::Stop].into_iter().find(|c| c.word() == word.trim())
    }
}

/// A line of `events.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobEvent {
    /// Which start of the worker, from 1.
    pub attempt: u32,
    /// Position within the file, from 0, over all attempts.
    pub seq: u64,
    /// Seconds since the Unix epoch.
    pub time: f64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The worker began (or went on from a checkpoint).
    Started {
        /// Process id.
        pid: u32,
        /// `cpu` or `cuda:0`.
        device: String,
        /// Threads in use.
        threads: usize,
        /// libtorch's version.
        libtorch: String,
        /// Checkpoint that it goes on from.
        resumed_from: Option<String>,
        /// Optimiser step at which it begins.
        step: u64,
    },
    /// A step was made. Also the heartbeat: written at least every 5 seconds while a worker lives.
    Progress {
        /// `sentence`, `embed` …
        stage: String,
        /// Steps (or rows) done.
        step: u64,
        /// Of how many.
        of: u64,
        /// Training loss of this step.
        loss: Option<f64>,
        /// Learning rate.
        lr: Option<f64>,
        /// Tokens a second.
        tokens_per_s: Option<f64>,
        /// Resident memory in MiB.
        memory_mb: Option<f64>,
        /// Seconds left, by the pace so far.
        eta_s: Option<f64>,
    },
    /// The worker waits for `resume`.
    Paused {
        /// Optimiser step.
        step: u64,
    },
    /// A checkpoint was completed.
    Checkpoint {
        /// Its folder's path in the bundle.
        path: String,
        /// Its stage.
        stage: String,
        /// Its optimiser step.
        step: u64,
        /// It is the best by held-out loss so far.
        best: bool,
    },
    /// A figure, for example `dev_loss`.
    Metric {
        /// Its name.
        name: String,
        /// Its value.
        value: f64,
        /// Optimiser step.
        step: u64,
    },
    /// Something a person should know.
    Warning {
        /// For programs.
        code: String,
        /// In words.
        message: String,
    },
    /// The job is done; `result.json` is there.
    Finished {
        /// Seconds of this attempt.
        seconds: f64,
    },
    /// The worker left after `stop` or SIGTERM, with a checkpoint.
    Stopped {
        /// Optimiser step of the checkpoint.
        step: u64,
    },
    /// The job failed.
    Failed {
        /// For programs; one of [`crate::Code`]'s tags.
        code: String,
        /// What and why.
        message: String,
        /// What to do now.
        hint: String,
    },
}

/// `result.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JobResult {
    /// Of a train job.
    Train(TrainResult),
    /// Of an embed job.
    Embed(EmbedResult),
    /// Of an inspect job.
    Inspect(InspectResult),
}

/// What a train job made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainResult {
    /// Folder of the chosen adapter in the bundle (the best checkpoint by held-out loss).
    pub adapter: String,
    /// SHA-256 of its `adapter_model.safetensors`, hexadecimal.
    pub adapter_sha256: String,
    /// Optimiser steps made in all.
    pub steps: u64,
    /// Step of the chosen checkpoint.
    pub best_step: u64,
    /// Mean training loss over the first tenth of the steps.
    pub first_loss: f64,
    /// Mean training loss over the last tenth of the steps.
    pub last_loss: f64,
    /// Held-out loss before the first step.
    pub dev_loss_before: Option<f64>,
    /// Held-out loss of the chosen checkpoint.
    pub dev_loss_best: Option<f64>,
    /// Trained parameters.
    pub trainable_parameters: u64,
    /// Peak resident memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds over all attempts.
    pub seconds: f64,
}

/// What an embed job made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbedResult {
    /// The safetensors file in the bundle.
    pub output: String,
    /// Rows.
    pub rows: u64,
    /// Dimension.
    pub dim: u64,
    /// Inputs that were cut at `max_length`.
    pub truncated: u64,
    /// Share of unknown tokens over all real tokens, 0 to 1.
    pub unknown_rate: f64,
    /// Peak resident memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds.
    pub seconds: f64,
}

/// What is known about a model folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectResult {
    /// The folder's name.
    pub name: String,
    /// SHA-256 of configuration and index, for [`ModelRef::sha256`].
    pub sha256: String,
    /// Architecture, for example `bert`.
    pub architecture: String,
    /// Parameters.
    pub parameters: u64,
    /// Layers.
    pub layers: u64,
    /// Hidden size.
    pub hidden_size: u64,
    /// Entries of the vocabulary.
    pub vocabulary: u64,
    /// Longest input in tokens.
    pub max_positions: u64,
    /// Data type of the weights on disk.
    pub dtype: String,
    /// Bytes of the weights on disk.
    pub bytes: u64,
    /// What is missing or odd, each with its remedy.
    pub problems: Vec<crate::Failure>,
}

/// `manifest.json` of a checkpoint: written last, so that a checkpoint without it is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointManifest {
    /// Stage.
    pub stage: String,
    /// Optimiser step.
    pub step: u64,
    /// SHA-256 of `job.json`, so that a checkpoint is never applied to another job.
    pub job_sha256: String,
    /// File name → SHA-256, hexadecimal.
    pub files: std::collections::BTreeMap<String, String>,
}

/// What `lexforge-worker --version --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerVersion {
    /// Version of the program.
    pub version: String,
    /// Protocol that it speaks.
    pub protocol_version: u32,
    /// libtorch's version.
    pub libtorch: String,
    /// Devices: `cpu`, `cuda:0 …`.
    pub devices: Vec<String>,
    /// Why there is no CUDA device, where somebody might expect one.
    pub cuda_note: Option<String>,
}

//! How the application and the worker talk. A job bundle is a folder with relative paths only:
//!
//! ```text
//! bundle/
//!   job.json         one [`JobFile`]
//!   inputs/…         JSONL, safetensors
//!   adapter/…        an adapter to start from or to apply, in PEFT's format
//!   starting         locked by the program that starts a worker, and by that worker
//!   control          one [`Control`] word, read at each step; absent = go on
//!   lock             locked (exclusively) by the worker while it runs
//!   events.jsonl     one [`JobEvent`] on each line, append-only; an incomplete last line is ignored
//!   stderr.log
//!   checkpoints/stage-1-step-0000040/…  with `manifest.json` written last ([`CheckpointManifest`])
//!   tuned/…          the chosen adapter of a train job, in PEFT's format
//!   result.json      one [`JobResult`], written last
//! ```

mod added_words;
mod control;
mod export;
mod masked_words;
mod model;
mod queue_end;
mod remote;
mod rerank;
mod resident;
mod retrieval;
mod scoring;
mod token_match;
mod training;
mod triplets;

pub use added_words::{AddWordsJob, AddWordsResult, AddedWord};
pub use control::Control;
pub use export::{
    EXPORT_FILE, ExportFormat, ExportJob, ExportResult, ExportType, ExportedFile, PARITY_PROMPTS,
    Parity, ParityFigure, ParityMeasure, USUAL_SHARD,
};
pub use masked_words::{DenoisingObjective, MaskedWordsObjective};
pub use model::{DenseFunction, DenseLayer, ModelRef, Pooling, TermReading, TextReading, TextSide};
pub use queue_end::QueueEnd;
pub use remote::{
    FrameHead, FrameKind, JobId, LARGEST_FRAME, NoFrame, STATION_MARK, STATION_VERSION,
    SlurmSettings, StationReply, StationRequest, TargetState, Tree, TreeFile,
};
pub use rerank::{
    RerankItem, RerankJob, RerankObjective, RerankRequest, RerankResult, RerankScores,
};
pub use resident::{ResidentReady, ResidentReply, ResidentRequest, vector_of_hex, vector_to_hex};
pub use retrieval::{
    Distillation, LABELS_ARE_COMPLETE, RetrievalItem, RetrievalObjective, RetrievalPassage, Taught,
};
pub use scoring::{ScoreItem, ScoreJob, ScoreLine, ScoreResult, WrittenAnswer};
pub use token_match::{TokenMatchItem, TokenMatchJob, TokenMatchLine, TokenMatchResult};
pub use training::{
    Decay, Lineage, LoraSpec, MeaningItem, NegativePool, Objective, Precision, QuestionForm,
    SentenceObjective, StageResult, StageSpec, TokenLossKind, TrainItem, TrainJob, TrainResult,
    TrainSettings, Tune,
};
pub use triplets::{TripletItem, TripletLoss, TripletObjective};

use crate::Sha256;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// Version of this protocol; a worker refuses a bundle of another one.
pub const PROTOCOL_VERSION: u32 = 3;

/// Name of the job's file in its bundle.
pub const JOB_FILE: &str = "job.json";
/// Name of the event file in a bundle.
pub const EVENTS_FILE: &str = "events.jsonl";
/// Name of the control file in a bundle.
pub const CONTROL_FILE: &str = "control";
/// Name of the lock file in a bundle.
pub const LOCK_FILE: &str = "lock";
/// Name of the file that is locked by whoever starts a worker on a bundle, and then by that worker.
pub const STARTING_FILE: &str = "starting";
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

/// `job.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobFile {
    /// [`PROTOCOL_VERSION`] of the writer.
    pub protocol_version: u32,
    /// What to do.
    pub job: Job,
}

/// The task of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(
    clippy::large_enum_variant,
    reason = "a process holds one job; nothing is saved by a box"
)]
pub enum Job {
    /// Train an adapter.
    Train(TrainJob),
    /// Embed texts.
    Embed(EmbedJob),
    /// Score the choices of questions.
    Score(ScoreJob),
    /// Describe a model folder.
    Inspect(InspectJob),
    /// Make a model that other programs load.
    Export(ExportJob),
    /// Match the tokens of answers with those of the right ones.
    TokenMatch(TokenMatchJob),
    /// Score pairs of a question and a passage.
    Rerank(RerankJob),
    /// Add words to an encoder's vocabulary.
    AddWords(AddWordsJob),
}

impl Job {
    /// The word for it, as in the file.
    pub fn kind(&self) -> &'static str {
        self.into()
    }
}

/// Embed each line of `input` with `model` (and an adapter).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbedJob {
    /// The encoder.
    pub model: ModelRef,
    /// Folder of an adapter in the bundle.
    pub adapter: Option<String>,
    /// JSONL file in the bundle with `{"text": …}` a line.
    pub input: String,
    /// safetensors file to write in the bundle: one F32 tensor `embeddings` [rows, dim], rows in input order.
    pub output: String,
    /// Pooling; none = as the adapter was trained, else as the model's folder says.
    pub pooling: Option<Pooling>,
    /// Whether a decoder's tokens see those before them alone, as when it writes; none = as the model's folder says.
    pub causal: Option<bool>,
    /// Scale each row to unit length; none = as the model's folder says.
    pub normalize: Option<bool>,
    /// Longest input in tokens; longer ones are cut, and counted in the result. None = as the model's folder says.
    pub max_length: Option<usize>,
    /// The kind of the texts: questions or passages.
    #[serde(default)]
    pub side: TextSide,
    /// Each line has a term's bytes (`"part": [from, to]`) and gets the vector of that term; none = of whole texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<TermReading>,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// Describe a model folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectJob {
    /// The model.
    pub model: ModelRef,
    /// A training whose memory is to be estimated.
    pub plan: Option<TrainSettings>,
    /// JSONL file in the bundle with `{"text": …, "language": …}` a line: what the tokenizer makes of it.
    pub texts: Option<String>,
    /// Texts whose tokens are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokensWanted>,
}

/// Texts that an inspected model's tokenizer cuts into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokensWanted {
    /// JSONL file in the bundle with `{"text": …}` a line.
    pub texts: String,
    /// File to write in the bundle: a line a text with the numbers of its tokens, blanks between, without special tokens.
    pub output: String,
}

impl InspectJob {
    /// A job that asks only about the folder.
    pub fn of(model: ModelRef) -> Self {
        Self {
            model,
            plan: None,
            texts: None,
            tokens: None,
        }
    }
}

/// A line of `events.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobEvent {
    /// The number of the worker's start, from 1.
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
        /// The number of steps (or rows) in all.
        of: u64,
        /// Training loss of this step.
        loss: Option<f64>,
        /// Learning rate.
        lr: Option<f64>,
        /// Tokens a second.
        tokens_per_s: Option<f64>,
        /// Memory in MiB: resident on the CPU, allocated on a GPU.
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
        /// Whether it is the best by held-out loss so far.
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
        /// The advice as a value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remedy: Option<Box<crate::Remedy>>,
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
    /// Of a score job.
    Score(ScoreResult),
    /// Of an inspect job.
    Inspect(InspectResult),
    /// Of an export job.
    Export(ExportResult),
    /// Of a token-match job.
    TokenMatch(TokenMatchResult),
    /// Of a rerank job.
    Rerank(RerankResult),
    /// Of a job that adds words.
    AddWords(AddWordsResult),
}

/// The result of an embed job.
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
    /// How the texts were read.
    #[serde(default)]
    pub reading: TextReading,
    /// Layers of the model, where vectors of terms were made. A worker that makes none does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<usize>,
}

/// The known facts about a model folder.
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
    /// Whether it continues texts (a decoder) or only reads them.
    #[serde(default)]
    pub decoder: bool,
    /// It has a chat template.
    #[serde(default)]
    pub chat_template: bool,
    /// How texts become vectors, as the folder says. `None` if this cannot be done, as `problems` then says.
    pub reading: Option<TextReading>,
    /// Whether no file of the folder says how texts become vectors, so that the usual way is assumed.
    #[serde(default)]
    pub reading_assumed: bool,
    /// Things that are missing or unusual, each with its remedy.
    pub problems: Vec<crate::Failure>,
    /// The memory that the planned training needs, where one was asked about.
    pub memory: Option<MemoryEstimate>,
    /// The result of the tokenizer for the given texts, by language.
    #[serde(default)]
    pub vocabulary_use: Vec<VocabularyUse>,
}

/// What a tokenizer makes of the texts of one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VocabularyUse {
    /// The language.
    pub language: Language,
    /// Bytes of the texts in UTF-8.
    pub bytes: u64,
    /// Tokens of the texts, special ones not counted.
    pub tokens: u64,
    /// How many of them are the unknown token.
    pub unknown: u64,
}

impl VocabularyUse {
    /// Most tokens for each byte, if a vocabulary has the language's words or characters. English takes about 0.25 and
    /// Chinese 0.3; a character split into its bytes takes 1.
    const MOST_TOKENS_A_BYTE: f64 = 0.6;
    /// Largest share of unknown tokens of a vocabulary that has the language.
    const MOST_UNKNOWN: f64 = 0.05;

    /// Whether the vocabulary has tokens for the language. If it has none, texts are split into single bytes or become
    /// unknown tokens.
    pub fn has_the_language(&self) -> bool {
        let (bytes, tokens) = (self.bytes.max(1) as f64, self.tokens.max(1) as f64);
        tokens / bytes <= Self::MOST_TOKENS_A_BYTE
            && self.unknown as f64 / tokens <= Self::MOST_UNKNOWN
    }
}

/// The expected peak memory of a training, in MiB above that of an idle worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryEstimate {
    /// `cpu` or `cuda:0`.
    pub device: String,
    /// Frozen weights.
    pub weights_mb: f64,
    /// The adapter, its gradient and the optimiser's state.
    pub adapter_mb: f64,
    /// The memory that the largest step keeps for its gradient, in MiB.
    pub activations_mb: f64,
    /// All of it.
    pub total_mb: f64,
    /// The stage with the largest step.
    pub stage: String,
    /// Memory that is free on the device; none = not known.
    pub available_mb: Option<f64>,
    /// Whether it fits; `true` where the free memory is not known.
    pub fits: bool,
    /// The change that makes it fit, or that saves most.
    pub advice: Option<MemoryAdvice>,
}

/// One changed setting, and the memory that the training then needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryAdvice {
    /// `micro_batch`, `max_length`, `activation_checkpointing` or `precision`.
    pub setting: String,
    /// Its new value.
    pub value: String,
    /// The memory that the training then needs, in MiB.
    pub total_mb: f64,
}

/// `manifest.json` of a checkpoint: written last, so that a checkpoint without it is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointManifest {
    /// Stage.
    pub stage: String,
    /// Its number, from 0.
    pub stage_number: usize,
    /// Optimiser steps of the whole job.
    pub step: u64,
    /// SHA-256 of `job.json`, so that a checkpoint is never applied to another job.
    #[serde(deserialize_with = "job_sha256")]
    pub job_sha256: Sha256,
    /// File name → SHA-256.
    pub files: std::collections::BTreeMap<String, Sha256>,
}

fn job_sha256<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Sha256, D::Error> {
    Sha256::field(deserializer, "job_sha256")
}

/// The output of `lexforge-worker --version --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerVersion {
    /// Version of the program.
    pub version: String,
    /// Protocol that it speaks.
    pub protocol_version: u32,
    /// libtorch's version.
    pub libtorch: String,
    /// The folder from which libtorch was loaded; `None` where the system does not tell.
    pub libtorch_at: Option<String>,
    /// Devices: `cpu`, `cuda:0 …`.
    pub devices: Vec<String>,
    /// Why there is no CUDA device, where somebody might expect one.
    pub cuda_note: Option<String>,
}

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
mod embed;
mod export;
mod inspect;
mod masked_words;
mod model;
mod objective;
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
pub use embed::{EmbedJob, EmbedResult};
pub use export::{
    EXPORT_FILE, ExportFormat, ExportJob, ExportResult, ExportType, ExportedFile, PARITY_PROMPTS,
    Parity, ParityFigure, ParityMeasure, USUAL_SHARD,
};
pub use inspect::{
    InspectJob, InspectResult, MemoryAdvice, MemoryEstimate, TokensWanted, VocabularyUse,
};
pub use masked_words::{DenoisingObjective, MaskedWordsObjective};
pub use model::{DenseFunction, DenseLayer, ModelRef, Pooling, TermReading, TextReading, TextSide};
pub use objective::{NegativePool, Objective, QuestionForm, SentenceObjective, TokenLossKind};
pub use queue_end::QueueEnd;
pub use remote::{
    FrameHead, FrameKind, JobId, LARGEST_FRAME, LEAVING, NoFrame, QueuePlace, STATION_MARK,
    STATION_VERSION, SlurmSettings, StationReply, StationRequest, TargetState, Tree, TreeFile,
    is_held,
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
    Decay, Lineage, LoraSpec, MeaningItem, Precision, StageResult, StageSpec, TrainItem, TrainJob,
    TrainResult, TrainSettings, Tune,
};
pub use triplets::{TripletItem, TripletLoss, TripletObjective};

use crate::Sha256;
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

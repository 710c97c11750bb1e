//! A train job: its request and its result.

use super::model::ModelRef;
use super::objective::Objective;
use super::rerank::RerankObjective;
use super::retrieval::Taught;
use crate::Sha256;
use crate::qca::QcaLevel;
use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(Precision);
read_by_tag!(Precision);

/// Low-rank adaptation of linear layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoraSpec {
    /// Rank r.
    pub r: usize,
    /// α; the update is scaled by α / r.
    pub alpha: f64,
    /// Dropout before the down projection.
    pub dropout: f64,
    /// Names of the linear layers, as PEFT's `target_modules` (`query`, `key`, `value`, `dense` …), or
    /// `all-linear`.
    pub targets: Vec<String>,
}

/// The part of a base model that is trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tune {
    /// A low-rank adapter beside its linear layers.
    #[default]
    Lora,
    /// All of its weights. Encoders only.
    All,
}

impl Tune {
    /// Whether it is the usual one, which needs no word in a file.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// How the learning rate falls after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// In a straight line to 0.
    #[default]
    Linear,
    /// Along a half cosine to 0.
    Cosine,
    /// Not at all.
    Constant,
}

/// One stage of a training: what it learns, and how. It continues to train the adapter of the stage before, with a new
/// optimiser and a new schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageSpec {
    /// What it learns.
    pub objective: Objective,
    /// Epochs.
    pub epochs: usize,
    /// Items an optimiser step.
    pub batch_size: usize,
    /// Most items computed at a time; the gradient is that of the whole batch. `None` = what memory allows.
    pub micro_batch: Option<usize>,
    /// Most optimiser steps; the schedule is fitted to it. `None` = as many as the epochs have.
    pub max_steps: Option<usize>,
    /// Peak learning rate.
    pub learning_rate: f64,
    /// Warm-up in steps.
    pub warmup_steps: usize,
    /// How the rate falls then.
    #[serde(default)]
    pub decay: Decay,
    /// Weight decay.
    pub weight_decay: f64,
    /// Largest gradient norm; 0 = any.
    pub max_grad_norm: f64,
    /// Looks at the dev items without a lower held-out loss after which the stage ends; `None` = never.
    pub patience: Option<usize>,
}

/// The type of the frozen weights and of what is computed from them. The adapter is fp32 in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Precision {
    /// fp32 on the CPU; bf16 on a GPU that has it, else fp16 with loss scaling.
    #[default]
    Auto,
    /// 32 bits.
    Fp32,
    /// 16 bits with the range of fp32.
    Bf16,
    /// 16 bits; the loss is scaled so that small gradients do not vanish.
    Fp16,
    /// Four bits for the linear layers (NF4, as in QLoRA); all else as in `auto`. Decoders only.
    Nf4,
}

impl Precision {
    /// All types of weights that can be chosen.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);
}

/// Everything about a training but its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// The part of the base model that is trained. If it is all weights, the adapter holds the change of each weight.
    #[serde(default, skip_serializing_if = "Tune::is_usual")]
    pub tune: Tune,
    /// The low-rank adapter; not looked at where all weights are trained.
    pub lora: LoraSpec,
    /// The stages in order.
    pub stages: Vec<StageSpec>,
    /// Longest input in tokens.
    pub max_length: usize,
    /// Type of the frozen weights.
    #[serde(default)]
    pub precision: Precision,
    /// Each layer is computed again for its gradient: much less memory, about a third more time.
    #[serde(default)]
    pub activation_checkpointing: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads; 0 = all. Recorded, since the sums depend on it.
    pub threads: usize,
}

impl TrainSettings {
    /// How a cross-encoder is trained, where one is.
    pub fn reranks(&self) -> Option<&RerankObjective> {
        self.stages.iter().find_map(|stage| match &stage.objective {
            Objective::Rerank(rerank) => Some(rerank),
            _ => None,
        })
    }
}

/// Train an adapter on frozen items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainJob {
    /// The base model.
    pub model: ModelRef,
    /// The training data: JSONL in the bundle. The form of a line depends on the stage: [`super::TripletItem`] for
    /// [`Objective::Triplets`], [`super::RerankItem`] for [`Objective::Rerank`], [`super::RetrievalItem`] for any other
    /// stage of a job with passages, and [`TrainItem`] for all others.
    pub train: String,
    /// JSONL of the same form for the held-out loss.
    pub dev: String,
    /// The passages among which a question's answer is to be found: JSONL of [`super::RetrievalPassage`]. For
    /// [`Objective::Rerank`] lines of the form `{"text"}` are enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<String>,
    /// JSONL with `{"text"}` a line: general language that is learnt again against forgetting.
    pub replay: Option<String>,
    /// JSONL of [`MeaningItem`]: terms that acts define differently, for [`Objective::Joint`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meanings: Option<String>,
    /// Folder of an adapter in the bundle to go on from.
    pub adapter: Option<String>,
    /// How.
    pub settings: TrainSettings,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
    /// Steps between looks at the dev items.
    pub evaluate_every: usize,
    /// Lineage that goes into `lexforge.json` beside the adapter: hashes of dataset, corpus and graph.
    pub lineage: Lineage,
}

/// The source of an adapter.
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
    /// Forms of training questions under attack that were learnt as well: attack → how many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attacks: BTreeMap<String, u64>,
    /// Most training questions of each rule, where not all were learnt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_per_anchor: Option<u64>,
    /// The teacher whose ranking was learnt, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taught: Option<Taught>,
    /// Uses of terms that acts define differently which were learnt as well.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub meanings: u64,
    /// Content hash of the adapter that the training went on from, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One training item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainItem {
    /// The question's id.
    pub id: i64,
    /// The anchor; items of one anchor are never each other's negatives.
    pub anchor: i64,
    /// Sentence or token level.
    #[serde(default = "sentence_level")]
    pub level: QcaLevel,
    /// The question.
    pub question: String,
    /// The right answer.
    pub answer: String,
    /// The wrong choices of this question.
    pub negatives: Vec<String>,
    /// Near-duplicate group of the answer; answers of one group are never each other's negatives.
    pub answer_group: i64,
    /// Token level: a declarative sentence that answers the question and holds the answer.
    pub rephrased: Option<String>,
    /// Text of the anchor sentence; empty = not given.
    #[serde(default)]
    pub rule: String,
}

impl TrainItem {
    /// A text that is read alone and about which no question is asked.
    pub fn of_text(id: i64, text: String) -> Self {
        Self {
            id,
            anchor: id,
            level: QcaLevel::Sentence,
            question: String::new(),
            answer: String::new(),
            negatives: Vec::new(),
            answer_group: id,
            rephrased: None,
            rule: text,
        }
    }
}

fn sentence_level() -> QcaLevel {
    QcaLevel::Sentence
}

/// A term in a sentence of one act, with that act's definition and the other acts' definitions (docs/methods.md, "The
/// sentence graph": a term depends on its context).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeaningItem {
    /// The sentence; items of one sentence are never each other's negatives.
    pub anchor: i64,
    /// The term.
    pub term: String,
    /// Text of the sentence, which uses the term.
    pub used: String,
    /// Sentence of the same act that defines it.
    pub meaning: String,
    /// Sentences of other acts that define it differently.
    pub others: Vec<String>,
}

/// The result of a train job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainResult {
    /// Folder of the chosen adapter in the bundle (the best checkpoint of the last stage by held-out loss).
    pub adapter: String,
    /// SHA-256 of its `adapter_model.safetensors`.
    #[serde(deserialize_with = "super::model::adapter_sha256")]
    pub adapter_sha256: Sha256,
    /// Optimiser steps made in all.
    pub steps: u64,
    /// Step of the chosen checkpoint.
    pub best_step: u64,
    /// The stages in order.
    pub stages: Vec<StageResult>,
    /// Items, or wrong terms of items, that could not be learnt from: reason → how many.
    #[serde(default)]
    pub left_out: BTreeMap<String, u64>,
    /// Type of the frozen weights, for example `bf16`.
    #[serde(default)]
    pub precision: String,
    /// Trained parameters.
    pub trainable_parameters: u64,
    /// Peak memory in MiB: resident on the CPU, allocated on a GPU.
    pub peak_memory_mb: f64,
    /// Tokens that went through the model.
    #[serde(default)]
    pub tokens: u64,
    /// Seconds over all attempts.
    pub seconds: f64,
}

impl TrainResult {
    /// Whether the stage that the chosen adapter comes from got no better.
    pub fn is_no_better(&self) -> bool {
        self.stages.last().is_some_and(StageResult::is_no_better)
    }
}

/// The result of one stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageResult {
    /// Its name, as [`Objective::stage`] gives it.
    pub name: String,
    /// Step of the job before its first.
    pub from: u64,
    /// Optimiser steps made.
    pub steps: u64,
    /// Items that it learnt from.
    pub items: u64,
    /// Step of the job whose adapter went on.
    pub best_step: u64,
    /// Mean training loss over the first tenth of the steps.
    pub first_loss: f64,
    /// Mean training loss over the last tenth of the steps.
    pub last_loss: f64,
    /// Held-out loss before the first step.
    pub dev_loss_before: Option<f64>,
    /// Held-out loss of the adapter that was chosen.
    pub dev_loss_best: Option<f64>,
    /// Whether it ended before its last step because the held-out loss no longer fell.
    pub stopped_early: bool,
}

impl StageResult {
    /// Whether none of its steps has a lower held-out loss than the model before the first step.
    pub fn is_no_better(&self) -> bool {
        self.dev_loss_before
            .zip(self.dev_loss_best)
            .is_some_and(|(before, best)| best >= before)
    }
}

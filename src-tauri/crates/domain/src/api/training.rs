//! Base models, presets and runs, as window and command line ask for and get them.

use super::preset::Preset;
use super::{CheckStanding, CostEstimate, EvaluationView, RecipeCard, RunState, Spent};
use crate::id::{DatasetId, RunId};
use crate::protocol::{
    Distillation, InspectResult, Pooling, Precision, Taught, TokenLossKind, TrainResult,
    TrainSettings, TripletLoss, Tune,
};
use crate::statistics::Power;
use crate::{Code, Failure, Remedy};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A training run in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Its id.
    pub id: RunId,
    /// Its state.
    pub state: RunState,
    /// Name of the recipe.
    pub recipe: String,
    /// Base model.
    pub base: String,
    /// Its snapshot; `None` if it learnt from labelled questions, triplets, matches or the documents' sentences.
    pub dataset: Option<DatasetId>,
    /// Stage.
    pub stage: String,
    /// Steps made.
    pub step: u64,
    /// The number of steps in all.
    pub of: u64,
    /// When it was started, RFC 3339, UTC.
    pub started: String,
    /// Step of the best checkpoint.
    pub best: Option<u64>,
    /// It has finished, and its best checkpoint is no better than the model before its last stage.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_better: bool,
    /// Hash of the adapter (its folder's name in the artifacts).
    pub adapter: Option<String>,
    /// Last training loss.
    pub loss: Option<f64>,
    /// Seconds left.
    pub eta_s: Option<f64>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// It was evaluated.
    pub evaluated: bool,
    /// Remarks on its state: how it waits on another machine, and what a scheduler did with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The machine that it was sent to, as long as its results are not here; `None` = this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Where it was sent, also when its results are here; `None` = it was made on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_to: Option<SentTo>,
}

/// The machine that a run was sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTo {
    /// Its name.
    pub machine: String,
    /// Whether the machine has reported that the run's folder no longer exists, because somebody cleaned the machine.
    /// Then nothing more of the run can be fetched.
    #[serde(default)]
    pub cleaned: bool,
}

impl RunRow {
    /// The recipe that its name begins with; `None` where another version named it.
    pub fn preset(&self) -> Option<Preset> {
        Preset::of_label(&self.recipe)
    }

    /// Whether it tuned an encoder, which writes no answers.
    pub fn is_of_encoder(&self) -> bool {
        self.preset().is_some_and(Preset::is_of_encoders)
    }

    /// The snapshot that the run learnt from.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where it was tuned on labelled questions, triplets or matches.
    pub fn snapshot(&self) -> Result<DatasetId, Failure> {
        self.dataset.ok_or_else(|| {
            if self.preset() == Some(Preset::RulesAndPolicies) {
                return Failure::new(
                    Code::InvalidRequest,
                    format!(
                        "Run {} was tuned on decided matches; it has no test questions with choices.",
                        self.id
                    ),
                    Remedy::MeasureTriplets,
                );
            }
            if self.preset().is_some_and(Preset::adapts) {
                return Failure::new(
                    Code::InvalidRequest,
                    format!(
                        "Run {} was adapted to the documents; it has no test questions with choices.",
                        self.id
                    ),
                    Remedy::MeasureTriplets,
                );
            }
            if self.preset() == Some(Preset::Gpl) {
                return Failure::new(
                    Code::InvalidRequest,
                    format!(
                        "Run {} was tuned on questions without labels for the search; it has no test questions with choices.",
                        self.id
                    ),
                    Remedy::MeasureRanking,
                );
            }
            if self.preset() == Some(Preset::Nmixx) {
                return Failure::new(
                    Code::InvalidRequest,
                    format!(
                        "Run {} was tuned on triplets; it has no test questions with choices.",
                        self.id
                    ),
                    Remedy::MeasureTriplets,
                );
            }
            Failure::new(
                Code::InvalidRequest,
                format!(
                    "Run {} was tuned on labelled questions for the search; it has no test questions with choices.",
                    self.id
                ),
                Remedy::MeasureRanking,
            )
        })
    }
}

/// What a run learns from if its recipe needs no snapshot. [`Preset::Retrieval`] and [`Preset::Rerank`] learn from
/// questions; [`Preset::RulesAndPolicies`] learns from matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LearnFrom {
    /// Labelled questions or, if there are none, the questions that were written for the workspace.
    #[default]
    Labels,
    /// The questions that were written for the workspace's sentences, and not rejected.
    Questions,
    /// Both.
    All,
    /// People's decisions in Match, for [`Preset::RulesAndPolicies`].
    Matches,
}

/// How much each level counts where both are learnt in one pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelWeights {
    /// The sentence level.
    pub sentence: f64,
    /// The token level.
    pub token: f64,
}

impl LevelWeights {
    /// Neither is negative, and together they are 1: the optimiser would take a common factor out again.
    pub fn are_shares(self) -> bool {
        let both = [self.sentence, self.token];
        both.iter().all(|w| w.is_finite() && *w >= 0.0) && (both[0] + both[1] - 1.0).abs() < 1e-6
    }
}

/// A request for a training. Every setting has a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainRequest {
    /// Snapshot; `None` = the newest.
    pub dataset: Option<DatasetId>,
    /// Folder or name of the base model; `None` = all-MiniLM-L6-v2.
    pub base: Option<String>,
    /// Recipe; `None` = [`Preset::Encoder`] for an encoder, [`Preset::QuickLook`] for a decoder.
    pub preset: Option<Preset>,
    /// The material that a recipe without a snapshot learns from.
    pub learn_from: LearnFrom,
    /// How [`Preset::Retrieval`] learns the ranking of the search as it is, beside the labels; `None` = it does not.
    pub distillation: Option<Distillation>,
    /// The run whose cross-encoder is the teacher: it shows how the first clauses of a search should be ranked. `None`
    /// = the encoder learns the ranking of the search itself.
    pub teacher: Option<RunId>,
    /// Whether the labels name every clause that answers their question. If they do, [`Preset::Retrieval`] learns all
    /// other clauses as wrong answers. If they do not, some other clauses may be right answers, too. So a clause that
    /// is about as near to the question as the labelled one is not used as a wrong answer.
    pub complete_labels: bool,
    /// Names of the preset's stages that are left out (`sft`, `sentence`, `token`), for an ablation.
    pub without: Vec<String>,
    /// Stages added to the stages of the recipe:
    /// - `plain_text`: the text of the rules themselves, before all other stages;
    /// - `mntp`: masked tokens, before vectors are compared;
    /// - `mlm`, for an encoder: masked words of the rules;
    /// - `contrastive_token`, for a decoder: each token of the right answer against the tokens before it.
    pub with: Vec<String>,
    /// The token stage's loss.
    pub token_loss: Option<TokenLossKind>,
    /// The triplet stage's loss.
    pub triplet_loss: Option<TripletLoss>,
    /// A text file of general language, a paragraph a line. SFT learns some of it again, against forgetting.
    pub replay: Option<String>,
    /// Whether attacked forms of the training questions are learnt as well. Forms with the same meaning become
    /// additional questions, and tempting choices become additional wrong choices.
    pub attacks: bool,
    /// Share of that text among SFT's items; `None` = a tenth.
    pub replay_share: Option<f64>,
    /// Epochs of each stage; `None` = the recipe's.
    pub epochs: Option<usize>,
    /// Items an optimiser step.
    pub batch_size: Option<usize>,
    /// Most items computed at a time; the result is the same with any.
    pub micro_batch: Option<usize>,
    /// Peak learning rate.
    pub learning_rate: Option<f64>,
    /// Temperature τ of the sentence stage.
    pub temperature: Option<f64>,
    /// Weights of the levels, in a recipe that learns both in one pass.
    pub weights: Option<LevelWeights>,
    /// After how many layers terms are read, in a recipe that compares them; `None` = after the last.
    pub term_layer: Option<usize>,
    /// Most training questions of each rule, chosen by lot; `None` = all.
    pub items_per_anchor: Option<u64>,
    /// Most optimiser steps of each stage; the schedule is fitted to it.
    pub max_steps: Option<usize>,
    /// Longest input in tokens.
    pub max_length: Option<usize>,
    /// The part of the base model that is trained; `None` = a low-rank adapter.
    pub tune: Option<Tune>,
    /// Rank r of the adapter.
    pub rank: Option<usize>,
    /// Type of the frozen weights.
    pub precision: Option<Precision>,
    /// Compute layers again instead of keeping what they saw.
    pub activation_checkpointing: Option<bool>,
    /// Looks at the dev items without improvement after which a stage ends.
    pub patience: Option<usize>,
    /// Threads; `None` = all.
    pub threads: Option<usize>,
    /// Seed.
    pub seed: Option<u64>,
    /// Steps between checkpoints.
    pub checkpoint_every: Option<usize>,
    /// A finished run whose adapter is trained further. Base, way of tuning and rank are those of this run.
    pub start_from: Option<RunId>,
    /// Name of the target that it runs on; `None` = this machine.
    pub on: Option<String>,
}

/// A base model that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaseRow {
    /// Name, and what [`TrainRequest::base`] takes.
    pub name: String,
    /// Its folder, if the application knows it.
    pub path: Option<String>,
    /// It comes with the product.
    pub shipped: bool,
    /// Architecture, for example `qwen3`; empty where the folder cannot be used.
    pub architecture: String,
    /// It continues texts.
    pub decoder: bool,
    /// Parameters.
    pub parameters: u64,
    /// Why it cannot be used, where it cannot.
    pub problem: Option<Failure>,
}

/// How a model's folder is to say that texts are read; `None` = unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidReading {
    /// How token vectors become one.
    pub pooling: Option<Pooling>,
    /// The text before a question; empty = none.
    pub question: Option<String>,
    /// The text before a passage; empty = none.
    pub passage: Option<String>,
    /// Longest input in tokens.
    pub max_length: Option<usize>,
}

/// The plan of a run before it is started: what it will do, and whether the machine has enough memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// The base model with the memory estimate.
    pub base: InspectResult,
    /// The recipe in use.
    pub preset: Preset,
    /// All figures of the recipe with the user's changes.
    pub settings: TrainSettings,
    /// Training items of the snapshot that this model can read.
    pub items: u64,
    /// The number of questions changed by each attack in the training data.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attacks: BTreeMap<String, u64>,
    /// Whose ranking is learnt, and from which questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taught: Option<Taught>,
    /// Some of the teacher's margins from which is learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<MarginSample>,
    /// The stages in order.
    pub stages: Vec<StagePlan>,
    /// How small a difference can be shown with those test questions of the snapshot that this model can read. `None`
    /// if the run learns from no snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// What the last check said of the documents in the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<CheckStanding>,
    /// Its settings beside those of the publication that the recipe follows; `None` if it follows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<RecipeCard>,
    /// Things that are unusual but do not stop the run.
    pub warnings: Vec<String>,
    /// The problems that stop the run.
    pub problems: Vec<Failure>,
    /// What it will cost, where it is to be sent to a machine with a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostEstimate>,
}

/// A question with the clause that it is about, another one, and how much better the teacher finds the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarginSample {
    /// The question.
    pub question: String,
    /// The clause that it is about.
    pub positive: String,
    /// The other.
    pub negative: String,
    /// The difference of the teacher's scores, from −1 to 1; below 0 where it finds the other better.
    pub margin: f64,
}

/// The plan for one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagePlan {
    /// Its name (`sft`, `sentence`, `token` …).
    pub name: String,
    /// Items that it learns from.
    pub items: u64,
    /// Optimiser steps.
    pub steps: u64,
}

/// A run with all known facts, for comparing two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunDetail {
    /// The run.
    pub run: RunRow,
    /// How it was trained.
    pub settings: TrainSettings,
    /// Its stages in order, as planned when it was started; early stopping may leave steps out.
    #[serde(default)]
    pub stages: Vec<StagePlan>,
    /// Device, threads and libtorch of its last attempt.
    pub device: String,
    /// The result of the run once it is finished.
    pub result: Option<TrainResult>,
    /// Its figures, once it was evaluated.
    pub evaluation: Option<EvaluationView>,
    /// The run whose adapter it trained further; `None` = it began from the base model, or that run is not here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_from: Option<RunId>,
    /// What it took of a machine with a price, where it was sent to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// A model of the main job: its run and its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainedModel {
    /// The run.
    pub run: RunRow,
    /// Figures, where there are test questions for it.
    pub evaluation: Option<EvaluationView>,
}

//! A score job: its request and its result (docs/methods.md, "Evaluation").

use super::model::ModelRef;
use super::training::Precision;
use serde::{Deserialize, Serialize};

/// Score the choices of questions with a decoder (and an adapter).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreJob {
    /// The decoder.
    pub model: ModelRef,
    /// Folder of an adapter in the bundle.
    pub adapter: Option<String>,
    /// JSONL of [`ScoreItem`] in the bundle.
    pub input: String,
    /// JSONL of [`ScoreLine`] to write in the bundle, in input order.
    pub output: String,
    /// Let the model also write its answer, with the choices listed.
    pub generate: bool,
    /// Let it also answer each question without its choices.
    #[serde(default)]
    pub open: bool,
    /// Also compare vectors of question and choices.
    pub embed: bool,
    /// Most tokens of a written answer.
    pub max_new_tokens: usize,
    /// Type of the weights.
    #[serde(default)]
    pub precision: Precision,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// A question to be scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreItem {
    /// The question's id.
    pub id: i64,
    /// The question.
    pub question: String,
    /// Its choices, in the order in which they are listed.
    pub choices: Vec<String>,
}

/// The scores of a question's choices, in their order; higher is likelier. Empty = not asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreLine {
    /// The question's id.
    pub id: i64,
    /// `Σ log p(choice + end of answer | question with all choices listed)`: the primary one.
    pub likelihood: Vec<f64>,
    /// The likelihood divided by the bytes of the choice.
    pub per_byte: Vec<f64>,
    /// The likelihood minus `Σ log p(choice + end of answer | no question)`.
    pub pmi: Vec<f64>,
    /// `Σ log p(choice + end of answer | the choices without the question)`: the control that must stay near chance.
    pub choices_only: Vec<f64>,
    /// Cosine of question and choice.
    #[serde(default)]
    pub cosine: Vec<f64>,
    /// The text that the model wrote with the choices before it.
    pub written: Option<WrittenAnswer>,
    /// The text that the model wrote without having seen the choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<WrittenAnswer>,
    /// The question is longer than the model's context and was not scored: it counts as wrong.
    #[serde(default)]
    pub too_long: bool,
}

/// An answer that a model wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenAnswer {
    /// Its words.
    pub text: String,
    /// The choice that they name; `None` = they name no choice, or more than one.
    pub choice: Option<usize>,
    /// Whether the model ended it itself; otherwise the limit did.
    pub ended: bool,
}

/// The result of a score job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreResult {
    /// The JSONL file in the bundle.
    pub output: String,
    /// Questions.
    pub rows: u64,
    /// Questions longer than the model's context.
    pub too_long: u64,
    /// Written answers that name no choice.
    pub unparseable: u64,
    /// Peak memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds.
    pub seconds: f64,
}

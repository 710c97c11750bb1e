//! Answers that a model writes: who is to write, and what became of it.

use super::{EncoderChoice, SearchMode};
use crate::Failure;
use crate::endpoint::Consent;
use crate::id::RunId;
use serde::{Deserialize, Serialize};

/// The ways in which an answer is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "way", rename_all = "snake_case")]
pub enum AnswerWay {
    /// Nobody: the clauses themselves.
    #[default]
    Extractive,
    /// A decoder tuned here, served on this machine.
    Adapter {
        /// The run that made the adapter; `None` = the newest that has one.
        run: Option<RunId>,
    },
    /// A decoder of this machine without an adapter.
    Base {
        /// Its name; `None` = the decoder that comes with the product.
        model: Option<String>,
    },
    /// The language model behind an endpoint.
    Endpoint {
        /// Its name, `local` for a decoder of this machine; `None` = the only existing one.
        name: Option<String>,
    },
}

/// The text of a model, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerWriting {
    /// Who was asked.
    pub way: AnswerWay,
    /// Name of the endpoint; `local` for this machine.
    pub endpoint: String,
    /// The model that was asked.
    pub model: String,
    /// The host that was talked to.
    pub host: String,
    /// SHA-256 of the prompt with model and parameters, hexadecimal: under it the workspace keeps what was answered.
    pub prompt: String,
    /// Clauses that the model was given.
    pub clauses: u32,
    /// Statements that could be read.
    pub statements: u32,
    /// Of these, struck through.
    pub struck: u32,
    /// Statements that could not be read.
    pub unreadable: u32,
}

/// Why the clauses themselves stand where a model was to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum ModelGap {
    /// The model's answer could not be read.
    Unreadable {
        /// The tag under which that is counted.
        reason: String,
    },
    /// The model said that the clauses do not answer.
    Silent,
    /// No statement that the model wrote is supported by its citations.
    NothingHolds,
    /// The model gave no answer.
    Failed {
        /// What happened.
        failure: Failure,
    },
}

/// A file of questions that is to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerBatch {
    /// The questions: a workbook of a spreadsheet program, or CSV.
    pub questions: String,
    /// Where the answers go: a document where the name ends in `.docx`, a workbook where it ends in `.xlsx`, else CSV.
    pub out: String,
    /// How clauses are searched; `None` = by words, and by vectors where the workspace has them.
    #[serde(default)]
    pub mode: Option<SearchMode>,
    /// Only rules in force on this day count, `YYYY-MM-DD`; `None` = today.
    #[serde(default)]
    pub as_of: Option<String>,
    /// The encoder; `None` = the encoder of the graph.
    #[serde(default)]
    pub encoder: Option<EncoderChoice>,
    /// The way in which the answers are made.
    #[serde(default)]
    pub way: AnswerWay,
    /// The person's consent, if something is sent.
    #[serde(default)]
    pub consent: Option<Consent>,
}

/// The result of a batch of questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchReport {
    /// Questions.
    pub questions: u64,
    /// Questions that were answered.
    pub answered: u64,
    /// Questions that got no answer: no clause comes near, or one comes near and is not sure enough.
    pub refused: u64,
    /// Rows without a question.
    pub empty: u64,
    /// The path of the answers.
    pub out: String,
    /// The sheet of the workbook that the questions are from; `None` for CSV.
    #[serde(default)]
    pub sheet: Option<String>,
    /// Sheets of the workbook that were left alone.
    #[serde(default)]
    pub other_sheets: u64,
    /// Sentences that had no vector, so that they were looked for by their words alone; the most for one question.
    #[serde(default)]
    pub without_vectors: u64,
}

/// A way that can be chosen now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerWayRow {
    /// The way.
    #[serde(flatten)]
    pub way: AnswerWay,
    /// The model.
    pub model: String,
    /// The host that would be talked to; `None` where nobody is.
    pub host: Option<String>,
    /// Nothing leaves this machine.
    pub local: bool,
}

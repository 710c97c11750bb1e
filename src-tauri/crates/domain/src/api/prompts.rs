//! The prompts for models, as window and command line ask for and get them, and the trial of one.

use crate::endpoint::AskPlan;
use crate::id::SentenceId;
use crate::qca::QcaDraft;
use crate::tags::{all, read_by_tag, tagged};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(PromptKind);
read_by_tag!(PromptKind);

/// The purpose of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PromptKind {
    /// Finds the terms of sentences, by the classes of a schema.
    EntityExtraction,
    /// Writes a question whose choices are sentences.
    SentenceQca,
    /// Writes a question whose answer is a term, and the rephrased sentence.
    TokenQca,
    /// Writes a question about what a term means in its act, where other acts define it differently.
    MeaningQca,
    /// Says a sentence in other words; every number, date, modal and negation stays.
    Paraphrase,
    /// Says a sentence in the other of two languages; every number, date, modal and negation stays.
    Translation,
    /// Scores a question from 0 to 10, with a reason.
    Judge,
    /// Writes what a person would type to find a sentence.
    QueryGeneration,
    /// Answers a question from clauses, in statements that each quote what bears them out.
    Answer,
    /// Writes sentences that differ from one in meaning and hardly in words.
    Triplet,
    /// Scores such a sentence, or a rewording, from 0 to 10, with a reason.
    TripletJudge,
    /// Gives an answer to a question about a rule five marks from 1 to 5.
    AnswerMarks,
    /// Says which of two answers is better.
    AnswerPair,
}

impl PromptKind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 13] = all(Self::VARIANTS);
}

/// A name in a prompt that is replaced by a value when the prompt is sent. Markers are put around text of documents,
/// and no wording of a prompt can remove them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placeholder {
    /// The name as it is written in the file, without braces: `anchor`.
    pub name: String,
    /// Part of the file in which it stands: `system`, `user` or `again`.
    pub part: String,
    /// The text that replaces it.
    pub meaning: String,
}

/// A prompt as it is used now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptFile {
    /// Its purpose.
    pub kind: PromptKind,
    /// The language of the documents that it is about: English or Chinese.
    pub language: Language,
    /// 0 = as shipped; else the number of the workspace's own version.
    pub version: u32,
    /// SHA-256 of the text, hexadecimal.
    pub hash: String,
    /// The whole file: a first line, then the parts `[system]` and `[user]`, and `[again]` if unusable answers are
    /// asked for again.
    pub text: String,
    /// The shipped file, to compare with and to go back to.
    pub shipped: String,
    /// The placeholders that it must contain.
    pub placeholders: Vec<Placeholder>,
}

/// A version of a prompt that the workspace keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptVersion {
    /// Its purpose.
    pub kind: PromptKind,
    /// Its language.
    pub language: Language,
    /// Its number, counted from 1 for each prompt and language.
    pub version: u32,
    /// SHA-256 of the text, hexadecimal.
    pub hash: String,
    /// The text; `None` = back to the shipped one.
    pub text: Option<String>,
    /// When it was saved, RFC 3339, UTC.
    pub saved: String,
}

/// The prompt that the test bench should try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialSubject {
    /// The prompt.
    pub kind: PromptKind,
    /// The sentence that it is tried on; its language decides which file is used.
    pub sentence: SentenceId,
    /// A wording that is not saved yet; `None` = the one in use.
    pub text: Option<String>,
}

/// The prompt that the test bench would send, shown before anything is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialPlan {
    /// The plan, which a person agrees to unless the endpoint is this machine.
    pub plan: AskPlan,
    /// The instructions to the model (the system part of the prompt).
    pub system: String,
    /// The question with the document's text between its markers.
    pub user: String,
    /// SHA-256 of the wording, hexadecimal.
    pub wording: String,
}

/// What an answer on the test bench turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TrialParsed {
    /// Terms with their classes, as proposed; those that the checks rejected are under `rejected`.
    Terms {
        /// (class, term).
        terms: Vec<(String, String)>,
        /// (term, why it was rejected).
        rejected: Vec<(String, String)>,
    },
    /// A question.
    Question {
        /// The draft as it was read, even if it failed the checks.
        draft: QcaDraft,
    },
    /// A paraphrase.
    Paraphrase {
        /// The text.
        text: String,
    },
    /// A judgement.
    Judgement {
        /// 0 to 10.
        score: f64,
        /// Why.
        reason: String,
    },
    /// Queries.
    Queries {
        /// The texts.
        queries: Vec<String>,
    },
    /// The statements of an answer.
    Statements {
        /// The statements.
        statements: Vec<String>,
    },
}

/// Why something that a model wrote was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnedDown {
    /// The tag under which it is counted.
    pub reason: String,
    /// In words.
    pub message: String,
}

/// The result of the test bench. Nothing of it is kept as a question or a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptTrial {
    /// The prompt.
    pub kind: PromptKind,
    /// The language of the wording that was used.
    pub language: Language,
    /// SHA-256 of the wording, hexadecimal.
    pub wording: String,
    /// The host that answered.
    pub host: String,
    /// And the model.
    pub model: String,
    /// The system part of the prompt that was sent.
    pub system: String,
    /// The user part of the prompt that was sent.
    pub user: String,
    /// The answer, word for word; empty where none came.
    pub answer: String,
    /// Why it ended: `stop`, `length`, or whatever the endpoint says.
    pub finish: String,
    /// The parsed answer; `None` if the answer could not be read.
    pub parsed: Option<TrialParsed>,
    /// Why it would not be taken; `None` where it passes every check.
    pub turned_down: Option<TurnedDown>,
    /// The workspace had the answer already; nothing was sent.
    pub known: bool,
    /// Tokens of the prompt, as the endpoint counts them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
    /// Its cost at the endpoint's prices.
    pub cost: Option<f64>,
    /// Milliseconds until the answer was there; `None` where nothing was sent.
    pub milliseconds: Option<u64>,
}

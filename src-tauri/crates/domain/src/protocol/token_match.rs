//! A token-match job: its request and its result, BERTScore's figures of written answers.

use super::model::ModelRef;
use serde::{Deserialize, Serialize};

/// Match the tokens of each answer with those of its right answers, by the vectors of an encoder's layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenMatchJob {
    /// The encoder.
    pub model: ModelRef,
    /// JSONL of [`TokenMatchItem`] in the bundle.
    pub input: String,
    /// JSONL of [`TokenMatchLine`] to write in the bundle, in input order.
    pub output: String,
    /// The layer whose vectors are compared, from 1; `None` = the last.
    pub layer: Option<usize>,
    /// Whether a token counts the more, the rarer it is among the right answers of the whole file.
    #[serde(default)]
    pub idf: bool,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// An answer and the right ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenMatchItem {
    /// What was written.
    pub prediction: String,
    /// The right answers; at least one.
    pub references: Vec<String>,
}

/// The figures of one answer: each the best over its right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenMatchLine {
    /// How well the answer's tokens are found in the right one.
    pub precision: f64,
    /// How well the right one's tokens are found in the answer.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// The answer has no token: all figures are 0.
    #[serde(default)]
    pub empty: bool,
    /// The answer, or a right one, was longer than the encoder reads, and was cut.
    #[serde(default)]
    pub cut: bool,
    /// All tokens of the answer, or of every right answer, have the weight 0, so the figures are 0.
    #[serde(default)]
    pub weightless: bool,
}

/// The result of a token-match job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenMatchResult {
    /// The JSONL file in the bundle.
    pub output: String,
    /// Answers.
    pub rows: u64,
    /// One SHA-256 over everything that the vectors depend on: configuration, tokenizer and weights.
    pub content: String,
    /// The layer whose vectors were compared.
    pub layer: usize,
    /// Layers of the encoder.
    pub layers: usize,
    /// Longest text in tokens that the encoder reads.
    pub max_length: usize,
    /// Share of unknown tokens over all real tokens, 0 to 1.
    pub unknown_rate: f64,
    /// Peak resident memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds.
    pub seconds: f64,
}

//! A job that makes vectors of texts, and its result.

use super::model::{ModelRef, Pooling, TermReading, TextReading, TextSide};
use serde::{Deserialize, Serialize};

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

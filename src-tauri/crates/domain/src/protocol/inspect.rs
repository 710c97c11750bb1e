//! A job that describes the folder of a base model, and its result.

use super::model::{ModelRef, TextReading};
use super::training::TrainSettings;
use crate::text::Language;
use serde::{Deserialize, Serialize};

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
    /// The file to write in the bundle. It has a line for each text, with the numbers of the text's tokens, separated
    /// by blanks and without special tokens.
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
    /// A vocabulary counts as made for a language if it needs at most this many tokens for each byte of text. English
    /// usually has about 0.25 tokens for each byte and Chinese 0.3. If characters are split into their bytes, there is
    /// one token for each byte.
    const MOST_TOKENS_A_BYTE: f64 = 0.6;
    /// Largest share of unknown tokens of a vocabulary that has the language.
    const MOST_UNKNOWN: f64 = 0.05;

    /// Whether the vocabulary has tokens for the language. A vocabulary without such tokens splits texts into single
    /// bytes or unknown tokens.
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

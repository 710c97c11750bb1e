//! Making a model folder whose tokenizer takes more words whole.

use super::model::ModelRef;
use serde::{Deserialize, Serialize};

/// Add words to an encoder's vocabulary. Each gets the mean of its pieces' vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddWordsJob {
    /// The encoder.
    pub model: ModelRef,
    /// JSONL with `{"text"}` a line in the bundle: the words, the most important first.
    pub words: String,
    /// Most of them that are added.
    pub most: usize,
    /// Pieces that a word is broken into at least to be added.
    pub pieces: usize,
    /// The name of the new model.
    pub name: String,
    /// Folder to make in the bundle.
    pub output: String,
}

/// The result of such a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddWordsResult {
    /// The folder.
    pub output: String,
    /// Rows of the table of words now.
    pub vocabulary: u64,
    /// The words that were added.
    pub added: Vec<AddedWord>,
}

/// A word that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedWord {
    /// The word.
    pub word: String,
    /// Pieces that it was broken into before.
    pub pieces: u64,
}

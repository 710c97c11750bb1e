//! Trains an encoder on the language of the documents before it learns to compare texts. There are two ways. In one,
//! some words are masked, and the encoder predicts them from the words around them. In the other, most words are
//! deleted, and the sentence is restored from the vector of the remaining words.

use super::model::Pooling;
use serde::{Deserialize, Serialize};

/// The task of the stage `mlm`: to guess tokens of a text. Of these tokens, eight in ten are replaced by the mask, one
/// in ten is replaced by a random token, and one in ten stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaskedWordsObjective {
    /// Share of a text's tokens that are masked, whole words at a time.
    pub share: f64,
    /// How token vectors become one vector. Nothing is pooled to learn this; it is how the adapted encoder is read.
    pub pooling: Pooling,
}

/// The task of the stage `tsdae` (Wang et al. 2021).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DenoisingObjective {
    /// How probable it is that a word of a sentence is deleted.
    pub share: f64,
    /// How token vectors become the one vector that the sentence is restored from.
    pub pooling: Pooling,
}

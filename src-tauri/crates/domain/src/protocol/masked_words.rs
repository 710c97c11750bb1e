//! Adapting an encoder to the language of the documents before it learns to compare: words are masked, and foretold from what
//! stands around them.

use super::model::Pooling;
use serde::{Deserialize, Serialize};

/// What the stage `mlm` learns. Of what is masked, eight in ten tokens become the mask, one another token by chance, and one stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaskedWordsObjective {
    /// Share of a text's tokens that are masked, whole words at a time.
    pub share: f64,
    /// How token vectors become one vector. Nothing is pooled to learn this; it is how the adapted encoder is read.
    pub pooling: Pooling,
}

//! Tuning an encoder so that questions find what answers them.

use super::model::Pooling;
use serde::{Deserialize, Serialize};

/// What the retrieval stage compares: a question with a sentence that answers it, against sentences that do not (multiple
/// negatives, METHODS §6). Negatives are mined anew at each epoch with the encoder as it is then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievalObjective {
    /// Temperature τ.
    pub temperature: f64,
    /// Mined negatives of each question; those of the others in the batch are negatives too.
    pub negatives: usize,
    /// How many of the nearest sentences the negatives are drawn from.
    pub drawn_from: usize,
    /// A sentence whose cosine with the question is above this share of the right sentence's may answer too, and is no
    /// negative.
    pub too_alike: f64,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Text put before a question; empty = none.
    #[serde(default)]
    pub question_prompt: String,
    /// Text put before a sentence that may answer; empty = none.
    #[serde(default)]
    pub passage_prompt: String,
}

/// A sentence that can be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetrievalPassage {
    /// Its text.
    pub text: String,
    /// The clause that it belongs to; sentences of a clause follow one another.
    pub clause: u32,
}

/// A question with the clauses that answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievalItem {
    /// Its name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Clauses that answer it.
    pub clauses: Vec<u32>,
    /// Clauses that its words find, with their score as a share of the greatest, best first.
    pub by_words: Vec<(u32, f32)>,
}

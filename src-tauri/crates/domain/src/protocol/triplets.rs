//! Tunes an encoder with triplets. The vector of a sentence moves nearer to the vector of its rewording, and away from
//! the vector of a sentence with another meaning but almost the same words.

use super::model::Pooling;
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(TripletLoss);

/// Which loss triplets are learnt with (docs/methods.md, "Financial embeddings" and "Rules and policies").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TripletLoss {
    /// The positive against the triplet's own negative alone, as published (NMIXX).
    #[default]
    Triplet,
    /// Against the positives and negatives of the others in the batch too (multiple negatives).
    MultipleNegatives,
    /// The gap between positive and negative as large as a teacher says (margin-MSE); each triplet has its margin.
    MarginMse,
}

impl TripletLoss {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Triplet, Self::MultipleNegatives, Self::MarginMse];
}

/// The comparisons of the triplet stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletObjective {
    /// Which loss.
    pub loss: TripletLoss,
    /// Temperature τ of the two that have one.
    pub temperature: f64,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Margins are those of cosines, and not of vectors as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_cosines: bool,
}

/// A sentence, one with the same meaning, and one with another meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletItem {
    /// The triplet's id.
    pub id: i64,
    /// Near-duplicate group of its source; triplets of one group are never each other's negatives.
    pub group: i64,
    /// The sentence.
    pub source: String,
    /// The sentence in other words.
    pub positive: String,
    /// What differs in meaning and hardly in words.
    pub negative: String,
    /// How much nearer the positive is than the negative, as a teacher says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

//! What a recipe sets, beside what was published.

use crate::tags::{all, tagged};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

tagged!(Standing);

/// The settings that a card can name.
pub const CARD_SETTINGS: [&str; 31] = [
    "stages",
    "question_form",
    "replay",
    "temperature",
    "negatives",
    "pooling",
    "instruction",
    "levels",
    "token_loss",
    "level_weights",
    "term_layer",
    "triplet_loss",
    "margins",
    "share",
    "epochs",
    "batch_size",
    "max_steps",
    "learning_rate",
    "warmup",
    "decay",
    "weight_decay",
    "max_grad_norm",
    "patience",
    "tune",
    "rank",
    "alpha",
    "dropout",
    "targets",
    "max_length",
    "precision",
    "seed",
];

/// The values that are words; all others are numbers, or names of stages and layers.
pub const CARD_VALUES: [&str; 29] = [
    "both",
    "choices",
    "open",
    "own_choices",
    "whole_batch",
    "micro_batch",
    "before_question",
    "none",
    "last",
    "mean",
    "cls",
    "sentence",
    "candidates",
    "paper",
    "divergence",
    "all",
    "a_tenth",
    "linear",
    "constant",
    "cosine",
    "never",
    "adapter",
    "all_weights",
    "auto",
    "cosines",
    "dot_products",
    "multiple_negatives",
    "margin_mse",
    "triplet",
];

/// How a setting stands to what was published.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Standing {
    /// As in the publication.
    AsPublished,
    /// As in the code that was published with it.
    AsInCode,
    /// It departs from both.
    Departs,
    /// The publication does not state it.
    NotStated,
    /// It belongs to a stage that was added for a run and that the publication does not have.
    Added,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);
}

/// A setting of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardLine {
    /// Which, for example `learning_rate`.
    pub setting: String,
    /// Its value here; where stages differ, one value for each.
    pub here: String,
    /// What was published, where it is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// How the two stand to each other.
    pub standing: Standing,
    /// Why it departs, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A recipe line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeCard {
    /// Tag of the recipe.
    pub recipe: String,
    /// The publication that it follows.
    pub source: String,
    /// Its settings.
    pub lines: Vec<CardLine>,
}

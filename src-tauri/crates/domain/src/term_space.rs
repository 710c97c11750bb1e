//! How the vectors of accepted terms in their sentences lie in the space of an encoder, before and after tuning.

use crate::RunId;
use crate::metrics::{Interval, SpaceAudit};
use crate::tags::{all, tagged};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// A measure of how vectors of terms lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SpaceMeasure {
    /// Mean cosine over pairs of mentions; high is bad.
    MeanPairwiseCosine,
    /// `IsoScore`, 0 to 1.
    Isoscore,
    /// Share of the variance in the first principal direction.
    Explained1,
    /// Share of the variance in the first eight principal directions.
    Explained8,
    /// Uniformity (Wang and Isola 2020), −8 to 0; low is good.
    Uniformity,
    /// Mean squared distance of two mentions of one term, each term counted once, 0 to 4; low is good.
    Alignment,
}

impl SpaceMeasure {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);
}

tagged!(SpaceMeasure);

/// A measure of the base model and of the tuned model, each with its interval. The intervals are computed over whole
/// terms, because the mentions of one term are similar to each other. `None` = the measure is not defined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceRow {
    /// The measure.
    pub measure: SpaceMeasure,
    /// Of the base model.
    pub before: Option<Interval>,
    /// Of the tuned model.
    pub after: Option<Interval>,
    /// After minus before.
    pub difference: Option<Interval>,
}

/// The audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceOfTerms {
    /// The base model.
    pub base: String,
    /// The training run that tuned it; `None` = the base model alone was looked at.
    pub run: Option<RunId>,
    /// After how many layers the vectors were taken: 0 = at the input.
    pub layer: usize,
    /// Layers of the model.
    pub layers: usize,
    /// Accepted terms that have a vector.
    pub terms: usize,
    /// How many of them have two or more, so that they count in the alignment.
    pub repeated: usize,
    /// Mentions that have a vector.
    pub mentions: usize,
    /// Mentions without one: their sentence is longer than the model reads, or no token is the term's.
    pub left_out: usize,
    /// Mentions that were not drawn, because there were more than are compared with each other.
    #[serde(default)]
    pub not_drawn: usize,
    /// Accepted terms in languages that the model does not read.
    pub unread: usize,
    /// Groups of terms that were left out in turn for the intervals.
    pub groups: usize,
    /// The measures.
    pub rows: Vec<SpaceRow>,
    /// All measures of the base model.
    pub before: SpaceAudit,
    /// All measures of the tuned model.
    pub after: Option<SpaceAudit>,
}

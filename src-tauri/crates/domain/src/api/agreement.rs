//! How far reviewers agree.

use crate::review::SubjectKind;
use serde::{Deserialize, Serialize};

/// Why a figure of agreement is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No item was decided by two.
    NoPairs,
    /// All decisions are the same, so that agreement by chance is certain.
    OneCategory,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The figure; none = not defined on these items.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval; none where the items are too few to say.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Why there is no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// How far reviewers agree on a set of items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementRow {
    /// The class; none = all.
    pub class: Option<String>,
    /// Items that two or more have decided.
    pub items: u64,
    /// Items that one alone has decided; they say which choices are common and nothing about agreement.
    #[serde(default)]
    pub single: u64,
    /// Reviewers who decided any of them.
    pub reviewers: u32,
    /// Share of pairs of decisions on an item that are the same.
    pub percent: Interval,
    /// Krippendorff's α, nominal.
    pub alpha: Interval,
    /// Fleiss' κ over the items that the most common number of reviewers decided.
    pub fleiss: Interval,
    /// Gwet's AC2 with identity weights (AC1): each two choices differ as much as any other two.
    pub gwet: Interval,
}

/// Cohen's κ of two reviewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairAgreement {
    /// The one's name.
    pub one: String,
    /// The other's name.
    pub other: String,
    /// Items that both decided.
    pub items: u64,
    /// Share on which they agree.
    pub percent: Interval,
    /// Cohen's κ.
    pub kappa: Interval,
}

/// Agreement of the reviewers: each person's first decision on each item counts, before any adjudication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementView {
    /// Of which items.
    pub kind: SubjectKind,
    /// All classes together.
    pub overall: AgreementRow,
    /// Class by class.
    pub by_class: Vec<AgreementRow>,
    /// Each two reviewers.
    pub pairs: Vec<PairAgreement>,
    /// Resamples behind the intervals (by item), with their seed.
    pub resamples: u32,
    /// Seed of the resamples.
    pub seed: u64,
    /// α under which a class is named as unreliable; the workspace's setting.
    pub gate: f64,
    /// Names that look alike and count as one reviewer here, the one that counts last: nobody said that they are two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<(String, String)>,
}

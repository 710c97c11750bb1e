//! Figures of how far reviewers agree.

use serde::{Deserialize, Serialize};

/// Why a figure of agreement is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No item was decided by two.
    NoPairs,
    /// All decisions are the same, so agreement by chance is certain.
    OneCategory,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The figure; `None` = not defined on these items.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval; `None` where the items are too few to say.
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
    /// The class; `None` = all.
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
    /// Krippendorff's α: nominal, of scores interval-scaled.
    pub alpha: Interval,
    /// Fleiss' κ over the items that the most common number of reviewers decided.
    pub fleiss: Interval,
    /// Gwet's AC2, a measure of agreement corrected for chance. If the decisions are choices, any two different choices
    /// count as equally far apart (identity weights; this is AC1). If they are scores, a disagreement counts by the
    /// square of its distance.
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
    /// Krippendorff's α of the two, interval-scaled; only of scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Interval>,
}

//! What says how sure a comparison is, as plain data. The formulas are in the evaluate crate.

use crate::metrics::Comparison;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two systems on the same items, with every way of asking whether they differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedComparison {
    /// The difference, its interval and the p-value, by cluster.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The p-value after Holm's correction over all comparisons of the table.
    pub p_holm: f64,
    /// Items.
    pub n: usize,
    /// Clusters.
    pub clusters: usize,
    /// By item, for comparison with the literature alone: the items of a cluster are not independent.
    pub by_item: ByItem,
}

/// Tests that take every item for independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ByItem {
    /// Student's paired t-test; `None` where the differences do not vary.
    pub paired_t: Option<PairedT>,
    /// McNemar's test; `None` where items are not right or wrong.
    pub mcnemar: Option<McNemar>,
}

/// Student's t-test of paired differences, two-sided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairedT {
    /// The statistic.
    pub t: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// Two-sided p-value.
    pub p_value: f64,
}

/// McNemar's test of two systems that are right or wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Items that only the first system has right.
    pub only_before: u64,
    /// Items that only the second system has right.
    pub only_after: u64,
    /// Exact two-sided p-value.
    pub p_value: f64,
    /// χ² with Edwards' correction, one degree of freedom.
    pub chi2: f64,
    /// Its p-value.
    pub chi2_p_value: f64,
}

/// What a set of test questions is able to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// Chance of calling equal systems different.
    pub alpha: f64,
    /// Chance of seeing a difference that is there.
    pub power: f64,
    /// Items.
    pub n: usize,
    /// Clusters.
    pub clusters: usize,
    /// Share of the items on which two systems differ in being right.
    pub discordant: f64,
    /// Correlation of the differences within a cluster.
    pub correlation: f64,
    /// Whether these two were measured on two systems. Otherwise usual values are assumed.
    pub measured: bool,
    /// The smallest difference that is seen with this power, as a share.
    pub smallest_difference: f64,
    /// How many more clusters of the same size would show 1, 2 and 3 points.
    pub more_clusters: BTreeMap<String, u64>,
}

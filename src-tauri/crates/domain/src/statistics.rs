//! What says how sure a comparison is, as plain data. The formulas are in the evaluate crate.

use crate::id::RunId;
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
    /// The run whose report they were taken from, where they were measured on other test questions than these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_from: Option<RunId>,
    /// The smallest difference that is seen with this power, as a share.
    pub smallest_difference: f64,
    /// How many more clusters of the same size would show 1, 2 and 3 points.
    pub more_clusters: BTreeMap<String, u64>,
}

/// The smallest number of clusters with which a test can show a difference at a level of 5 %. With five clusters, p is
/// never below 2 / 2⁵ = .06, even if all five changed in the same direction.
const FEWEST_CLUSTERS: usize = 6;
/// Fewer clusters show a spread badly, so that what they show is a hint.
pub const FEW_CLUSTERS: usize = 10;

/// How far a set of test questions can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// However large a difference is, it cannot be called real.
    Nothing,
    /// There are so few clusters that a difference is a hint.
    Hints,
    /// Differences from the smallest on are called real in most cases.
    Decides,
}

impl Power {
    /// How far these test questions can decide.
    pub fn reach(&self) -> Reach {
        if self.clusters < FEWEST_CLUSTERS || self.smallest_difference >= 1.0 {
            Reach::Nothing
        } else if self.clusters < FEW_CLUSTERS {
            Reach::Hints
        } else {
            Reach::Decides
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_clusters_decide_nothing_or_little() {
        for (clusters, smallest_difference, reach) in [
            (5, 0.2, Reach::Nothing),
            (6, 0.2, Reach::Hints),
            (9, 0.2, Reach::Hints),
            (10, 0.2, Reach::Decides),
            (10, 1.0, Reach::Nothing),
        ] {
            let power = Power {
                clusters,
                smallest_difference,
                ..Power::default()
            };
            assert_eq!(power.reach(), reach, "{clusters}");
        }
    }
}

//! How many questions an endpoint is asked for, and what became of them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// About what an endpoint is asked for one question each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// An anchor with its nearest usable neighbour, and each of at most two of its terms, with four choices.
    #[default]
    Anchor,
    /// Each pair of an anchor and a neighbour, and each term of the anchor, with its similar terms up to eight choices.
    Pair,
}

/// How many questions an endpoint is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extent {
    /// About what there is one question each.
    pub per: Per,
    /// Most questions about one anchor; `None` = all.
    pub most_per_anchor: Option<u64>,
    /// Most questions in all, shared out evenly among the anchors; `None` = all.
    pub most_in_all: Option<u64>,
}

/// What became of the questions that the anchors give: `possible` is `made` and all of `left_out`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Items {
    /// Anchors about which something is asked.
    pub anchors: u64,
    /// Questions that the anchors give: one for each pair and term, or fewer where the extent says so.
    pub possible: u64,
    /// The number of these that were asked for.
    pub asked: u64,
    /// Questions that are there; before a run none.
    pub made: u64,
    /// The others by reason: a cap, a candidate that makes no fair choice, a check, a duplicate, no answer.
    pub left_out: BTreeMap<String, u64>,
}

impl Items {
    /// Adds to what was left out.
    pub fn leave_out(&mut self, reason: &str, count: u64) {
        if count > 0 {
            *self.left_out.entry(reason.to_owned()).or_default() += count;
        }
    }

    /// How many of something there are for each anchor that is asked about.
    pub fn per_anchor(&self, of: u64) -> f64 {
        of as f64 / self.anchors.max(1) as f64
    }
}

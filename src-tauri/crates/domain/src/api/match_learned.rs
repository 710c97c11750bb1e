//! What was learned from decisions about matched rules, and how well this works on sets that people have judged.

use crate::metrics::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the probability of a rule was learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchLearned {
    /// Decisions about this rule in other policies.
    pub decisions: usize,
    /// The number of all decisions that were used.
    pub of_all: usize,
    /// Whether the rule itself has too few decisions to learn from. Then its weights were learned from the decisions
    /// about all rules, and nothing was learned about its own statements.
    pub pooled: bool,
    /// Policies that a rule must be decided about to have its own statements learned.
    pub needed: usize,
}

/// The decisions from which a matching learned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchLearning {
    /// The decisions, by their numbers. None of them is about a policy that was matched.
    pub decisions: Vec<i64>,
    /// How many other policies they are about.
    pub policies: usize,
    /// Rules whose own statements were learned.
    pub own: usize,
    /// Rules that were weighed by the decisions about all.
    pub pooled: usize,
    /// Decisions that are needed, where there were too few to learn from; 0 = it was learned.
    pub needed: usize,
    /// How many of these decisions were taken back or replaced since then. If there is at least one, everything that
    /// was learned from them is ignored.
    pub void: usize,
}

/// A way to tell what documents cover, measured on documents and demands that people have judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchCoverageRow {
    /// The set.
    pub set: String,
    /// The way.
    pub way: String,
    /// Whether it saw labels: those of other documents alone.
    pub learned: bool,
    /// Documents.
    pub documents: usize,
    /// Pairs of a document and a demand.
    pub pairs: usize,
    /// Figures with 95 % intervals by document. `auc` and `precision@recall.50` to `.95` say how well rules that are
    /// not covered are found. `right` is the share of right verdicts. Further figures are `evidence@10`, `contradicted
    /// recall` and `contradicted precision`.
    pub figures: BTreeMap<String, Interval>,
}

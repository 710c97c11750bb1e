//! What new versions of matched documents changed.

use crate::id::DocumentId;
use serde::{Deserialize, Serialize};

/// What became of rules or statements from one version of their documents to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchTextChanges {
    /// They stand in both versions, in other words.
    pub changed: usize,
    /// They stand in the newer version alone.
    pub came: usize,
    /// They stand in the older version alone.
    pub went: usize,
}

/// What changed since earlier versions of the matched documents, and how many decisions that affects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchChanges {
    /// The earlier version that is compared, and the one that is matched now.
    pub versions: Vec<(DocumentId, DocumentId)>,
    /// The rules.
    pub rules: MatchTextChanges,
    /// The statements of the policies.
    pub statements: MatchTextChanges,
    /// Matches that people accepted or corrected, of rules that are there now or went with the new version.
    pub decided: usize,
    /// Those of them that are open again, or whose rule went.
    pub affected: usize,
}

impl MatchChanges {
    /// What changed, in words.
    pub fn told(&self) -> String {
        let MatchTextChanges {
            changed,
            came,
            went,
        } = self.rules;
        let of = self.statements;
        let (other, more, fewer) = (of.changed, of.came, of.went);
        let (affected, decided) = (self.affected, self.decided);
        format!(
            "Since the earlier version, rules: {changed} changed, {came} new, {went} gone; statements of the policies: {other} changed, {more} new, {fewer} gone. Accepted or corrected matches that this affects: {affected} of {decided}."
        )
    }
}

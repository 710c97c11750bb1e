//! General language as the gate looks at it: the file of pairs, and what a run makes of them.

use serde::{Deserialize, Serialize};

/// The file of pairs that was chosen for the gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralSet {
    /// Where it lies.
    pub path: String,
    /// SHA-256 of the file as it was chosen, hexadecimal.
    pub sha256: String,
    /// The pairs in it.
    pub pairs: u32,
}

/// How well cosines agree with people's scores of general sentences, before and after a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneralMeasured {
    /// The file's name; empty if the pairs were given without a file.
    pub file: String,
    /// SHA-256 of the file, hexadecimal; empty likewise.
    pub sha256: String,
    /// The pairs.
    pub pairs: u32,
    /// Spearman's rank correlation of the base.
    pub before: f64,
    /// That of the run.
    pub after: f64,
    /// How far the change may be off; none in decisions of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<GeneralBounds>,
}

/// The bounds of a change in general language, by which the gate decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneralBounds {
    /// Lower bound of the change, one-sided at the rule's level.
    pub low: f64,
    /// Upper bound, likewise.
    pub high: f64,
    /// How sure each bound is.
    pub level: f64,
}

impl GeneralMeasured {
    /// After − before: below zero, something was lost.
    pub fn change(&self) -> f64 {
        self.after - self.before
    }
}

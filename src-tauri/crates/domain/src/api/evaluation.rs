//! An evaluation as recorded, with the hashes of all that it stands on.

use crate::dataset::Dataset;
use crate::id::RunId;
use crate::metrics::Evaluation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An evaluation as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationView {
    /// The run.
    pub run: RunId,
    /// When, RFC 3339, UTC.
    pub created: String,
    /// Path of the HTML report.
    pub report: String,
    /// The figures.
    pub evaluation: Evaluation,
    /// Everything by hash.
    pub hashes: Hashes,
    /// The snapshot.
    pub dataset: Dataset,
}

/// The chain of hashes from document to adapter, hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// File name → SHA-256 of each document.
    pub documents: BTreeMap<String, String>,
    /// Corpus.
    pub corpus: String,
    /// Dataset snapshot.
    pub dataset: String,
    /// Base model (configuration and index).
    pub base: String,
    /// Adapter weights.
    pub adapter: String,
    /// Head of the audit chain when the report was written.
    pub audit_head: String,
}

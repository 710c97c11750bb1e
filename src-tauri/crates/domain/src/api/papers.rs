//! Papers for the people who approve a model and sign for it: a comparison of systems, a decision of the gate, a card
//! of a model, a report on drift. Each paper is written as a page, and as a JSON file beside it with the types of this
//! file.

use super::{AttackTable, BenchTable, Deployment, EvaluationView, ExportRow, RunRow};
use crate::dataset::Dataset;
use crate::drift::DriftReport;
use crate::gate::GateDecision;
use crate::protocol::{TrainJob, TrainResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// In which language a paper's page is written; its figures and its data are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaperLanguage {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh")]
    Chinese,
}

/// The lines at the top of every paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperHead {
    /// Name of the workspace.
    pub workspace: String,
    /// When it was written, RFC 3339, UTC.
    pub created: String,
    /// Version of the product.
    pub version: String,
    /// Head of the audit chain then, hexadecimal.
    pub audit_head: String,
}

/// Systems side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonPaper {
    /// The head of the page.
    pub head: PaperHead,
    /// The systems.
    pub systems: BenchTable,
    /// The systems under attack, where that was measured.
    pub attack: Option<AttackTable>,
}

/// The gate's decision on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPaper {
    /// The head of the page.
    pub head: PaperHead,
    /// The decision.
    pub decision: GateDecision,
}

/// What has moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftPaper {
    /// The head of the page.
    pub head: PaperHead,
    /// The findings of the newest sample.
    pub report: DriftReport,
}

/// A model's card. If something is missing, the page says so.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelCard {
    /// The head of the page.
    pub head: PaperHead,
    /// The run whose adapter it is about.
    pub run: RunRow,
    /// Its settings.
    pub job: TrainJob,
    /// Its outcome.
    pub result: Option<TrainResult>,
    /// The device on which it ran, in words; may be empty.
    pub device: String,
    /// File name → SHA-256 of the documents.
    pub documents: BTreeMap<String, String>,
    /// The snapshot that it was trained on; `None` for a run on pairs or triplets, or where it is gone.
    pub dataset: Option<Dataset>,
    /// Its figures.
    pub evaluation: Option<EvaluationView>,
    /// The gate's decision on it by the workspace's rule.
    pub decision: Option<GateDecision>,
    /// The record that it is active, with the person responsible.
    pub active: Option<Deployment>,
    /// The test questions under attack.
    pub attack: Option<AttackTable>,
    /// The exports of it for other programs.
    pub exports: Vec<ExportRow>,
}

/// The place of a written paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaperWritten {
    /// Path of the page.
    pub page: String,
    /// Path of the same as JSON; `None` for the report of the workspace, which has none.
    pub data: Option<String>,
}

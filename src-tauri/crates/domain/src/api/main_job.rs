//! The main job, from the first page to the report.

use super::{AugmentReport, EvaluationView, ImportReport, RunRow, TermsReport, TrainedModel};
use crate::dataset::Dataset;
use crate::failure::Failure;
use crate::graph::{EdgeCounts, GraphStats};
use crate::id::QcaId;
use serde::{Deserialize, Serialize};

/// What `lexforge run` did, from the first page to the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainJobReport {
    /// Import.
    pub import: ImportReport,
    /// Pages in the workspace.
    pub pages: u64,
    /// Sentences in the workspace.
    pub sentences: u64,
    /// Terms.
    pub terms: TermsReport,
    /// Edges by kind.
    pub edges: EdgeCounts,
    /// Graph.
    pub graph: GraphStats,
    /// Questions.
    pub questions: AugmentReport,
    /// Snapshot.
    pub dataset: Option<Dataset>,
    /// The run, where a model could be trained.
    pub run: Option<RunRow>,
    /// Figures, where a model could be trained.
    pub evaluation: Option<EvaluationView>,
    /// The decoder that was taken through the three stages.
    pub decoder: Option<TrainedModel>,
    /// Why a step was left out, in words with the remedy.
    pub skipped: Vec<Failure>,
    /// The report.
    pub report: Option<String>,
    /// Head of the audit chain.
    pub audit_head: String,
    /// Question ids that a person may want to look at first.
    pub sample: Vec<QcaId>,
}

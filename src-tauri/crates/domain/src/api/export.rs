//! Asking for an export of a run, and what the workspace keeps of it.

use crate::id::RunId;
use crate::protocol::{ExportFormat, ExportResult, ExportType};
use serde::{Deserialize, Serialize};

/// Make of a finished run something that other programs load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The run; `None` = the newest that has finished.
    pub run: Option<RunId>,
    /// The form.
    pub format: ExportFormat,
    /// How its numbers are stored; `None` = the usual type of the form.
    pub dtype: Option<ExportType>,
    /// The folder to make; `None` = one beside the workspace, named after workspace, run and form.
    pub folder: Option<String>,
    /// An earlier export that is there gives way.
    #[serde(default)]
    pub replace: bool,
    /// Largest file of weights in bytes; `None` = the usual one.
    pub shard_bytes: Option<u64>,
}

/// An export as the workspace remembers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportRow {
    /// The run.
    pub run: RunId,
    /// When it was made, RFC 3339, UTC.
    pub created: String,
    /// The folder.
    pub folder: String,
    /// What was made.
    #[serde(flatten)]
    pub result: ExportResult,
}

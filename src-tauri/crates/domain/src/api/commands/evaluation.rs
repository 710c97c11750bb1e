//! Evaluations and exports of runs.

use crate::api::{EvaluationView, ExportRequest, ExportRow};
use crate::id::RunId;

commands! {
    EvaluationRequest;

    /// Evaluates a run in the background; the answer is the job's number.
    Evaluate { run: RunId } -> u64;

    /// The recorded evaluation of a run.
    Evaluation { run: RunId } -> Option<EvaluationView>;

    /// Opens a run's report in the system's browser; neither the page nor the workspace names its path.
    OpenReport { run: RunId } -> ();

    /// Exports a run in the background; the answer is the job's number.
    ExportRun { request: ExportRequest } -> u64;

    /// The exports of a run that the workspace remembers.
    Exports { run: RunId } -> Vec<ExportRow>;
}

//! Commands about evaluations.

use super::{Answer, call};
use lexforge_domain::RunId;
use lexforge_domain::api::{EvaluationView, ExportRequest, ExportRow};
use serde_json::json;

/// Evaluates a run in the background; returns the job's number.
pub async fn evaluate(run: RunId) -> Answer<u64> {
    call("evaluate", json!({ "run": run })).await
}

/// The recorded evaluation of a run.
pub async fn evaluation(run: RunId) -> Answer<Option<EvaluationView>> {
    call("evaluation", json!({ "run": run })).await
}

/// Opens a run's report in the system's browser.
pub async fn open_report(run: RunId) -> Answer<()> {
    call("open_report", json!({ "run": run })).await
}

/// Exports a run in the background; returns the job's number.
pub async fn export_run(request: &ExportRequest) -> Answer<u64> {
    call("export_run", json!({ "request": request })).await
}

/// The exports of a run that the workspace remembers.
pub async fn exports(run: RunId) -> Answer<Vec<ExportRow>> {
    call("exports", json!({ "run": run })).await
}

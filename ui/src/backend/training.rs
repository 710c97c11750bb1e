//! Commands about training runs.

use super::{Answer, call};
use lexforge_domain::RunId;
use lexforge_domain::api::{BaseRow, RunControl, RunDetail, RunPlan, RunRow, TrainRequest};
use lexforge_domain::protocol::{Control, JobEvent};
use serde_json::json;

/// Base models that can be chosen.
pub async fn base_models() -> Answer<Vec<BaseRow>> {
    call("base_models", json!({})).await
}

/// What a run would do, and whether it fits.
pub async fn plan_run(request: &TrainRequest) -> Answer<RunPlan> {
    call("plan_run", json!({ "request": request })).await
}

/// Starts a run.
pub async fn start_training(request: &TrainRequest) -> Answer<RunRow> {
    call("start_training", json!({ "request": request })).await
}

/// All runs, newest first.
pub async fn runs() -> Answer<Vec<RunRow>> {
    call("runs", json!({})).await
}

/// A run with everything that is known of it.
pub async fn run_detail(id: RunId) -> Answer<RunDetail> {
    call("run_detail", json!({ "id": id })).await
}

/// What a run's worker has said, from the beginning.
pub async fn run_events(id: RunId) -> Answer<Vec<JobEvent>> {
    call("run_events", json!({ "id": id, "after": null })).await
}

/// Tells a running worker something.
pub async fn control_run(id: RunId, control: Control) -> Answer<()> {
    call("control_run", json!({ "control": RunControl { id, control } })).await
}

/// Goes on with a run from its last checkpoint.
pub async fn resume_run(id: RunId) -> Answer<RunRow> {
    call("resume_run", json!({ "id": id })).await
}

//! Commands about training runs.

use super::{Answer, call};
use lexforge_domain::RunId;
use lexforge_domain::api::{RunControl, RunRow, TrainRequest};
use lexforge_domain::protocol::{Control, JobEvent};
use serde_json::json;

/// The default recipe with every field filled in.
pub async fn default_recipe() -> Answer<TrainRequest> {
    call("default_recipe", json!({})).await
}

/// Starts a run.
pub async fn start_training(request: &TrainRequest) -> Answer<RunRow> {
    call("start_training", json!({ "request": request })).await
}

/// All runs, newest first.
pub async fn runs() -> Answer<Vec<RunRow>> {
    call("runs", json!({})).await
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

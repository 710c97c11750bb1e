//! Commands about background jobs.

use super::{Answer, call};
use lexforge_domain::api::Task;
use serde_json::json;

/// Imports files and folders in the background; returns the job's number. The password is for locked files.
pub async fn import_documents(paths: &[String], password: Option<&str>) -> Answer<u64> {
    call("import_documents", json!({ "paths": paths, "password": password })).await
}

/// Finds terms, builds the graph, writes questions and freezes a snapshot in the background.
pub async fn prepare() -> Answer<u64> {
    call("prepare", json!({})).await
}

/// The background jobs since the application started.
pub async fn tasks() -> Answer<Vec<Task>> {
    call("tasks", json!({})).await
}

/// Asks a job to end.
pub async fn cancel_task(id: u64) -> Answer<()> {
    call("cancel_task", json!({ "id": id })).await
}

//! Commands about the workspace as a whole.

use super::{Answer, call};
use lexforge_domain::api::{PageEnd, WorkspaceView};
use serde_json::json;

/// The open workspace, if one is open.
pub async fn workspace() -> Answer<Option<WorkspaceView>> {
    call("workspace", json!({})).await
}

/// Opens the workspace at a path.
pub async fn open_workspace(path: &str) -> Answer<WorkspaceView> {
    call("open_workspace", json!({ "path": path })).await
}

/// Makes a workspace at a path and opens it.
pub async fn create_workspace(path: &str) -> Answer<WorkspaceView> {
    call("create_workspace", json!({ "path": path })).await
}

/// Asks the user for a workspace; none if they thought better of it.
pub async fn pick_workspace() -> Answer<Option<String>> {
    call("pick_workspace", json!({})).await
}

/// Asks the user where a new workspace should stand.
pub async fn pick_new_workspace() -> Answer<Option<String>> {
    call("pick_new_workspace", json!({})).await
}

/// Asks the user for a folder; none if they cancel.
pub async fn pick_folder() -> Answer<Option<String>> {
    call("pick_folder", json!({})).await
}

/// Asks the user for documents.
pub async fn pick_files() -> Answer<Vec<String>> {
    call("pick_files", json!({})).await
}

/// A failure that happened while the shell started, for example a workspace that does not open.
pub async fn start_failure() -> Answer<Option<lexforge_domain::Failure>> {
    call("start_failure", json!({})).await
}

/// How the page before this one ended, where it ended by itself; told once.
pub async fn page_end() -> Answer<Option<PageEnd>> {
    call("page_end", json!({})).await
}

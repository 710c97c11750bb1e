//! Commands that begin and end background jobs.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::Task;
use lexforge_engine::{GraphRequest, ParseOptions};
use std::path::PathBuf;
use tauri::State;

#[tauri::command]
pub fn import_documents(shell: State<'_, Shell>, paths: Vec<PathBuf>, password: Option<String>) -> Answer<u64> {
    import(&shell, paths, password)
}

/// Imports files and folders in the background. The job's title has one line for each. The password, if there is one,
/// is handed to the parser and stands nowhere else.
pub fn import(shell: &Shell, paths: Vec<PathBuf>, password: Option<String>) -> Answer<u64> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned()))
        .collect();
    begin(shell, "import", &names.join("\n"), move |engine, watch| {
        engine.import(&paths, &ParseOptions { password, ..ParseOptions::default() }, watch).map(|_| ())
    })
}

#[tauri::command]
pub fn prepare(shell: State<'_, Shell>) -> Answer<u64> {
    begin(&shell, "prepare", "", |engine, watch| {
        // Too few questions for a snapshot: what was made before is kept, and the job says why it ended there.
        engine.prepare(&GraphRequest::default(), watch)?.dataset.map(|_| ())
    })
}

#[tauri::command]
pub fn tasks(shell: State<'_, Shell>) -> Vec<Task> {
    shell.tasks().list()
}

#[tauri::command]
pub fn cancel_task(shell: State<'_, Shell>, id: u64) {
    shell.tasks().cancel(id);
}

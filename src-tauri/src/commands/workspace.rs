//! Commands about the workspace as a whole.

use crate::shell::{Answer, Shell, apart};
use lexforge_domain::Failure;
use lexforge_domain::api::{PageEnd, WorkspaceView};
use std::path::PathBuf;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::{DialogExt, FilePath};

/// Extensions that the file dialog offers; the import itself decides by what is in a file.
const FORMATS: [&str; 9] = ["pdf", "docx", "html", "htm", "xhtml", "md", "markdown", "txt", "jsonl"];

#[tauri::command]
pub async fn workspace(shell: State<'_, Shell>) -> Answer<Option<WorkspaceView>> {
    match shell.current() {
        Some(engine) => apart(move || engine.view().map(Some)).await,
        None => Ok(None),
    }
}

#[tauri::command]
pub async fn open_workspace(shell: State<'_, Shell>, path: PathBuf) -> Answer<WorkspaceView> {
    let shell = shell.inner().clone();
    apart(move || shell.open(&path)).await
}

#[tauri::command]
pub async fn create_workspace(shell: State<'_, Shell>, path: PathBuf) -> Answer<WorkspaceView> {
    let shell = shell.inner().clone();
    apart(move || shell.create(&path.with_extension("lexforge"))).await
}

#[tauri::command]
pub async fn pick_workspace(app: AppHandle) -> Answer<Option<PathBuf>> {
    apart(move || Ok(app.dialog().file().add_filter("Lexforge", &["lexforge"]).blocking_pick_file().and_then(local)))
        .await
}

#[tauri::command]
pub async fn pick_new_workspace(app: AppHandle) -> Answer<Option<PathBuf>> {
    apart(move || {
        let dialog = app.dialog().file().add_filter("Lexforge", &["lexforge"]).set_file_name("workspace.lexforge");
        Ok(dialog.blocking_save_file().and_then(local))
    })
    .await
}

#[tauri::command]
pub async fn pick_files(app: AppHandle) -> Answer<Vec<PathBuf>> {
    apart(move || {
        let picked = app.dialog().file().add_filter(FORMATS.join(", "), &FORMATS).blocking_pick_files();
        Ok(picked.unwrap_or_default().into_iter().filter_map(local).collect())
    })
    .await
}

#[tauri::command]
pub async fn pick_folder(app: AppHandle) -> Answer<Option<PathBuf>> {
    apart(move || Ok(app.dialog().file().blocking_pick_folder().and_then(local))).await
}

/// Asks where a file should be written.
#[tauri::command]
pub async fn pick_save(app: AppHandle, name: String, extension: String) -> Answer<Option<PathBuf>> {
    apart(move || {
        let dialog = app.dialog().file().add_filter(extension.to_uppercase(), &[&extension]).set_file_name(name);
        Ok(dialog.blocking_save_file().and_then(local).map(|path| match path.extension() {
            Some(_) => path,
            None => path.with_extension(&extension),
        }))
    })
    .await
}

/// Asks for one file with one of these extensions.
#[tauri::command]
pub async fn pick_open(app: AppHandle, extensions: Vec<String>) -> Answer<Option<PathBuf>> {
    apart(move || {
        let endings: Vec<&str> = extensions.iter().map(String::as_str).collect();
        Ok(app.dialog().file().add_filter(endings.join(", "), &endings).blocking_pick_file().and_then(local))
    })
    .await
}

#[tauri::command]
pub fn start_failure(shell: State<'_, Shell>) -> Option<Failure> {
    shell.start_failure()
}

/// How the process of the page before this one ended, where it ended by itself; told once.
#[tauri::command]
pub fn page_end(shell: State<'_, Shell>) -> Option<PageEnd> {
    shell.page_ends().told()
}

fn local(path: FilePath) -> Option<PathBuf> {
    path.into_path().ok()
}

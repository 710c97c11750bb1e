//! Commands about evaluations.

use crate::platform;
use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::{EvaluationView, ExportRequest, ExportRow};
use lexforge_domain::{Code, Failure, RunId};
use tauri::State;

#[tauri::command]
pub fn evaluate(shell: State<'_, Shell>, run: RunId) -> Answer<u64> {
    begin(&shell, "evaluate", &run.to_string(), move |engine, watch| engine.evaluate(run, watch).map(|_| ()))
}

#[tauri::command]
pub async fn evaluation(shell: State<'_, Shell>, run: RunId) -> Answer<Option<EvaluationView>> {
    shell.ask(move |engine| engine.evaluation(run)).await
}

/// Opens the report of a run; neither the window nor the workspace names its path.
#[tauri::command]
pub async fn open_report(shell: State<'_, Shell>, run: RunId) -> Answer<()> {
    shell
        .ask(move |engine| match engine.report_of(run) {
            Some(path) => platform::open_file(&path),
            None => Err(Failure::new(
                Code::FileUnreadable,
                format!("The report of run {run} is not beside the workspace."),
                "Evaluate the run again to write it anew.",
            )),
        })
        .await
}

/// Exports a run in the background; returns the job's number.
#[tauri::command]
pub fn export_run(shell: State<'_, Shell>, request: ExportRequest) -> Answer<u64> {
    let title = request.run.map(|run| run.to_string()).unwrap_or_default();
    begin(&shell, "export", &title, move |engine, watch| engine.export_run(&request, watch).map(|_| ()))
}

#[tauri::command]
pub async fn exports(shell: State<'_, Shell>, run: RunId) -> Answer<Vec<ExportRow>> {
    shell.ask(move |engine| engine.exports(run)).await
}

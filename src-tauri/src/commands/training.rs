//! Commands about training runs.

use crate::follow;
use crate::shell::{Answer, Shell, apart};
use lexforge_domain::RunId;
use lexforge_domain::api::{BaseRow, RunControl, RunDetail, RunPlan, RunRow, TrainRequest};
use lexforge_domain::protocol::JobEvent;
use lexforge_engine::Silent;
use tauri::State;

#[tauri::command]
pub async fn base_models(shell: State<'_, Shell>) -> Answer<Vec<BaseRow>> {
    shell.ask(|engine| engine.base_models()).await
}

#[tauri::command]
pub async fn plan_run(shell: State<'_, Shell>, request: TrainRequest) -> Answer<RunPlan> {
    shell.ask(move |engine| engine.plan_run(&request)).await
}

#[tauri::command]
pub async fn start_training(shell: State<'_, Shell>, request: TrainRequest) -> Answer<RunRow> {
    let (shell, engine) = (shell.inner().clone(), shell.engine()?);
    apart(move || {
        let run = engine.train(&request, &Silent)?;
        follow::run_of(&shell, &engine, run.id);
        Ok(run)
    })
    .await
}

#[tauri::command]
pub async fn runs(shell: State<'_, Shell>) -> Answer<Vec<RunRow>> {
    shell.ask(|engine| engine.runs()).await
}

#[tauri::command]
pub async fn run_detail(shell: State<'_, Shell>, id: RunId) -> Answer<RunDetail> {
    shell.ask(move |engine| engine.run_detail(id)).await
}

#[tauri::command]
pub async fn run_events(shell: State<'_, Shell>, id: RunId, after: Option<u64>) -> Answer<Vec<JobEvent>> {
    shell.ask(move |engine| engine.run_events(id, after)).await
}

#[tauri::command]
pub async fn control_run(shell: State<'_, Shell>, control: RunControl) -> Answer<()> {
    shell.ask(move |engine| engine.control_run(control.id, control.control)).await
}

#[tauri::command]
pub async fn resume_run(shell: State<'_, Shell>, id: RunId) -> Answer<RunRow> {
    let (shell, engine) = (shell.inner().clone(), shell.engine()?);
    apart(move || {
        let run = engine.resume_run(id)?;
        follow::run_of(&shell, &engine, id);
        Ok(run)
    })
    .await
}

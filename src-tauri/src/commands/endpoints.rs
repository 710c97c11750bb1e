//! Commands about endpoints and the questions that they write.

use super::writing::Writing;
use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::endpoint::{AskPlan, Endpoint, EndpointCheck, EndpointRow};
use lexforge_engine::{AskRequest, LocalModel, Silent};
use tauri::State;

#[tauri::command]
pub async fn endpoints(shell: State<'_, Shell>) -> Answer<Vec<EndpointRow>> {
    shell.ask(|engine| engine.endpoints()).await
}

/// The key goes into the key ring and stands nowhere else.
#[tauri::command]
pub async fn add_endpoint(shell: State<'_, Shell>, endpoint: Endpoint, key: Option<String>) -> Answer<EndpointRow> {
    shell.ask(move |engine| engine.add_endpoint(&endpoint, key.as_deref())).await
}

/// Confirms that an endpoint is to be used as it was shown.
#[tauri::command]
pub async fn confirm_endpoint(shell: State<'_, Shell>, name: String, definition: String) -> Answer<EndpointRow> {
    shell.ask(move |engine| engine.confirm_endpoint(&name, &definition)).await
}

#[tauri::command]
pub async fn remove_endpoint(shell: State<'_, Shell>, name: String) -> Answer<()> {
    shell.ask(move |engine| engine.remove_endpoint(&name)).await
}

#[tauri::command]
pub async fn check_endpoint(shell: State<'_, Shell>, name: String) -> Answer<EndpointCheck> {
    shell.ask(move |engine| engine.check_endpoint(&name, &LocalModel::default())).await
}

/// What writing questions would send to whom. Nothing is sent.
#[tauri::command]
pub async fn plan_questions(shell: State<'_, Shell>, writing: Writing) -> Answer<AskPlan> {
    shell.ask(move |engine| engine.plan_questions(&writing.into(), &Silent)).await
}

/// Writes questions in the background, once somebody agreed to what is sent.
#[tauri::command]
pub fn write_questions(shell: State<'_, Shell>, writing: Writing) -> Answer<u64> {
    let request: AskRequest = writing.into();
    let title = request.endpoint.clone();
    begin(&shell, "questions", &title, move |engine, watch| engine.augment_with(&request, watch).map(|_| ()))
}

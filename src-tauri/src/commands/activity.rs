//! Commands about the audit chain and the machine.

use crate::shell::{Answer, Shell, apart};
use lexforge_domain::api::{AuditReport, AuditRow, Check};
use tauri::State;

#[tauri::command]
pub async fn audit_rows(shell: State<'_, Shell>, limit: u64, before: Option<i64>) -> Answer<Vec<AuditRow>> {
    shell.ask(move |engine| engine.audit_rows(limit, before)).await
}

#[tauri::command]
pub async fn audit_verify(shell: State<'_, Shell>) -> Answer<AuditReport> {
    shell.ask(|engine| engine.audit_verify()).await
}

#[tauri::command]
pub async fn doctor() -> Answer<Vec<Check>> {
    apart(|| Ok(lexforge_engine::doctor())).await
}

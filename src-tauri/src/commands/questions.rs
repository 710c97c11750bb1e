//! Commands about questions.

use crate::shell::{Answer, Shell};
use lexforge_domain::api::{QuestionFilter, QuestionRow, Rows};
use tauri::State;

#[tauri::command]
pub async fn questions(shell: State<'_, Shell>, filter: QuestionFilter) -> Answer<Rows<QuestionRow>> {
    shell.ask(move |engine| engine.questions(&filter)).await
}

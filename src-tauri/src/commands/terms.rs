//! Commands about terms.

use crate::shell::{Answer, Shell};
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::term::Term;
use tauri::State;

#[tauri::command]
pub async fn terms(shell: State<'_, Shell>, filter: TermFilter) -> Answer<Rows<Term>> {
    shell.ask(move |engine| engine.terms(&filter)).await
}

#[tauri::command]
pub async fn term(shell: State<'_, Shell>, id: TermId) -> Answer<TermDetail> {
    shell.ask(move |engine| engine.term(id)).await
}

//! Commands about documents and their pages.

use crate::shell::{Answer, Shell};
use lexforge_domain::api::{DocumentOutline, DocumentRow, PageView, SearchHit, SearchMode};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_engine::SearchRequest;
use tauri::State;

#[tauri::command]
pub async fn documents(shell: State<'_, Shell>) -> Answer<Vec<DocumentRow>> {
    shell.ask(|engine| engine.documents()).await
}

#[tauri::command]
pub async fn outline(shell: State<'_, Shell>, document: DocumentId) -> Answer<DocumentOutline> {
    shell.ask(move |engine| engine.outline(document)).await
}

#[tauri::command]
pub async fn page(shell: State<'_, Shell>, document: DocumentId, number: u32) -> Answer<PageView> {
    shell.ask(move |engine| engine.page(document, number)).await
}

#[tauri::command]
pub async fn sentence(shell: State<'_, Shell>, id: SentenceId) -> Answer<Sentence> {
    shell.ask(move |engine| engine.sentence(id)).await
}

#[tauri::command]
pub async fn search(shell: State<'_, Shell>, query: String, mode: SearchMode, top: usize) -> Answer<Vec<SearchHit>> {
    shell.ask(move |engine| engine.search(&SearchRequest { query, mode, top })).await
}

//! Commands about documents and their pages.

use crate::shell::{Answer, Shell};
use lexforge_domain::api::{DiffCounts, DocumentDiff, DocumentOutline, DocumentRow, PageView, SearchHit, SearchMode};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, Failure, SentenceId};
use lexforge_engine::SearchRequest;
use tauri::State;

/// Resolution at which a page is tried, in dots per inch.
const LEAST: f32 = 36.0;

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
pub async fn search(
    shell: State<'_, Shell>,
    query: String,
    mode: SearchMode,
    top: usize,
    document: Option<DocumentId>,
) -> Answer<Vec<SearchHit>> {
    shell.ask(move |engine| engine.search(&SearchRequest { query, mode, top, document })).await
}

/// Why a page cannot be drawn; none where it can.
#[tauri::command]
pub async fn page_problem(shell: State<'_, Shell>, document: DocumentId, number: u32) -> Answer<Option<Failure>> {
    shell.ask(move |engine| Ok(engine.page_image(document, number, LEAST).err())).await
}

/// What changed from one document to another.
#[tauri::command]
pub async fn document_diff(shell: State<'_, Shell>, from: DocumentId, to: DocumentId) -> Answer<DocumentDiff> {
    shell.ask(move |engine| engine.document_diff(from, to)).await
}

/// How much changed from one document to another.
#[tauri::command]
pub async fn diff_counts(shell: State<'_, Shell>, from: DocumentId, to: DocumentId) -> Answer<DiffCounts> {
    shell.ask(move |engine| engine.document_diff(from, to).map(|diff| DiffCounts::from(&diff))).await
}

/// Links a document to the one whose new version it is, or takes the link back.
#[tauri::command]
pub async fn link_predecessor(
    shell: State<'_, Shell>,
    document: DocumentId,
    predecessor: Option<DocumentId>,
) -> Answer<DocumentRow> {
    shell.ask(move |engine| engine.link_predecessor(document, predecessor)).await
}

#[tauri::command]
pub async fn unlock(shell: State<'_, Shell>, document: DocumentId, password: String) -> Answer<()> {
    shell.ask(move |engine| engine.unlock(document, &password)).await
}

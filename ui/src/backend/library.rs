//! Commands about documents and their pages.

use super::{Answer, call};
use lexforge_domain::api::{DiffCounts, DocumentDiff, DocumentOutline, DocumentRow, PageView, SearchHit, SearchMode};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, Failure, SentenceId};
use serde_json::json;

/// All documents.
pub async fn documents() -> Answer<Vec<DocumentRow>> {
    call("documents", json!({})).await
}

/// A document's sections.
pub async fn outline(document: DocumentId) -> Answer<DocumentOutline> {
    call("outline", json!({ "document": document })).await
}

/// A page with its sentences.
pub async fn page(document: DocumentId, number: u32) -> Answer<PageView> {
    call("page", json!({ "document": document, "number": number })).await
}

/// One sentence.
pub async fn sentence(id: SentenceId) -> Answer<Sentence> {
    call("sentence", json!({ "id": id })).await
}

/// Passages with the words of a query, best first, in one document or in all.
pub async fn search(query: &str, document: Option<DocumentId>, top: usize) -> Answer<Vec<SearchHit>> {
    call("search", json!({ "query": query, "mode": SearchMode::Lexical, "top": top, "document": document })).await
}

/// Why a page cannot be drawn; none where it can.
pub async fn page_problem(document: DocumentId, number: u32) -> Answer<Option<Failure>> {
    call("page_problem", json!({ "document": document, "number": number })).await
}

/// Opens a locked document's pages for as long as the workspace is open.
pub async fn unlock(document: DocumentId, password: &str) -> Answer<()> {
    call("unlock", json!({ "document": document, "password": password })).await
}

/// What changed from one document to another.
pub async fn document_diff(from: DocumentId, to: DocumentId) -> Answer<DocumentDiff> {
    call("document_diff", json!({ "from": from, "to": to })).await
}

/// How much changed from one document to another.
pub async fn diff_counts(from: DocumentId, to: DocumentId) -> Answer<DiffCounts> {
    call("diff_counts", json!({ "from": from, "to": to })).await
}

/// Links a document to the one whose new version it is, or takes the link back.
pub async fn link_predecessor(document: DocumentId, predecessor: Option<DocumentId>) -> Answer<DocumentRow> {
    call("link_predecessor", json!({ "document": document, "predecessor": predecessor })).await
}

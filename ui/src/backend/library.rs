//! Commands about documents and their pages.

use super::{Answer, call};
use lexforge_domain::api::{DocumentOutline, DocumentRow, PageView, SearchHit, SearchMode};
use lexforge_domain::document::Sentence;
use lexforge_domain::{DocumentId, SentenceId};
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

/// Passages with the words of a query, best first.
pub async fn search(query: &str, top: usize) -> Answer<Vec<SearchHit>> {
    call("search", json!({ "query": query, "mode": SearchMode::Lexical, "top": top })).await
}

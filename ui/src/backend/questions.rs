//! Commands about questions.

use super::{Answer, call};
use lexforge_domain::api::{QuestionFilter, QuestionRow, Rows};
use serde_json::json;

/// Questions that match a filter.
pub async fn questions(filter: &QuestionFilter) -> Answer<Rows<QuestionRow>> {
    call("questions", json!({ "filter": filter })).await
}

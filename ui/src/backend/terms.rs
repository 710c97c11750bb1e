//! Commands about terms.

use super::{Answer, call};
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::term::Term;
use serde_json::json;

/// Terms that match a filter.
pub async fn terms(filter: &TermFilter) -> Answer<Rows<Term>> {
    call("terms", json!({ "filter": filter })).await
}

/// One term with its contexts and neighbours.
pub async fn term(id: TermId) -> Answer<TermDetail> {
    call("term", json!({ "id": id })).await
}

//! Commands about terms.

use super::{Answer, call};
use lexforge_domain::TermId;
use lexforge_domain::api::{Rows, TermDetail, TermFilter};
use lexforge_domain::endpoint::{AskPlan, Consent};
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

/// What finding terms by these schemas would send to whom; nothing is sent.
pub async fn plan_terms(endpoint: &str, schemas: &[String]) -> Answer<AskPlan> {
    call("plan_terms", json!({ "endpoint": endpoint, "schemas": schemas })).await
}

/// Finds terms in the background; returns the job's number.
pub async fn find_terms(endpoint: &str, schemas: &[String], consent: Option<&Consent>) -> Answer<u64> {
    call("find_terms", json!({ "endpoint": endpoint, "schemas": schemas, "consent": consent })).await
}

/// Looks for terms that could be taken for each other, in the background; returns the job's number.
pub async fn find_confusables() -> Answer<u64> {
    call("find_confusables", json!({})).await
}

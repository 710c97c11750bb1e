//! Commands about the audit chain and the machine.

use super::{Answer, call};
use lexforge_domain::api::{AuditReport, AuditRow, Check};
use serde_json::json;

/// Rows of the audit chain, newest first, before a row's number.
pub async fn audit_rows(limit: u64, before: Option<i64>) -> Answer<Vec<AuditRow>> {
    call("audit_rows", json!({ "limit": limit, "before": before })).await
}

/// Walks the chain and checks it against the live rows.
pub async fn audit_verify() -> Answer<AuditReport> {
    call("audit_verify", json!({})).await
}

/// What is there and what is missing on this machine.
pub async fn doctor() -> Answer<Vec<Check>> {
    call("doctor", json!({})).await
}

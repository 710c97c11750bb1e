//! The audit chain.

use crate::api::{AuditReport, AuditRow};

commands! {
    ActivityRequest;

    /// Rows of the audit chain, newest first, before a row's number.
    AuditRows { limit: u64, before: Option<i64> } -> Vec<AuditRow>;

    /// Walks the chain and checks it against the live rows.
    AuditVerify {} -> AuditReport;
}

//! The audit chain.

use crate::api::{self, AuditFilter, AuditRow};

commands! {
    ActivityRequest;

    /// Rows of the audit chain, newest first, before a row's number.
    AuditRows { filter: AuditFilter, limit: u64, before: Option<i64> } -> Vec<AuditRow>;

    /// What the rows can be filtered by.
    AuditFacets {} -> api::AuditFacets;

    /// Writes the rows to a new table (CSV) and says how many.
    WriteAudit { filter: AuditFilter, path: String } -> u64;

    /// Walks the chain and checks it against the live rows, in the background; the answer is the job's number, and the
    /// job's result is an [`AuditReport`](api::AuditReport).
    AuditVerify {} -> u64;
}

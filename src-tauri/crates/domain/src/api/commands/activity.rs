//! The audit chain.

use crate::api::{self, AuditFilter, AuditRow};

commands! {
    ActivityRequest;

    /// Rows of the audit chain, newest first, before a row's number.
    AuditRows { filter: AuditFilter, limit: u64, before: Option<i64> } -> Vec<AuditRow>;

    /// The values by which the rows can be filtered.
    AuditFacets {} -> api::AuditFacets;

    /// Writes the rows to a new table (CSV) and says how many.
    WriteAudit { filter: AuditFilter, path: String } -> u64;

    /// Checks the audit chain and compares it with the present rows, in the background; the answer is the job's number.
    /// The job's result is an [`AuditReport`](api::AuditReport).
    AuditVerify {} -> u64;
}

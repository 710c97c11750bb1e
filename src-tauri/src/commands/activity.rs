//! Commands about the audit chain.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::ActivityRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::AuditRows(asked) => ask(shell, asked, |engine, asked| {
            engine.workspace().audit_rows(asked.limit, asked.before)
        }),
        Request::AuditVerify(asked) => {
            ask(shell, asked, |engine, _| engine.workspace().audit_verify())
        }
    }
}

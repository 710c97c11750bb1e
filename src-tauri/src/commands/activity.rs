//! Commands about the audit chain.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::Outcome;
use lexforge_domain::api::commands::ActivityRequest as Request;
use std::path::Path;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::AuditRows(asked) => ask(shell, asked, |engine, asked| {
            engine
                .workspace()
                .audit_rows_of(&asked.filter, asked.limit, asked.before)
        }),
        Request::AuditFacets(asked) => {
            ask(shell, asked, |engine, _| engine.workspace().audit_facets())
        }
        Request::WriteAudit(asked) => ask(shell, asked, |engine, asked| {
            engine
                .workspace()
                .write_audit(&asked.filter, Path::new(&asked.path))
        }),
        Request::AuditVerify(asked) => job(shell, asked, "verify", "", |engine, watch, _| {
            let report = engine.workspace().audit_verify_watched(watch)?;
            watch.came_to(Outcome::Audit(Box::new(report)));
            Ok(())
        }),
    }
}

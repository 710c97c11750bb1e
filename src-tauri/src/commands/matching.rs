//! Commands about rules and policies.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::MatchingRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::MatchRules(asked) => job(shell, asked, "match", "", |engine, watch, asked| {
            engine.matching().match_and_keep(&asked.request, watch)
        }),
        Request::MatchOverview(asked) => {
            ask(shell, asked, |engine, _| engine.matching().overview())
        }
        Request::MatchedRule(asked) => ask(shell, asked, |engine, asked| {
            engine.matching().rule(asked.rule)
        }),
        Request::DecideMatch(asked) => ask(shell, asked, |engine, asked| {
            engine.matching().decide(&asked.said)
        }),
        Request::ImportMapping(asked) => ask(shell, asked, |engine, asked| {
            let (path, about) = (&asked.path, &asked.about);
            engine.matching().import_mapping(path.as_ref(), about)
        }),
        Request::ExportMatching(asked) => ask(shell, asked, |engine, asked| {
            engine.matching().export_to(asked.form, asked.path.as_ref())
        }),
    }
}

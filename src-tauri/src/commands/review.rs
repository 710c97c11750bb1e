//! Commands about the review: the queue, decisions, conflicts, agreement.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::ReviewRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::ReviewQueue(asked) => ask(shell, asked, |engine, asked| {
            engine.review().review_queue(&asked.filter, asked.at)
        }),
        Request::ReviewItem(asked) => ask(shell, asked, |engine, asked| {
            engine.review().review_item(asked.subject)
        }),
        Request::DoubtfulTerms(asked) => ask(shell, asked, |engine, asked| {
            engine.review().doubtful_terms(&asked.filter, asked.most)
        }),
        Request::Decide(asked) => ask(shell, asked, |engine, asked| {
            engine.review().decide(&asked.decision)
        }),
        Request::UndoDecision(asked) => {
            ask(shell, asked, |engine, _| engine.review().undo_decision())
        }
        Request::Conflicts(asked) => ask(shell, asked, |engine, asked| {
            engine.review().conflicts(asked.kind)
        }),
        Request::Agreement(asked) => ask(shell, asked, |engine, asked| {
            engine.review().agreement(asked.kind)
        }),
    }
}

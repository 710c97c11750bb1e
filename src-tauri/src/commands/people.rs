//! Commands about who reviews.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::PeopleRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::People(asked) => ask(shell, asked, |engine, _| engine.review().people()),
        Request::PutPerson(asked) => ask(shell, asked, |engine, asked| {
            engine
                .review()
                .put_person(&asked.name, asked.role, asked.share, asked.like)
        }),
        Request::BePerson(asked) => ask(shell, asked, |engine, asked| {
            engine
                .review()
                .be_person(asked.person)
                .and_then(|()| engine.review().people())
        }),
        Request::SetReviewPlan(asked) => ask(shell, asked, |engine, asked| {
            engine
                .review()
                .set_review_plan(asked.plan)
                .and_then(|()| engine.review().people())
        }),
    }
}

//! Commands about who reviews.

use super::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::PeopleRequest as Request;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::People(asked) => ask(shell, asked, |engine, _| engine.people()),
        Request::PutPerson(asked) => {
            ask(shell, asked, |engine, asked| engine.put_person(&asked.name, asked.role, asked.share, asked.like))
        }
        Request::BePerson(asked) => {
            ask(shell, asked, |engine, asked| engine.be_person(asked.person).and_then(|()| engine.people()))
        }
        Request::SetReviewPlan(asked) => {
            ask(shell, asked, |engine, asked| engine.set_review_plan(asked.plan).and_then(|()| engine.people()))
        }
    }
}

//! Commands about endpoints.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::EndpointsRequest as Request;
use lexforge_engine::LocalModel;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Endpoints(asked) => ask(shell, asked, |engine, _| engine.asking().endpoints()),
        Request::AddEndpoint(asked) => ask(shell, asked, |engine, asked| {
            engine
                .asking()
                .add_endpoint(&asked.endpoint, asked.key.as_deref())
        }),
        Request::ConfirmEndpoint(asked) => ask(shell, asked, |engine, asked| {
            engine
                .asking()
                .confirm_endpoint(&asked.name, &asked.definition)
        }),
        Request::RemoveEndpoint(asked) => ask(shell, asked, |engine, asked| {
            engine.asking().remove_endpoint(&asked.name)
        }),
        Request::CheckEndpoint(asked) => ask(shell, asked, |engine, asked| {
            engine
                .asking()
                .check_endpoint(&asked.name, &LocalModel::default())
        }),
    }
}

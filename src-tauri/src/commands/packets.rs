//! Commands about packets of the review.

use super::reply::{Reply, apart, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::PacketsRequest as Request;
use std::path::Path;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::WritePacket(asked) => ask(shell, asked, |engine, asked| {
            engine
                .review()
                .write_packet(&asked.request, asked.path.as_ref())
        }),
        Request::OpenPacket(asked) => {
            let shell = shell.clone();
            apart(asked, move |asked| {
                shell.open_packet(
                    asked.packet.as_ref(),
                    &Path::new(&asked.workspace).with_extension("lexforge"),
                )
            })
        }
        Request::WriteAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.review().write_answer(asked.path.as_ref())
        }),
        Request::MergeAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine
                .review()
                .merge_answer(asked.path.as_ref(), &asked.request)
        }),
    }
}

//! Commands about the sentence graph.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::GraphRequest as Request;
use lexforge_engine::Encoder;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Neighbourhood(asked) => ask(shell, asked, |engine, asked| {
            engine.graph().neighbourhood(&asked.request)
        }),
        Request::GroupMembers(asked) => ask(shell, asked, |engine, asked| {
            engine
                .graph()
                .group_members(&asked.request, &asked.key, asked.offset, asked.limit)
        }),
        Request::GraphEdge(asked) => ask(shell, asked, |engine, asked| {
            engine.graph().graph_edge(asked.one, asked.other)
        }),
        Request::BuildGraph(asked) => job(shell, asked, "graph", "", |engine, watch, asked| {
            engine
                .graph()
                .rebuild_graph(
                    asked.settings,
                    Encoder::asked(asked.encoder, asked.by_language),
                    watch,
                )
                .map(|_| ())
        }),
        Request::UpdateGraph(asked) => job(shell, asked, "graph", "", |engine, watch, _| {
            engine.graph().update_graph(watch).map(|_| ())
        }),
        Request::GraphCalibration(asked) => ask(shell, asked, |engine, asked| {
            engine.graph().graph_calibration(asked.settings.as_ref())
        }),
        Request::GraphCensus(asked) => ask(shell, asked, |engine, _| engine.graph().graph_census()),
    }
}

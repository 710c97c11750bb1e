//! Commands about the sentence graph.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::{EdgeDetail, GroupKey, Neighbourhood, NeighbourhoodRequest, NodeContent, NodeRef, Rows};
use lexforge_engine::GraphRequest;
use tauri::State;

#[tauri::command]
pub async fn neighbourhood(shell: State<'_, Shell>, request: NeighbourhoodRequest) -> Answer<Neighbourhood> {
    shell.ask(move |engine| engine.neighbourhood(&request)).await
}

#[tauri::command]
pub async fn group_members(
    shell: State<'_, Shell>,
    request: NeighbourhoodRequest,
    key: GroupKey,
    offset: u64,
    limit: u64,
) -> Answer<Rows<NodeContent>> {
    shell.ask(move |engine| engine.group_members(&request, &key, offset, limit)).await
}

#[tauri::command]
pub async fn graph_edge(shell: State<'_, Shell>, one: NodeRef, other: NodeRef) -> Answer<EdgeDetail> {
    shell.ask(move |engine| engine.graph_edge(one, other)).await
}

#[tauri::command]
pub fn build_graph(shell: State<'_, Shell>) -> Answer<u64> {
    begin(&shell, "graph", "", |engine, watch| engine.build_graph(&GraphRequest::default(), watch).map(|_| ()))
}

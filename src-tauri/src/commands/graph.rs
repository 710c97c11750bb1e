//! Commands about the sentence graph.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use lexforge_domain::api::{
    EdgeDetail, GraphCalibration, GraphCensus, GroupKey, Neighbourhood, NeighbourhoodRequest, NodeContent, NodeRef,
    Rows,
};
use lexforge_domain::graph::GraphSettings;
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

/// Builds the graph anew in the background, by the settings of the newest one where none are given.
#[tauri::command]
pub fn build_graph(shell: State<'_, Shell>, settings: Option<GraphSettings>) -> Answer<u64> {
    begin(&shell, "graph", "", move |engine, watch| {
        let settings = match settings {
            Some(settings) => settings,
            None => engine.graph_builds()?.into_iter().next().map(|build| build.settings).unwrap_or_default(),
        };
        engine.build_graph(&GraphRequest { settings, ..GraphRequest::default() }, watch).map(|_| ())
    })
}

/// Takes what is new into the graph in the background.
#[tauri::command]
pub fn update_graph(shell: State<'_, Shell>) -> Answer<u64> {
    begin(&shell, "graph", "", |engine, watch| engine.update_graph(watch).map(|_| ()))
}

#[tauri::command]
pub async fn graph_calibration(shell: State<'_, Shell>, settings: Option<GraphSettings>) -> Answer<GraphCalibration> {
    shell.ask(move |engine| engine.graph_calibration(settings.as_ref())).await
}

#[tauri::command]
pub async fn graph_census(shell: State<'_, Shell>) -> Answer<GraphCensus> {
    shell.ask(|engine| engine.graph_census()).await
}

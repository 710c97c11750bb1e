//! Commands about the sentence graph.

use super::{Answer, call};
use lexforge_domain::api::{
    EdgeDetail, GraphCalibration, GraphCensus, GroupKey, Neighbourhood, NeighbourhoodRequest, NodeContent, NodeRef,
    Rows,
};
use lexforge_domain::graph::GraphSettings;
use serde_json::json;

/// What is linked with a node.
pub async fn neighbourhood(request: &NeighbourhoodRequest) -> Answer<Neighbourhood> {
    call("neighbourhood", json!({ "request": request })).await
}

/// All that a group holds, drawn or folded.
pub async fn group_members(
    request: &NeighbourhoodRequest,
    key: GroupKey,
    offset: u64,
    limit: u64,
) -> Answer<Rows<NodeContent>> {
    call("group_members", json!({ "request": request, "key": key, "offset": offset, "limit": limit })).await
}

/// Two linked nodes, side by side.
pub async fn graph_edge(one: NodeRef, other: NodeRef) -> Answer<EdgeDetail> {
    call("graph_edge", json!({ "one": one, "other": other })).await
}

/// Builds the graph anew in the background, by the settings of the newest one where none are given; returns the job's
/// number.
pub async fn build_graph(settings: Option<&GraphSettings>) -> Answer<u64> {
    call("build_graph", json!({ "settings": settings })).await
}

/// Takes what is new into the graph in the background; returns the job's number.
pub async fn update_graph() -> Answer<u64> {
    call("update_graph", json!({})).await
}

/// The cosines that the vectors show, and what bounds of these settings would give; none = those of the newest graph.
pub async fn graph_calibration(settings: Option<&GraphSettings>) -> Answer<GraphCalibration> {
    call("graph_calibration", json!({ "settings": settings })).await
}

/// Who is how well linked in the newest graph.
pub async fn graph_census() -> Answer<GraphCensus> {
    call("graph_census", json!({})).await
}

//! The sentence graph.

use crate::api;
use crate::api::{
    EdgeDetail, EncoderChoice, GroupKey, NeighbourhoodRequest, NodeContent, NodeRef, Rows,
};
use crate::graph::GraphSettings;
use crate::text::Language;

commands! {
    GraphRequest;

    /// The neighbours of a node.
    Neighbourhood { request: NeighbourhoodRequest } -> api::Neighbourhood;

    /// All members of a group, drawn or folded.
    GroupMembers { request: NeighbourhoodRequest, key: GroupKey, offset: u64, limit: u64 } -> Rows<NodeContent>;

    /// Two linked nodes, side by side.
    GraphEdge { one: NodeRef, other: NodeRef } -> EdgeDetail;

    /// Builds the graph again in the background; the answer is the job's number. Without settings, those of the newest
    /// graph are used. Without an encoder, the newest graph's encoder is used. An encoder choice that names nothing
    /// means the usual encoder. If encoders are given by language, each makes the vectors of its language, and the
    /// usual encoder makes all others.
    BuildGraph {
        settings: Option<GraphSettings>,
        encoder: Option<EncoderChoice>,
        by_language: Option<Vec<(Language, EncoderChoice)>>,
    } -> u64;

    /// Takes what is new into the graph in the background; the answer is the job's number.
    UpdateGraph {} -> u64;

    /// The cosines of the vectors, and which links the bounds of these settings would give. `None` = the settings of
    /// the newest graph.
    GraphCalibration { settings: Option<GraphSettings> } -> api::GraphCalibration;

    /// How many links the sentences and terms of the newest graph have.
    GraphCensus {} -> api::GraphCensus;
}

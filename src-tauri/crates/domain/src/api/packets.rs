//! Packets: shares of the review for colleagues, and their answers.

use super::{LookAlike, QueueFilter};
use serde::{Deserialize, Serialize};

/// Where a workspace that was made from a packet comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketOrigin {
    /// SHA-256 of the packet, hexadecimal.
    pub packet: String,
    /// Name of the workspace that wrote it.
    pub workspace: String,
    /// The person whom it is for.
    pub person: String,
}

/// The content of a packet to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PacketRequest {
    /// The colleague's name. A name that the workspace does not know yet is added to its people.
    pub person: String,
    /// Their role.
    #[serde(default)]
    pub role: crate::review::Role,
    /// The items; those that the person has decided already are left out.
    pub filter: QueueFilter,
    /// Most items, the first of the queue; 0 = all.
    #[serde(default)]
    pub most: u64,
    /// Who the colleague is, where their name looks like somebody else's.
    #[serde(default)]
    pub like: LookAlike,
}

/// The content of a packet that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketReport {
    /// SHA-256 of the packet, hexadecimal.
    pub packet: String,
    /// Items in it.
    pub items: u64,
    /// Sentences in it, which the colleague will read.
    pub sentences: u64,
    /// Whom it is for.
    pub person: String,
}

/// The result of merging an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeReport {
    /// SHA-256 of the packet that the decisions claim to answer.
    pub packet: String,
    /// The person who is said to have decided.
    pub person: String,
    /// Decisions that are new here.
    pub merged: u64,
    /// Decisions that were here already.
    pub known: u64,
    /// Decisions that were not imported, because their items are no longer in the workspace. Each item is given by its
    /// text.
    pub without_item: Vec<String>,
    /// Items on which reviewers differ now and did not before.
    pub conflicts: u64,
    /// New decisions that were left out because of their time: it is in the future, or before the packet was written.
    /// Either the colleague's clock or the clock of this machine is wrong.
    #[serde(default)]
    pub untimely: LeftOut,
    /// New decisions about what the packet did not hold; left out.
    #[serde(default)]
    pub foreign: LeftOut,
}

/// Decisions that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many.
    pub decisions: u64,
    /// The items, each once, given by their texts.
    pub items: Vec<String>,
}

/// How an answer is taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeRequest {
    /// Who the colleague is, where their name looks like somebody else's.
    #[serde(default)]
    pub like: LookAlike,
    /// The packet's file, which shows what it held. It is needed if a workspace before version 60 wrote the packet.
    pub packet: Option<std::path::PathBuf>,
}

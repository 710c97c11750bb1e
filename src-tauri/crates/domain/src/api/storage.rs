//! The disk space of a workspace and its models.

use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(StoragePart);

/// The kinds of things that take up disk space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StoragePart {
    /// The workspace's file, with its log.
    Workspace,
    /// Folders of training runs: what they were given, their checkpoints and events.
    Bundles,
    /// Trained adapters.
    Adapters,
    /// Files that are computed from vectors, and made again if they are missing.
    Vectors,
    /// Other things in the folder beside the workspace.
    Others,
    /// Base models of this user, for every workspace.
    Models,
}

/// One thing that takes up disk space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageRow {
    /// What it is.
    pub part: StoragePart,
    /// Where it lies.
    pub path: String,
    /// Its size in bytes. The target of a link is counted if it is a model, and otherwise not.
    pub bytes: u64,
    /// Its files.
    pub files: u64,
}

/// What takes up disk space, and how much is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Storage {
    /// The things that take up disk space.
    pub rows: Vec<StorageRow>,
    /// Whether the workspace's file is encrypted. What lies beside it is not.
    pub encrypted: bool,
    /// Bytes that are free where the workspace lies; `None` where the system does not say.
    pub free: Option<u64>,
}

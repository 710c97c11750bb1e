//! The workspace that a verb works on.

use clap::Args;
use std::path::PathBuf;

/// A workspace.
#[derive(Debug, Args)]
pub struct WorkspaceArgs {
    /// The workspace's file, name.lexforge.
    pub workspace: PathBuf,
}

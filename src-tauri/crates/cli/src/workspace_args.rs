//! The workspace that a verb works on.

use clap::Args;
use std::path::PathBuf;

/// A workspace.
#[derive(Debug, Args)]
pub struct WorkspaceArgs {
    /// The workspace's file, name.lexforge.
    pub workspace: PathBuf,
}

/// `new`
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The workspace.
    #[command(flatten)]
    pub place: WorkspaceArgs,
    /// Encrypt it with a passphrase. If the passphrase is lost, nobody can open the workspace again. The passphrase is
    /// asked for on the terminal, or taken from LEXFORGE_NEW_WORKSPACE_PASSPHRASE.
    #[arg(long)]
    pub encrypted: bool,
}

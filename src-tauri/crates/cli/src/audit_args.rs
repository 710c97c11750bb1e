//! Arguments of `audit`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `audit`
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: AuditAction,
}

/// What to do with the audit chain.
#[derive(Debug, Subcommand)]
pub enum AuditAction {
    /// Walk the chain and recompute the payload hashes from the live rows.
    Verify {
        /// The workspace's file.
        workspace: PathBuf,
        /// A head that you noted earlier: the chain must contain it.
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
        /// A head that was signed with `audit sign`: the chain must contain it.
        #[arg(long, value_name = "FILE")]
        signed: Option<PathBuf>,
        /// The public key that it must be signed with; without it and without --key-file, the one in your key ring.
        #[arg(
            long,
            value_name = "KEY",
            requires = "signed",
            conflicts_with = "key_file"
        )]
        public_key: Option<String>,
        /// The file with the key that it must be signed with.
        #[arg(long, value_name = "FILE", requires = "signed")]
        key_file: Option<PathBuf>,
    },
    /// Sign the head of a chain that holds, into a file to keep elsewhere.
    Sign {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The file with the key, which only its owner may read; without it, the key is in your key ring.
        #[arg(long, value_name = "FILE")]
        key_file: Option<PathBuf>,
        /// Make a key where there is none yet.
        #[arg(long)]
        new_key: bool,
    },
    /// Print the newest entries.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// Most rows.
        #[arg(long, default_value_t = 50)]
        limit: u64,
        /// By this person or program alone.
        #[arg(long, value_name = "NAME")]
        actor: Option<String>,
        /// Of this kind alone: what stands before the dot of an action, for example `document`.
        #[arg(long)]
        kind: Option<String>,
        /// From this time on (UTC), for example 2026-11-24.
        #[arg(long, value_name = "TIME")]
        from: Option<String>,
        /// Before this time (UTC).
        #[arg(long, value_name = "TIME")]
        to: Option<String>,
        /// Write all that fit to a new table instead.
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
    },
}

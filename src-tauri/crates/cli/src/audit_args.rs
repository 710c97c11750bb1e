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
    /// Check the audit chain from its first entry to its last, and compare its hashes with the rows that the workspace
    /// now holds.
    Verify {
        /// The workspace's file.
        workspace: PathBuf,
        /// A head that you noted earlier: the chain must contain it.
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
        /// A head that was signed with `audit sign`: the chain must contain it.
        #[arg(long, value_name = "FILE")]
        signed: Option<PathBuf>,
        /// The public key with which the head must be signed. Without this option and --key-file, the key in your key
        /// ring is used.
        #[arg(
            long,
            value_name = "KEY",
            requires = "signed",
            conflicts_with = "key_file"
        )]
        public_key: Option<String>,
        /// The file with the key with which the head must be signed.
        #[arg(long, value_name = "FILE", requires = "signed")]
        key_file: Option<PathBuf>,
    },
    /// Sign the head of the chain, if the chain is intact, into a file that you keep in another place.
    Sign {
        /// The workspace's file.
        workspace: PathBuf,
        /// The file to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The file with the key, which only its owner may read. Without this option, the key in your key ring is used.
        #[arg(long, value_name = "FILE")]
        key_file: Option<PathBuf>,
        /// Make a key if there is none yet.
        #[arg(long)]
        new_key: bool,
    },
    /// Print the newest entries.
    List {
        /// The workspace's file.
        workspace: PathBuf,
        /// Print at most this many entries.
        #[arg(long, default_value_t = 50)]
        limit: u64,
        /// Print only what this person or program did.
        #[arg(long, value_name = "NAME")]
        actor: Option<String>,
        /// Print only entries of this kind. The kind is the part of an action's name before the dot, for example
        /// `document`.
        #[arg(long)]
        kind: Option<String>,
        /// Print only entries from this time on (UTC), for example 2026-11-24.
        #[arg(long, value_name = "TIME")]
        from: Option<String>,
        /// Print only entries before this time (UTC).
        #[arg(long, value_name = "TIME")]
        to: Option<String>,
        /// Write all entries that match to a new table instead of printing them.
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
    },
}

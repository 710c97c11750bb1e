//! The content of a backup, and the result of restoring one.

use serde::{Deserialize, Serialize};

/// The model files that went along with a workspace: trained adapters and the folders of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFiles {
    /// Whether they were asked for. Without them runs keep their figures, and their adapters are missing.
    pub included: bool,
    /// Files that were copied; each was read again and is the same.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Left out because it is no plain file: links, devices.
    pub left_out: Vec<String>,
    /// Adapters whose weights are not those that their name says.
    pub altered: Vec<String>,
}

/// The result of `workspace backup`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupReport {
    /// The file; a workspace of its own.
    pub file: String,
    /// Its bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Whether it is encrypted, with the passphrase of the workspace.
    pub encrypted: bool,
    /// Documents in it.
    pub documents: u64,
    /// Head of its audit chain.
    pub audit_head: String,
    /// The chain holds in it; `None` where an older version made it, and it was not brought up to date.
    pub audit_ok: Option<bool>,
    /// The model files beside it.
    pub models: ModelFiles,
}

/// The result of `workspace restore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreReport {
    /// The workspace that is there now.
    pub workspace: String,
    /// Documents in it.
    pub documents: u64,
    /// Head of its audit chain.
    pub audit_head: String,
    /// The chain holds in it.
    pub audit_ok: bool,
    /// Its file is encrypted, with the passphrase of the backup.
    pub encrypted: bool,
    /// It is not, and the workspace that was there was.
    pub no_longer_encrypted: bool,
    /// The model files beside it.
    pub models: ModelFiles,
    /// The new path of the workspace that was there before, with its log and its model files.
    pub kept: Option<String>,
}

//! The open workspace: its file, the folder beside it, its audit chain and its copies. This module contains no use
//! case. All other modules use it.

mod actor;
mod artifacts;
mod audit;
mod backup;
mod clock;
mod elsewhere;
mod encrypted_places;
mod encryption;
mod files;
mod key_file;
mod key_ring;
mod log;
mod memo;
mod open;
mod package;
mod passphrase;
mod result;
mod sealed;
mod signing_key;
mod target;
mod uid;
mod user_folder;
mod watcher;
mod workbook;

pub use artifacts::removed_leftovers;
pub(crate) use artifacts::{ADAPTERS, BUNDLES, VECTORS, clear};
pub use audit::AuditAgainst;
pub use backup::restore;
pub(crate) use clock::{day_here, now, today};
pub use elsewhere::Seen;
pub use encryption::{
    change_passphrase, decrypt_workspace, encrypt_workspace, forget_workspace, is_encrypted,
    remember_workspace, unlock_workspace,
};
pub(crate) use files::{Scratch, file_failure, file_size, io_failure, make_dir, stem};
pub use key_file::{protect_key_file, unlock_key_file, unprotect_key_file};
pub(crate) use key_ring::{SERVICE, key_missing, no_ring, secret_of_file};
pub(crate) use lexforge_compute::installed::{user_folder, writable_by_others};
pub use log::{begin_log, log_view, set_log_level};
pub(crate) use log::{log_folder, workspace_logs};
pub use open::OpenWorkspace;
pub(crate) use package::package;
pub use passphrase::ask_passphrases_with;
pub use result::{DEFAULT_SEED, Result};
pub(crate) use target::refuse_workspace;
pub use target::write_named;
pub(crate) use uid::{UID, workspace_uid};
pub(crate) use user_folder::{own_folder, write_own};
pub use watcher::{Silent, Watcher};
pub(crate) use watcher::{cancelled, tell};
pub(crate) use workbook::{Sheet, escaped, workbook};

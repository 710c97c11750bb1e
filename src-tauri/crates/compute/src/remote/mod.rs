//! Training on another machine, over one connection of the system's `ssh`.
//!
//! [`login`] starts `ssh` and reaches a plain shell; through it [`setup`] examines a target and installs the worker
//! there. From then on the worker on the target ([`station`]) answers what [`connection`] asks here. [`transfer`] moves
//! files by their content, and `queue` talks to Slurm. Questions of `ssh` to a person go through [`askpass`], and
//! [`host_key`] shows the key of a host and replaces one that has changed. A job
//! that runs there goes on when the connection ends.

pub mod askpass;
mod attempts;
mod batch;
pub mod connection;
pub(crate) mod content;
mod deadline;
mod elsewhere;
mod frame;
pub mod host_key;
mod limit;
pub mod login;
mod place;
mod prompt;
mod queue;
mod reconcile;
pub mod setup;
mod slurm;
pub mod station;
mod stored;
pub mod transfer;

pub use batch::{OWN_OPTION, batch_script};
pub use connection::Connection;
pub use content::{KnownHashes, LocalFile};
pub use login::Place;

/// What names a base model on a target: one hash over its files.
pub fn tree_content(files: &[LocalFile]) -> lexforge_domain::Sha256 {
    let files: Vec<_> = files.iter().map(|local| local.file.clone()).collect();
    content::tree_hash(&files)
}

/// Bytes for an id that nobody else has.
pub fn random_id() -> [u8; 16] {
    rand::random()
}

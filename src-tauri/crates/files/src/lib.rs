//! Files in folders that others may have written, and the traces of programs that were killed.
//!
//! A workspace with its artifacts can come from anywhere. The files that it names are looked for only in its own folder
//! ([`inside`]): by plain names and not through links, and only regular files are opened. A file that is written in
//! several steps has a name that says which process writes it, until it is complete ([`aside`], [`scratch`]). So the
//! leftovers of a killed program are found and removed ([`leftovers`]). If a file system has no locks, a [`lease`] says
//! who works in a folder.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod aside;
pub mod error;
pub mod inside;
pub mod lease;
pub mod leftovers;
mod name;
mod owner;
pub mod scratch;

pub use aside::Aside;
pub use error::Error;
pub use leftovers::{Leftovers, is_unfinished, remove_leftovers};
pub use name::name_of;
pub use scratch::Scratch;

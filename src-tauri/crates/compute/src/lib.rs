//! Running a job bundle somewhere and following it.
//!
//! A job is a folder ([`bundle`]). A worker ([`program`]) is started on it, and continues even if this process ends
//! ([`local`]). Its progress is read from the folder's event file. Two other kinds of workers end with this process:
//! one that answers over HTTP ([`serve`](mod@serve)), and one that makes vectors of questions ([`resident`]). A job on
//! another machine goes through one connection ([`remote`]). This crate does not know what the jobs compute.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod bundle;
pub mod error;
pub mod events;
pub mod installed;
pub mod local;
pub mod pack;
pub mod program;
pub mod remote;
pub mod resident;
pub mod serve;

pub use bundle::{Bundle, BundleState, Claim};
pub use error::Error;
pub use program::WorkerProgram;
pub use resident::{Resident, ResidentModel};

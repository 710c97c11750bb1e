//! Everything that links libtorch: the worker that embeds texts, trains adapters and describes model folders.
//!
//! The worker exchanges data with the rest of the product only through files (the job bundle of
//! [`lexforge_domain::protocol`]) and through its process. To read the crate, begin with [`command`], which reads the
//! command line, and [`jobs`], which locks a bundle, writes its events and runs its job.
//!
//! - [`texts`]: turns texts into tokens, as a model folder says.
//! - [`architectures`]: what a model computes, over memory-mapped [`weights`], on packed batches without padding.
//! - [`adapters`]: the trained weights beside a frozen base or in place of its weights, and how they are stored and
//!   restored.
//! - [`losses`]: the functions that a training minimises, and their gradients.
//! - [`training`]: the train job. Its stages are [`training::lessons`]. Checkpoints make it survive a crash, and
//!   several processes can train one adapter as [`training::ranks`].
//! - [`decoding`]: a decoder that writes answers and scores choices.
//! - [`serving`]: a model behind an HTTP address. A training holds the [`jobs::lease`] of its GPU, so that a server
//!   computes on the CPU meanwhile.
//! - [`export`]: merged weights, a GGUF file ([`gguf`]) or the adapter itself. Each is read back and compared.
//!
//! Every function that computes with tensors can fail with an error of libtorch. The functions' documentation names
//! only other errors.
//!
//! `unsafe` is allowed only in [`shim`] (calls into C++), [`weights`] (memory mapping) and
//! [`allowance`](decoding::allowance) (an allocator that counts).
#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod adapters;
pub mod architectures;
pub mod command;
pub mod cuda;
pub mod data;
pub mod decoding;
pub mod device;
pub mod error;
pub mod export;
pub mod files;
pub mod folder;
pub mod gguf;
pub mod jobs;
pub mod losses;
pub mod platform;
pub mod serving;
pub mod shim;
pub mod tensors;
pub mod texts;
pub mod training;
pub mod weights;

pub use error::{Error, Result};

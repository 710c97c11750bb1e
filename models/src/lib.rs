//! Everything that links libtorch: the worker that embeds texts, trains adapters and describes
//! model folders.
//!
//! It meets the rest of the product only through files (the job bundle of [`lexforge_domain::protocol`]) and through its
//! process. The way through the crate: [`command`] reads the command line, and [`jobs`] holds a bundle, writes its events and
//! runs its job.
//!
//! - [`texts`]: texts as tokens, as a model folder says.
//! - [`architectures`]: what a model computes, over memory-mapped [`weights`], on packed batches without padding.
//! - [`adapters`]: what is trained beside a frozen base or in the place of its weights, as it is kept and put back.
//! - [`losses`]: what a training makes small, and its gradient.
//! - [`training`]: the train job, whose stages are [`training::lessons`]; checkpoints make it survive a crash, and several
//!   processes train one adapter as [`training::ranks`].
//! - [`decoding`]: a decoder that is asked: it writes, and it scores choices.
//! - [`serving`]: a model behind an HTTP address. A training holds the [`jobs::lease`] of its GPU meanwhile.
//! - [`export`]: merged weights, a GGUF file ([`gguf`]) or the adapter itself, each read back and compared.
//! - [`pretraining`]: a small decoder of one's own from nothing.
//!
//! `unsafe` is allowed in [`shim`] (calls into C++), [`weights`] (memory mapping) and [`allowance`](decoding::allowance) (an allocator that
//! counts) alone.
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
pub mod pretraining;
pub mod serving;
pub mod shim;
pub mod tensors;
pub mod texts;
pub mod training;
pub mod weights;

pub use error::{Error, Result};

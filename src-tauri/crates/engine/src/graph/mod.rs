//! The sentence graph: its vectors, building it, adding to it, how old it is, and looking at it.

mod build;
mod calibrate;
mod census;
mod changed;
mod classes;
mod encoder;
mod export;
mod kept_vectors;
mod neighbourhood;
mod partitions;
mod pieces;
mod state;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
mod vectors;

use crate::workspace::OpenWorkspace;

pub use build::GraphRequest;
pub(crate) use build::join;
pub(crate) use changed::{CANDIDATES_CHANGED, with_changed_candidates};
pub use export::ShownCentre;
pub(crate) use partitions::{Partition, full_width_punctuation};
pub use vectors::Encoder;

/// The sentence graph of an open workspace.
#[derive(Clone, Copy)]
pub struct Graph<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Graph<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

//! Training runs as their bundles tell them, and the adapters that they made.

mod blend;
mod bundles;
mod checkpoints;
mod cost;
mod follow;
mod placed;
mod sending;
mod sent;
mod silence;
mod state;
mod sweeps;
mod there;
mod unfollow;
mod words;

use crate::workspace::OpenWorkspace;

pub(crate) use bundles::{device_of, train_job};
pub(crate) use placed::Placed;

/// The training runs of an open workspace.
#[derive(Clone, Copy)]
pub struct Runs<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Runs<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

//! Terms: finding them by patterns or with a language model, importing them from glossaries, and finding terms that
//! could be confused with each other.

mod confusables;
mod extract;
mod glossary;
mod list;
mod schemas;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
mod with_model;

use crate::workspace::OpenWorkspace;

pub(crate) use extract::sources;
pub use with_model::{TermRequest, TermsBatchIn};

/// The terms of an open workspace.
#[derive(Clone, Copy)]
pub struct Terms<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Terms<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

//! The corpus: bringing documents in, looking at them and their versions, who refers to whom, and searching.

mod ahead;
mod check;
mod checked;
mod clause_vectors;
mod documents;
mod encoders;
mod folder;
mod import;
mod named_encoder;
mod passwords;
mod references;
mod scan_file;
mod search;
pub mod text;
mod validity;
mod vectors;
mod versions;

use crate::workspace::OpenWorkspace;

pub(crate) use check::personal_counts;
pub(crate) use checked::DATA_KNOWN;
pub(crate) use clause_vectors::{ClauseText, ClauseVectors};
pub(crate) use references::ReferenceIndex;
pub(crate) use validity::day_of;
pub(crate) use vectors::SentenceVectors;
pub(crate) use versions::compare_versions;

/// The documents of an open workspace.
#[derive(Clone, Copy)]
pub struct Corpus<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Corpus<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

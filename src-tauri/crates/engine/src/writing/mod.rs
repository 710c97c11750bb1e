//! Writing questions: what is asked about, who writes, what is kept, what it would cost, and trying out prompts. Also
//! triplets, and pairs of sentences that experts score.

mod anchors;
mod batch;
mod drafting;
mod estimate;
mod judging;
mod offline;
mod open;
mod parts;
mod questions;
mod similarity;
mod trial;
mod trial_answers;
mod triplets;
mod with_model;

use crate::workspace::OpenWorkspace;

pub(crate) use anchors::LoneRules;
pub use batch::BatchIn;
pub use similarity::{SimilarityExport, SimilarityRequest};
pub use triplets::{TripletsRequest, shift_types};

/// The questions of an open workspace, and who writes them.
#[derive(Clone, Copy)]
pub struct Writing<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Writing<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

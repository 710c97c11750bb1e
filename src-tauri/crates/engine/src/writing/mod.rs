//! Writing questions: choosing what they are about, writing them with or without a model, keeping them, estimating the
//! cost, and trying prompts. Triplets and the sentence pairs that experts score are here, too.

mod anchors;
mod batch;
mod drafting;
mod estimate;
mod judging;
mod offline;
mod open;
mod parts;
mod questions;
mod reasons;
mod similarity;
mod trial;
mod trial_answers;
mod triplets;
mod with_model;

use crate::workspace::OpenWorkspace;

pub(crate) use anchors::LoneRules;
pub use batch::BatchIn;
pub(crate) use reasons::in_words;
pub use reasons::reason_in_words;
pub use similarity::SimilarityExport;
pub use triplets::{shift_types, shift_types_of};

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

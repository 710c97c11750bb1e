//! Evaluations: before and after on the test questions, and the report.

mod bench;
mod evaluate;
mod files;
mod report;
mod scorers;

use crate::workspace::OpenWorkspace;

pub use bench::BenchRequest;
pub use files::{QaRequest, classification_figures, qa_figures, similarity_figures};
pub(crate) use report::{LeftOut, Shown};

/// What the runs of an open workspace are worth.
#[derive(Clone, Copy)]
pub struct Evaluations<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Evaluations<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

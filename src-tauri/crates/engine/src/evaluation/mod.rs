//! Evaluations: before and after on the test questions, the report, and what may go live.

mod alike;
mod apart;
mod bench;
mod bertscore;
mod controls;
mod deployment;
mod dev;
mod documents;
mod drift;
mod evaluate;
mod exam_passages;
mod exam_tasks;
mod exams;
mod files;
mod gate;
mod gate_general;
mod gate_plan;
mod gate_seeds;
mod limits;
mod outcomes;
mod papers;
mod report;
mod scored_pairs;
mod scorers;
mod term_seen;
mod term_space;
mod texts;
mod triplets;

use crate::workspace::OpenWorkspace;

pub use bench::{BenchOrder, BenchRequest, ExamBenchRequest, TermsBenchRequest};
pub use bertscore::BertScore;
pub use controls::control_in_words;
pub use drift::{DriftRequest, Since};
pub use exam_passages::ExamPassage;
pub use exams::ExamRequest;
pub use files::{QaRequest, classification_figures, qa_figures, similarity_figures, space_figures};
pub use papers::PaperHow;
pub(crate) use report::{LeftOut, Shown};
pub use scored_pairs::{scored_pairs_of, scored_table};
pub use term_space::TermSpaceRequest;

/// Evaluations of the runs of an open workspace.
#[derive(Clone, Copy)]
pub struct Evaluations<'w> {
    workspace: &'w OpenWorkspace,
}

impl<'w> Evaluations<'w> {
    pub(crate) fn of(workspace: &'w OpenWorkspace) -> Self {
        Self { workspace }
    }
}

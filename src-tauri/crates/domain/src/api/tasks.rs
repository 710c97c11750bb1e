//! Use cases that take long: their steps, and the jobs in which the window runs them.

use super::{
    AnswerSoFar, AuditReport, BatchReport, BenchTime, ExamLook, ExamReport, ImportReport,
    LabelCurve, RankerReport, RerankReport, SimilarityDraw, TripletFigures, TripletReport,
};
use crate::failure::Failure;
use crate::gate::GatePlan;
use crate::id::AnswerId;
use crate::tags::tagged;
use crate::term_space::SpaceOfTerms;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(Stage);

/// Steps of the main job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// Reading files.
    Import,
    /// Finding terms.
    Terms,
    /// Embedding terms and sentences.
    Embed,
    /// Building the graph.
    Graph,
    /// Writing questions.
    Questions,
    /// Freezing the snapshot.
    Freeze,
    /// Training.
    Train,
    /// Evaluating.
    Evaluate,
    /// Writing the report.
    Report,
    /// Making an export.
    Export,
    /// Answering the questions of a table.
    Answer,
    /// Comparing rules with statements.
    Match,
    /// Taking in a newer version.
    Update,
    /// Verifying the audit chain.
    Verify,
}

/// Progress of a use case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The step.
    pub stage: Stage,
    /// The file or part that it is at.
    pub item: String,
    /// Units done.
    pub done: u64,
    /// The total; 0 = not known.
    pub of: u64,
}

/// The result of a job, if the window shows more than that it has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Of a table of questions.
    Batch(BatchReport),
    /// Of the fit of a ranker.
    Ranker(Box<RankerReport>),
    /// Of a look at whether a cross-encoder ranks better.
    Rerank(Box<RerankReport>),
    /// Of a look at how much of a tuning pays.
    Curve(LabelCurve),
    /// Of a verification of the audit chain.
    Audit(Box<AuditReport>),
    /// Of a look at how often a rule of the gate would be right.
    GatePlan(Box<GatePlan>),
    /// Of making triplets.
    Triplets(Box<TripletReport>),
    /// Of a measurement on triplets and on scored pairs.
    TripletFigures(Box<TripletFigures>),
    /// Of a draw of pairs of sentences for experts.
    Similarity(Box<SimilarityDraw>),
    /// Of a look at how accepted terms lie in the space of a model.
    TermSpace(Box<SpaceOfTerms>),
    /// Of a look at a file that may be an exam.
    ExamLook(Box<ExamLook>),
    /// Of the import of an exam.
    Exam(Box<ExamReport>),
}

/// A job that this process does in the background (training runs are in [`RunRow`](super::RunRow)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number within this process, from 1.
    pub id: u64,
    /// `import`, `prepare` (terms to snapshot), `evaluate`.
    pub kind: String,
    /// The subject of the job: file names, a run's number, or the path of a page.
    pub title: String,
    /// Latest progress.
    pub progress: Option<Progress>,
    /// For an import: the files that were begun, in that order, and how many of their pages are read.
    #[serde(default)]
    pub files: Vec<Progress>,
    /// It has ended.
    pub done: bool,
    /// It was cancelled or failed as a whole.
    pub failure: Option<Failure>,
    /// For an import: what was done.
    pub import: Option<ImportReport>,
    /// For questions by an endpoint: how the asking is going.
    pub asking: Option<crate::endpoint::AskProgress>,
    /// For a bench: how long the rest of its scoring takes. `None` = it scores nothing at present.
    #[serde(default)]
    pub ahead: Option<BenchTime>,
    /// For a question to a model: what it has written so far.
    #[serde(default)]
    pub so_far: Option<Box<AnswerSoFar>>,
    /// For a question: the answer, once it is kept.
    pub answer: Option<AnswerId>,
    /// Its result.
    pub outcome: Option<Box<Outcome>>,
}

impl Task {
    /// A task that has just begun.
    pub fn begun(id: u64, kind: &str, title: &str) -> Self {
        Self {
            id,
            kind: kind.to_owned(),
            title: title.to_owned(),
            progress: None,
            files: Vec::new(),
            done: false,
            failure: None,
            import: None,
            asking: None,
            ahead: None,
            so_far: None,
            answer: None,
            outcome: None,
        }
    }
}

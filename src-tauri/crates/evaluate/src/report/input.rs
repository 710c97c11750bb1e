//! What a report is made of.

use lexforge_domain::Failure;
use lexforge_domain::api::{
    AugmentReport, DocumentRow, EvaluationView, QuestionRow, RunRow, Sweep, TermsReport,
};
use lexforge_domain::dataset::{Dataset, ReviewPolicy};
use lexforge_domain::graph::GraphStats;
use lexforge_domain::protocol::{TrainJob, TrainResult};
use lexforge_domain::term::Term;

/// All data of a report. For every missing part, the report says that it is missing. Without an evaluation, the report
/// shows the data that were read and prepared, and why no model was trained (`skipped`).
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportInput<'a> {
    /// Name of the workspace.
    pub workspace: &'a str,
    /// When the report was written, RFC 3339, UTC.
    pub created: &'a str,
    /// Version of the product.
    pub version: &'a str,
    /// Documents of the workspace.
    pub documents: &'a [DocumentRow],
    /// Files that could not be imported.
    pub failed: &'a [Failure],
    pub terms: Option<&'a TermsReport>,
    /// Some terms to show, in the order in which they are to stand.
    pub term_sample: &'a [Term],
    pub graph: Option<&'a GraphStats>,
    pub questions: Option<&'a AugmentReport>,
    /// Some questions to show.
    pub question_sample: &'a [QuestionRow],
    /// The snapshot.
    pub dataset: Option<&'a Dataset>,
    /// The training run.
    pub training: Option<Training<'a>>,
    /// A sweep over the number of questions of each rule, on the same snapshot.
    pub sweep: Option<&'a Sweep>,
    /// The figures.
    pub evaluation: Option<&'a EvaluationView>,
    /// A second model: the decoder that was trained beside an encoder.
    pub decoder: Option<Model<'a>>,
    /// Steps that were left out, each with its reason and remedy.
    pub skipped: &'a [Failure],
    /// Head of the audit chain, hexadecimal.
    pub audit_head: &'a str,
}

/// A model with its run and its figures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Model<'a> {
    /// Its run.
    pub training: Option<Training<'a>>,
    /// Its figures.
    pub evaluation: Option<&'a EvaluationView>,
}

impl Model<'_> {
    pub(super) fn name(&self) -> &str {
        let measured = self.evaluation.map(|view| view.evaluation.base.as_str());
        measured
            .or(self.training.map(|training| training.run.base.as_str()))
            .unwrap_or("model")
    }
}

/// A training run with its settings and outcome.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    pub run: &'a RunRow,
    /// Its settings.
    pub job: Option<&'a TrainJob>,
    /// Its outcome.
    pub result: Option<&'a TrainResult>,
    /// Where it ran, for example `cpu, 2 threads, libtorch 2.11.0`; may be empty.
    pub device: &'a str,
}

impl<'a> ReportInput<'a> {
    /// The snapshot: the one given, else the evaluation's.
    pub(super) fn snapshot(&self) -> Option<&'a Dataset> {
        self.dataset.or(self.evaluation.map(|e| &e.dataset))
    }

    /// The rule by which what is reported was taken: that of the snapshot, else that of the terms.
    pub(super) fn policy(&self) -> Option<ReviewPolicy> {
        let of_snapshot = self.snapshot().map(|d| d.policy);
        of_snapshot.or(self.terms.map(|t| t.policy))
    }

    /// The models, each with the prefix of its anchors in the page.
    pub(super) fn models(&self) -> Vec<(&'static str, Model<'a>)> {
        let first = Model {
            training: self.training,
            evaluation: self.evaluation,
        };
        let some = first.training.is_some() || first.evaluation.is_some();
        some.then_some(("", first))
            .into_iter()
            .chain(self.decoder.map(|model| ("decoder-", model)))
            .collect()
    }

    /// The figures of all models that were measured.
    pub(super) fn evaluations(&self) -> impl Iterator<Item = &'a EvaluationView> {
        self.evaluation
            .into_iter()
            .chain(self.decoder.and_then(|model| model.evaluation))
    }
}

//! The bench compares any number of systems. They are compared on the test questions of one snapshot, unchanged or
//! under attack; on an exam that somebody else wrote; or on terms in their contexts.
//!
//! Each model's answer to each question is kept. So a bench that was stopped can continue, and if a system is added,
//! only that system is asked. Systems are compared only under the same scorer.

mod ahead;
mod asked;
mod asked_vectors;
mod attack;
mod counted;
mod course;
mod elsewhere;
mod endpoint;
mod exam;
mod exam_table;
mod exam_task;
mod experts;
mod general;
mod judge;
mod judged;
mod kept;
mod lines;
mod measured;
mod order;
mod pace;
mod places;
mod systems;
mod table;
mod task;
mod task_table;
mod terms;
mod written;

use super::Evaluations;
use super::bertscore::BertScore;
use crate::asking::AskRequest;
use crate::training::{FrozenItem, Training};
use crate::workspace::{Result, Watcher};
use asked::Questions;
pub(in crate::evaluation) use asked_vectors::readable;
pub use exam::ExamBenchRequest;
pub(super) use general::check as check_general;
pub(super) use kept::places_of_exam;
use lexforge_domain::api::{BenchMissing, BenchTable, ScoredPair};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::{Code, DatasetId, Failure};
use lines::Answers;
use measured::among;
pub use order::BenchOrder;
use systems::asks;
pub use terms::TermsBenchRequest;

/// A request to compare systems.
#[derive(Clone, Debug, Default)]
pub struct BenchRequest {
    /// The snapshot; the newest where none is named.
    pub dataset: Option<DatasetId>,
    /// The systems: `tfidf`, `lsa`, `bm25`, `base NAME`, `eol NAME`, `echo NAME`, `run N`, `runs N+M` (runs of one
    /// recipe with different seeds, as one system), `checkpoint N/NAME`, `endpoint NAME`. If none is named, all
    /// existing systems except endpoints.
    pub systems: Vec<String>,
    /// Runs of one recipe with different seeds are one system: those that are named, or all where none is.
    pub by_recipe: bool,
    /// The system that the others are compared with. `None` = the first untuned base model, or else the first system.
    pub baseline: Option<String>,
    /// Pairs of general language that people scored. The table then shows how well each system's cosines agree with the
    /// scores. Empty = these figures are not wanted.
    pub general: Vec<ScoredPair>,
    /// BERTScore of what systems write, as well.
    pub bertscore: Option<BertScore>,
    /// The judge of what systems write; `None` = no judge.
    pub judge: Option<AskRequest>,
    /// The judge is not asked; only its stored answers count.
    pub judge_known: bool,
    /// A person's consent to the prompts that are sent to endpoints. Each consent holds the scope of a plan that
    /// `plan_bench_asking` returned. Without consent nothing is sent to an endpoint.
    pub agreed: Vec<Consent>,
}

/// What systems gave for the test questions of a snapshot.
struct MeasuredSystems {
    dataset: Dataset,
    items: Vec<FrozenItem>,
    systems: Vec<(String, Answers)>,
    missing: Vec<BenchMissing>,
}

impl Evaluations<'_> {
    /// Measures every system on the test questions of a snapshot. A system that cannot be measured is listed with the
    /// reason, and the other systems are measured nevertheless.
    ///
    /// # Errors
    /// When there is no snapshot, its test part is empty, a name belongs to no system, the baseline is not among the
    /// systems, or the caller cancelled.
    pub fn bench(&self, request: &BenchRequest, watcher: &dyn Watcher) -> Result<BenchTable> {
        // A missing endpoint is reported before anything is measured.
        let judge = match &request.judge {
            Some(ask) => Some(self.judge_of(ask, request.judge_known)?),
            None => None,
        };
        if !request.general.is_empty() {
            general::check(&request.general)?;
        }
        let request = &self.put_together(request)?;
        let measured = self.bench_measured(request, watcher)?;
        let mut table = table::table(
            &measured.dataset,
            &measured.items,
            &measured.systems,
            measured.missing,
            request.baseline.as_deref(),
            &self.places(&measured.items)?,
        )?;
        table.notes.extend(self.trained_elsewhere(
            &measured.dataset,
            &measured.items,
            &measured.systems,
        )?);
        if !request.general.is_empty() {
            self.add_general(&mut table, &request.general, watcher)?;
        }
        self.add_written(&mut table, &measured.systems, request, watcher)?;
        if let Some(judge) = judge {
            self.add_judged(&mut table, &measured.systems, (request, judge), watcher)?;
        }
        Ok(table)
    }

    /// The prompts that would be sent to the endpoints among the systems of a bench: one plan for each endpoint. This
    /// function itself sends nothing.
    ///
    /// # Errors
    /// When there is no snapshot, or a name belongs to no system.
    pub(crate) fn plan_bench_asking(&self, request: &BenchRequest) -> Result<Vec<AskPlan>> {
        if !asks(&request.systems) {
            return Ok(Vec::new());
        }
        let dataset = self.snapshot(request.dataset)?;
        let items = Training::of(self.workspace).test_items(&dataset)?;
        let (systems, _) = self.systems(Some(&dataset), &request.systems)?;
        self.asking_plans(&systems, Questions::OfSnapshot(&dataset, &items))
    }

    /// What every system gives for the test questions of a snapshot.
    fn bench_measured(
        &self,
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<MeasuredSystems> {
        let dataset = self.snapshot(request.dataset)?;
        let items = Training::of(self.workspace).test_items(&dataset)?;
        if items.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The snapshot has no test question.",
                "Import more documents, then build graph, questions and snapshot again.",
            ));
        }
        let (systems, mut missing) = if request.by_recipe {
            self.systems_by_recipe(&dataset)?
        } else {
            self.systems(Some(&dataset), &request.systems)?
        };
        among(&systems, request.baseline.as_deref())?;
        let corpus = self.bench_corpus()?;
        let questions = Questions::OfSnapshot(&dataset, &items);
        let measured = self.all_measured(
            &systems,
            questions,
            (&corpus, &request.agreed),
            &mut missing,
            watcher,
        )?;
        Ok(MeasuredSystems {
            dataset,
            items,
            systems: measured,
            missing,
        })
    }

    /// A snapshot, or the newest.
    pub(super) fn snapshot(&self, id: Option<DatasetId>) -> Result<Dataset> {
        let training = Training::of(self.workspace);
        match id {
            Some(id) => training.dataset(id),
            None => training
                .datasets()?
                .into_iter()
                .max_by_key(|dataset| dataset.id)
                .ok_or_else(|| {
                    Failure::new(
                        Code::StepMissing,
                        "There is no dataset snapshot.",
                        "Freeze one first; its test questions are what systems are measured on.",
                    )
                }),
        }
    }
}

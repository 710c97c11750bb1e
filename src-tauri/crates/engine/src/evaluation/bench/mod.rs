//! The bench: any number of systems side by side on the test questions of one snapshot.
//!
//! What a model gave for a question is kept, so that a bench that was stopped goes on, and one with a further system asks
//! that system alone. Systems are compared under the same scorer only.

mod counted;
mod lines;
mod systems;
mod table;

use super::Evaluations;
use crate::corpus::Corpus;
use crate::training::{FrozenItem, Training};
use crate::workspace::{Result, Watcher, tell};
use lexforge_domain::api::{BenchMissing, BenchTable, Stage};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::{Code, DatasetId, Failure};
use lines::Answers;
use systems::System;

/// Which systems are put side by side.
#[derive(Clone, Debug, Default)]
pub struct BenchRequest {
    /// The snapshot; the newest where none is named.
    pub dataset: Option<DatasetId>,
    /// The systems: `tfidf`, `lsa`, `bm25`, `base NAME`, `eol NAME`, `run N`; all that are there where none is named.
    pub systems: Vec<String>,
    /// The system that the others are compared with; the first untouched base model, else the first system, where none is
    /// named.
    pub baseline: Option<String>,
}

impl Evaluations<'_> {
    /// Measures every system on the test questions of a snapshot. A system that cannot be measured is named with the reason,
    /// and the table keeps the others.
    ///
    /// # Errors
    /// When there is no snapshot, its test part is empty, a name means no system, the baseline is not among them, or the
    /// caller cancelled.
    pub fn bench(&self, request: &BenchRequest, watcher: &dyn Watcher) -> Result<BenchTable> {
        let dataset = self.snapshot(request.dataset)?;
        let items = Training::of(self.workspace).test_items(&dataset)?;
        if items.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The snapshot has no test question.",
                "Import more documents, then build graph, questions and snapshot again.",
            ));
        }
        let (systems, mut missing) = self.systems(&dataset, &request.systems)?;
        if let Some(name) = &request.baseline
            && !systems.iter().any(|system| system.name() == *name)
        {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("{name} is not among the systems of the bench."),
                "Name one of the systems that are measured as the baseline.",
            ));
        }
        let corpus: Vec<String> = Corpus::of(self.workspace)
            .sentences(None)?
            .into_iter()
            .map(|s| s.text)
            .collect();
        let mut measured = Vec::new();
        for (done, system) in (0..).zip(&systems) {
            let name = system.name();
            tell(watcher, Stage::Evaluate, &name, done, systems.len() as u64);
            match self.measured(system, &dataset, &items, &corpus, watcher) {
                Ok(answers) => measured.push((name, answers)),
                Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                Err(failure) => missing.push(BenchMissing {
                    system: name,
                    failure,
                }),
            }
        }
        let count = systems.len() as u64;
        tell(watcher, Stage::Evaluate, "statistics", count, count);
        table::table(
            &dataset,
            &items,
            &measured,
            missing,
            request.baseline.as_deref(),
        )
    }

    fn snapshot(&self, id: Option<DatasetId>) -> Result<Dataset> {
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

    fn measured(
        &self,
        system: &System,
        dataset: &Dataset,
        items: &[FrozenItem],
        corpus: &[String],
        watcher: &dyn Watcher,
    ) -> Result<Answers> {
        match system {
            System::Counted(method) => Ok(Answers {
                items: items.to_vec(),
                lines: counted::lines(*method, items, corpus),
                decoder: false,
            }),
            System::Model { base, prompt } => {
                let base = self.model(base)?;
                self.answers(dataset, &base, None, *prompt, watcher)
            }
            System::Run(run) => {
                let (base, adapter) = self.tuned(*run)?;
                self.answers(
                    dataset,
                    &base,
                    Some(&adapter),
                    systems::Prompt::None,
                    watcher,
                )
            }
        }
    }
}

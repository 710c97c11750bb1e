//! Systems, asked one after the other.

use super::counted;
use super::lines::{Answers, Questions};
use super::systems::{Prompt, System};
use crate::corpus::Corpus;
use crate::evaluation::Evaluations;
use crate::workspace::{Result, Watcher, tell};
use lexforge_domain::api::{BenchMissing, Stage};
use lexforge_domain::{Code, Failure};

impl Evaluations<'_> {
    /// The sentences of the corpus.
    pub(super) fn bench_corpus(&self) -> Result<Vec<String>> {
        let sentences = Corpus::of(self.workspace).sentences(None)?;
        Ok(sentences.into_iter().map(|s| s.text).collect())
    }

    /// What each system gives, by its name; one that cannot be measured is missing, with the reason.
    pub(super) fn all_measured(
        &self,
        systems: &[System],
        questions: Questions<'_>,
        corpus: &[String],
        missing: &mut Vec<BenchMissing>,
        watcher: &dyn Watcher,
    ) -> Result<Vec<(String, Answers)>> {
        let mut measured = Vec::new();
        let count = systems.len() as u64;
        for (done, system) in (0..).zip(systems) {
            let name = system.name();
            tell(watcher, Stage::Evaluate, &name, done, count);
            match self.measured(system, questions, corpus, watcher) {
                Ok(answers) => measured.push((name, answers)),
                Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                Err(failure) => missing.push(BenchMissing {
                    system: name,
                    failure,
                }),
            }
        }
        tell(watcher, Stage::Evaluate, "statistics", count, count);
        Ok(measured)
    }

    fn measured(
        &self,
        system: &System,
        questions: Questions<'_>,
        corpus: &[String],
        watcher: &dyn Watcher,
    ) -> Result<Answers> {
        match system {
            System::Counted(method) => Ok(Answers {
                items: questions.items().to_vec(),
                lines: counted::lines(*method, questions.items(), corpus),
                decoder: false,
            }),
            System::Model { base, prompt } => {
                let base = self.model(base)?;
                self.answers(questions, &base, None, *prompt, watcher)
            }
            System::Run(run) => {
                let (base, adapter) = self.tuned(*run)?;
                let prompt = Prompt::None;
                self.answers(questions, &base, Some(&adapter), prompt, watcher)
            }
        }
    }
}

/// Whether a baseline, where one is named, is among the systems.
pub(super) fn among(systems: &[System], baseline: Option<&str>) -> Result<()> {
    match baseline {
        Some(name) if !systems.iter().any(|system| system.name() == name) => Err(Failure::new(
            Code::InvalidRequest,
            format!("{name} is not among the systems of the bench."),
            "Name one of the systems that are measured as the baseline.",
        )),
        _ => Ok(()),
    }
}

//! Systems, asked one after the other.

use super::asked::Questions;
use super::counted;
use super::course::Course;
use super::lines::{Answers, By};
use super::systems::{Prompt, System, several_wanted};
use crate::corpus::Corpus;
use crate::evaluation::Evaluations;
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::BenchMissing;
use lexforge_domain::endpoint::Consent;
use lexforge_domain::{Code, Failure, RunId};

impl Evaluations<'_> {
    /// The sentences of the corpus.
    pub(super) fn bench_corpus(&self) -> Result<Vec<String>> {
        let sentences = Corpus::of(self.workspace).sentences(None)?;
        Ok(sentences.into_iter().map(|s| s.text).collect())
    }

    /// The results of each system, by its name. A system that cannot be measured is listed as missing, with the reason.
    /// `agreed` holds the consents to what is sent to endpoints.
    pub(super) fn all_measured(
        &self,
        systems: &[System],
        questions: Questions<'_>,
        (corpus, agreed): (&[String], &[Consent]),
        missing: &mut Vec<BenchMissing>,
        watcher: &dyn Watcher,
    ) -> Result<Vec<(String, Answers)>> {
        let course = &self.course(systems, questions, corpus.len(), watcher);
        let mut measured = Vec::new();
        let count = systems.len() as u64;
        for (done, system) in (0..).zip(systems) {
            let name = system.name();
            course.begin(&name, (done, count));
            let found = self.measured(system, questions, (corpus, agreed), course);
            course.end();
            let failure = match found {
                Ok((answers, failure)) => {
                    if !answers.items.is_empty() {
                        measured.push((name.clone(), answers));
                    }
                    failure
                }
                Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                Err(failure) => Some(failure),
            };
            missing.extend(failure.map(|failure| BenchMissing {
                system: name,
                failure,
            }));
        }
        course.scored_all(count);
        Ok(measured)
    }

    /// The answers of a system, and the reason if it does not answer all questions.
    fn measured(
        &self,
        system: &System,
        questions: Questions<'_>,
        (corpus, agreed): (&[String], &[Consent]),
        course: &Course<'_>,
    ) -> Result<(Answers, Option<Failure>)> {
        let answers = match system {
            System::Counted(method) => {
                let (items, pace) = (questions.items(), counted::pace(*method, corpus.len()));
                let count = |_: &dyn Watcher| Ok(counted::lines(*method, items, corpus));
                Answers {
                    items: items.to_vec(),
                    lines: course.part(&pace, items.len() as u64, count)?,
                    by: By::Cosines,
                    runs: 1,
                }
            }
            System::Model { base, prompt } => {
                let base = self.model(base)?;
                self.answers(questions, &base, None, *prompt, course)?
            }
            System::Run(run) => self.of_run(*run, questions, course)?,
            System::Runs(runs) => {
                self.one_recipe(runs)?;
                let mut all: Option<Answers> = None;
                for run in runs {
                    let answers = self.of_run(*run, questions, course)?;
                    match &mut all {
                        None => all = Some(answers),
                        Some(all) => all.take_in(answers),
                    }
                }
                all.ok_or_else(several_wanted)?
            }
            System::Checkpoint(run, name) => {
                let (base, adapter) = self.tuned_until(*run, name)?;
                self.answers(questions, &base, Some(&adapter), Prompt::None, course)?
            }
            System::Endpoint(name) => {
                return self.of_endpoint(name, questions, agreed, course);
            }
        };
        Ok((answers, None))
    }

    fn of_run(&self, run: RunId, questions: Questions<'_>, course: &Course<'_>) -> Result<Answers> {
        let (base, adapter) = self.tuned(run)?;
        self.answers(questions, &base, Some(&adapter), Prompt::None, course)
    }
}

/// Whether a baseline, where one is named, is among the systems.
pub(super) fn among(systems: &[System], baseline: Option<&str>) -> Result<()> {
    match baseline {
        Some(name) if !systems.iter().any(|system| system.name() == name) => Err(Failure::invalid(
            format!("{name} is not among the systems of the bench."),
            "Name one of the systems that are measured as the baseline.",
        )),
        _ => Ok(()),
    }
}

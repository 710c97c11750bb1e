//! What a bench still has to score, and about how long that takes on this machine. Nothing is scored for this.

use super::BenchRequest;
use super::asked::Questions;
use super::counted;
use super::course::{Course, Stand, rounded, seconds_of, time};
use super::order::{BenchOrder, by_vectors};
use super::pace::Paces;
use super::systems::{Prompt, System, each_alone};
use super::terms::TermsBenchRequest;
use crate::evaluation::Evaluations;
use crate::training::Training;
use crate::workspace::{Result, Watcher};
use lexforge_domain::RunId;
use lexforge_domain::api::{BenchAhead, BenchMissing, BenchOn, BenchPlan, BenchTime};

/// The systems of an order, each with what it has to score or the reason why it cannot.
type Stands = (Vec<(String, Result<Stand>)>, Vec<BenchMissing>);

impl Evaluations<'_> {
    /// What is still to be scored of an order, and about how long that takes. Nothing is scored or sent. The
    /// models are looked at, which takes a moment.
    ///
    /// # Errors
    /// When parts of the order cannot be combined, there is no such snapshot or exam, or a name belongs to no system.
    pub fn plan_bench(&self, order: &BenchOrder) -> Result<BenchPlan> {
        order.check()?;
        let request = &order.request;
        let (stands, missing) = match &order.on {
            BenchOn::Questions => self.of_test_questions(request)?,
            BenchOn::Attack => {
                let (dataset, items, languages) = self.attacked_questions(request)?;
                let found = self.systems(Some(&dataset), &request.systems)?;
                self.stands(found, Questions::InLanguages(&items, &languages))?
            }
            BenchOn::Terms { set } => {
                let terms = TermsBenchRequest {
                    set: set.clone(),
                    dataset: request.dataset,
                    systems: Vec::new(),
                };
                let (dataset, items) = self.term_questions(&terms)?;
                let found = self.systems(dataset.as_ref(), &request.systems)?;
                self.stands(found, Questions::ByVectors(&items))?
            }
            BenchOn::Exam { name } if by_vectors(self.exam_kind(name)?) => {
                let (systems, missing) = self.systems(None, &request.systems)?;
                (self.stands_on_task(name, &systems)?, missing)
            }
            BenchOn::Exam { name } => {
                let items = self.drawn_of_exam(&order.of_exam(name))?;
                let found = self.systems(None, &request.systems)?;
                self.stands(found, Questions::Others(&items))?
            }
        };
        let more =
            !request.general.is_empty() || request.bertscore.is_some() || request.judge.is_some();
        Ok(BenchPlan {
            more,
            ..plan(&Paces::of_user(), stands, missing)
        })
    }

    fn of_test_questions(&self, request: &BenchRequest) -> Result<Stands> {
        let request = self.put_together(request)?;
        let dataset = self.snapshot(request.dataset)?;
        let items = Training::of(self.workspace).test_items(&dataset)?;
        let (systems, missing) = match request.by_recipe {
            true => self.systems_by_recipe(&dataset)?,
            false => self.systems(Some(&dataset), &request.systems)?,
        };
        let corpus = self.bench_corpus()?.len();
        let questions = Questions::OfSnapshot(&dataset, &items);
        Ok((self.each_stand(&systems, questions, corpus), missing))
    }

    /// What these systems have to score, each by itself.
    fn stands(
        &self,
        (systems, missing): (Vec<System>, Vec<BenchMissing>),
        questions: Questions<'_>,
    ) -> Result<Stands> {
        each_alone(&systems)?;
        let corpus = self.bench_corpus()?.len();
        Ok((self.each_stand(&systems, questions, corpus), missing))
    }

    fn each_stand(
        &self,
        systems: &[System],
        questions: Questions<'_>,
        corpus: usize,
    ) -> Vec<(String, Result<Stand>)> {
        let of = |system: &System| (system.name(), self.stand(system, questions, corpus));
        systems.iter().map(of).collect()
    }

    /// What a system has to score, and how many answers of it are stored. `corpus` = sentences of the documents.
    fn stand(&self, system: &System, questions: Questions<'_>, corpus: usize) -> Result<Stand> {
        match system {
            System::Counted(method) => {
                let n = questions.items().len();
                Ok(Stand::anew(counted::pace(*method, corpus), n))
            }
            System::Model { base, prompt } => {
                let wanted = self.wanted(questions, &self.model(base)?, None, *prompt)?;
                Ok(Stand::of(wanted.left(), wanted.kept()))
            }
            System::Run(run) => self.stand_of_run(*run, questions),
            System::Runs(runs) => {
                self.one_recipe(runs)?;
                let mut all = Stand::default();
                for run in runs {
                    all.take_in(self.stand_of_run(*run, questions)?);
                }
                Ok(all)
            }
            System::Checkpoint(run, name) => {
                let (base, adapter) = self.tuned_until(*run, name)?;
                let wanted = self.wanted(questions, &base, Some(&adapter), Prompt::None)?;
                Ok(Stand::of(wanted.left(), wanted.kept()))
            }
            System::Endpoint(name) => self.stand_of_endpoint(name, questions),
        }
    }

    fn stand_of_run(&self, run: RunId, questions: Questions<'_>) -> Result<Stand> {
        let (base, adapter) = self.tuned(run)?;
        let wanted = self.wanted(questions, &base, Some(&adapter), Prompt::None)?;
        Ok(Stand::of(wanted.left(), wanted.kept()))
    }

    /// The course of a bench of these systems. A system that cannot be measured has nothing open.
    pub(super) fn course<'w>(
        &self,
        systems: &[System],
        questions: Questions<'_>,
        corpus: usize,
        watcher: &'w dyn Watcher,
    ) -> Course<'w> {
        Course::of_systems(watcher, systems, |system| {
            self.stand(system, questions, corpus)
        })
    }
}

/// The plan of systems that stand like this.
fn plan(
    paces: &Paces,
    stands: Vec<(String, Result<Stand>)>,
    missing: Vec<BenchMissing>,
) -> BenchPlan {
    let mut plan = BenchPlan {
        missing,
        ..BenchPlan::default()
    };
    let mut ahead = Vec::new();
    for (system, stand) in stands {
        match stand {
            Ok(Stand { open, kept }) => {
                plan.systems.push(BenchAhead {
                    system,
                    open: open.iter().map(|open| open.n).sum(),
                    kept,
                    seconds: seconds_of(paces, &open).map(rounded),
                });
                ahead.push(open);
            }
            Err(failure) => plan.missing.push(BenchMissing { system, failure }),
        }
    }
    let BenchTime { seconds, unknown } = time(paces, &ahead);
    plan.time = BenchTime {
        seconds: seconds.map(rounded),
        unknown,
    };
    plan
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::course::Open;
    use super::super::pace::Sample;
    use super::*;
    use lexforge_domain::{Code, Failure};

    #[test]
    fn a_plan_counts_what_is_open_and_kept_and_names_what_cannot_be_measured() {
        let paces = Paces::of_user();
        let sample = Sample {
            n: 10,
            start: 0.0,
            seconds: 10.0,
        };
        (0..3).for_each(|_| paces.add("known", sample));
        let open = |pace: &str, n| Open {
            pace: pace.to_owned(),
            n,
            at_once: 256,
        };
        let gone = Failure::new(Code::ModelMissing, "It is gone.", "Fetch it.");
        let stands = vec![
            ("run 1".to_owned(), Ok(Stand::of(open("known", 90), 10))),
            ("run 2".to_owned(), Ok(Stand::of(open("known", 0), 100))),
            ("base new".to_owned(), Ok(Stand::of(open("new", 100), 0))),
            ("run 3".to_owned(), Err(gone)),
        ];
        let plan = plan(&paces, stands, Vec::new());
        assert_eq!((plan.open(), plan.kept(), plan.to_score()), (190, 110, 2));
        let each: Vec<_> = plan.systems.iter().map(|one| one.seconds).collect();
        // Nothing is said of a system that was never measured, or of which nothing is open.
        assert_eq!(each, [Some([60.0, 120.0]), None, None]);
        assert_eq!(plan.time.seconds, Some([60.0, 120.0]));
        assert_eq!(plan.time.unknown, 1);
        assert_eq!(plan.missing[0].system, "run 3");
    }
}

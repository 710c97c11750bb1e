//! What a person asks the bench to do: what to measure on, which systems, and which further figures. Combinations that
//! make no sense are refused here, for the command line and the window alike.

use super::systems::System;
use super::{BenchRequest, ExamBenchRequest, TermsBenchRequest};
use crate::evaluation::Evaluations;
use crate::workspace::{Result, Watcher};
use lexforge_domain::Failure;
use lexforge_domain::api::{BenchOn, BenchOutcome, ExamSample};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::exam::ExamKind;

/// A bench on test questions, under attack, on terms or on an exam.
#[derive(Clone, Debug, Default)]
pub struct BenchOrder {
    /// What systems are measured on.
    pub on: BenchOn,
    /// Of an exam, how many questions of each subject are drawn; `None` = all are asked.
    pub sample: Option<ExamSample>,
    /// The systems, and what is measured beside them.
    pub request: BenchRequest,
}

impl BenchOrder {
    /// Refuses an order whose parts cannot be combined.
    ///
    /// # Errors
    /// When the order asks for a figure that cannot be measured on the chosen material.
    pub fn check(&self) -> Result<()> {
        let (on, asked) = (&self.on, &self.request);
        let elsewhere = *on != BenchOn::Questions;
        let exam = matches!(on, BenchOn::Exam { .. });
        let refusals = [
            (
                self.sample.is_some() && !exam,
                "A sample is drawn of the questions of an exam alone.",
                "Choose an exam, or leave the sample out.",
            ),
            (
                exam && asked.dataset.is_some(),
                "An exam does not belong to a snapshot.",
                "Leave the snapshot out.",
            ),
            (
                *on == BenchOn::Attack && asked.baseline.is_some(),
                "Under attack there is no baseline: each system is compared with itself.",
                "Leave the baseline out.",
            ),
            (
                matches!(on, BenchOn::Terms { .. }) && asked.baseline.is_some(),
                "Of terms in contexts there is no baseline: systems stand side by side.",
                "Leave the baseline out.",
            ),
            (
                elsewhere && asked.by_recipe,
                "Runs are put together by their recipe on a snapshot's test questions alone.",
                "Measure each run by itself.",
            ),
            (
                elsewhere && !asked.general.is_empty(),
                "General language stands beside figures on a snapshot's test questions alone.",
                "Leave its pairs out, or measure on the test questions.",
            ),
            (
                elsewhere && asked.bertscore.is_some(),
                "Written answers are compared token by token on a snapshot's test questions alone.",
                "Leave BERTScore out, or measure on the test questions.",
            ),
            (
                elsewhere && asked.judge.is_some(),
                "A judge reads written answers to a snapshot's test questions alone.",
                "Leave the judge out, or measure on the test questions.",
            ),
        ];
        match refusals.into_iter().find(|(refused, _, _)| *refused) {
            Some((_, why, advice)) => Err(Failure::invalid(why, advice)),
            None => Ok(()),
        }
    }

    pub(super) fn of_exam(&self, name: &str) -> ExamBenchRequest {
        ExamBenchRequest {
            exam: name.to_owned(),
            sample: self.sample,
            systems: self.request.systems.clone(),
            baseline: self.request.baseline.clone(),
            agreed: self.request.agreed.clone(),
        }
    }
}

/// Whether the items of such an exam are measured by vectors, and never asked.
pub(super) fn by_vectors(kind: ExamKind) -> bool {
    matches!(
        kind,
        ExamKind::Pairs | ExamKind::Similarity | ExamKind::Classes
    )
}

impl Evaluations<'_> {
    /// Measures what is ordered.
    ///
    /// # Errors
    /// When parts of the order cannot be combined. Also the errors of the bench that is ordered.
    pub fn bench_ordered(&self, order: &BenchOrder, watcher: &dyn Watcher) -> Result<BenchOutcome> {
        order.check()?;
        let request = &order.request;
        Ok(match &order.on {
            BenchOn::Questions => BenchOutcome::Questions(Box::new(self.bench(request, watcher)?)),
            BenchOn::Attack => {
                BenchOutcome::Attack(Box::new(self.bench_attacked(request, watcher)?))
            }
            BenchOn::Terms { set } => {
                let request = TermsBenchRequest {
                    set: set.clone(),
                    dataset: request.dataset,
                    systems: request.systems.clone(),
                };
                BenchOutcome::Terms(Box::new(self.bench_terms(&request, watcher)?))
            }
            BenchOn::Exam { name } => {
                let request = order.of_exam(name);
                if by_vectors(self.exam_kind(name)?) {
                    BenchOutcome::Task(Box::new(self.bench_task(&request, watcher)?))
                } else {
                    BenchOutcome::Exam(Box::new(self.bench_exam(&request, watcher)?))
                }
            }
        })
    }

    /// The prompts that would be sent to the endpoints among the systems: one plan for each endpoint. This function
    /// itself sends nothing.
    ///
    /// # Errors
    /// When parts of the order cannot be combined, there is no such snapshot or exam, or a name belongs to no system.
    pub fn plan_ordered(&self, order: &BenchOrder) -> Result<Vec<AskPlan>> {
        order.check()?;
        match &order.on {
            BenchOn::Questions => self.plan_bench_asking(&order.request),
            BenchOn::Attack => self.plan_attack_asking(&order.request),
            BenchOn::Exam { name } if !by_vectors(self.exam_kind(name)?) => {
                self.plan_exam_asking(&order.of_exam(name))
            }
            // By vectors nothing is asked: the table says of an endpoint that it has none.
            BenchOn::Exam { .. } | BenchOn::Terms { .. } => Ok(Vec::new()),
        }
    }

    /// The request, in which the named runs of one recipe are joined into one system, if the user asked for this. If
    /// the baseline was one of these runs, the system that contains this run is now the baseline.
    pub(super) fn put_together(&self, request: &BenchRequest) -> Result<BenchRequest> {
        let mut request = request.clone();
        if !request.by_recipe || request.systems.is_empty() {
            return Ok(request);
        }
        let (named, _) = self.systems(None, &request.systems)?;
        let together = self.together(named);
        let of_baseline = request
            .baseline
            .as_deref()
            .and_then(|name| part_of(name, &together));
        request.baseline = of_baseline.or(request.baseline);
        request.systems = together.iter().map(System::name).collect();
        request.by_recipe = false;
        Ok(request)
    }
}

/// The system of several runs that a run is a part of.
fn part_of(name: &str, systems: &[System]) -> Option<String> {
    let System::Run(run) = System::of_name(name)? else {
        return None;
    };
    let holds = |system: &&System| matches!(system, System::Runs(runs) if runs.contains(&run));
    systems.iter().find(holds).map(System::name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::asking::AskRequest;
    use crate::evaluation::BertScore;
    use lexforge_domain::api::ScoredPair;
    use lexforge_domain::{DatasetId, RunId};

    #[test]
    fn what_does_not_go_together_is_refused_in_words() {
        let exam = || BenchOn::Exam {
            name: "harbour".to_owned(),
        };
        let terms = || BenchOn::Terms { set: None };
        let of = |on: BenchOn, request: BenchRequest| BenchOrder {
            on,
            sample: None,
            request,
        };
        let with = |change: fn(&mut BenchRequest)| {
            let mut request = BenchRequest::default();
            change(&mut request);
            request
        };
        let sample = |on| BenchOrder {
            on,
            sample: Some(ExamSample { each: 5, seed: 1 }),
            ..BenchOrder::default()
        };
        let baseline: fn(&mut BenchRequest) = |r| r.baseline = Some("tfidf".to_owned());
        let recipe: fn(&mut BenchRequest) = |r| r.by_recipe = true;
        let general: fn(&mut BenchRequest) = |r| {
            r.general = vec![ScoredPair {
                a: "a".to_owned(),
                b: "b".to_owned(),
                score: 1.0,
            }];
        };
        let tokens: fn(&mut BenchRequest) = |r| r.bertscore = Some(BertScore::default());
        let judge: fn(&mut BenchRequest) = |r| r.judge = Some(AskRequest::default());
        let dataset: fn(&mut BenchRequest) = |r| r.dataset = Some(DatasetId(1));
        for (order, said) in [
            (sample(BenchOn::Questions), "sample"),
            (sample(terms()), "sample"),
            (of(exam(), with(dataset)), "snapshot"),
            (of(BenchOn::Attack, with(baseline)), "baseline"),
            (of(terms(), with(baseline)), "baseline"),
            (of(exam(), with(recipe)), "recipe"),
            (of(terms(), with(general)), "General language"),
            (of(exam(), with(tokens)), "token by token"),
            (of(BenchOn::Attack, with(judge)), "judge"),
        ] {
            let failure = order.check().unwrap_err();
            assert!(failure.message.contains(said), "{said}: {failure:?}");
        }
        for order in [
            sample(exam()),
            of(exam(), with(baseline)),
            of(terms(), with(dataset)),
            of(BenchOn::Attack, with(dataset)),
        ] {
            assert!(order.check().is_ok(), "{order:?}");
        }
        for change in [baseline, recipe, general, tokens, judge, dataset] {
            assert!(of(BenchOn::Questions, with(change)).check().is_ok());
        }
    }

    #[test]
    fn a_run_is_found_in_what_it_became_a_part_of() {
        let systems = [
            System::Run(RunId(2)),
            System::Runs(vec![RunId(3), RunId(4)]),
        ];
        assert_eq!(part_of("run 4", &systems).as_deref(), Some("runs 3+4"));
        assert_eq!(part_of("run 2", &systems), None);
        assert_eq!(part_of("tfidf", &systems), None);
    }
}

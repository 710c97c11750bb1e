//! Commands about evaluations and exports.

use super::reply::{Reply, ask, job, now};
use super::training_data::name_of;
use crate::drift;
use crate::platform;
use crate::shell::{Answer, Shell};
use lexforge_domain::api::commands::EvaluationRequest as Request;
use lexforge_domain::api::{ExamLook, Outcome, PaperLanguage};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_engine::{
    AskRequest, Assumption, BenchRequest, Engine, ExamRequest, PaperHow, TermSpaceRequest,
};

/// The kind of job that writes a paper; its title is the page's path.
const PAPER: &str = "paper";

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Evaluate(asked) => {
            let title = asked.run.to_string();
            job(shell, asked, "evaluate", &title, |engine, watch, asked| {
                engine.evaluation().evaluate(asked.run, watch).map(|_| ())
            })
        }
        Request::Evaluation(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().evaluation(asked.run)
        }),
        Request::OpenReport(asked) => {
            ask(shell, asked, |engine, asked| open_report(engine, asked.run))
        }
        Request::ExportRun(asked) => {
            let title = asked
                .request
                .run
                .map(|run| run.to_string())
                .unwrap_or_default();
            job(shell, asked, "export", &title, |engine, watch, asked| {
                engine
                    .training()
                    .export_run(&asked.request, watch)
                    .map(|_| ())
            })
        }
        Request::Gate(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().gate_of_kept(asked.run)
        }),
        Request::GatePolicy(asked) => {
            ask(shell, asked, |engine, _| engine.evaluation().gate_policy())
        }
        Request::PlanGate(asked) => job(shell, asked, "gate_plan", "", |engine, watch, asked| {
            let usual = Assumption::default();
            let plan = engine
                .evaluation()
                .gate_plan(None, &asked.policy, usual, watch)?;
            watch.came_to(Outcome::GatePlan(Box::new(plan)));
            Ok(())
        }),
        Request::KeepGatePolicy(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().keep_gate_policy(&asked.policy)
        }),
        Request::GateGeneral(asked) => {
            ask(shell, asked, |engine, _| engine.evaluation().gate_general())
        }
        Request::KeepGateGeneral(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().keep_gate_general(asked.path.as_ref())
        }),
        Request::MeasureGeneral(asked) => {
            let title = asked.run.to_string();
            job(
                shell,
                asked,
                "gate_general",
                &title,
                |engine, watch, asked| {
                    let evaluation = engine.evaluation();
                    evaluation.measure_general(asked.run, watch).map(|_| ())
                },
            )
        }
        Request::ActiveModels(asked) => ask(shell, asked, |engine, _| {
            engine.evaluation().active_models()
        }),
        Request::Activate(asked) => {
            let title = asked.activation.run.to_string();
            job(shell, asked, "activate", &title, |engine, watch, asked| {
                engine
                    .evaluation()
                    .activate(&asked.activation, watch)
                    .map(|_| ())
            })
        }
        Request::RollBack(asked) => ask(shell, asked, |engine, _| engine.evaluation().roll_back()),
        Request::Exports(asked) => ask(shell, asked, |engine, asked| {
            engine.training().exports(asked.run)
        }),
        Request::BenchSystems(asked) => ask(shell, asked, |engine, _| {
            engine.evaluation().bench_choices()
        }),
        Request::LookAtExam(asked) => {
            let title = name_of(&asked.file);
            job(
                shell,
                asked,
                "look_at_exam",
                &title,
                |engine, watch, asked| {
                    let request = ExamRequest {
                        files: vec![asked.file.clone().into()],
                        ..ExamRequest::default()
                    };
                    let found = engine.evaluation().look_at_exam(&request, watch)?;
                    let file = asked.file;
                    watch.came_to(Outcome::ExamLook(Box::new(ExamLook { file, found })));
                    Ok(())
                },
            )
        }
        Request::ImportExam(asked) => {
            let title = asked.name.clone();
            job(
                shell,
                asked,
                "import_exam",
                &title,
                |engine, watch, asked| {
                    let request = ExamRequest {
                        files: vec![asked.file.into()],
                        name: Some(asked.name),
                        seen: Some(asked.hash),
                        ..ExamRequest::default()
                    };
                    let report = engine.evaluation().import_exam(&request, watch)?;
                    watch.came_to(Outcome::Exam(Box::new(report)));
                    Ok(())
                },
            )
        }
        Request::MeasureBench(asked) => job(shell, asked, "bench", "", |engine, watch, asked| {
            engine
                .evaluation()
                .bench_asked(&asked.asked, watch)
                .map(|_| ())
        }),
        Request::MeasureTermSpace(asked) => {
            let title = asked.run.to_string();
            job(
                shell,
                asked,
                "term_space",
                &title,
                |engine, watch, asked| {
                    let request = TermSpaceRequest {
                        run: Some(asked.run),
                        layer: asked.layer,
                        ..TermSpaceRequest::default()
                    };
                    let found = engine.evaluation().terms_in_space(&request, watch)?;
                    watch.came_to(Outcome::TermSpace(Box::new(found)));
                    Ok(())
                },
            )
        }
        Request::PlanBenchJudging(asked) => ask(shell, asked, |engine, asked| {
            let request = BenchRequest {
                systems: asked.systems,
                baseline: asked.baseline,
                judge: Some(AskRequest {
                    endpoint: asked.endpoint,
                    ..AskRequest::default()
                }),
                ..BenchRequest::default()
            };
            engine.evaluation().plan_judging_of_kept(&request)
        }),
        Request::PlanBench(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().plan_asked(&asked.asked)
        }),
        Request::PlanBenchAsking(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().plan_bench_asked(&asked.asked)
        }),
        Request::LastBench(asked) => {
            ask(shell, asked, |engine, _| engine.evaluation().last_bench())
        }
        Request::LastBenchOn(asked) => ask(shell, asked, |engine, asked| {
            engine.evaluation().last_bench_on(&asked.on)
        }),
        Request::Drift(asked) => ask(shell, asked, |engine, _| engine.evaluation().drift_view()),
        Request::TakeDriftSample(asked) => now(asked, |asked| drift::take(shell, asked.rule)),
        Request::WriteComparison(asked) => {
            let title = asked.path.clone();
            job(shell, asked, PAPER, &title, |engine, watch, asked| {
                engine
                    .evaluation()
                    .kept_comparison_paper(
                        how(asked.attack, asked.language),
                        asked.path.as_ref(),
                        watch,
                    )
                    .map(|_| ())
            })
        }
        Request::WriteDecision(asked) => {
            let title = asked.path.clone();
            job(shell, asked, PAPER, &title, |engine, watch, asked| {
                engine
                    .evaluation()
                    .kept_decision_paper(
                        asked.run,
                        asked.language.unwrap_or_default(),
                        asked.path.as_ref(),
                        watch,
                    )
                    .map(|_| ())
            })
        }
        Request::WriteDrift(asked) => {
            let title = asked.path.clone();
            job(shell, asked, PAPER, &title, |engine, watch, asked| {
                let language = asked.language.unwrap_or_default();
                engine
                    .evaluation()
                    .drift_paper(language, Some(asked.path.as_ref()), watch)
                    .map(|_| ())
            })
        }
        Request::WriteCard(asked) => {
            let title = asked.path.clone();
            job(shell, asked, PAPER, &title, |engine, watch, asked| {
                let path = Some(asked.path.as_ref());
                engine
                    .evaluation()
                    .model_card(asked.run, how(asked.attack, asked.language), path, watch)
                    .map(|_| ())
            })
        }
    }
}

/// How a paper is written; in English where the page does not say otherwise.
fn how(attack: bool, language: Option<PaperLanguage>) -> PaperHow {
    PaperHow {
        attack,
        language: language.unwrap_or_default(),
    }
}

fn open_report(engine: &Engine, run: RunId) -> Answer<()> {
    match engine.evaluation().report_of(run) {
        Some(path) => platform::open_file(&path),
        None => Err(Failure::new(
            Code::FileUnreadable,
            format!("The report of run {run} is not beside the workspace."),
            "Evaluate the run again to write it anew.",
        )),
    }
}

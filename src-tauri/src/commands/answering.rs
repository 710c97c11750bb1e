//! Commands about questions to the corpus and their answers.

use super::reply::{Reply, ask, job, now};
use crate::shell::Shell;
use crate::vectors;
use lexforge_domain::api::Outcome;
use lexforge_domain::api::commands::AnsweringRequest as Request;
use lexforge_engine::{CalibrateRequest, Silent};
use std::path::Path;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Ask(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().ask(&asked.inquiry)
        }),
        Request::Answers(asked) => ask(shell, asked, |engine, _| {
            engine.answering().newest_answers()
        }),
        Request::KeptAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().kept_answer(asked.id)
        }),
        Request::AnswerSince(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().changed_since(asked.id)
        }),
        Request::JudgeAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().judge_answer(asked.id, asked.verdict)
        }),
        Request::ExampleQuestions(asked) => ask(shell, asked, |engine, _| {
            engine.answering().example_questions()
        }),
        Request::CurrentCertificate(asked) => ask(shell, asked, |engine, asked| {
            engine
                .answering()
                .current_certificate(&asked.way, asked.question.as_deref())
        }),
        Request::Calibrate(asked) => job(shell, asked, "calibrate", "", |engine, watch, asked| {
            let request = CalibrateRequest {
                way: asked.way,
                consent: asked.consent,
                ..CalibrateRequest::default()
            };
            engine.answering().calibrate(&request, watch).map(|_| ())
        }),
        Request::PlanCalibration(asked) => ask(shell, asked, |engine, asked| {
            let request = CalibrateRequest {
                way: asked.way,
                ..CalibrateRequest::default()
            };
            engine.answering().plan_calibration(&request)
        }),
        Request::Labels(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().labels(&asked.way)
        }),
        Request::ImportPairs(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().import_pairs(Path::new(&asked.file))
        }),
        Request::ImportVerdicts(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().import_verdicts(Path::new(&asked.file))
        }),
        Request::TrainRanker(asked) => job(shell, asked, "train_ranker", "", |engine, watch, _| {
            let report = engine.answering().train_ranker(None, None, watch)?;
            watch.came_to(Outcome::Ranker(Box::new(report)));
            Ok(())
        }),
        Request::MeasureCurve(asked) => {
            let title = asked.run.to_string();
            job(
                shell,
                asked,
                "measure_curve",
                &title,
                |engine, watch, asked| {
                    let general = asked.general.as_deref().map(Path::new);
                    let curve = engine
                        .answering()
                        .curve_of_labels(asked.run, general, watch)?;
                    watch.came_to(Outcome::Curve(curve));
                    Ok(())
                },
            )
        }
        Request::AskBatch(asked) => {
            let title = asked.batch.questions.clone();
            job(shell, asked, "ask_batch", &title, |engine, watch, asked| {
                let report = engine.answering().ask_batch(&asked.batch, watch)?;
                watch.came_to(Outcome::Batch(report));
                Ok(())
            })
        }
        Request::PlanBatch(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().plan_batch(&asked.batch, &Silent)
        }),
        Request::AnswerWays(asked) => {
            ask(shell, asked, |engine, _| engine.answering().answer_ways())
        }
        Request::SearchEncoders(asked) => ask(shell, asked, |engine, _| {
            engine.answering().search_encoders()
        }),
        Request::SearchWith(asked) => {
            job(shell, asked, "search_with", "", |engine, watch, asked| {
                engine.answering().search_with(asked.choice.as_ref(), watch)
            })
        }
        Request::Rerankers(asked) => ask(shell, asked, |engine, _| engine.answering().rerankers()),
        Request::MeasureRerank(asked) => {
            let title = asked.run.to_string();
            job(
                shell,
                asked,
                "measure_rerank",
                &title,
                |engine, watch, asked| {
                    let report = engine.answering().measure_rerank(asked.run, watch)?;
                    watch.came_to(Outcome::Rerank(Box::new(report)));
                    Ok(())
                },
            )
        }
        Request::UseRerank(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().use_rerank(asked.run)
        }),
        Request::MissingVectors(asked) => ask(shell, asked, |engine, _| {
            engine.answering().missing_vectors()
        }),
        Request::MakeVectors(asked) => now(asked, |_| vectors::make(shell)),
        Request::PlanAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().plan_answer(&asked.inquiry)
        }),
        Request::AskAside(asked) => {
            let title = asked.inquiry.question.clone();
            job(shell, asked, "ask", &title, |engine, watch, asked| {
                let answer = engine.answering().ask_aside(&asked.inquiry, watch)?;
                watch.answered(answer.id);
                Ok(())
            })
        }
        Request::PreferAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().prefer_answer(
                asked.first,
                asked.second,
                asked.preferred,
                asked.blind,
            )
        }),
    }
}

//! Commands about questions to the corpus and their answers.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::AnsweringRequest as Request;
use lexforge_engine::{ALPHA, CONFIDENCE, Silent};

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Ask(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().ask(&asked.inquiry)
        }),
        Request::Answers(asked) => ask(shell, asked, |engine, _| engine.answering().answers()),
        Request::KeptAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().kept_answer(asked.id)
        }),
        Request::JudgeAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().judge_answer(asked.id, asked.verdict)
        }),
        Request::ExampleQuestions(asked) => ask(shell, asked, |engine, _| {
            engine.answering().example_questions()
        }),
        Request::CurrentCertificate(asked) => ask(shell, asked, |engine, _| {
            engine.answering().current_certificate()
        }),
        Request::Calibrate(asked) => job(shell, asked, "calibrate", "", |engine, watch, _| {
            engine
                .answering()
                .calibrate(None, None, ALPHA, CONFIDENCE, watch)
                .map(|_| ())
        }),
        Request::AskBatch(asked) => {
            let title = asked.batch.questions.clone();
            job(shell, asked, "ask_batch", &title, |engine, watch, asked| {
                engine
                    .answering()
                    .ask_batch(&asked.batch, watch)
                    .map(|_| ())
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
        Request::PlanAnswer(asked) => ask(shell, asked, |engine, asked| {
            engine.answering().plan_answer(&asked.inquiry)
        }),
        Request::AskAside(asked) => {
            let title = asked.inquiry.question.clone();
            job(shell, asked, "ask", &title, |engine, watch, asked| {
                let answer = engine.answering().ask_watched(&asked.inquiry, watch)?;
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

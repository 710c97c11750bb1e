//! Commands about questions to the corpus and their answers.

use super::reply::{Reply, ask, job};
use crate::shell::Shell;
use lexforge_domain::api::commands::AnsweringRequest as Request;
use lexforge_engine::{ALPHA, CONFIDENCE};
use std::path::Path;

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
            let title = asked.questions.clone();
            job(shell, asked, "ask_batch", &title, |engine, watch, asked| {
                engine
                    .answering()
                    .ask_batch(Path::new(&asked.questions), Path::new(&asked.out), watch)
                    .map(|_| ())
            })
        }
    }
}

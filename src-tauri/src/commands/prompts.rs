//! Commands about prompts and their test bench.

use super::reply::{Reply, ask};
use crate::shell::Shell;
use lexforge_domain::api::commands::PromptsRequest as Request;
use lexforge_engine::AskRequest;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Prompts(asked) => ask(shell, asked, |engine, _| engine.asking().prompts()),
        Request::PutPrompt(asked) => ask(shell, asked, |engine, asked| {
            engine
                .asking()
                .put_prompt(asked.kind, asked.language, &asked.text)
        }),
        Request::ResetPrompt(asked) => ask(shell, asked, |engine, asked| {
            engine.asking().reset_prompt(asked.kind, asked.language)
        }),
        Request::PlanTrial(asked) => ask(shell, asked, |engine, asked| {
            let request = AskRequest {
                endpoint: asked.endpoint,
                ..AskRequest::default()
            };
            engine.writing().plan_trial(&asked.subject, &request)
        }),
        Request::TryPrompt(asked) => ask(shell, asked, |engine, asked| {
            let request = AskRequest {
                endpoint: asked.endpoint,
                consent: asked.consent,
                ..AskRequest::default()
            };
            engine.writing().try_prompt(&asked.subject, &request)
        }),
    }
}

//! How a command of the page is answered: at once, from a thread that may wait, or by a job in the background.

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use crate::watch::Watch;
use lexforge_domain::api::commands::Command;
use lexforge_domain::{Code, Failure};
use lexforge_engine::{Deed, Engine};
use std::pin::Pin;
use tauri::ipc::{InvokeError, InvokeResponseBody, IpcResponse};

/// What the page gets, as soon as it is there.
pub type Reply = Pin<Box<dyn Future<Output = Written> + Send>>;
/// An answer or a failure as the page reads it.
pub type Written = Result<InvokeResponseBody, InvokeError>;

/// Answers at once.
pub fn now<C: Command>(command: C, deed: impl FnOnce(C) -> Answer<C::Answer>) -> Reply {
    Box::pin(std::future::ready(written(logged(command, deed))))
}

/// Answers from a thread that may wait, so that the window never does.
pub fn apart<C: Command>(
    command: C,
    deed: impl FnOnce(C) -> Answer<C::Answer> + Send + 'static,
) -> Reply {
    let reply = tauri::async_runtime::spawn_blocking(move || written(logged(command, deed)));
    Box::pin(async move {
        reply.await.unwrap_or_else(|error| {
            written::<()>(Err(Failure::new(
                Code::Internal,
                format!("A step of the application broke off: {error}."),
                "Nothing that was committed is lost. Try again; if it happens again, report it.",
            )))
        })
    })
}

/// Carries a command out, and logs how long it took.
fn logged<C: Command>(command: C, deed: impl FnOnce(C) -> Answer<C::Answer>) -> Answer<C::Answer> {
    let glance = Deed::glance(C::NAME);
    let answer = deed(command);
    glance.end(&answer);
    answer
}

/// Asks the open workspace, from a thread that may wait.
pub fn ask<C: Command>(
    shell: &Shell,
    command: C,
    question: impl FnOnce(&Engine, C) -> Answer<C::Answer> + Send + 'static,
) -> Reply {
    match shell.engine() {
        Ok(engine) => apart(command, move |command| question(&engine, command)),
        Err(failure) => now(command, |_| Err(failure)),
    }
}

/// Begins a job in the background and answers with its number.
pub fn job<C: Command<Answer = u64>>(
    shell: &Shell,
    command: C,
    kind: &str,
    title: &str,
    work: impl FnOnce(&Engine, &Watch, C) -> Answer<()> + Send + 'static,
) -> Reply {
    now(command, |command| {
        begin(shell, kind, title, move |engine, watch| {
            work(engine, watch, command)
        })
    })
}

/// An answer as it travels.
pub fn written<A: IpcResponse>(answer: Answer<A>) -> Written {
    Ok(answer?.body()?)
}

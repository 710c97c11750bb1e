//! The commands that the page calls, as the table `lexforge_domain::api::commands` has them: they translate and do nothing
//! else. One file a room; each takes its room's commands apart, so that none can be left out.

mod activity;
mod endpoints;
mod evaluation;
mod graph;
mod library;
mod packets;
mod people;
mod prompts;
mod questions;
mod review;
pub mod tasks;
mod terms;
mod training;
mod workspace;

use crate::shell::{Answer, Shell};
use crate::tasks::begin;
use crate::watch::Watch;
use lexforge_domain::api::commands::{Command, Request};
use lexforge_domain::{Code, Failure};
use lexforge_engine::Engine;
use std::pin::Pin;
use tauri::ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody, IpcResponse};
use tauri::{AppHandle, Manager};

/// What the page gets, as soon as it is there.
type Reply = Pin<Box<dyn Future<Output = Written> + Send>>;
/// An answer or a failure as the page reads it.
type Written = Result<InvokeResponseBody, InvokeError>;

/// Answers a command of the page; false where it is none.
pub fn answer(invoke: Invoke) -> bool {
    let (message, resolver) = (invoke.message, invoke.resolver);
    let app = message.webview_ref().app_handle();
    let (Some(shell), InvokeBody::Json(arguments)) = (app.try_state::<Shell>(), message.payload())
    else {
        return false;
    };
    let reply = match Request::read(message.command(), arguments) {
        Some(Ok(request)) => reply(app, &shell, request),
        Some(Err(error)) => misread(message.command(), &error.to_string()),
        None => return false,
    };
    resolver.respond_async_serialized(reply);
    true
}

fn reply(app: &AppHandle, shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Activity(request) => activity::reply(shell, request),
        Request::Endpoints(request) => endpoints::reply(shell, request),
        Request::Evaluation(request) => evaluation::reply(shell, request),
        Request::Graph(request) => graph::reply(shell, request),
        Request::Library(request) => library::reply(shell, request),
        Request::Packets(request) => packets::reply(shell, request),
        Request::People(request) => people::reply(shell, request),
        Request::Prompts(request) => prompts::reply(shell, request),
        Request::Questions(request) => questions::reply(shell, request),
        Request::Review(request) => review::reply(shell, request),
        Request::Tasks(request) => tasks::reply(shell, request),
        Request::Terms(request) => terms::reply(shell, request),
        Request::Training(request) => training::reply(shell, request),
        Request::Workspace(request) => workspace::reply(app, shell, request),
    }
}

/// Answers at once.
fn now<C: Command>(command: C, deed: impl FnOnce(C) -> Answer<C::Answer>) -> Reply {
    Box::pin(std::future::ready(written(deed(command))))
}

/// Answers from a thread that may wait, so that the window never does.
fn apart<C: Command>(
    command: C,
    deed: impl FnOnce(C) -> Answer<C::Answer> + Send + 'static,
) -> Reply {
    let reply = tauri::async_runtime::spawn_blocking(move || written(deed(command)));
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

/// Asks the open workspace, from a thread that may wait.
fn ask<C: Command>(
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
fn job<C: Command<Answer = u64>>(
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

fn written<A: IpcResponse>(answer: Answer<A>) -> Written {
    Ok(answer?.body()?)
}

fn misread(command: &str, reason: &str) -> Reply {
    Box::pin(std::future::ready(written::<()>(Err(Failure::new(
        Code::Internal,
        format!(
            "The window asked for something that the application does not understand ({command}: {reason})."
        ),
        "Close the window and open it again.",
    )))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::commands::{Documents, LibraryRequest};

    fn documents(shell: &Shell) -> Written {
        tauri::async_runtime::block_on(library::reply(
            shell,
            LibraryRequest::Documents(Documents {}),
        ))
    }

    #[test]
    fn without_a_workspace_the_page_gets_the_failure_as_a_value() {
        let InvokeError(failure) = documents(&Shell::new(|_| ())).unwrap_err();
        assert_eq!(failure["code"], Code::WorkspaceMissing.tag());
        assert!(
            failure["hint"]
                .as_str()
                .is_some_and(|hint| !hint.is_empty())
        );
    }

    #[test]
    fn an_answer_is_json() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("a.lexforge")).unwrap();
        assert!(
            matches!(documents(&shell).unwrap(), InvokeResponseBody::Json(text) if text == "[]")
        );
    }

    #[test]
    fn what_cannot_be_read_is_a_failure_too() {
        let InvokeError(failure) =
            tauri::async_runtime::block_on(misread("Page", "no number")).unwrap_err();
        assert_eq!(failure["code"], Code::Internal.tag());
    }
}

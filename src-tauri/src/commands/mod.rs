//! The commands that the page calls, from the table in `lexforge_domain::api::commands`. The functions here only
//! translate between the page and the engine. There is one file for each group of commands. Each file matches on all
//! commands of its group, so that no command can be forgotten.

mod activity;
mod answering;
mod endpoints;
mod evaluation;
mod graph;
mod library;
mod matching;
mod packets;
mod people;
mod prompts;
mod questions;
mod reply;
mod review;
mod targets;
pub mod tasks;
mod terms;
mod training;
mod training_data;
mod workspace;

use crate::shell::Shell;
use lexforge_domain::api::commands::Request;
use lexforge_domain::{Code, Failure};
use reply::{Reply, written};
use tauri::ipc::{Invoke, InvokeBody};
use tauri::{AppHandle, Manager};

/// Answers a command of the page. Returns false if there is no such command.
pub fn answer(invoke: Invoke) -> bool {
    let (message, resolver) = (invoke.message, invoke.resolver);
    let app = message.webview_ref().app_handle();
    let (Some(shell), InvokeBody::Json(arguments)) = (app.try_state::<Shell>(), message.payload())
    else {
        return false;
    };
    let answer = match Request::read(message.command(), arguments) {
        Some(Ok(request)) => answered(app, &shell, request),
        Some(Err(error)) => misread(message.command(), &error.to_string()),
        None => return false,
    };
    resolver.respond_async_serialized(answer);
    true
}

fn answered(app: &AppHandle, shell: &Shell, request: Request) -> Reply {
    match request {
        Request::Activity(request) => activity::reply(shell, request),
        Request::Answering(request) => answering::reply(shell, request),
        Request::Endpoints(request) => endpoints::reply(shell, request),
        Request::Evaluation(request) => evaluation::reply(shell, request),
        Request::Graph(request) => graph::reply(shell, request),
        Request::Library(request) => library::reply(shell, request),
        Request::Matching(request) => matching::reply(shell, request),
        Request::Packets(request) => packets::reply(shell, request),
        Request::People(request) => people::reply(shell, request),
        Request::Prompts(request) => prompts::reply(shell, request),
        Request::Questions(request) => questions::reply(shell, request),
        Request::Review(request) => review::reply(shell, request),
        Request::Targets(request) => targets::reply(shell, request),
        Request::Tasks(request) => tasks::reply(shell, request),
        Request::Terms(request) => terms::reply(shell, request),
        Request::Training(request) => training::reply(shell, request),
        Request::TrainingData(request) => training_data::reply(shell, request),
        Request::Workspace(request) => workspace::reply(app, shell, request),
    }
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
    use super::reply::Written;
    use super::*;
    use lexforge_domain::api::commands::{Documents, LibraryRequest};
    use tauri::ipc::{InvokeError, InvokeResponseBody};

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

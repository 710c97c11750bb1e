//! Desktop notifications for long work that ends while the user looks at another window. They only say what kind of
//! work it was and how it ended. They contain nothing from the documents, because they may be shown on a locked screen.

use crate::backend::{call, commands};
use crate::i18n::{t, tag, tf};
use crate::prefs;
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Code;
use lexforge_domain::api::{RunRow, RunState, Task};

/// The key under which the wish is remembered.
const KEY: &str = "notify";
/// Work that took at least so many seconds is worth a word.
const LONG: f64 = 20.0;

/// Remembers whether it is wished.
pub fn remember(wished: bool) {
    prefs::keep(KEY, if wished { "on" } else { "off" });
}

/// Notifies of a job that has just ended.
pub fn of_task(app: App, task: &Task, now: f64) {
    let worked = app.paces.with_untracked(|paces| paces.worked(task.id, now));
    let was_at_work = app
        .tasks
        .with_untracked(|tasks| tasks.iter().any(|known| known.id == task.id && !known.done));
    if was_at_work && let Some(how) = ended(task, worked) {
        tell(app, format!("{}: {}", tag("task", &task.kind), t(how)));
    }
}

/// How a long job ended; `None` if nothing is to be told of it.
fn ended(task: &Task, worked: f64) -> Option<&'static str> {
    match &task.failure {
        _ if !task.done || worked < LONG => None,
        // Whoever stopped it knows.
        Some(failure) if failure.code == Code::Cancelled => None,
        Some(_) => Some("task.failed"),
        None => Some("task.done"),
    }
}

/// Notifies of a training that has just ended.
pub fn of_run(app: App, run: &RunRow) {
    let was_at_work = app.runs.with_untracked(|runs| {
        let at_work =
            |known: &RunRow| matches!(known.state, RunState::Starting | RunState::Running);
        runs.iter()
            .any(|known| known.id == run.id && at_work(known))
    });
    // For a sweep, only the end of the whole sweep is announced. A stopped run is announced too: Slurm may have ended
    // its job while the user was away.
    let over = matches!(
        run.state,
        RunState::Finished | RunState::Failed | RunState::Died | RunState::Stopped
    );
    if was_at_work && over && app.busy("sweep").is_none() {
        let name = tf("training.run_n", &[("n", &run.id.to_string())]);
        tell(
            app,
            format!("{name}: {}", tag("run_state", run.state.tag())),
        );
    }
}

fn tell(app: App, text: String) {
    let looked_at = document().has_focus().unwrap_or(true);
    if looked_at || !app.notify.get_untracked() {
        return;
    }
    spawn_local(async move {
        // Where the desktop shows no such words, the window shows them anyway.
        let _ = call(commands::Notify { text }).await;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Failure;

    #[test]
    fn long_work_is_told_and_what_was_stopped_is_not() {
        let task = |done: bool, failure: Option<Code>| Task {
            done,
            failure: failure.map(|code| Failure::new(code, "message", "hint")),
            ..Task::begun(1, "import", "")
        };
        for (done, failure, worked, expected) in [
            (true, None, 60.0, Some("task.done")),
            (true, None, 5.0, None),
            (false, None, 60.0, None),
            (true, Some(Code::DiskFull), 60.0, Some("task.failed")),
            (true, Some(Code::Cancelled), 60.0, None),
        ] {
            assert_eq!(ended(&task(done, failure), worked), expected);
        }
    }
}

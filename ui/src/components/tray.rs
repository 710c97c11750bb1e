//! All jobs of all screens. A failure stays until the user dismisses it.
//!
//! Each line is keyed by its job and changes in place. Otherwise a click could be lost because the line was just
//! replaced.

use super::bar::Bar;
use super::error_panel::ErrorPanel;
use super::icon::{Icon, Sign};
use super::run_badge::RunBadge;
use super::task_progress::with_time;
use crate::backend::{call, commands};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::imports::open_failures;
use crate::outcomes;
use crate::route::Route;
use crate::said::said;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{RunRow, RunState, Task};
use lexforge_domain::{Code, RunId};

fn live_runs(app: App) -> Vec<RunId> {
    let alive = |run: &&RunRow| {
        matches!(
            run.state,
            RunState::Starting | RunState::Running | RunState::Paused
        )
    };
    app.runs
        .with(|runs| runs.iter().filter(alive).map(|run| run.id).collect())
}

/// Running jobs, and failed jobs that were not dismissed.
fn open_tasks(app: App) -> Vec<u64> {
    let seen = app.seen.get();
    let skipped = app.skipped.get();
    app.tasks.with(|tasks| {
        let open = |task: &&Task| {
            !task.done || (!seen.contains(&task.id) && failures(task, tasks, &skipped) > 0)
        };
        tasks.iter().filter(open).map(|task| task.id).collect()
    })
}

fn task(app: App, id: u64) -> Memo<Option<Task>> {
    Memo::new(move |_| {
        app.tasks
            .with(|tasks| tasks.iter().find(|task| task.id == id).cloned())
    })
}

fn run(app: App, id: RunId) -> Memo<Option<RunRow>> {
    Memo::new(move |_| {
        app.runs
            .with(|runs| runs.iter().find(|run| run.id == id).cloned())
    })
}

/// What failed in a job and was not dealt with since.
fn failures(task: &Task, tasks: &[Task], skipped: &[(u64, String)]) -> usize {
    let files = open_failures(tasks, &[], skipped)
        .into_iter()
        .filter(|(import, _)| *import == task.id)
        .count();
    // A job that somebody stopped did not fail.
    let failed = task
        .failure
        .as_ref()
        .is_some_and(|failure| failure.code != Code::Cancelled);
    usize::from(failed) + files
}

/// The tray at the foot of the window.
#[component]
pub fn Tray() -> impl IntoView {
    let app = use_app();
    let idle = move || {
        open_tasks(app).is_empty() && live_runs(app).is_empty() && app.waits.all().is_empty()
    };
    view! {
        <footer class="tray" aria-label=t("tray.label") data-pane="tray">
            <div class="jobs" aria-live="polite">
                {move || idle().then(|| view! { <span class="t-mute">{t("tray.none")}</span> })}
                {move || app.waits.all().into_iter().map(|words| view! { <span class="waiting">{words}</span> }).collect_view()}
                <For each=move || live_runs(app) key=|id| *id children=|id| view! { <RunLine id/> }/>
                <For each=move || open_tasks(app) key=|id| *id children=|id| view! { <TaskLine id/> }/>
            </div>
            <button
                class="btn ghost sm"
                id="all-jobs"
                aria-expanded=move || app.tray.get().to_string()
                on:click=move |_| app.tray.update(|on| *on = !*on)
            >
                {t("tray.all")} <kbd>"Ctrl J"</kbd>
            </button>
            {move || app.tray.get().then(|| view! { <Panel/> })}
        </footer>
    }
}

#[component]
fn TaskLine(id: u64) -> impl IntoView {
    let app = use_app();
    let task = task(app, id);
    let line = move || {
        task.get().map(|task| {
            let skipped = app.skipped.get();
            let failed = app.tasks.with(|tasks| failures(&task, tasks, &skipped));
            let icon = if failed > 0 {
                Icon::Warning
            } else {
                Icon::Play
            };
            let progress = task.progress.filter(|_| !task.done);
            let (done, of) = progress.as_ref().map_or((0, 0), |p| (p.done, p.of));
            let left = app.paces.with(|paces| paces.left(id));
            let ahead = task.ahead.as_ref();
            let at = progress.map(|p| with_time(tag("stage", p.stage.tag()), ahead, left));
            let failed = (failed > 0).then(|| tn("tray.failed", failed as u64));
            view! {
                <Sign icon small=true/>
                <b>{tag("task", &task.kind)}</b>
                <Bar done of label=tag("task", &task.kind)/>
                {at.map(|text| view! { <span>{text}</span> })}
                {failed.map(|text| view! { <span class="c-bad">{text}</span> })}
            }
        })
    };
    view! { <button class="job" on:click=move |_| app.tray.set(true)>{line}</button> }
}

#[component]
fn RunLine(id: RunId) -> impl IntoView {
    let app = use_app();
    let run = run(app, id);
    let name = tf("training.run_n", &[("n", &id.to_string())]);
    let label = name.clone();
    let line = move || {
        run.get().map(|run| {
            let left = match run.eta_s {
                Some(seconds) if run.state == RunState::Running => {
                    tf("training.left", &[("time", &format::left(seconds))])
                }
                _ => tag("run_state", run.state.tag()),
            };
            view! {
                <Bar done=run.step of=run.of label=label.clone()/>
                <span>{left}</span>
            }
        })
    };
    view! {
        <button class="job" on:click=move |_| show_run(app, id)>
            <Sign icon=Icon::Curve small=true/>
            <b>{name}</b>
            {line}
        </button>
    }
}

fn show_run(app: App, id: RunId) {
    app.run.set(Some(id));
    app.tray.set(false);
    app.go(Route::Training);
}

#[component]
fn Panel() -> impl IntoView {
    let app = use_app();
    let tasks = move || {
        app.tasks
            .with(|tasks| tasks.iter().rev().map(|task| task.id).collect::<Vec<_>>())
    };
    let nothing = move || app.tasks.with(Vec::is_empty) && live_runs(app).is_empty();
    view! {
        <div class="tray-panel" role="dialog" aria-label=t("tray.label")>
            <div class="row between">
                <h2>{t("tray.label")}</h2>
                <button class="btn sm" on:click=move |_| app.tray.set(false)>{t("action.close")}</button>
            </div>
            <For each=move || live_runs(app) key=|id| *id children=|id| view! { <RunItem id/> }/>
            <For each=tasks key=|id| *id children=|id| view! { <TaskItem id/> }/>
            {move || nothing().then(|| view! { <p class="t-small">{t("tray.nothing")}</p> })}
        </div>
    }
}

#[component]
fn RunItem(id: RunId) -> impl IntoView {
    let app = use_app();
    let run = run(app, id);
    let name = tf("training.run_n", &[("n", &id.to_string())]);
    let label = name.clone();
    let figures = move || {
        run.get().map(|run| {
            let steps = [
                ("n", &*format::count(run.step)),
                ("of", &*format::count(run.of)),
            ];
            view! {
                <div class="row">
                    <RunBadge state=run.state/>
                    <span class="t-small push">{tf("training.step_of", &steps)}</span>
                </div>
                <Bar done=run.step of=run.of label=label.clone()/>
            }
        })
    };
    view! {
        <div class="tray-item">
            <div class="row between">
                <b>{name}</b>
                <button class="btn sm" on:click=move |_| show_run(app, id)>{t("tray.show")}</button>
            </div>
            {figures}
        </div>
    }
}

#[component]
fn TaskItem(id: u64) -> impl IntoView {
    let app = use_app();
    let task = task(app, id);
    let working =
        Memo::new(move |_| task.with(|task| task.as_ref().is_some_and(|task| !task.done)));
    let failed = Memo::new(move |_| {
        let hidden = app.seen.with(|seen| seen.contains(&id));
        task.with(|task| {
            let mut failed: Vec<_> = task
                .iter()
                .filter_map(|task| task.failure.clone())
                .collect();
            let skipped = app.skipped.get();
            let files = app.tasks.with(|tasks| open_failures(tasks, &[], &skipped));
            failed.extend(
                files
                    .into_iter()
                    .filter(|(import, _)| *import == id)
                    .map(|(_, failure)| failure),
            );
            if hidden { Vec::new() } else { failed }
        })
    });
    let head = task.with_untracked(|task| {
        task.as_ref()
            .map(|task| (tag("task", &task.kind), task.title.replace('\n', ", ")))
    });
    let (name, title) = head.unwrap_or_default();
    let label = name.clone();
    let state = move || {
        task.get()
            .map(|task| view! { <State task label=label.clone()/> })
    };
    view! {
        <div class="tray-item">
            <div class="row">
                <b class="nowrap">{name}</b>
                <span class="t-small clip grow" title=title.clone()>{title.clone()}</span>
                {move || working.get().then(|| view! {
                    <button class="btn ghost sm" on:click=move |_| app.attempt(call(commands::CancelTask { id }), |()| ())>
                        {t("action.cancel")}
                    </button>
                })}
            </div>
            {state}
            {move || failed.get().into_iter().map(|failure| view! { <ErrorPanel failure/> }).collect_view()}
            {move || (!failed.with(Vec::is_empty) && !working.get()).then(|| view! {
                <div class="row">
                    <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                </div>
            })}
        </div>
    }
}

/// How far a job is, or how it ended.
#[component]
fn State(task: Task, label: String) -> impl IntoView {
    let left = use_app().paces.with(|paces| paces.left(task.id));
    let progress = task.progress.filter(|_| !task.done);
    let text = match (&progress, task.done, &task.failure) {
        (_, true, Some(_)) => t("task.failed"),
        (_, true, None) => t("task.done"),
        (None, ..) => t("task.begins"),
        (Some(p), ..) if p.item.is_empty() => {
            with_time(tag("stage", p.stage.tag()), task.ahead.as_ref(), left)
        }
        (Some(p), ..) => {
            let text = format!("{} · {}", tag("stage", p.stage.tag()), said(&p.item));
            with_time(text, task.ahead.as_ref(), left)
        }
    };
    let (done, of) = progress.map_or((0, 0), |p| (p.done, p.of));
    let came = task.outcome.as_deref().and_then(outcomes::line);
    let counts = task.import.as_ref().map(import_counts).or(came);
    view! {
        <span class="t-small">{text}</span>
        <Bar done of label/>
        {counts.map(|text| view! { <span class="t-small">{text}</span> })}
    }
}

/// How many files of an import are new, were there, failed.
pub fn import_counts(report: &lexforge_domain::api::ImportReport) -> String {
    tf(
        "import.counts",
        &[
            ("new", &format::count(report.imported.len() as u64)),
            ("same", &format::count(report.unchanged.len() as u64)),
            ("failed", &format::count(report.failed.len() as u64)),
        ],
    )
}

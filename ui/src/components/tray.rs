//! Every job from every screen; a failure stays until it is put away.

use super::bar::Bar;
use super::error_panel::ErrorPanel;
use super::icon::{Icon, Sign};
use super::run_badge::RunBadge;
use crate::backend;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{RunRow, RunState, Task};

fn live(runs: &[RunRow]) -> Vec<RunRow> {
    runs.iter().filter(|run| matches!(run.state, RunState::Running | RunState::Paused)).cloned().collect()
}

/// Jobs at work, and jobs that failed and were not put away.
fn open_tasks(app: App) -> Vec<Task> {
    let seen = app.seen.get();
    app.tasks
        .with(|tasks| tasks.iter().filter(|t| !t.done || (failures(t) > 0 && !seen.contains(&t.id))).cloned().collect())
}

fn failures(task: &Task) -> usize {
    usize::from(task.failure.is_some()) + task.import.as_ref().map_or(0, |report| report.failed.len())
}

/// The tray at the foot of the window.
#[component]
pub fn Tray() -> impl IntoView {
    let app = use_app();
    let closed = move || {
        let (tasks, runs) = (open_tasks(app), app.runs.with(|runs| live(runs)));
        if tasks.is_empty() && runs.is_empty() {
            return view! { <span class="t-mute">{t("tray.none")}</span> }.into_any();
        }
        let tasks = tasks.into_iter().map(|task| view! { <TaskLine task/> }).collect_view();
        let runs = runs.into_iter().map(|run| view! { <RunLine run/> }).collect_view();
        view! { {runs} {tasks} }.into_any()
    };
    view! {
        <footer class="tray" aria-label=t("tray.label") data-pane="tray">
            <div class="jobs" aria-live="polite">{closed}</div>
            <button class="btn ghost sm" aria-expanded=move || app.tray.get().to_string() on:click=move |_| app.tray.update(|on| *on = !*on)>
                {t("tray.all")} <kbd>"Ctrl J"</kbd>
            </button>
            {move || app.tray.get().then(|| view! { <Panel/> })}
        </footer>
    }
}

#[component]
fn TaskLine(task: Task) -> impl IntoView {
    let app = use_app();
    let failed = failures(&task);
    let (done, of) = task.progress.as_ref().map_or((0, 0), |p| (p.done, p.of));
    let at = task.progress.as_ref().filter(|_| !task.done).map(|p| tag("stage", p.stage.tag()));
    let icon = if failed > 0 { Icon::Warning } else { Icon::Play };
    view! {
        <button class="job" on:click=move |_| app.tray.set(true)>
            <Sign icon small=true/>
            <b>{tag("task", &task.kind)}</b>
            <Bar done=if task.done { 0 } else { done } of=if task.done { 0 } else { of } label=tag("task", &task.kind)/>
            {at.map(|text| view! { <span>{text}</span> })}
            {(failed > 0).then(|| view! { <span class="c-bad">{tn("tray.failed", failed as u64)}</span> })}
        </button>
    }
}

#[component]
fn RunLine(run: RunRow) -> impl IntoView {
    let app = use_app();
    let id = run.id;
    let left = match run.eta_s {
        Some(seconds) if run.state == RunState::Running => tf("training.left", &[("time", &format::duration(seconds))]),
        _ => tag("run_state", run.state.tag()),
    };
    view! {
        <button class="job" on:click=move |_| { app.run.set(Some(id)); app.go(Route::Training); }>
            <Sign icon=Icon::Curve small=true/>
            <b>{tf("training.run_n", &[("n", &id.to_string())])}</b>
            <Bar done=run.step of=run.of label=tf("training.run_n", &[("n", &id.to_string())])/>
            <span>{left}</span>
        </button>
    }
}

#[component]
fn Panel() -> impl IntoView {
    let app = use_app();
    let tasks = move || app.tasks.get().into_iter().rev().map(|task| view! { <TaskItem task/> }).collect_view();
    let runs = move || app.runs.with(|runs| live(runs)).into_iter().map(|run| view! { <RunItem run/> }).collect_view();
    let none = move || app.tasks.with(Vec::is_empty) && app.runs.with(|runs| live(runs).is_empty());
    view! {
        <div class="tray-panel" role="dialog" aria-label=t("tray.label")>
            <div class="row between">
                <h2>{t("tray.label")}</h2>
                <button class="btn sm" on:click=move |_| app.tray.set(false)>{t("action.close")}</button>
            </div>
            {runs}
            {tasks}
            {move || none().then(|| view! { <p class="t-small">{t("tray.nothing")}</p> })}
        </div>
    }
}

#[component]
fn RunItem(run: RunRow) -> impl IntoView {
    let app = use_app();
    let id = run.id;
    view! {
        <div class="tray-item">
            <div class="row">
                <b>{tf("training.run_n", &[("n", &id.to_string())])}</b>
                <RunBadge state=run.state/>
                <span class="t-small push">{tf("training.step_of", &[("n", &format::count(run.step)), ("of", &format::count(run.of))])}</span>
            </div>
            <Bar done=run.step of=run.of label=tf("training.run_n", &[("n", &id.to_string())])/>
            <div class="row">
                <button class="btn sm" on:click=move |_| { app.run.set(Some(id)); app.tray.set(false); app.go(Route::Training); }>
                    {t("tray.show")}
                </button>
            </div>
        </div>
    }
}

#[component]
fn TaskItem(task: Task) -> impl IntoView {
    let app = use_app();
    let id = task.id;
    let state = if !task.done {
        task.progress
            .as_ref()
            .map_or_else(|| t("task.begins"), |p| format!("{} · {}", tag("stage", p.stage.tag()), p.item))
    } else if task.failure.is_some() {
        t("task.failed")
    } else {
        t("task.done")
    };
    let counts = task.import.as_ref().map(|report| {
        tf(
            "import.counts",
            &[
                ("new", &format::count(report.imported.len() as u64)),
                ("same", &format::count(report.unchanged.len() as u64)),
                ("failed", &format::count(report.failed.len() as u64)),
            ],
        )
    });
    let (done, of) = task.progress.as_ref().filter(|_| !task.done).map_or((0, 0), |p| (p.done, p.of));
    let mut failed: Vec<_> = task.failure.clone().into_iter().collect();
    failed.extend(task.import.iter().flat_map(|report| report.failed.clone()));
    let has_failed = !failed.is_empty();
    let hidden = move || app.seen.with(|seen| seen.contains(&id));
    let running = !task.done;
    view! {
        <div class="tray-item">
            <div class="row">
                <b class="nowrap">{tag("task", &task.kind)}</b>
                <span class="t-small clip grow">{task.title.clone()}</span>
                {running.then(|| view! {
                    <button class="btn ghost sm" on:click=move |_| app.attempt(backend::tasks::cancel_task(id), |()| ())>{t("action.cancel")}</button>
                })}
            </div>
            <span class="t-small">{state}</span>
            <Bar done of label=tag("task", &task.kind)/>
            {counts.map(|text| view! { <span class="t-small">{text}</span> })}
            {move || (!hidden()).then(|| failed.clone().into_iter().map(|failure| view! { <ErrorPanel failure/> }).collect_view())}
            {move || (has_failed && !hidden()).then(|| view! {
                <div class="row">
                    <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                </div>
            })}
        </div>
    }
}

//! The latest import: each file's progress, and one panel for each that failed.

use crate::backend;
use crate::components::bar::Bar;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::tray::import_counts;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{ImportReport, Progress, Task};

/// The latest import that was not put away.
pub fn latest(app: App) -> Option<Task> {
    let seen = app.seen.get();
    app.tasks.with(|tasks| tasks.iter().rev().find(|t| t.kind == "import" && !seen.contains(&t.id)).cloned())
}

/// The latest import, until it is put away.
#[component]
pub fn ImportPanel(
    /// The latest import.
    latest: Memo<Option<Task>>,
) -> impl IntoView {
    let shown = Memo::new(move |_| latest.with(|task| task.as_ref().map(|task| (task.id, task.done))));
    move || shown.get().map(|(id, done)| view! { <Import latest id done/> })
}

#[component]
fn Import(latest: Memo<Option<Task>>, id: u64, done: bool) -> impl IntoView {
    let app = use_app();
    let put_away = move |_| {
        if done {
            app.seen.update(|seen| seen.push(id));
        } else {
            app.attempt(backend::tasks::cancel_task(id), |()| ());
        }
    };
    view! {
        <section class="imports" aria-label=t("import.label")>
            <div class="row between">
                <h2 id="import-counts" aria-live="polite">{move || latest.with(|task| task.as_ref().map(head))}</h2>
                <button class="btn ghost sm" on:click=put_away>{if done { t("error.put_away") } else { t("action.cancel") }}</button>
            </div>
            {move || latest.get().map(|task| view! { <Files task/> })}
        </section>
    }
}

fn head(task: &Task) -> String {
    let report = task.import.clone().unwrap_or_default();
    if task.done {
        return import_counts(&report);
    }
    let ended = report.imported.len() + report.unchanged.len() + report.failed.len();
    let of = task.title.lines().count().max(ended);
    tf("import.now", &[("n", &format::count(ended as u64)), ("of", &format::count(of as u64))])
}

#[component]
fn Files(task: Task) -> impl IntoView {
    let report = task.import.clone().unwrap_or_default();
    let reading: Vec<Progress> = if task.done {
        Vec::new()
    } else {
        task.files.iter().filter(|file| !ended_in(&report, &file.item)).cloned().collect()
    };
    let known = (task.done && report.imported.is_empty() && !report.unchanged.is_empty())
        .then(|| tn("import.known", report.unchanged.len() as u64));
    view! {
        {known.map(|text| view! { <p class="t-small">{text}</p> })}
        <div class="imports-list">
            {task.failure.map(|failure| view! { <ErrorPanel failure/> })}
            {reading.into_iter().map(|file| view! { <Reading file/> }).collect_view()}
            {report.failed.into_iter().map(|failure| view! { <ErrorPanel failure/> }).collect_view()}
            {report.imported.iter().rev().map(|d| view! { <Done file=d.file.clone() pages=d.pages/> }).collect_view()}
        </div>
    }
}

fn ended_in(report: &ImportReport, file: &str) -> bool {
    report.imported.iter().any(|d| d.file == file)
        || report.unchanged.iter().any(|d| d.file == file)
        || report.failed.iter().any(|f| f.file.as_deref() == Some(file))
}

#[component]
fn Done(file: String, pages: u32) -> impl IntoView {
    view! {
        <div class="file">
            <span class="c-ok"><Sign icon=Icon::Check small=true/></span>
            <span class="clip" title=file.clone()>{file.clone()}</span>
            <span class="t-mute">{tn("count.pages", u64::from(pages))}</span>
        </div>
    }
}

#[component]
fn Reading(file: Progress) -> impl IntoView {
    let at = if file.of > 0 {
        tf("import.page_of", &[("n", &format::count(file.done)), ("of", &format::count(file.of))])
    } else {
        t("import.begins")
    };
    view! {
        <div class="file">
            <Sign icon=Icon::File small=true/>
            <span class="clip" title=file.item.clone()>{file.item.clone()}</span>
            <span class="t-mute">{at}</span>
            <Bar done=file.done of=file.of label=file.item.clone()/>
        </div>
    }
}

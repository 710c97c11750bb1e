//! The latest import: each file's progress, and one panel for each that failed.

use crate::backend;
use crate::components::bar::Bar;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{ImportReport, Progress, Task};

/// The latest import, until it is put away.
#[component]
pub fn ImportPanel() -> impl IntoView {
    let app = use_app();
    let latest = Memo::new(move |_| {
        let seen = app.seen.get();
        app.tasks.with(|tasks| tasks.iter().rev().find(|t| t.kind == "import" && !seen.contains(&t.id)).cloned())
    });
    move || latest.get().map(|task| view! { <Import task/> })
}

#[component]
fn Import(task: Task) -> impl IntoView {
    let app = use_app();
    let id = task.id;
    let report = task.import.clone().unwrap_or_default();
    let ended = report.imported.len() + report.unchanged.len() + report.failed.len();
    let of = task.title.lines().count().max(ended);
    let head = if task.done {
        tf(
            "import.counts",
            &[
                ("new", &format::count(report.imported.len() as u64)),
                ("same", &format::count(report.unchanged.len() as u64)),
                ("failed", &format::count(report.failed.len() as u64)),
            ],
        )
    } else {
        tf("import.now", &[("n", &format::count(ended as u64)), ("of", &format::count(of as u64))])
    };
    let files: Vec<Progress> = task.files.iter().filter(|file| !ended_in(&report, &file.item)).cloned().collect();
    let known = tn("import.known", report.unchanged.len() as u64);
    let all_known = task.done && report.imported.is_empty() && !report.unchanged.is_empty();
    let done = task.done;
    view! {
        <section class="imports" aria-label=t("import.label") aria-live="polite">
            <div class="row between">
                <h2 id="import-counts">{head}</h2>
                {if done {
                    view! {
                        <button class="btn ghost sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                    }.into_any()
                } else {
                    view! {
                        <button class="btn ghost sm" on:click=move |_| app.attempt(backend::tasks::cancel_task(id), |()| ())>{t("action.cancel")}</button>
                    }.into_any()
                }}
            </div>
            {all_known.then(|| view! { <p class="t-small">{known}</p> })}
            {task.failure.clone().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="imports-list">
                {report.imported.iter().rev().map(|d| view! { <Done file=d.file.clone() pages=d.pages/> }).collect_view()}
                {(!done).then(|| files.into_iter().map(|file| view! { <Reading file/> }).collect_view())}
                {report.failed.into_iter().map(|failure| view! { <ErrorPanel failure/> }).collect_view()}
            </div>
        </section>
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

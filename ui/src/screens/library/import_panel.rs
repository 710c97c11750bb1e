//! The latest import: each file's progress, and one panel for each file that failed and was not dealt with since.

use crate::backend::{call, commands};
use crate::components::bar::Bar;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::password::Password;
use crate::components::tray::import_counts;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::imports::open_failures;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{ImportReport, Progress, SkippedFiles, Task};
use lexforge_domain::{Code, Failure};

/// Files of an import that are listed by name; the others are counted.
const LISTED: usize = 30;

/// The latest import that was not put away.
pub fn latest(app: App) -> Option<Task> {
    let seen = app.seen.get();
    app.tasks.with(|tasks| {
        tasks
            .iter()
            .rev()
            .find(|t| t.kind == "import" && !seen.contains(&t.id))
            .cloned()
    })
}

/// The latest import, until it is put away.
#[component]
pub fn ImportPanel(
    /// The latest import.
    latest: Memo<Option<Task>>,
) -> impl IntoView {
    let shown =
        Memo::new(move |_| latest.with(|task| task.as_ref().map(|task| (task.id, task.done))));
    move || shown.get().map(|(_, done)| view! { <Import latest done/> })
}

#[component]
fn Import(latest: Memo<Option<Task>>, done: bool) -> impl IntoView {
    let app = use_app();
    let put_away = move |_| {
        if done {
            let ended: Vec<u64> = app.tasks.with_untracked(|all| {
                all.iter()
                    .filter(|t| t.kind == "import" && t.done)
                    .map(|t| t.id)
                    .collect()
            });
            app.seen.update(|seen| seen.extend(ended));
        } else if let Some(task) = latest.get_untracked() {
            app.attempt(call(commands::CancelTask { id: task.id }), |()| ());
        }
    };
    let failures = Memo::new(move |_| {
        let (seen, skipped) = (app.seen.get(), app.skipped.get());
        let mut failures = app
            .tasks
            .with(|tasks| open_failures(tasks, &seen, &skipped));
        // Files that were just tried again come first.
        failures.sort_by_key(|(import, _)| std::cmp::Reverse(*import));
        failures
    });
    view! {
        <section class="imports" aria-label=t("import.label")>
            <div class="row between">
                <h2 id="import-counts" aria-live="polite">{move || latest.with(|task| task.as_ref().map(head))}</h2>
                <button class="btn ghost sm" on:click=put_away>{if done { t("error.put_away") } else { t("action.cancel") }}</button>
            </div>
            <div class="imports-list">
                {move || latest.get().map(|task| view! { <Reading task/> })}
                // Keyed, so that a password that is being typed survives the progress of other files.
                <For
                    each=move || failures.get()
                    key=|(id, failure)| (*id, failure.path.clone(), failure.message.clone())
                    children=|(import, failure)| view! { <Failed import failure/> }
                />
                <Files latest/>
            </div>
        </section>
    }
}

fn head(task: &Task) -> String {
    let report = task.import.clone().unwrap_or_default();
    if task.done {
        return import_counts(&report);
    }
    let ended = report.imported.len() + report.unchanged.len() + report.failed.len();
    let begun = task.files.len();
    let of = task.title.lines().count().max(ended).max(begun);
    tf(
        "import.now",
        &[
            ("n", &format::count(ended as u64)),
            ("of", &format::count(of as u64)),
        ],
    )
}

/// The files that are being read now, and what the job as a whole has to say.
#[component]
fn Reading(task: Task) -> impl IntoView {
    let report = task.import.clone().unwrap_or_default();
    let reading: Vec<Progress> = if task.done {
        Vec::new()
    } else {
        task.files
            .iter()
            .filter(|file| !ended_in(&report, &file.item))
            .cloned()
            .collect()
    };
    let known = (task.done && report.imported.is_empty() && !report.unchanged.is_empty())
        .then(|| tn("import.known", report.unchanged.len() as u64));
    view! {
        {known.map(|text| view! { <p class="t-small">{text}</p> })}
        {task.failure.map(|failure| view! { <ErrorPanel failure/> })}
        {reading.into_iter().map(|file| view! { <InProgress file/> }).collect_view()}
    }
}

/// The files that were imported, and the files of a folder that were left out. Each part is drawn again only when it
/// has changed, so that the names of what was left out stay open while other files are read.
#[component]
fn Files(latest: Memo<Option<Task>>) -> impl IntoView {
    let report = |task: &Option<Task>| {
        task.as_ref()
            .and_then(|task| task.import.clone())
            .unwrap_or_default()
    };
    let report = Memo::new(move |_| latest.with(report));
    let skipped = Memo::new(move |_| report.with(|report| report.skipped.clone()));
    let imported = move || {
        report.with(|report| {
            let listed = report.imported.iter().rev().take(LISTED);
            listed
                .map(|d| view! { <Done file=d.file.clone() pages=d.pages/> })
                .collect_view()
        })
    };
    let more = move || {
        let more = report.with(|report| report.imported.len().saturating_sub(LISTED)) as u64;
        (more > 0).then(|| view! { <p class="t-small t-mute">{tn("import.more", more)}</p> })
    };
    view! {
        {imported}
        {more}
        {move || view! { <Skipped skipped=skipped.get()/> }}
    }
}

/// What folders held and was left out, by reason; the names on demand.
#[component]
fn Skipped(skipped: SkippedFiles) -> impl IntoView {
    let many: u64 = skipped.counts.values().sum();
    (many > 0).then(|| {
        let reason = |reason: &lexforge_domain::api::SkipReason| tag("skip", reason.tag());
        let reasons: Vec<String> =
            skipped.counts.iter().map(|(why, n)| format!("{} {}", format::count(*n), reason(why))).collect();
        let files: Vec<(String, String)> = skipped.files.iter().map(|f| (f.file.clone(), reason(&f.reason))).collect();
        view! {
            <details class="skipped" id="import-skipped">
                <summary>{tn("import.skipped", many)} " · " {reasons.join(" · ")}</summary>
                <ul>
                    {files.into_iter().map(|(file, why)| view! { <li><span class="mono">{file}</span> " · " {why}</li> }).collect_view()}
                </ul>
            </details>
        }
    })
}

fn ended_in(report: &ImportReport, file: &str) -> bool {
    report.imported.iter().any(|d| d.file == file)
        || report.unchanged.iter().any(|d| d.file == file)
        || report
            .failed
            .iter()
            .any(|f| f.file.as_deref() == Some(file))
}

/// A file that failed: its password can be given, or it can be tried again or skipped.
#[component]
fn Failed(import: u64, failure: Failure) -> impl IntoView {
    let app = use_app();
    let asking = RwSignal::new(false);
    let Some(path) = failure.path.clone() else {
        return view! { <ErrorPanel failure/> }.into_any();
    };
    let path = StoredValue::new(path);
    let again = move |password: Option<String>| {
        let path = path.get_value();
        app.attempt(
            call(commands::ImportDocuments {
                paths: vec![path],
                password,
            }),
            |_| (),
        );
    };
    let locked = failure.code == Code::PasswordRequired;
    // A file of a kind that cannot be read is of that kind the second time, too.
    let in_vain = failure.code == Code::UnsupportedFormat;
    let skip = move |_| {
        app.skipped
            .update(|skipped| skipped.push((import, path.get_value())))
    };
    let buttons = move || {
        if asking.get() {
            return view! {
                <Password open=move |password| again(Some(password)) close=move |()| asking.set(false)/>
            }
            .into_any();
        }
        let remedy = if locked {
            view! {
                <button class="btn sm enter-password" on:click=move |_| asking.set(true)>
                    <Sign icon=Icon::Lock small=true/>
                    {t("password.enter")}
                </button>
            }
            .into_any()
        } else if in_vain {
            ().into_any()
        } else {
            view! { <button class="btn sm" on:click=move |_| again(None)>{t("action.again")}</button> }.into_any()
        };
        view! { {remedy} <button class="btn ghost sm skip-file" on:click=skip>{t("import.skip")}</button> }.into_any()
    };
    view! { <ErrorPanel failure>{buttons}</ErrorPanel> }.into_any()
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
fn InProgress(file: Progress) -> impl IntoView {
    let at = if file.of > 0 {
        tf(
            "import.page_of",
            &[
                ("n", &format::count(file.done)),
                ("of", &format::count(file.of)),
            ],
        )
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

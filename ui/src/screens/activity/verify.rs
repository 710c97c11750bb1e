//! Whether the chain holds: the job that looks, and what it found.

use crate::backend::{call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::outcomes;
use crate::said::Told;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AuditBreak, AuditReport, BreakKind, Outcome};

/// The kind of the job.
const VERIFY: &str = "verify";

/// The result of the newest verification. `None` while one is running, because the earlier result may be out of date.
pub fn newest() -> Memo<Option<AuditReport>> {
    let app = use_app();
    let newest = outcomes::newest_here(app, VERIFY);
    Memo::new(move |_| {
        if app.busy(VERIFY).is_some() {
            return None;
        }
        match newest.get() {
            Some(Outcome::Audit(report)) => Some(*report),
            _ => None,
        }
    })
}

/// The button, or how far the verification is.
#[component]
pub fn Verify() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(VERIFY));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    move || {
        match working.get() {
        Some(_) => view! { <Cancellable task name="verify"/> }.into_any(),
        None => view! {
            <button class="btn primary" id="verify" on:click=move |_| app.attempt(call(commands::AuditVerify {}), |_| ())>
                <Sign icon=Icon::Shield/>
                {t("activity.verify")}
            </button>
        }
        .into_any(),
    }
    }
}

/// What the verification found.
#[component]
pub fn Verified(
    /// The finding.
    report: AuditReport,
) -> impl IntoView {
    let rows = format::count(report.rows);
    match report.first_break {
        None => view! {
            <div id="verified" role="status">
                <Note tone=Tone::Ok>
                    {tn("activity.holds", report.rows)} " "
                    <span class="mono">{report.head}</span>
                </Note>
            </div>
        }
        .into_any(),
        Some(_) => {
            let breaks = report
                .breaks
                .into_iter()
                .map(|found| view! { <Break found rows=rows.clone()/> })
                .collect_view();
            view! {
                <div class="error" id="verified" role="alert">
                    <Sign icon=Icon::Warning/>
                    {breaks}
                    <span class="t-small remedy">{t("activity.broken_hint")}</span>
                </div>
            }
            .into_any()
        }
    }
}

/// One break of the chain: its kind in the reader's language, and the finding in the words of the verification.
#[component]
fn Break(
    /// The break.
    found: AuditBreak,
    /// How many entries the chain has.
    rows: String,
) -> impl IntoView {
    let title = match found.kind {
        BreakKind::Chain | BreakKind::Rows => tf(
            "activity.broken",
            &[
                ("n", &format::count(found.sequence.unsigned_abs())),
                ("of", &rows),
            ],
        ),
        BreakKind::Derived => t("activity.break_derived"),
        BreakKind::Uncovered => t("activity.break_uncovered"),
        BreakKind::Schema => t("activity.break_schema"),
        BreakKind::File => t("activity.break_file"),
        BreakKind::Head => t("activity.break_head"),
        BreakKind::Signature => t("activity.break_signature"),
    };
    let where_found = if found.action.is_empty() {
        found.subject
    } else {
        format!("{} · {}", found.action, found.subject)
    };
    view! {
        <b>{title}</b>
        <span class="t-small"><Told text=found.message/></span>
        <span class="code">{where_found}</span>
    }
}

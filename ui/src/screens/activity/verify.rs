//! Whether the chain holds.

use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf};
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::api::{AuditBreak, AuditReport, BreakKind};

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
                    {tf("activity.holds", &[("n", &rows)])} " "
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

/// One break: of what kind it is in the reader's language, and what was found in the words of the verification.
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
            &[("n", &found.sequence.to_string()), ("of", &rows)],
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

//! Whether the chain holds.

use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::AuditReport;

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
        Some(found) => view! {
            <div class="error" id="verified" role="alert">
                <Sign icon=Icon::Warning/>
                <b>{tf("activity.broken", &[("n", &found.sequence.to_string()), ("of", &rows)])}</b>
                <span class="t-small">{found.message}</span>
                <span class="t-small remedy">{t("activity.broken_hint")}</span>
                <span class="code">{found.action} " · " {found.subject}</span>
            </div>
        }
        .into_any(),
    }
}

//! Who did what when, and whether the chain holds.

mod verify;

use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::t;
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AuditReport, AuditRow};
use verify::Verified;

/// Rows fetched at once.
const ROWS: u64 = 100;

/// The audit chain, newest first.
#[component]
pub fn Activity() -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<Vec<AuditRow>>::default();
    let older = RwSignal::new(Vec::<AuditRow>::new());
    let all_shown = RwSignal::new(false);
    let report = Fetched::<AuditReport>::default();
    let busy = RwSignal::new(false);
    Effect::new(move |_| {
        app.changes.track();
        older.set(Vec::new());
        all_shown.set(false);
        rows.ask(call(commands::AuditRows {
            limit: ROWS,
            before: None,
        }));
    });
    let more = move |_| {
        let last = older.with_untracked(|o| o.last().map(|r| r.sequence));
        let last = last.or_else(|| {
            rows.value
                .with_untracked(|r| r.as_ref()?.last().map(|r| r.sequence))
        });
        app.attempt(
            call(commands::AuditRows {
                limit: ROWS,
                before: last,
            }),
            move |more| {
                all_shown.set((more.len() as u64) < ROWS);
                older.update(|known| known.extend(more));
            },
        );
    };
    let check = move |_| {
        busy.set(true);
        report.ask(async move {
            let found = call(commands::AuditVerify {}).await;
            busy.try_set(false);
            found
        });
    };
    let lines = move || {
        let mut lines = rows.value.get().unwrap_or_default();
        lines.extend(older.get());
        let broken = report.value.with(|r| {
            r.as_ref()
                .and_then(|r| r.first_break.as_ref().map(|b| b.sequence))
        });
        lines
            .into_iter()
            .map(|row| view! { <Line broken=broken == Some(row.sequence) row/> })
            .collect_view()
    };
    let empty = move || rows.value.with(|r| r.as_ref().is_some_and(Vec::is_empty));
    let full_page = move || {
        rows.value
            .with(|r| r.as_ref().is_some_and(|r| r.len() as u64 == ROWS))
            && !all_shown.get()
    };
    view! {
        <div class="head">
            <h1>{t("nav.activity")}</h1>
            <span class="t-mute clip">{t("activity.lead")}</span>
            <div class="push row">
                <button class="btn primary" id="verify" disabled=move || busy.get() on:click=check>
                    <Sign icon=Icon::Shield/>
                    {move || if busy.get() { t("activity.verifying") } else { t("activity.verify") }}
                </button>
            </div>
        </div>
        <div class="scroll" data-pane="list">
            <div class="page-body">
                {move || report.value.get().map(|report| view! { <Verified report/> })}
                {move || report.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || if empty() {
                    view! { <Empty icon=Icon::Pulse title=t("activity.empty") text=t("activity.empty_text")/> }.into_any()
                } else {
                    view! {
                        <div class="card table-wrap">
                            <table class="table" id="audit">
                                <thead>
                                    <tr>
                                        <th class="num">{t("activity.number")}</th>
                                        <th>{t("activity.time")}</th>
                                        <th>{t("activity.actor")}</th>
                                        <th>{t("activity.action")}</th>
                                        <th>{t("activity.subject")}</th>
                                        <th>{t("activity.reason")}</th>
                                        <th>{t("activity.hash")}</th>
                                    </tr>
                                </thead>
                                <tbody>{lines}</tbody>
                            </table>
                        </div>
                    }.into_any()
                }}
                {move || full_page().then(|| view! { <div><button class="btn" on:click=more>{t("activity.more")}</button></div> })}
            </div>
        </div>
    }
}

#[component]
fn Line(row: AuditRow, broken: bool) -> impl IntoView {
    view! {
        <tr class:broken=broken>
            <td class="num">{row.sequence}</td>
            <td class="nowrap">{format::minute(&row.time)}</td>
            <td>{row.actor}</td>
            <td class="mono">{row.action}</td>
            <td>{row.subject}</td>
            <td>{said(&row.reason)}</td>
            <td class="mono" title=row.hash.clone()>{format::short_hash(&row.hash)}</td>
        </tr>
    }
}

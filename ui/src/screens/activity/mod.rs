//! The entries of the audit chain (who did what, and when), and whether the chain is intact.

mod filters;
pub mod told;
mod verify;
mod when;

use crate::backend::{call, commands};
use crate::components::empty::{Empty, NoneLeft};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::Icon;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::t;
use crate::route::Route;
use crate::said::said;
use crate::state::{App, use_app};
use filters::Filters;
use leptos::prelude::*;
use lexforge_domain::api::{AuditFacets, AuditFilter, AuditRow, DocumentRow};
use told::Thing;
use verify::{Verified, Verify};

/// Rows fetched at once.
const ROWS: u64 = 100;

/// The rows that are shown.
#[derive(Clone, Copy)]
struct Shown {
    newest: Fetched<Vec<AuditRow>>,
    /// Older entries, as far as they were requested.
    older: RwSignal<Vec<AuditRow>>,
    /// Whether all entries are shown.
    all: RwSignal<bool>,
}

impl Shown {
    /// The newest rows of a filter; they are asked for again after each change.
    fn of(app: App, filter: RwSignal<AuditFilter>) -> Self {
        let shown = Self {
            newest: Fetched::default(),
            older: RwSignal::new(Vec::new()),
            all: RwSignal::new(false),
        };
        Effect::new(move |_| {
            app.changes.track();
            shown.older.set(Vec::new());
            shown.all.set(false);
            shown.newest.ask(call(commands::AuditRows {
                filter: filter.get(),
                limit: ROWS,
                before: None,
            }));
        });
        shown
    }

    fn lines(self) -> Vec<AuditRow> {
        let mut lines = self.newest.value.get().unwrap_or_default();
        lines.extend(self.older.get());
        lines
    }

    /// Asks for rows before the last that is shown.
    fn more(self, app: App, filter: AuditFilter) {
        let last = untrack(|| self.lines()).last().map(|row| row.sequence);
        let asked = call(commands::AuditRows {
            filter,
            limit: ROWS,
            before: last,
        });
        app.attempt_once(t("wait.more"), asked, move |more| {
            self.all.set((more.len() as u64) < ROWS);
            self.older.update(|known| known.extend(more));
        });
    }

    fn may_go_on(self) -> bool {
        let full = |rows: &Option<Vec<AuditRow>>| {
            rows.as_ref().is_some_and(|rows| rows.len() as u64 == ROWS)
        };
        self.newest.value.with(full) && !self.all.get()
    }
}

/// The audit chain, newest first.
#[component]
pub fn Activity() -> impl IntoView {
    let app = use_app();
    let report = verify::newest();
    let filter = RwSignal::new(AuditFilter::default());
    let shown = Shown::of(app, filter);
    let rows = shown.newest;
    let facets = Fetched::<AuditFacets>::default();
    let documents = Fetched::<Vec<DocumentRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        facets.ask(call(commands::AuditFacets {}));
        documents.ask(call(commands::Documents {}));
    });
    let lines = Signal::derive(move || shown.lines());
    let broken =
        Signal::derive(move || report.with(|r| Some(r.as_ref()?.first_break.as_ref()?.sequence)));
    let filtered = move || filter.with(|filter| *filter != AuditFilter::default());
    let none = move || rows.value.with(|r| r.as_ref().is_some_and(Vec::is_empty));
    let empty = move || none() && !filtered();
    let comes = move || rows.value.with(Option::is_none) && rows.failure.with(Option::is_none);
    let more = move |_| shown.more(app, filter.get_untracked());
    view! {
        <div class="head">
            <h1>{t("nav.activity")}</h1>
            <span class="t-mute clip">{t("activity.lead")}</span>
            <div class="push row">
                <Verify/>
            </div>
        </div>
        <div class="scroll" data-pane="list">
            <div class="page-body">
                {move || report.get().map(|report| view! { <Verified report/> })}
                {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || if empty() {
                    view! {
                        <Empty icon=Icon::Pulse title=t("activity.empty") text=t("activity.empty_text")>
                            <button class="btn" on:click=move |_| app.import()>{t("action.import")}</button>
                        </Empty>
                    }.into_any()
                } else {
                    view! {
                        <Filters filter facets=Signal::derive(move || facets.value.get().unwrap_or_default())/>
                        {move || none().then(|| view! { <NoneLeft text=t("activity.filtered_none") all=move |()| filter.set(AuditFilter::default())/> })}
                        {move || comes().then(|| view! { <div class="skel"></div><div class="skel half"></div> })}
                        <Chain lines broken documents/>
                    }.into_any()
                }}
                {move || shown.may_go_on().then(|| view! {
                    <div class="row">
                        <button class="btn" disabled=move || app.waits.has(&t("wait.more")) on:click=more>{t("activity.more")}</button>
                        <Waiting words=t("wait.more")/>
                    </div>
                })}
            </div>
        </div>
    }
}

/// The table of some rows of the audit chain.
#[component]
fn Chain(
    lines: Signal<Vec<AuditRow>>,
    /// The first row at which the chain does not hold.
    broken: Signal<Option<i64>>,
    /// The documents, for their titles.
    documents: Fetched<Vec<DocumentRow>>,
) -> impl IntoView {
    let lines = move || {
        let broken = broken.get();
        let documents = documents.value.get().unwrap_or_default();
        let line = |row: AuditRow| {
            let words = told::told(&row, &documents);
            view! { <Line broken=broken == Some(row.sequence) words row/> }
        };
        lines.get().into_iter().map(line).collect_view()
    };
    view! {
        <div class="card table-wrap">
            <table class="table" id="audit">
                <thead>
                    <tr>
                        <th class="num">{t("activity.number")}</th>
                        <th>{t("activity.time")}</th>
                        <th>{t("activity.actor")}</th>
                        <th>{t("activity.action")}</th>
                        <th>{t("activity.reason")}</th>
                        <th>{t("activity.hash")}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Line(row: AuditRow, words: String, broken: bool) -> impl IntoView {
    let app = use_app();
    // One link of many: it is told with what it shows.
    let told_in = format!("entry-{}", row.sequence);
    let told_by = told_in.clone();
    let show = told::thing(&row).map(|thing| {
        let go = move |_| match thing {
            Thing::Document(id) => app.open_sentence(id, 1, None),
            Thing::Run(id) => {
                app.run.set(Some(id));
                app.go(Route::Training);
            }
        };
        view! { <button class="link t-small nowrap" aria-describedby=told_by on:click=go>{t("activity.show")}</button> }
    });
    view! {
        <tr class:broken=broken>
            <td class="num">{format::count(row.sequence.unsigned_abs())}</td>
            <td class="nowrap" title=format::in_utc(&row.time)>{format::minute(&row.time)}</td>
            <td class="actor">{row.actor}</td>
            <td>
                <span class="row"><span id=told_in>{words}</span>{show}</span>
                <span class="mono t-mute">{row.action}</span>
            </td>
            <td class="why">{said(&row.reason)}</td>
            <td class="mono nowrap" title=row.hash.clone()>{format::short_hash(&row.hash)}</td>
        </tr>
    }
}

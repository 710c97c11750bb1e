//! Triplets: made, listed with what was rejected, given out and measured.

mod detail;
pub mod figures;
mod filters;
mod gain_and_loss;
pub mod make;
pub mod measure;
mod reason;
mod shifts;

use crate::backend::{call, commands};
use crate::components::empty::NoneLeft;
use crate::components::grid::{Grid, Row, Store};
use crate::components::icon::{Icon, Sign};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::outcomes;
use crate::state::{App, use_app};
use crate::toast::Toast;
use detail::Detail;
use filters::Filters;
use leptos::prelude::*;
use lexforge_domain::api::{
    Outcome, OwnPairs, ShiftType, TripletCounts, TripletFilter, TripletReport, TripletRow,
};
use make::{Going, MAKING, MakeTriplets};
use measure::Measure;
use reason::{reason, shift_name};
use std::collections::BTreeMap;

/// The kind of job that reads triplets in.
const READING: &str = "import_triplets";

impl Row for TripletRow {
    fn key(&self) -> i64 {
        self.id.0
    }
}

/// The buttons of the head: what is done with all triplets.
#[component]
pub fn TripletActs(
    /// Which triplets are listed.
    filter: RwSignal<TripletFilter>,
) -> impl IntoView {
    let app = use_app();
    let measuring = RwSignal::new(false);
    let any = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.triplets > 0))
    });
    // Drafts that were rejected are no training data.
    let given = move || any.get() && !filter.with(|filter| filter.turned_down);
    let reading = move || app.busy(READING).is_some() || app.waits.has(&t("wait.begin"));
    view! {
        <button class="btn" id="import-triplets" title=t("triplets.import_tip") disabled=reading on:click=move |_| import(app)>{t("triplets.import")}</button>
        {move || given().then(|| view! {
            <button class="btn" id="export-triplets" on:click=move |_| export(app, filter.get_untracked())>{t("triplets.export")}</button>
        })}
        {move || any.get().then(|| view! {
            <button class="btn" id="measure-triplets" on:click=move |_| measuring.set(true)>{t("measuring.open")}</button>
        })}
        <MakeTriplets/>
        {move || measuring.get().then(|| view! { <Measure own=OwnPairs::WhereEnough close=move |()| measuring.set(false)/> })}
    }
}

/// Reads in the triplets of a file that the user names.
fn import(app: App) {
    let begun = async move {
        let extensions = vec!["jsonl".to_owned()];
        let picked = call(commands::PickOpen { extensions });
        let Some(file) = picked.await? else {
            return Ok(None);
        };
        call(commands::ImportTriplets { file }).await.map(Some)
    };
    app.attempt_once(t("wait.begin"), begun, |_| ());
}

/// Writes the listed triplets into a file that the user names.
fn export(app: App, filter: TripletFilter) {
    let written = async move {
        let picked = call(commands::PickSave {
            name: "triplets.jsonl".to_owned(),
            extension: "jsonl".to_owned(),
        });
        let Some(file) = picked.await? else {
            return Ok(None);
        };
        let filter = TripletFilter {
            offset: 0,
            limit: 0,
            ..filter
        };
        let n = call(commands::ExportTriplets { filter, file }).await?;
        Ok(Some(n))
    };
    app.attempt_once(t("wait.export"), written, move |n| {
        if let Some(n) = n {
            let text = tn("triplets.exported", n);
            app.toast.set(Some(Toast { text, undo: None }));
        }
    });
}

/// The table and the chosen triplet.
#[component]
pub fn Triplets(
    /// Which triplets are listed.
    filter: RwSignal<TripletFilter>,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(None::<TripletRow>);
    let shifts = Fetched::<Vec<ShiftType>>::default();
    shifts.ask(call(commands::ShiftTypes { file: None }));
    let counts = Fetched::<TripletCounts>::default();
    let store = Store::new(move |offset, limit| {
        let filter = TripletFilter {
            offset,
            limit,
            ..filter.get_untracked()
        };
        call(commands::Triplets { filter })
    });
    Effect::new(move |_| {
        filter.track();
        app.changes.track();
        store.reload();
    });
    Effect::new(move |_| {
        app.changes.track();
        counts.refresh(call(commands::CountTriplets {}));
    });
    choose_first(filter, store, chosen);
    provide_context(Known(shifts));
    view! {
        <Going/>
        <Made/>
        <div class="panes listing">
            <section class="pane" aria-label=t("triplets.title") data-pane="list">
                <Filters filter counts shifts/>
                <Grid
                    store
                    label=t("triplets.title")
                    class="triplets-columns"
                    head=ViewFn::from(head)
                    cells=cells
                    selected=Signal::derive(move || chosen.with(|row| row.as_ref().map(Row::key)))
                    pick=move |row: TripletRow| chosen.set(Some(row))
                />
                <NoneListed store filter/>
            </section>
            <section class="pane quiet" aria-label=t("triplets.detail") data-pane="detail"><Detail chosen shifts/></section>
        </div>
    }
}

/// Chooses the first row after another filter, and while no row is chosen.
fn choose_first(
    filter: RwSignal<TripletFilter>,
    store: Store<TripletRow>,
    chosen: RwSignal<Option<TripletRow>>,
) {
    Effect::new(move |_| {
        filter.track();
        chosen.set(None);
    });
    Effect::new(move |_| {
        if chosen.with(Option::is_none)
            && let Some(first) = store.get(0)
        {
            chosen.set(Some(first));
        }
    });
}

/// What stands in the place of rows: there are no triplets, or none that fits the filter.
#[component]
fn NoneListed(store: Store<TripletRow>, filter: RwSignal<TripletFilter>) -> impl IntoView {
    move || {
        (store.total.get() == Some(0)).then(|| {
            if filter.with(|filter| *filter == TripletFilter::default()) {
                view! { <p class="pad t-mute" id="triplets-none">{t("triplets.none")}</p> }.into_any()
            } else {
                view! { <NoneLeft text=t("triplets.none_fits") all=move |()| filter.set(TripletFilter::default())/> }.into_any()
            }
        })
    }
}

fn head() -> impl IntoView {
    view! {
        <span role="columnheader">{t("triplets.source")}</span>
        <span role="columnheader">{t("triplets.shift")}</span>
        <span role="columnheader">{t("terms.status")}</span>
        <span role="columnheader" class="wide-only">{t("questions.split")}</span>
    }
}

/// The known shifts, for the cells of the table.
#[derive(Clone, Copy)]
struct Known(Fetched<Vec<ShiftType>>);

fn cells(row: TripletRow) -> impl IntoView {
    let shifts = use_context::<Known>();
    let triplet = row.triplet;
    let status = match &triplet.reason {
        Some(why) => reason(why),
        None => tag("status", row.status.tag()),
    };
    let shift = Memo::new(move |_| {
        let shifts = shifts.and_then(|Known(shifts)| shifts.value.get());
        shift_name(&shifts.unwrap_or_default(), &triplet.shift)
    });
    view! {
        <span role="gridcell" class="law cell clip" title=triplet.source.clone()>{triplet.source.clone()}</span>
        <span role="gridcell" class="clip" title=move || shift.get()>{move || shift.get()}</span>
        <span role="gridcell" class="clip" title=status.clone()>{status.clone()}</span>
        <span role="gridcell" class="clip wide-only">{tag("split", triplet.split.tag())}</span>
    }
}

/// What the newest making or reading in came to: how many, and what was rejected or gave none, by reason.
#[component]
fn Made() -> impl IntoView {
    let app = use_app();
    let newest = outcomes::newest_of(app, [MAKING, READING]);
    let report = move || match newest.get() {
        Some(Outcome::Triplets(report)) => Some(*report),
        _ => None,
    };
    move || {
        report().map(|report| {
            let TripletReport {
                source,
                looked_at,
                kept,
                skipped,
                turned_down,
                ..
            } = report;
            let n = format::count(kept);
            let made = if source == "import" {
                let of = format::count(looked_at);
                tf("triplets.imported", &[("n", &n), ("of", &of)])
            } else {
                let of = tn("count.sentences", looked_at);
                tf("triplets.made", &[("n", &n), ("of", &of)])
            };
            view! {
                <section class="run-strip" id="triplets-made" role="status" aria-label=t("triplets.made_title")>
                    <Sign icon=Icon::Check small=true/>
                    <span class="t-small">{made}</span>
                    <Reasons title=t("triplets.turned_down") of=turned_down/>
                    <Reasons title=t("triplets.gave_none") of=skipped/>
                </section>
            }
        })
    }
}

/// Reasons with their counts, the most frequent first.
#[component]
fn Reasons(title: String, of: BTreeMap<String, u64>) -> impl IntoView {
    let mut all: Vec<(String, u64)> = of.into_iter().collect();
    all.sort_by_key(|(why, n)| (std::cmp::Reverse(*n), why.clone()));
    (!all.is_empty()).then(|| {
        let badges = all
            .into_iter()
            .map(|(why, n)| view! { <span class="badge line">{reason(&why)}" "{format::count(n)}</span> })
            .collect_view();
        view! {
            <span class="t-small t-mute">{title}</span>
            <span class="row g-1 wrap">{badges}</span>
        }
    })
}

//! Which entries are shown: by whom, what was done, and since when; and a table of them.

use super::when::midnight;
use crate::backend::{Answer, call, commands};
use crate::components::picker::Picker;
use crate::components::waiting::Waiting;
use crate::i18n::{t, tnf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AuditFacets, AuditFilter};

use super::told;

/// The last days that can be chosen, with today: the key of their name, and how many midnights ago they begin.
const SPANS: [(&str, u32); 3] = [("today", 0), ("week", 6), ("month", 29)];

/// The filters, and the export of what they let through.
#[component]
pub fn Filters(
    /// The present filter.
    filter: RwSignal<AuditFilter>,
    /// The values by which one can filter.
    #[prop(into)]
    facets: Signal<AuditFacets>,
) -> impl IntoView {
    let span = RwSignal::new(None::<String>);
    let written = RwSignal::new(None::<String>);
    let wanted = |value: String| (!value.is_empty()).then_some(value);
    let actors = Signal::derive(move || {
        facets.with(|all| all.actors.iter().map(|a| (a.clone(), a.clone())).collect())
    });
    let kinds = Signal::derive(move || {
        facets.with(|all| {
            all.kinds
                .iter()
                .map(|k| (k.clone(), told::kind(k)))
                .collect()
        })
    });
    let spans = SPANS.map(|(key, _)| (key.to_owned(), t(&format!("activity.{key}"))));
    let since = move |key: String| {
        let days = SPANS.iter().find(|(name, _)| *name == key);
        filter.update(|filter| filter.from = days.map(|(_, days)| midnight(*days)));
        span.set(wanted(key));
    };
    // If the whole filter is removed, the span is removed, too.
    let span_now = move || span.get().filter(|_| filter.with(|f| f.from.is_some()));
    view! {
        <div class="row wrap" id="activity-filters">
            <Picker id="activity-actor" all=t("activity.all_actors") choices=actors now=Signal::derive(move || filter.with(|f| f.actor.clone())) chosen=move |value| filter.update(|f| f.actor = wanted(value))/>
            <Picker id="activity-kind" all=t("activity.all_kinds") choices=kinds now=Signal::derive(move || filter.with(|f| f.kind.clone())) chosen=move |value| filter.update(|f| f.kind = wanted(value))/>
            <Picker id="activity-span" all=t("activity.any_time") choices=Signal::stored(spans.to_vec()) now=Signal::derive(span_now) chosen=since/>
            <Export filter written/>
        </div>
        {move || written.get().map(|words| view! { <p class="note ok" aria-live="polite">{words}</p> })}
    }
}

/// The button that writes a table of the entries that the filter lets through.
#[component]
fn Export(
    filter: RwSignal<AuditFilter>,
    /// How many entries were written, and where.
    written: RwSignal<Option<String>>,
) -> impl IntoView {
    let app = use_app();
    let writing = move || app.waits.has(&t("wait.table"));
    let export = move |_| {
        let done = exported(filter.get_untracked());
        app.attempt_once(t("wait.table"), done, move |words| written.set(words));
    };
    view! {
        <span class="push"><Waiting words=t("wait.table")/></span>
        <button class="btn sm" id="activity-export" disabled=writing on:click=export>{t("activity.export")}</button>
    }
}

/// Asks where to put the table, and writes it; `None` where no place was named.
async fn exported(filter: AuditFilter) -> Answer<Option<String>> {
    let asked = call(commands::PickSave {
        name: "activity".to_owned(),
        extension: "csv".to_owned(),
    });
    let Some(path) = asked.await? else {
        return Ok(None);
    };
    let rows = call(commands::WriteAudit {
        filter,
        path: path.clone(),
    })
    .await?;
    Ok(Some(tnf("activity.exported", rows, &[("path", &path)])))
}

//! The accuracy of systems by class of document.

use super::names::named;
use crate::format;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::api::BenchRow;
use lexforge_domain::metrics::GroupMetrics;

/// A table of each system; nothing where all documents are of one class.
#[component]
pub fn Classes(
    /// The systems.
    rows: Vec<BenchRow>,
) -> impl IntoView {
    let rows: Vec<BenchRow> = rows
        .into_iter()
        .filter(|row| !row.by_class.is_empty())
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    let each = rows
        .into_iter()
        .map(|row| view! { <OfSystem row/> })
        .collect_view();
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("systems.classes")}</h2></div>
            <div class="card-body stack" id="bench-classes">
                <p class="t-small t-mute">{t("systems.classes_is")}</p>
                {each}
            </div>
        </article>
    }
    .into_any()
}

#[component]
fn OfSystem(row: BenchRow) -> impl IntoView {
    let name = format!(
        "{} · {}",
        named(&row.system).name,
        tag("scorer", &row.scorer)
    );
    let classes = row
        .by_class
        .into_iter()
        .map(|(class, group)| view! { <Class class group/> })
        .collect_view();
    view! {
        <details class="history">
            <summary>{name}</summary>
            <div class="table-wrap">
                <table class="table">
                    <thead>
                        <tr>
                            <th>{t("systems.class")}</th>
                            <th class="num">"n"</th>
                            <th class="num">{t("systems.clusters")}</th>
                            <th class="num">{tag("measure", "accuracy")}</th>
                        </tr>
                    </thead>
                    <tbody>{classes}</tbody>
                </table>
            </div>
        </details>
    }
}

#[component]
fn Class(class: String, group: GroupMetrics) -> impl IntoView {
    let interval = format::interval(group.ci95[0], group.ci95[1]);
    let named = class.clone();
    view! {
        <tr data-class=named>
            <td>{tag("format", &class)}</td>
            <td class="num">{format::count(group.n as u64)}</td>
            <td class="num">{format::count(group.clusters as u64)}</td>
            <td class="num"><span class="strong">{format::share(group.accuracy)}</span>" "<span class="t-mute">{interval}</span></td>
        </tr>
    }
}

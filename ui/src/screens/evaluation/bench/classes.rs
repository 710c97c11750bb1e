//! The accuracy of systems by class of document.

use super::of_each::{name, of_each};
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
    let rows = rows.into_iter().filter(|row| !row.by_class.is_empty());
    of_each(
        rows.collect(),
        "bench-classes",
        t("systems.classes"),
        t("systems.classes_is"),
        |row| view! { <OfSystem row/> }.into_any(),
    )
}

#[component]
fn OfSystem(row: BenchRow) -> impl IntoView {
    let name = name(&row);
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

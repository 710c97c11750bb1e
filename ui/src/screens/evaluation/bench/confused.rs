//! Terms that systems take for others.

use super::names::named;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::{BenchRow, ConfusedPair};

/// The commonest exchanges of each system; nothing where none exchanged terms.
#[component]
pub fn Confused(
    /// The systems.
    rows: Vec<BenchRow>,
) -> impl IntoView {
    let rows: Vec<BenchRow> = rows
        .into_iter()
        .filter(|row| !row.confused.is_empty())
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
            <div class="card-head"><h2>{t("systems.confused")}</h2></div>
            <div class="card-body stack" id="bench-confused">
                <p class="t-small t-mute">{t("systems.confused_is")}</p>
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
    let first = row.confused.first().map(|pair| {
        let n = format::count(pair.n as u64);
        tf(
            "systems.taken",
            &[("gold", &pair.gold), ("other", &pair.predicted), ("n", &n)],
        )
    });
    let pairs = row
        .confused
        .into_iter()
        .map(|pair| view! { <Pair pair/> })
        .collect_view();
    view! {
        <details class="history">
            <summary>{name}" "<span class="t-small t-mute">{first}</span></summary>
            <div class="table-wrap">
                <table class="table">
                    <thead>
                        <tr>
                            <th>{t("systems.right_term")}</th>
                            <th>{t("systems.taken_for")}</th>
                            <th class="num">{t("systems.times")}</th>
                        </tr>
                    </thead>
                    <tbody>{pairs}</tbody>
                </table>
            </div>
        </details>
    }
}

#[component]
fn Pair(pair: ConfusedPair) -> impl IntoView {
    view! {
        <tr>
            <td><span class="law cell">{pair.gold}</span></td>
            <td><span class="law cell">{pair.predicted}</span></td>
            <td class="num">{format::count(pair.n as u64)}</td>
        </tr>
    }
}

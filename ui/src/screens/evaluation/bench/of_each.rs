//! A card with a table of each system, folded.

use super::names::named;
use crate::i18n::tag;
use leptos::prelude::*;
use lexforge_domain::api::BenchRow;

/// The card, with a drawing of each of these systems. Shows nothing if there is no system.
pub fn of_each(
    rows: Vec<BenchRow>,
    id: &'static str,
    title: String,
    is: String,
    drawn: impl Fn(BenchRow) -> AnyView,
) -> AnyView {
    if rows.is_empty() {
        return ().into_any();
    }
    let each = rows.into_iter().map(drawn).collect_view();
    view! {
        <article class="card">
            <div class="card-head"><h2>{title}</h2></div>
            <div class="card-body stack" id=id>
                <p class="t-small t-mute">{is}</p>
                {each}
            </div>
        </article>
    }
    .into_any()
}

/// A system with how its choices are scored.
pub fn name(row: &BenchRow) -> String {
    format!(
        "{} · {}",
        named(&row.system).name,
        tag("scorer", &row.scorer)
    )
}

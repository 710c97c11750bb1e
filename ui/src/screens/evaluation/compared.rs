//! What a comparison says, as cells of a table: before and after, the change as point and interval, its p-value.

use crate::components::whisker::{Verdict, Whisker, verdict};
use crate::format;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::metrics::Comparison;

/// The heads of the cells.
pub fn heads() -> impl IntoView {
    view! {
        <th class="num">{t("evaluation.base")}</th>
        <th class="num">{t("evaluation.tuned")}</th>
        <th class="centre-head">{t("evaluation.worse_better")}</th>
        <th class="num">{t("evaluation.change")}</th>
        <th class="num">"p"</th>
    }
}

/// Half the width of the scale on which these changes are drawn.
pub fn reach<'a>(all: impl Iterator<Item = &'a Comparison>) -> f64 {
    all.flat_map(|c| [c.difference.low.abs(), c.difference.high.abs()])
        .fold(0.01, f64::max)
}

/// The cells; dashes where nothing was compared.
#[component]
pub fn Compared(comparison: Option<Comparison>, reach: f64) -> impl IntoView {
    let Some(comparison) = comparison else {
        return view! { <td class="num">"–"</td><td class="num">"–"</td><td></td><td class="num">"–"</td><td class="num">"–"</td> }
            .into_any();
    };
    let change = comparison.difference;
    let class = match verdict(change) {
        Verdict::Better => "c-ok strong",
        Verdict::Worse => "c-bad strong",
        Verdict::Open => "strong",
    };
    view! {
        <td class="num">{format::share(comparison.before)}</td>
        <td class="num strong">{format::share(comparison.after)}</td>
        <td><Whisker change reach/></td>
        <td class="num">
            <span class=class>{format::change(change.value)}</span> " "
            <span class="t-mute">{format::change_interval(change.low, change.high)}</span>
        </td>
        <td class="num">{format::p_value(comparison.p_decides())}</td>
    }
    .into_any()
}

//! General language beside test questions: how well systems still follow what people say of pairs of sentences.

use super::names::named;
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::{BenchRow, Bounded, GeneralFigures};

/// The systems with figures of general language; nothing where none has any.
#[component]
pub fn General(
    /// The systems.
    rows: Vec<BenchRow>,
) -> impl IntoView {
    let found: Vec<(String, GeneralFigures)> = rows
        .into_iter()
        .filter_map(|row| Some((row.system, row.general?)))
        .collect();
    let Some(n) = found.first().map(|(_, figures)| figures.n) else {
        return ().into_any();
    };
    let lines = found
        .into_iter()
        .map(|(system, figures)| view! { <Line system figures/> })
        .collect_view();
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("bench_on.general_title")}</h2></div>
            <div class="card-body stack" id="bench-general-figures">
                <p class="t-small t-mute">{tf("bench_on.general_is", &[("n", &format::count(n as u64))])}</p>
                <div class="table-wrap">
                    <table class="table" aria-label=t("bench_on.general_title")>
                        <thead>
                            <tr>
                                <th>{t("systems.system")}</th>
                                <th class="num">"ρ"</th>
                                <th class="num">{t("evaluation.change")}</th>
                                <th class="num">{t("systems.p")}</th>
                            </tr>
                        </thead>
                        <tbody>{lines}</tbody>
                    </table>
                </div>
            </div>
        </article>
    }
    .into_any()
}

#[component]
fn Line(system: String, figures: GeneralFigures) -> impl IntoView {
    let words = named(&system);
    let change = figures.gained.map(change);
    let (change, bounds) = change.unwrap_or_else(|| ("–".to_owned(), String::new()));
    let p = figures.p_holm.map(format::p_value);
    view! {
        <tr data-general=system>
            <td>{words.name}" "<small class="t-mute">{words.is}</small></td>
            <td class="num">{bounded(figures.spearman)}</td>
            <td class="num">{change}" "<small class="t-mute">{bounds}</small></td>
            <td class="num">{p.unwrap_or_else(|| "–".to_owned())}</td>
        </tr>
    }
}

/// A figure with its interval, where there is one.
pub fn bounded(one: Bounded) -> impl IntoView {
    let bounds = one.interval.map(|[low, high]| format::interval(low, high));
    view! { <span class="strong">{format::share(one.value)}</span>" "<small class="t-mute">{bounds}</small> }
}

/// A difference, and its interval.
pub fn change(one: Bounded) -> (String, String) {
    let bounds = one
        .interval
        .map(|[low, high]| format::change_interval(low, high));
    (format::change(one.value), bounds.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_without_an_interval_has_none() {
        let of = |interval| Bounded {
            value: 0.025,
            interval,
        };
        assert_eq!(change(of(None)), ("+.025".to_owned(), String::new()));
        let (_, bounds) = change(of(Some([-0.01, 0.06])));
        assert_eq!(bounds, "[−.010, +.060]");
    }
}

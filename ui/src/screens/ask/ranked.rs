//! How well clauses are ranked in one order and in another.

use crate::format;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::RankingFigures;

/// The figures of two orders, each under its name, and what the figures mean.
#[component]
pub fn Ranked(
    /// The id of the table.
    id: &'static str,
    /// What it is about.
    label: String,
    /// The two orders, each with its name.
    orders: [(String, RankingFigures); 2],
) -> impl IntoView {
    let row = |(name, figures): (String, RankingFigures)| {
        view! {
            <tr>
                <td>{name}</td>
                <td class="num">{format::share(figures.recall_10)}</td>
                <td class="num">{format::share(figures.map_10)}</td>
                <td class="num">{format::share(figures.mrr)}</td>
            </tr>
        }
    };
    let rows = orders.map(row).collect_view();
    view! {
        <div class="table-wrap" tabindex="0">
            <table class="table tight" id=id aria-label=label>
                <thead>
                    <tr><th></th><th class="num">"Recall@10"</th><th class="num">"MAP@10"</th><th class="num">"MRR"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="t-small t-mute">{t("labels.figures_mean")}</p>
    }
}

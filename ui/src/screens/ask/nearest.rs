//! The clauses that are nearest to a question, with their scores.

use super::deeds::turn_to;
use super::figures::place;
use super::place::Spot;
use crate::components::law::lang_tag;
use crate::format;
use crate::i18n::{t, tf};
use crate::out_of_force::why;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::Clause;

/// How many are shown.
const SHOWN: usize = 5;

/// The nearest clauses, best first.
#[component]
pub fn Nearest(
    /// All that were found, best first.
    passages: Vec<Clause>,
) -> impl IntoView {
    let rows = passages
        .into_iter()
        .take(SHOWN)
        .enumerate()
        .map(|(at, clause)| view! { <Row at clause/> })
        .collect_view();
    view! {
        <div class="stack g-1">
            <p class="t-small t-mute">{t("answering.nearest_means")}</p>
            <div class="card near-list">{rows}</div>
        </div>
    }
}

#[component]
fn Row(at: usize, clause: Clause) -> impl IntoView {
    let app = use_app();
    let score = format::short_share(clause.score);
    let part = format!("{:.0}%", clause.score.clamp(0.0, 1.0) * 100.0);
    let lacks = (!clause.lacks.is_empty()).then(|| {
        tf(
            "answering.lacks",
            &[("words", &format::list(&clause.lacks))],
        )
    });
    let citation = clause.place;
    let out = citation.out_of_force.as_ref().map(why);
    let open = move |_| turn_to(app, Spot::Passage(at));
    let active = move || app.ask.spot.get() == Some(Spot::Passage(at));
    let stands = place("", &citation.section, citation.page);
    let place = place(&citation.title, &citation.section, citation.page);
    view! {
        <div class="near-clause" class:on=active data-passage=(at + 1).to_string()>
            <div class="near-score" aria-label=tf("answering.score", &[("score", &score)])>
                <span>{score.clone()}</span>
                <span class="bar" aria-hidden="true" style=("--part", part)><i></i></span>
            </div>
            <div class="stack g-1">
                <p class="law cell" lang=Some(lang_tag(citation.language)).filter(|tag| !tag.is_empty())>{clause.text}</p>
                <span class="near-place t-small t-mute" title=place.clone()>
                    <span class="clip">{citation.title}</span>
                    <span>{stands}</span>
                </span>
                {out.map(|why| view! { <span class="cite-old t-small">{why}</span> })}
                {lacks.map(|lacks| view! { <span class="t-small t-mute" data-lacks="">{lacks}</span> })}
            </div>
            <button
                class="btn ghost sm"
                aria-label=tf("answering.open_place", &[("place", &place)])
                aria-current=move || active().then_some("true")
                on:click=open
            >
                {t("answering.open")}
            </button>
        </div>
    }
}

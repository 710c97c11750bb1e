//! Two sentences on the desk, side by side, and the scores with what they mean.

use super::context::PlaceLink;
use super::desk::Desk;
use super::votes::History;
use crate::components::law::lang_tag;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{SimilarityCard, TermContext};
use lexforge_domain::review::Score;
use lexforge_domain::text::Language;

/// The tags of what the whole points mean.
pub const POINTS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];

/// The two sentences.
#[component]
pub fn SimilarityView(
    desk: Desk,
    /// The pair of sentences.
    card: SimilarityCard,
    /// Its place in the queue.
    place: Signal<String>,
) -> impl IntoView {
    let title = tf(
        "review.pair_name",
        &[("one", &card.one), ("other", &card.other)],
    );
    let language = card.language;
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                <span class="badge info">{t("subject.similarity")}</span>
                <span class="t-small t-mute">{t("similarity.question")}</span>
                <span class="push t-small t-mute nowrap" id="place-in-queue">{place}</span>
            </div>
            <h2 class="sr" id="item-title" tabindex="-1">{title}</h2>
        </header>
        <div class="two" id="similarity">
            <Sentence text=card.one context=card.one_context language/>
            <Sentence text=card.other context=card.other_context language/>
        </div>
        <Scale desk/>
        <History history=card.history blind=card.blind/>
    }
}

#[component]
fn Sentence(text: String, context: Option<TermContext>, language: Language) -> impl IntoView {
    view! {
        <article class="card side-of-pair">
            <p class="law" lang=lang_tag(language)>{text}</p>
            {context.map(|context| view! { <PlaceLink context/> })}
        </article>
    }
}

/// The scores: a button for each whole point with what it means, and one for the half point above it.
#[component]
fn Scale(desk: Desk) -> impl IntoView {
    let app = use_app();
    let button = move |score: Score, keys: Option<String>, class: &'static str| {
        let name = tf("similarity.give", &[("points", score.written())]);
        view! {
            <button class=class id=format!("score-{}", score.half_steps()) aria-label=name title=keys on:click=move |_| desk.score(score)>
                {score.written()}
            </button>
        }
    };
    let rows = (0..=Score::MOST)
        .step_by(2)
        .rev()
        .filter_map(Score::of_half_steps)
        .map(|score| {
            let points = usize::from(score.half_steps() / 2);
            let above = Score::of_half_steps(score.half_steps() + 1);
            let digit = move || app.single_keys.get_untracked();
            let half = above.map(|above| {
                let keys = digit().then(|| tf("similarity.half_key", &[("n", POINTS[points])]));
                button(above, keys, "btn ghost sm")
            });
            let keys = digit().then(|| POINTS[points].to_owned());
            view! {
                <div class="score-row">
                    {button(score, keys, "btn")}
                    <span class="score-half">{half}</span>
                    <span class="t-small">{tag("similarity_means", POINTS[points])}</span>
                </div>
            }
        })
        .collect_view();
    view! {
        <section class="card scale" role="group" aria-label=t("similarity.scale")>
            {rows}
            <p class="t-small t-mute">{t("similarity.keys")}</p>
        </section>
    }
}

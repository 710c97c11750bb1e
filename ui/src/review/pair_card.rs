//! Two terms on the desk, side by side, each with a sentence of its own.

use super::candidates::Nearness;
use super::class;
use super::context::PlaceLink;
use super::votes::History;
use crate::components::law::{Marked, lang_tag};
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{PairCard, TermContext};
use lexforge_domain::term::Term;

#[component]
pub fn PairView(
    /// The pair, with a context of each term.
    card: PairCard,
    /// Its place in the queue.
    place: Signal<String>,
) -> impl IntoView {
    let title = tf(
        "review.pair_name",
        &[("one", &card.one.text), ("other", &card.other.term.text)],
    );
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                <span class="badge info">{t("subject.pair")}</span>
                <span class="t-small t-mute">{t("review.pair_question")}</span>
                <span class="push t-small t-mute nowrap" id="place-in-queue">{place}</span>
            </div>
            <h2 class="sr" id="item-title" tabindex="-1">{title}</h2>
            <div class="row g-4 nearness"><Nearness cosine=card.other.cosine spelling=card.other.spelling/></div>
        </header>
        <div class="two" id="pair">
            <Side term=card.one context=card.one_context/>
            <Side term=card.other.term context=card.other.context/>
        </div>
        <History history=card.history blind=card.blind/>
    }
}

#[component]
fn Side(term: Term, context: Option<TermContext>) -> impl IntoView {
    let app = use_app();
    let language = lang_tag(term.language);
    let class = term.class.clone();
    view! {
        <article class="card side-of-pair">
            <div class="row wrap">
                <span class="badge">{move || class::title(app, &class)}</span>
                <span class="t-small t-mute">{tn("count.mentions", u64::from(term.mentions))}</span>
            </div>
            <div class="law term" lang=language>{term.text.clone()}</div>
            {term.definition.map(|definition| view! { <blockquote class="law sm definition" lang=language>{definition}</blockquote> })}
            {match context {
                Some(context) => {
                    let (text, start, end) = (context.sentence.text.clone(), context.start, context.end);
                    view! {
                        <p class="law" lang=language><Marked text start end/></p>
                        <PlaceLink context/>
                    }.into_any()
                }
                None => view! { <p class="t-small t-mute">{t("review.no_sentence")}</p> }.into_any(),
            }}
        </article>
    }
}

//! The terms of an answer with what the documents say that they mean.

use super::deeds::turn_to;
use super::figures::place;
use super::place::Spot;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::i18n::t;
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AnswerDefinition, AnswerTerm};

/// The terms, one card each.
#[component]
pub fn Terms(terms: Vec<AnswerTerm>) -> impl IntoView {
    let cards = terms
        .into_iter()
        .enumerate()
        .map(|(at, term)| view! { <Card at term/> })
        .collect_view();
    view! {
        <section class="stack" id="answer-terms">
            <h2>{t("answering.terms")}</h2>
            <div class="ask-terms">{cards}</div>
        </section>
    }
}

#[component]
fn Card(at: usize, term: AnswerTerm) -> impl IntoView {
    let app = use_app();
    let id = term.id;
    let definitions = term
        .definitions
        .into_iter()
        .enumerate()
        .map(|(number, definition)| view! { <Definition term=at at=number definition/> })
        .collect_view();
    view! {
        <article class="card ask-term" data-term=id.to_string()>
            <div class="row wrap between g-1">
                <button class="link law cell strong" title=t("answering.open_term") on:click=move |_| app.open_term(id)>{term.name}</button>
                {term.differ.then(|| view! { <span class="badge warn"><Sign icon=Icon::Warning small=true/>{t("answering.acts_differ")}</span> })}
            </div>
            {definitions}
        </article>
    }
}

#[component]
fn Definition(term: usize, at: usize, definition: AnswerDefinition) -> impl IntoView {
    let app = use_app();
    let spot = Spot::Definition(term, at);
    let older = definition.superseded_by.is_some();
    let place = place(&definition.title, &definition.section, definition.page);
    let active = move || app.ask.spot.get() == Some(spot);
    let (reading, document) = (use_reading(), definition.document);
    let lang = move || {
        let language = reading.row(document)?.language;
        Some(lang_tag(language)).filter(|tag| !tag.is_empty())
    };
    view! {
        <div class="stack g-half">
            <p class="law cell" lang=lang>{definition.text}</p>
            <button class="link t-small" aria-current=move || active().then_some("true") on:click=move |_| turn_to(app, spot)>{place}</button>
            {older.then(|| view! { <span class="cite-old"><Sign icon=Icon::Clock small=true/>{t("answering.older")}</span> })}
        </div>
    }
}

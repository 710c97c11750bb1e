//! The terms of an answer with what the documents say that they mean.

use super::deeds::turn_to;
use super::figures::place;
use super::place::Spot;
use crate::components::icon::{Icon, Sign};
use crate::components::law::{Linked, lang_tag};
use crate::i18n::t;
use crate::keys;
use crate::out_of_force::why;
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::api::{Answer, AnswerDefinition, AnswerTerm};

/// The id of a term's card.
fn card_of(id: TermId) -> String {
    format!("answer-term-{id}")
}

/// Where terms stand in a statement of an answer, by its place; `None` = in the question.
fn places_in(answer: &Answer, statement: Option<usize>) -> Vec<(TermId, u32, u32)> {
    let places = answer.terms.iter().flat_map(|term| {
        let own = term.places.iter().filter(|p| p.statement == statement);
        own.map(|place| (term.id, place.start, place.end))
    });
    places.collect()
}

/// The question of an answer, or one of its statements, whose terms are links to their cards.
pub fn with_links(answer: &Answer, statement: Option<usize>) -> AnyView {
    let said = match statement {
        None => Some(&answer.question),
        Some(at) => answer.statements.get(at).map(|s| &s.text),
    };
    let text = said.cloned().unwrap_or_default();
    let terms = places_in(answer, statement);
    let open = Callback::new(|id| {
        keys::focus(&format!("#{}", card_of(id)));
    });
    view! { <Linked text terms open/> }.into_any()
}

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
        <article class="card ask-term" id=card_of(id) tabindex="-1" data-term=id.to_string()>
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
    let out = definition.out_of_force.as_ref().map(why);
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
            {out.map(|why| view! { <span class="cite-old"><Sign icon=Icon::Warning small=true/>{why}</span> })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::ask::sample::answer;
    use lexforge_domain::api::TermPlace;

    #[test]
    fn links_are_those_of_the_question_or_of_one_statement() {
        let place = |statement, start, end| TermPlace {
            statement,
            start,
            end,
        };
        let term = |id, places: &[TermPlace]| AnswerTerm {
            id: TermId(id),
            name: String::new(),
            definitions: Vec::new(),
            differ: false,
            places: places.to_vec(),
        };
        let mut answer = answer();
        answer.terms = vec![
            term(4, &[place(None, 10, 18), place(Some(1), 0, 6)]),
            term(9, &[place(Some(1), 7, 9)]),
        ];
        for (statement, expected) in [
            (None, vec![(TermId(4), 10, 18)]),
            (Some(0), vec![]),
            (Some(1), vec![(TermId(4), 0, 6), (TermId(9), 7, 9)]),
        ] {
            assert_eq!(places_in(&answer, statement), expected, "{statement:?}");
        }
    }
}

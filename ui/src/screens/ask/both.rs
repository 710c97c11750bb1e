//! Two answers beside each other, and which of them is better.

use super::figures::place_of;
use super::not_found::said as no_answer;
use super::notes::words as note_words;
use super::statement::{in_parts, reason};
use crate::backend::{call, commands};
use crate::components::law::lang_tag;
use crate::components::note::{Note, Tone};
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, Preferred, Statement};

/// Both answers beside each other, and the buttons that say which one is better.
#[component]
pub fn BothAnswers(
    answers: Box<[Answer; 2]>,
    names: [String; 2],
    blind: RwSignal<bool>,
    kept: RwSignal<Option<Preferred>>,
) -> impl IntoView {
    let app = use_app();
    let hidden = move || blind.get() && kept.get().is_none();
    let columns = answers
        .iter()
        .zip(["first", "second"])
        .zip(names.clone())
        .map(|((answer, place), name)| column(answer.clone(), place, name, hidden))
        .collect_view();
    let ids = [answers[0].id, answers[1].id];
    let prefer = move |preferred: Preferred| {
        if let [Some(first), Some(second)] = ids {
            let blind = blind.get_untracked();
            let command = commands::PreferAnswer {
                first,
                second,
                preferred,
                blind,
            };
            app.attempt(call(command), move |_| kept.set(Some(preferred)));
        }
    };
    let buttons = Preferred::ALL
        .into_iter()
        .map(|choice| {
            let pressed = move || (kept.get() == Some(choice)).to_string();
            view! {
                <button class="btn sm" data-preferred=choice.tag() aria-pressed=pressed disabled=move || kept.get().is_some() on:click=move |_| prefer(choice)>
                    {tag("preferred", choice.tag())}
                </button>
            }
        })
        .collect_view();
    let told = move || {
        kept.get().map(|_| {
            let names = [("first", names[0].as_str()), ("second", names[1].as_str())];
            tf("answering.compare_kept", &names)
        })
    };
    view! {
        <div class="compared">{columns}</div>
        <div class="row wrap" role="group" aria-label=t("answering.compare")>{buttons}</div>
        <p class="t-small" role="status" id="compare-kept">{told}</p>
    }
}

/// One of the two answers, with the place of each thing that it cites and what a reader should know.
fn column(
    answer: Answer,
    place: &'static str,
    who: String,
    hidden: impl Fn() -> bool + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let name = if place == "first" {
        t("answering.first")
    } else {
        t("answering.second")
    };
    let by = move || (!hidden()).then(|| format!(" · {who}"));
    let said = in_parts(&answer, true, |statement| paragraph(&answer, statement));
    let none = (!answer.found).then(|| view! { <p>{no_answer(&answer)}</p> });
    let premise = answer.premise.as_ref().map(|premise| {
        let text = tf("answering.premise", &[("assumed", &premise.assumed)]);
        view! { <Note tone=Tone::Warn>{text}</Note> }
    });
    // The notes must not show which way wrote the answer.
    let notes = answer.notes.iter().map(note_words).collect::<Vec<_>>();
    let notes = move || {
        let lines = notes.iter().map(|note| view! { <p>{note.clone()}</p> });
        (!hidden() && !notes.is_empty())
            .then(|| view! { <div class="ask-notes">{lines.collect_view()}</div> })
    };
    view! {
        <section class="card said" data-compared=place>
            <h3>{name}{by}</h3>
            {premise}
            {none}
            {said}
            {notes}
        </section>
    }
}

/// A statement with the places of what it cites, and why it does not hold where it does not.
fn paragraph(answer: &Answer, statement: &Statement) -> AnyView {
    let cited = statement
        .citations
        .iter()
        .filter_map(|at| answer.citations.get(*at));
    let language = cited.clone().next().map(|citation| citation.language);
    let lang = language.map(lang_tag).filter(|tag| !tag.is_empty());
    let places = cited
        .map(|citation| {
            let place = place_of(citation);
            view! { <span class="block t-small t-mute">{place}</span> }
        })
        .collect_view();
    let text = statement.text.clone();
    let said = if statement.kept {
        view! { <p class="law" lang=lang>{text}</p> }.into_any()
    } else {
        let why = reason(statement.reason);
        view! { <p class="law"><del lang=lang>{text}</del> " " <span class="badge bad">{why}</span></p> }
            .into_any()
    };
    view! { <div>{said}{places}</div> }.into_any()
}

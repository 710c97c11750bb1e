//! One term's page: its definitions for each act, the terms that it could be confused with, its mentions with their
//! pages, and the decisions about it.

use super::found_badge::FoundBadge;
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::Icon;
use crate::components::law::{Marked, lang_tag};
use crate::components::status::StatusBadge;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::review::at_once::decide;
use crate::review::candidates::{Candidates, Marking};
use crate::review::class::{self, ClassChooser};
use crate::review::context::PlaceLink;
use crate::review::definitions::Definitions;
use crate::review::term_card::Names;
use crate::review::votes::History;
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{Confusable, QueueItem, TermCard, TermContext};
use lexforge_domain::review::{Choice, Edit, Subject};
use std::collections::HashMap;

/// The selected term.
#[component]
pub fn Detail() -> impl IntoView {
    let app = use_app();
    let detail = Fetched::<QueueItem>::default();
    Effect::new(move |before| {
        app.changes.track();
        let now = app.term.get();
        match now {
            Some(id) if before == Some(now) => detail.refresh(call(commands::ReviewItem {
                subject: Subject::term(id),
            })),
            Some(id) => detail.ask(call(commands::ReviewItem {
                subject: Subject::term(id),
            })),
            None => detail.forget(),
        }
        now
    });
    move || {
        if let Some(failure) = detail.failure.get() {
            return view! { <div class="pad"><ErrorPanel failure/></div> }.into_any();
        }
        match (app.term.get(), detail.value.get()) {
            (None, _) => {
                view! { <Empty icon=Icon::Terms title=t("terms.choose") text=t("terms.choose_text")/> }.into_any()
            }
            (Some(_), Some(QueueItem::Term(card))) => view! { <Shown card=*card/> }.into_any(),
            _ => view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div> }.into_any(),
        }
    }
}

#[component]
fn Shown(card: TermCard) -> impl IntoView {
    let app = use_app();
    let term = card.term.clone();
    let language = lang_tag(term.language);
    let (id, class) = (term.id, term.class.clone());
    let total = u64::from(term.mentions);
    let classing = RwSignal::new(false);
    let act = move |choice: Choice, class: Option<String>| {
        decide(
            app,
            vec![Subject::term(id)],
            choice,
            Edit {
                class,
                ..Edit::default()
            },
            || (),
        );
    };
    view! {
        <div class="scroll" id="term-detail">
            <section class="part">
                <div class="row wrap">
                    <StatusBadge status=term.status/>
                    <span class="badge info">{move || class::title(app, &class)}</span>
                    <FoundBadge found=term.found/>
                    <span class="t-small">{tn("count.mentions", total)}</span>
                    <span class="t-small push" title=t("terms.c_value_tip")>{tf("terms.c_value", &[("score", &format!("{:.1}", term.score))])}</span>
                </div>
                <h2 class="law big" lang=language>{term.text.clone()}</h2>
                <Names variants=card.variants.clone() synonyms=card.synonyms.clone() text=term.text.clone()/>
                <div class="row wrap">
                    <button class="btn sm" id="term-accept" on:click=move |_| act(Choice::Accept, None)>{t("deed.accept")}</button>
                    <button class="btn sm" id="term-reject" on:click=move |_| act(Choice::Reject, None)>{t("deed.reject")}</button>
                    <button class="btn sm" id="term-class-as" on:click=move |_| classing.set(true)>{t("terms.accept_as")}</button>
                    <button class="btn ghost sm push" on:click=move |_| { app.term.set(Some(id)); app.go(Route::Graph); }>{t("terms.show_graph")}</button>
                </div>
            </section>
            <section class="part"><Definitions card=card.clone()/></section>
            <section class="part"><Candidates marking=marking(app, &card) term=id confusables=card.confusables.clone()/></section>
            <section class="part"><Contexts contexts=card.contexts total language/></section>
            <section class="part"><History history=card.history blind=card.blind open=true/></section>
        </div>
        {move || classing.get().then(|| view! {
            <ClassChooser pick=move |name| { classing.set(false); act(Choice::Accept, Some(name)); } close=move |()| classing.set(false)/>
        })}
    }
}

/// Marks whether a term is the same as one that it could be confused with.
fn marking(app: App, card: &TermCard) -> Marking {
    let pair = |other: &Confusable| Subject::pair(card.term.id, other.term.id);
    let others: Vec<Subject> = card.confusables.iter().map(pair).collect();
    let marks = RwSignal::new(HashMap::new());
    let mark = Callback::new(move |(at, choice): (usize, Choice)| {
        let Some(subject) = others.get(at).copied() else {
            return;
        };
        marks.update(|marks| {
            marks.insert(subject, choice);
        });
        decide(app, vec![subject], choice, Edit::default(), || ());
    });
    Marking {
        marks,
        chosen: RwSignal::new(usize::MAX),
        mark,
    }
}

/// Sentences in which the term stands; there may be more.
#[component]
fn Contexts(
    contexts: Vec<TermContext>,
    /// In how many it stands.
    total: u64,
    language: &'static str,
) -> impl IntoView {
    let shown = contexts.len() as u64;
    let first = (shown < total).then(|| {
        let (n, of) = (format::count(shown), format::count(total));
        tf("terms.first_contexts", &[("n", &n), ("of", &of)])
    });
    let contexts = contexts.into_iter();
    view! {
        <div class="row between">
            <h2>{t("terms.contexts")}</h2>
            <span class="t-small">{first}</span>
        </div>
        {contexts.map(|context| view! { <Context context language/> }).collect_view()}
    }
}

#[component]
fn Context(context: TermContext, language: &'static str) -> impl IntoView {
    let (text, start, end) = (context.sentence.text.clone(), context.start, context.end);
    view! {
        <div class="context">
            <p class="law sm" lang=language><Marked text start end/></p>
            <PlaceLink context/>
        </div>
    }
}

//! One term: its definition, its contexts with their pages, and the terms that it could be confused with.

use super::FoundBadge;
use crate::backend;
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::{Marked, lang_tag};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{TermContext, TermDetail};
use lexforge_domain::term::Term;

/// The selected term.
#[component]
pub fn Detail() -> impl IntoView {
    let app = use_app();
    let detail = Fetched::<TermDetail>::default();
    Effect::new(move |_| {
        app.changes.track();
        match app.term.get() {
            Some(id) => detail.ask(backend::terms::term(id)),
            None => detail.forget(),
        }
    });
    move || {
        if let Some(failure) = detail.failure.get() {
            return view! { <div class="pad"><ErrorPanel failure/></div> }.into_any();
        }
        match (app.term.get(), detail.value.get()) {
            (None, _) => {
                view! { <Empty icon=Icon::Terms title=t("terms.choose") text=t("terms.choose_text")/> }.into_any()
            }
            (Some(_), None) => {
                view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div> }.into_any()
            }
            (Some(_), Some(detail)) => view! { <Shown detail/> }.into_any(),
        }
    }
}

#[component]
fn Shown(detail: TermDetail) -> impl IntoView {
    let app = use_app();
    let TermDetail { term, contexts, confusable } = detail;
    let language = lang_tag(term.language);
    let shown = contexts.len() as u64;
    let total = u64::from(term.mentions);
    let id = term.id;
    view! {
        <div class="scroll" id="term-detail">
            <section class="part">
                <div class="row wrap">
                    <FoundBadge found=term.found/>
                    <span class="badge">{tag("status", term.status.tag())}</span>
                    <span class="t-small">{tn("count.mentions", total)}</span>
                    <span class="t-small push">{tf("terms.c_value", &[("score", &format!("{:.1}", term.score))])}</span>
                </div>
                <h2 class="law big" lang=language>{term.text.clone()}</h2>
                <Definition term=term.clone()/>
            </section>
            <section class="part">
                <div class="row between">
                    <h2>{t("terms.confusable")}</h2>
                    <button class="btn ghost sm" on:click=move |_| { app.term.set(Some(id)); app.go(Route::Graph); }>{t("terms.show_graph")}</button>
                </div>
                <Neighbours confusable/>
            </section>
            <section class="part">
                <div class="row between">
                    <h2>{t("terms.contexts")}</h2>
                    <span class="t-small">{(shown < total).then(|| tf("terms.first_contexts", &[("n", &format::count(shown)), ("of", &format::count(total))]))}</span>
                </div>
                {contexts.into_iter().map(|context| view! { <Context context language/> }).collect_view()}
            </section>
        </div>
    }
}

#[component]
fn Definition(term: Term) -> impl IntoView {
    let app = use_app();
    let language = lang_tag(term.language);
    let Some(text) = term.definition else {
        return view! { <p class="t-small">{t("terms.no_definition")}</p> }.into_any();
    };
    let sentence = term.definition_sentence;
    let open = move |_| {
        if let Some(id) = sentence {
            app.attempt(backend::library::sentence(id), move |s| app.open_sentence(s.document, s.page, Some(s.id)));
        }
    };
    view! {
        <blockquote class="law definition" lang=language>{text}</blockquote>
        {sentence.map(|_| view! {
            <button class="link t-small" on:click=open>{t("terms.open_definition")}</button>
        })}
    }
    .into_any()
}

/// Similar terms, nearest first.
#[component]
pub fn Neighbours(
    /// Terms with their cosine.
    confusable: Vec<(Term, f32)>,
) -> impl IntoView {
    let app = use_app();
    if confusable.is_empty() {
        return view! { <p class="t-small">{t("terms.no_confusable")}</p> }.into_any();
    }
    let rows = confusable
        .into_iter()
        .map(|(term, cosine)| {
            let id = term.id;
            view! {
                <li class="neighbour">
                    <button class="link law sm near-name" lang=lang_tag(term.language) on:click=move |_| app.term.set(Some(id))>{term.text.clone()}</button>
                    <span class="bar" aria-hidden="true" style=("--part", format!("{:.0}%", f64::from(cosine).clamp(0.0, 1.0) * 100.0))><i></i></span>
                    <span class="num t-small">{format::share(f64::from(cosine))}</span>
                    <span class="num t-small">{tn("count.mentions", u64::from(term.mentions))}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <p class="t-small t-mute">{t("terms.cosine_tip")}</p>
        <ul>{rows}</ul>
    }
    .into_any()
}

#[component]
fn Context(context: TermContext, language: &'static str) -> impl IntoView {
    let app = use_app();
    let s = context.sentence;
    let (document, page, id) = (s.document, s.page, s.id);
    let place = [context.document_title, s.section, tf("count.page_n", &[("n", &page.to_string())])];
    let place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" › ");
    view! {
        <div class="context">
            <p class="law sm" lang=language><Marked text=s.text start=context.start end=context.end/></p>
            <button class="link t-small" on:click=move |_| app.open_sentence(document, page, Some(id))>
                <span class="row g-1"><Sign icon=Icon::File small=true/>{place}</span>
            </button>
        </div>
    }
}

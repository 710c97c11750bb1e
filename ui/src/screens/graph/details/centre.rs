//! What the centre of the picture is: a term with its mentions, or a sentence in its place.

use super::quoted::{Quoted, review};
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::i18n::{t, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{NodeContent, TermDetail};
use lexforge_domain::document::Sentence;
use lexforge_domain::review::Subject;
use lexforge_domain::text::Language;

/// Sentences of the centre that are shown.
const CONTEXTS: usize = 4;

/// The centre itself.
#[component]
pub(super) fn Centre(what: NodeContent) -> impl IntoView {
    match what {
        NodeContent::Term { id, .. } => view! { <CentreTerm id/> }.into_any(),
        NodeContent::Sentence { id, language, .. } => {
            view! { <CentreSentence id language/> }.into_any()
        }
        NodeContent::Hub { .. } => ().into_any(),
    }
}

#[component]
fn CentreTerm(id: lexforge_domain::TermId) -> impl IntoView {
    let app = use_app();
    let detail = Fetched::<TermDetail>::default();
    Effect::new(move |_| {
        app.changes.track();
        detail.refresh(call(commands::Term { id }));
    });
    let body = move || match (detail.failure.get(), detail.value.get()) {
        (Some(failure), _) => view! { <div class="pad"><ErrorPanel failure/></div> }.into_any(),
        (None, None) => {
            view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div> }
                .into_any()
        }
        (None, Some(detail)) => view! { <AboutTerm id detail/> }.into_any(),
    };
    view! {
        <div class="pane-head"><b>{t("graph.in_the_centre")}</b></div>
        <div class="scroll" id="centre-detail">{body}</div>
    }
}

/// A term with its first mentions, and the way to the desk on which it is decided.
#[component]
fn AboutTerm(id: lexforge_domain::TermId, detail: TermDetail) -> impl IntoView {
    let app = use_app();
    let TermDetail {
        term,
        contexts,
        confusable,
    } = detail;
    let language = term.language;
    let figures = format!(
        "{} · {}",
        tn("count.mentions", u64::from(term.mentions)),
        tn("graph.similar", confusable.len() as u64)
    );
    let quotes = contexts
        .into_iter()
        .take(CONTEXTS)
        .map(|context| {
            let marks = vec![(context.start, context.end)];
            view! {
                <Quoted sentence=context.sentence document_title=context.document_title language marks class="shared"/>
            }
        })
        .collect_view();
    view! {
        <section class="part">
            <div class="law strong" lang=lang_tag(language)>{term.text}</div>
            <div class="t-small t-mute">{figures}</div>
            {term.definition.map(|text| view! { <p class="law sm definition" lang=lang_tag(language)>{text}</p> })}
            <div class="row wrap">
                <button class="btn" on:click=move |_| review(app, Subject::term(id))><Sign icon=Icon::Terms/>{t("graph.open_in_review")}</button>
            </div>
        </section>
        <section class="part">
            <h2>{t("graph.first_mentions")}</h2>
            {quotes}
        </section>
        <section class="part"><p class="t-small t-mute">{t("graph.choose_edge")}</p></section>
    }
}

#[component]
fn CentreSentence(id: lexforge_domain::SentenceId, language: Language) -> impl IntoView {
    let app = use_app();
    let detail = Fetched::<(Sentence, String)>::default();
    Effect::new(move |_| {
        app.changes.track();
        detail.refresh(async move {
            let sentence = call(commands::Sentence { id }).await?;
            let documents = call(commands::Documents {}).await?;
            let title = documents
                .into_iter()
                .find(|d| d.id == sentence.document)
                .map(|d| d.title);
            Ok((sentence, title.unwrap_or_default()))
        });
    });
    let body = move || match (detail.failure.get(), detail.value.get()) {
        (Some(failure), _) => view! { <div class="pad"><ErrorPanel failure/></div> }.into_any(),
        (None, None) => view! { <div class="skel half"></div><div class="skel"></div> }.into_any(),
        (None, Some((sentence, document_title))) => view! {
            <section class="part">
                <Quoted sentence document_title language marks=Vec::new() class="shared"/>
            </section>
            <section class="part"><p class="t-small t-mute">{t("graph.choose_edge")}</p></section>
        }
        .into_any(),
    };
    view! {
        <div class="pane-head"><b>{t("graph.in_the_centre")}</b></div>
        <div class="scroll" id="centre-detail">{body}</div>
    }
}

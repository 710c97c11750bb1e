//! A passage as it stands in its document, and the way from there to its review.

use crate::components::law::{MarkedAll, lang_tag};
use crate::i18n::t;
use crate::place::ReviewTab;
use crate::review::context::Stands;
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{Passage, QueueFilter};
use lexforge_domain::document::Sentence;
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::text::Language;

/// A sentence with what links it marked, and the way to its page.
#[component]
pub(super) fn InItsPlace(passage: Passage, class: &'static str) -> impl IntoView {
    let Passage {
        sentence,
        document_title,
        language,
        marks,
    } = passage;
    view! { <Quoted sentence document_title language marks class/> }
}

#[component]
pub(super) fn Quoted(
    sentence: Sentence,
    document_title: String,
    language: Language,
    marks: Vec<(u32, u32)>,
    class: &'static str,
) -> impl IntoView {
    let app = use_app();
    let (document, page, id, section) = (
        sentence.document,
        sentence.page,
        sentence.id,
        sentence.section,
    );
    view! {
        <div class=format!("pairbox {class}")>
            <p class="law sm" lang=lang_tag(language)><MarkedAll text=sentence.text marks/></p>
            <button class="link t-small to-page" title=t("graph.opens_page") on:click=move |_| app.open_sentence(document, page, Some(id))>
                <Stands title=document_title section page/>
            </button>
        </div>
    }
}

/// Lays an item onto the desk on which items of its kind are decided.
pub fn review(app: App, subject: Subject) {
    let (place, route) = match subject.kind() {
        SubjectKind::Question | SubjectKind::Triplet | SubjectKind::Similarity => {
            (app.questions_review, Route::Questions)
        }
        SubjectKind::Term | SubjectKind::Pair => (app.terms_review, Route::Terms),
    };
    place.filter.set(QueueFilter::of(subject.kind()));
    place.shown.set(Some(subject));
    place.tab.set(ReviewTab::Queue);
    app.go(route);
}

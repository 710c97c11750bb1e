//! One question: its choices with the answer marked, where each comes from, and the anchor sentence.

use super::source::source;
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::status::StatusBadge;
use crate::i18n::{t, tag, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::SentenceId;
use lexforge_domain::api::QuestionRow;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QuestionSource};

/// The selected question.
#[component]
pub fn Detail() -> impl IntoView {
    let app = use_app();
    move || {
        match app.question.get() {
        Some(row) => view! { <Shown row/> }.into_any(),
        None => view! { <Empty icon=Icon::Question title=t("questions.choose") text=t("questions.choose_text")/> }
            .into_any(),
    }
    }
}

#[component]
fn Shown(row: QuestionRow) -> impl IntoView {
    let app = use_app();
    let draft = row.question.draft;
    let anchor = draft.anchor_sentence;
    let (document, page) = (row.document, row.page);
    let place = [
        row.document_title.clone(),
        row.section.clone(),
        tf("count.page_n", &[("n", &page.to_string())]),
    ];
    let place = place
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" › ");
    view! {
        <div class="scroll" id="question-detail">
            <section class="part">
                <div class="row wrap">
                    <span class="badge">{tag("level", draft.level.tag())}</span>
                    <span class="badge">{tag("question_type", draft.question_type.tag())}</span>
                    <span class="badge">{tag("split", row.question.split.tag())}</span>
                    <span class="badge line">{source(draft.source)}</span>
                    <StatusBadge status=row.question.status/>
                    {row.candidates_changed.then(|| view! { <span class="badge warn">{t("questions.candidates_changed")}</span> })}
                </div>
                <p class="law strong">{draft.question.clone()}</p>
                <Choices draft=draft.clone()/>
                {draft.rephrased.clone().map(|text| view! {
                    <div class="stack g-1">
                        <h3>{t("questions.rephrased")}</h3>
                        <p class="law sm">{text}</p>
                    </div>
                })}
            </section>
            {row.note.clone().map(|text| view! {
                <section class="part">
                    <h2>{t("questions.note")}</h2>
                    <p class="sm">{text}</p>
                </section>
            })}
            <section class="part">
                <h2>{t("questions.anchor")}</h2>
                <p class="law sm"><mark>{row.anchor_text.clone()}</mark></p>
                <button class="link t-small" on:click=move |_| app.open_sentence(document, page, Some(anchor))>
                    <span class="row g-1"><Sign icon=Icon::File small=true/>{place}</span>
                </button>
            </section>
            {(draft.source == QuestionSource::Offline).then(|| view! {
                <section class="part"><Note tone=Tone::Info>{t("questions.offline_tip")}</Note></section>
            })}
        </div>
    }
}

/// The choices with the right one marked, and where each comes from.
#[component]
pub fn Choices(
    /// The question.
    draft: QcaDraft,
) -> impl IntoView {
    let answer = draft.answer;
    let origins = draft.origins.clone();
    let choices = draft
        .choices
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let origin = origins.get(at).cloned();
            let right = at == answer;
            view! { <Choice text=text.clone() right origin/> }
        })
        .collect_view();
    view! { <ol class="choices">{choices}</ol> }
}

#[component]
fn Choice(text: String, right: bool, origin: Option<ChoiceOrigin>) -> impl IntoView {
    let app = use_app();
    let origin = origin.map(|origin| match origin {
        ChoiceOrigin::Anchor => view! { <span class="t-small">{t("origin.anchor")}</span> }.into_any(),
        ChoiceOrigin::Neighbour { sentence } => view! {
            <button class="link t-small" on:click=move |_| open(app, sentence)>{t("origin.neighbour")}</button>
        }
        .into_any(),
        ChoiceOrigin::Edit { edit, sentence } => view! {
            <button class="link t-small" on:click=move |_| open(app, sentence)>{tf("origin.edit", &[("edit", &tag("edit", &edit))])}</button>
        }
        .into_any(),
        ChoiceOrigin::Term { term } => view! {
            <button class="link t-small" on:click=move |_| app.open_term(term)>{t("origin.term")}</button>
        }
        .into_any(),
    });
    view! {
        <li class="choice" class:right=right>
            {if right {
                view! { <span class="badge ok"><Sign icon=Icon::Check small=true/>{t("questions.answer")}</span> }.into_any()
            } else {
                view! { <span class="badge">{t("questions.wrong")}</span> }.into_any()
            }}
            <div class="stack g-1">
                <p class="law sm">{text}</p>
                {origin}
            </div>
        </li>
    }
}

fn open(app: App, sentence: SentenceId) {
    app.attempt(call(commands::Sentence { id: sentence }), move |s| {
        app.open_sentence(s.document, s.page, Some(s.id))
    });
}

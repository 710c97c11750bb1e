//! A question on the desk: the sentence that it rests on, its choices with the right one marked, where each comes from.

use super::context::ContextCard;
use super::desk::Desk;
use super::edit::{EditQuestion, Reason};
use super::form::Mode;
use super::votes::History;
use crate::components::note::{Note, Tone};
use crate::i18n::{t, tag};
use crate::screens::questions::detail::Choices;
use crate::screens::questions::source::source;
use leptos::prelude::*;
use lexforge_domain::api::QuestionCard;
use lexforge_domain::qca::QuestionSource;
use lexforge_domain::text::Language;

/// The question; what is decided about it stands on the desk.
#[component]
pub fn QuestionView(
    desk: Desk,
    /// The question.
    card: QuestionCard,
    /// Its place in the queue.
    place: Signal<String>,
) -> impl IntoView {
    let draft = card.row.question.draft.clone();
    let offline = draft.source == QuestionSource::Offline;
    let language = if draft.question.is_ascii() {
        Language::En
    } else {
        Language::Other
    };
    let editing = draft.clone();
    let shown = StoredValue::new(draft.clone());
    view! {
        <header class="stack g-1">
            <div class="row wrap">
                <span class="badge info">{tag("question_type", draft.question_type.tag())}</span>
                <span class="badge">{tag("level", draft.level.tag())}</span>
                <span class="badge line" class:warn=offline>{source(draft.source)}</span>
                <span class="t-small t-mute">{tag("split_part", card.row.question.split.tag())}</span>
                <span class="push t-small t-mute nowrap" id="place-in-queue">{place}</span>
            </div>
        </header>
        {move || (desk.mode.get() == Mode::Rejecting).then(|| view! { <Reason desk/> })}
        {card.anchor.map(|context| view! { <ContextCard context language/> })}
        {move || if desk.mode.get() == Mode::Editing {
            view! { <EditQuestion desk draft=editing.clone()/> }.into_any()
        } else {
            shown.with_value(|draft| view! {
                <section class="stack">
                    <h2 class="law question" id="item-title" tabindex="-1">{draft.question.clone()}</h2>
                    <Choices draft=draft.clone()/>
                </section>
            }).into_any()
        }}
        {draft.rephrased.clone().map(|text| view! {
            <section class="stack g-1">
                <h3>{t("questions.rephrased")}</h3>
                <p class="law sm">{text}</p>
            </section>
        })}
        {offline.then(|| view! { <Note tone=Tone::Info>{t("questions.offline_tip")}</Note> })}
        <History history=card.history blind=card.blind/>
    }
}

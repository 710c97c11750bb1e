//! Before the first question: examples that the documents answer, or the way to documents.

use super::deeds::ask;
use crate::backend::{call, commands};
use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;

/// The content of the place where the answer will be.
#[component]
pub fn Beginning(
    /// The workspace has no documents.
    none: Memo<bool>,
) -> impl IntoView {
    move || {
        if none.get() {
            view! { <NoDocuments/> }.into_any()
        } else {
            view! { <Examples/> }.into_any()
        }
    }
}

#[component]
fn NoDocuments() -> impl IntoView {
    let app = use_app();
    view! {
        <Empty icon=Icon::Ask title=t("answering.no_documents") text=t("answering.no_documents_text")>
            <button class="btn primary" id="ask-import" on:click=move |_| app.import()>
                <Sign icon=Icon::Plus/>
                {t("action.import")}
            </button>
        </Empty>
    }
}

#[component]
fn Examples() -> impl IntoView {
    let app = use_app();
    let examples = Fetched::<Vec<String>>::default();
    Effect::new(move |_| {
        app.changes.track();
        examples.refresh(call(commands::ExampleQuestions {}));
    });
    let buttons = move || {
        examples
            .value
            .get()
            .unwrap_or_default()
            .into_iter()
            .map(|question| {
                let asked = question.clone();
                view! {
                    <button class="btn ask-example" on:click=move |_| ask(app, &asked)>{question}</button>
                }
            })
            .collect_view()
    };
    let failed = move || {
        let failure = examples.failure.get()?;
        let why = said(&failure.message);
        Some(tf("answering.examples_failed", &[("why", &why)]))
    };
    view! {
        <Empty icon=Icon::Ask title=t("answering.begin") text=t("answering.begin_text")>
            <div class="ask-examples" id="ask-examples">{buttons}</div>
            {move || failed().map(|text| view! { <span class="t-small t-mute" role="status">{text}</span> })}
        </Empty>
    }
}

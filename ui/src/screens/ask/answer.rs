//! The answer that is shown, or that there is none.

use super::certificate::{CertificateLine, is_apart};
use super::nearest::Nearest;
use super::not_found::NotFound;
use super::notes::{Contradicted, NotInForce, Notes, Taken};
use super::provenance::Provenance;
use super::refers::Refers;
use super::since::Since;
use super::statement::Statements;
use super::terms::{Terms, with_links};
use super::verdicts::Verdicts;
use crate::i18n::t;
use crate::state::use_app;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::Answer;

/// The answer of [`crate::state::App::ask`]. As long as there is none, `nothing` is shown.
#[component]
pub fn Shown(
    /// The content that is shown without an answer.
    #[prop(into)]
    nothing: ViewFn,
) -> impl IntoView {
    let app = use_app();
    let scroller = NodeRef::<Div>::new();
    let answer = app.ask.answer;
    let none = Memo::new(move |_| answer.with(Option::is_none));
    // Another answer begins at its top.
    Effect::new(move |_| {
        answer.track();
        if let Some(scroller) = scroller.get() {
            scroller.set_scroll_top(0);
        }
    });
    view! {
        <div class="scroll ask-scroll" node_ref=scroller tabindex="-1">
            {move || none.get().then(|| nothing.run())}
            <div class="ask-col" class:none=move || none.get()>
                // Stands there from the beginning, so that what comes into it is read out.
                <div class="stack g-4" id="answer" aria-live="polite">
                    {move || answer.get().map(|answer| view! { <Said answer/> })}
                </div>
                {move || answer.get().map(|answer| view! { <Beside answer/> })}
            </div>
        </div>
    }
}

/// The question and what is said to it.
#[component]
fn Said(answer: Answer) -> impl IntoView {
    let premise = answer
        .premise
        .clone()
        .map(|premise| view! { <Contradicted premise answer=answer.clone()/> });
    let said =
        (!answer.statements.is_empty()).then(|| view! { <Statements answer=answer.clone()/> });
    let none = (!answer.found).then(|| view! { <NotFound answer=answer.clone()/> });
    view! {
        <h2 class="ask-question" data-found=answer.found.to_string()>{with_links(&answer, None)}</h2>
        <Taken answer=answer.clone()/>
        <Since answer=answer.clone()/>
        <NotInForce answer=answer.clone()/>
        {premise}
        {none}
        {said}
        <Notes answer=answer.clone()/>
    }
}

/// The content below it.
#[component]
fn Beside(answer: Answer) -> impl IntoView {
    let passages = answer.passages.clone();
    let near = (!passages.is_empty()).then(|| {
        if answer.found {
            view! {
                <details class="history" id="nearest">
                    <summary>{t("answering.nearest")}</summary>
                    <Nearest passages/>
                </details>
            }
            .into_any()
        } else {
            view! {
                <section class="stack" id="nearest">
                    <h2>{t("answering.nearest")}</h2>
                    <Nearest passages/>
                </section>
            }
            .into_any()
        }
    });
    let (first, last) = if answer.found {
        (None, near)
    } else {
        (near, None)
    };
    let terms = (!answer.terms.is_empty()).then(|| view! { <Terms terms=answer.terms.clone()/> });
    view! {
        {first}
        <Refers answer=answer.clone()/>
        <CertificateLine given=answer.certificate.clone() apart=is_apart(&answer)/>
        <Verdicts answer=answer.clone()/>
        {terms}
        {last}
        <Provenance answer=answer.clone()/>
    }
}

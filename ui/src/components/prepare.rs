//! The button that finds terms, builds the graph and writes questions, or how far that is.

use super::icon::{Icon, Sign};
use super::task_progress::Cancellable;
use crate::i18n::t;
use crate::place::ReviewTab;
use crate::state::{App, use_app};
use leptos::prelude::*;

/// Whether a screen of terms or questions shows [`Prepare`]: beside the list of all, and wherever it is at work. It is a
/// memo, so that the button that cancels is not replaced with each report of the job.
pub fn offers_prepare(app: App, tab: RwSignal<ReviewTab>) -> Memo<bool> {
    Memo::new(move |_| tab.get() == ReviewTab::All || app.busy("prepare").is_some())
}

/// The next step towards terms, graph and questions: import, prepare, or wait for what is at work.
#[component]
pub fn Prepare(
    /// The one filled button of the screen.
    #[prop(optional)]
    primary: bool,
) -> impl IntoView {
    let app = use_app();
    let class = if primary { "btn primary" } else { "btn" };
    let task = Memo::new(move |_| app.busy("prepare"));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let documents = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().is_some_and(|ws| ws.documents > 0))
    });
    // If there are results already, only changed parts are made again, and decisions are kept.
    let is_there = Memo::new(move |_| {
        app.workspace.with(|ws| {
            ws.as_ref()
                .is_some_and(|ws| ws.terms > 0 && ws.graph.is_some() && ws.questions > 0)
        })
    });
    let words = move || match is_there.get() {
        true => t("action.prepare_again"),
        false => t("action.prepare"),
    };
    move || match working.get() {
        Some(_) => view! { <Cancellable task/> }.into_any(),
        None if !documents.get() => view! {
            <button class=class on:click=move |_| app.import()>
                <Sign icon=Icon::Plus/>
                {t("action.import")}
            </button>
        }
        .into_any(),
        None => view! {
            <button class=class id="prepare" on:click=move |_| app.prepare()>
                <Sign icon=Icon::Play/>
                {words}
            </button>
        }
        .into_any(),
    }
}

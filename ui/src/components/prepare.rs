//! The button that finds terms, builds the graph and writes questions, or how far that is.

use super::bar::Bar;
use super::icon::{Icon, Sign};
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;

/// The next step towards terms, graph and questions: import, prepare, or wait for what is at work.
#[component]
pub fn Prepare(
    /// The one filled button of the screen.
    #[prop(optional)]
    primary: bool,
) -> impl IntoView {
    let app = use_app();
    let class = if primary { "btn primary" } else { "btn" };
    let documents = move || app.workspace.with(|ws| ws.as_ref().map_or(0, |ws| ws.documents));
    move || match app.busy("prepare") {
        Some(task) => {
            let (text, done, of) = match &task.progress {
                Some(p) => (tag("stage", p.stage.tag()), p.done, p.of),
                None => (t("task.begins"), 0, 0),
            };
            view! {
                <span class="progress" role="status">
                    <span class="t-small">{text}</span>
                    <Bar done of label=t("task.prepare")/>
                    <button class="btn ghost sm" on:click=move |_| app.attempt(crate::backend::tasks::cancel_task(task.id), |()| ())>
                        {t("action.cancel")}
                    </button>
                </span>
            }
            .into_any()
        }
        None if documents() == 0 => view! {
            <button class=class on:click=move |_| app.import()>
                <Sign icon=Icon::Plus/>
                {t("action.import")}
            </button>
        }
        .into_any(),
        None => view! {
            <button class=class id="prepare" on:click=move |_| app.prepare()>
                <Sign icon=Icon::Play/>
                {t("action.prepare")}
            </button>
        }
        .into_any(),
    }
}

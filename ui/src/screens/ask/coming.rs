//! The statements of an answer that is on its way, as they are checked.

use super::deeds::give_up;
use super::statement::reason;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::Statement;

/// The statements so far, and the way to give the answer up.
#[component]
pub fn Coming() -> impl IntoView {
    let app = use_app();
    let said = Memo::new(move |_| {
        let id = app.ask.task.get()?;
        let of = |tasks: &Vec<lexforge_domain::api::Task>| {
            tasks
                .iter()
                .find(|task| task.id == id)
                .map(|task| task.said.clone())
        };
        Some(app.tasks.with(of).unwrap_or_default())
    });
    let paragraph = |statement: Statement| {
        if statement.kept {
            view! { <p class="law">{statement.text}</p> }.into_any()
        } else {
            let why = reason(statement.reason);
            view! { <p class="law"><del>{statement.text}</del> " " <span class="badge bad">{why}</span></p> }.into_any()
        }
    };
    move || {
        let (id, said) = app.ask.task.get().zip(said.get())?;
        let statements = said.into_iter().map(paragraph).collect_view();
        Some(view! {
            <div class="said" id="ask-coming" aria-label=t("answering.coming") aria-live="polite">{statements}</div>
            <div class="row">
                <button class="btn sm" id="ask-give-up" on:click=move |_| give_up(app, id)>{t("action.cancel")}</button>
            </div>
        })
    }
}

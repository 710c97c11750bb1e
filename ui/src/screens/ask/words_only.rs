//! What can be done about an answer for which only words were searched.

use super::deeds::{VECTORS, make_vectors};
use crate::backend::{call, commands};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;

/// How far the vectors are, or the button that makes them; nothing where none can be made.
#[component]
pub fn WordsOnly() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(VECTORS));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let missing = Fetched::<u64>::default();
    Effect::new(move |_| {
        app.changes.track();
        working.track();
        missing.refresh(call(commands::MissingVectors {}));
    });
    let some = Memo::new(move |_| missing.value.get().unwrap_or_default() > 0);
    move || match working.get() {
        Some(number) => view! {
            <p>{t("answering.vectors_coming")}</p>
            <Cancellable task number name="vectors"/>
        }
        .into_any(),
        None if some.get() => view! {
            <button class="btn sm" id="make-vectors" on:click=move |_| make_vectors(app)>
                {t("answering.make_vectors")}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    }
}

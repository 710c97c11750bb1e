//! What can be done about an answer for which sentences had no vector, all of them or some.

use super::deeds::{VECTORS, ask, make_vectors};
use crate::backend::{call, commands};
use crate::components::task_progress::Cancellable;
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::SearchEncoderRow;

/// Whether what questions are searched with now has vectors.
fn has_vectors(rows: &[SearchEncoderRow]) -> bool {
    rows.iter().any(|row| row.chosen && !row.model.is_empty())
}

/// Shows the progress of the vectors, or the button that makes them, or a note that they were made after the answer. If
/// no vectors can be made, it shows nothing; if it is not known whether some are missing, it says why.
#[component]
pub fn WordsOnly(
    /// What was asked.
    question: String,
) -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(VECTORS));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    let missing = Fetched::<u64>::default();
    Effect::new(move |_| {
        app.changes.track();
        working.track();
        missing.refresh(call(commands::MissingVectors {}));
        app.ask.encoders.refresh(call(commands::SearchEncoders {}));
    });
    let some = Memo::new(move |_| missing.value.get().unwrap_or_default() > 0);
    let there = Memo::new(move |_| {
        let rows = app.ask.encoders.value;
        missing.value.get() == Some(0) && rows.with(|rows| rows.as_deref().is_some_and(has_vectors))
    });
    let failed = move || {
        let failure = missing.failure.get()?;
        let why = said(&failure.message);
        Some(tf("answering.vectors_failed", &[("why", &why)]))
    };
    let question = StoredValue::new(question);
    let again = move |_| question.with_value(|question| ask(app, question));
    move || match working.get() {
        Some(_) => view! {
            <p>{t("answering.vectors_coming")}</p>
            <Cancellable task name="vectors"/>
        }
        .into_any(),
        None if some.get() => view! {
            <button class="btn sm" id="make-vectors" on:click=move |_| make_vectors(app)>
                {t("answering.make_vectors")}
            </button>
        }
        .into_any(),
        None if there.get() => view! {
            <p>{t("answering.vectors_there")}</p>
            <button class="btn sm" id="ask-again" on:click=again>{t("answering.again")}</button>
        }
        .into_any(),
        None => failed()
            .map(|text| view! { <p class="t-small t-mute">{text}</p> })
            .into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_there_once_what_is_searched_with_has_them() {
        let row = |model: &str, chosen| SearchEncoderRow {
            choice: None,
            model: model.to_owned(),
            chosen,
        };
        assert!(!has_vectors(&[row("", true), row("tuned", false)]));
        assert!(has_vectors(&[row("all-MiniLM-L6-v2", true)]));
        assert!(has_vectors(&[row("", false), row("tuned", true)]));
    }
}

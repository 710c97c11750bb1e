//! An answer that a model is writing: the statements that have passed their check, and how far it is.

use super::chip::label;
use super::deeds::give_up;
use crate::components::law::lang_tag;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AnswerSoFar, Task};

/// How far an answer is, in words.
fn how_far(so_far: &AnswerSoFar) -> String {
    let checked = tn("answering.checked", so_far.statements.len() as u64);
    match so_far.left_out {
        0 => tf("answering.writing", &[("checked", &checked)]),
        n => tf(
            "answering.writing_left_out",
            &[("checked", &checked), ("n", &n.to_string())],
        ),
    }
}

/// The statements so far, and the way to give the answer up.
#[component]
pub fn Coming() -> impl IntoView {
    let app = use_app();
    let so_far = Memo::new(move |_| {
        let id = app.ask.task.get()?;
        let of = |tasks: &Vec<Task>| {
            let task = tasks.iter().find(|task| task.id == id)?;
            task.so_far.as_deref().cloned()
        };
        app.tasks.with(of)
    });
    let said = move || so_far.get().as_ref().map(statements);
    let writing = move || so_far.get().as_ref().map(how_far);
    // What arrives changes the parts, so that the button keeps the focus.
    move || {
        let id = app.ask.task.get()?;
        Some(view! {
            <div class="said" id="ask-coming" aria-label=t("answering.coming") aria-live="polite">{said}</div>
            <p class="t-small t-mute ask-waiting" role="status" id="ask-writing">{writing}</p>
            <div class="row">
                <button class="btn sm" id="ask-give-up" on:click=move |_| give_up(app, id)>{t("action.cancel")}</button>
            </div>
        })
    }
}

/// The statements that have passed, each with the places that it cites.
fn statements(so_far: &AnswerSoFar) -> impl IntoView + use<> {
    let paragraphs = so_far.statements.iter().map(|statement| {
        let cited: Vec<_> = statement
            .citations
            .iter()
            .filter_map(|at| Some((*at, so_far.citations.get(*at)?)))
            .collect();
        let lang = cited
            .first()
            .map(|(_, citation)| lang_tag(citation.language));
        let lang = lang.filter(|tag| !tag.is_empty());
        let places = cited.into_iter().map(|(at, citation)| {
            let (title, section) = label(at + 1, citation);
            view! { " " <span class="t-small t-mute">{title}{section}</span> }
        });
        let places = places.collect_view();
        view! { <p class="law" lang=lang>{statement.text.clone()}{places}</p> }
    });
    paragraphs.collect_view()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::Statement;

    #[test]
    fn the_line_counts_what_passed_and_what_did_not() {
        let statement = Statement {
            text: "A bank shall pay.".to_owned(),
            citations: Vec::new(),
            kept: true,
            reason: None,
            marks: Vec::new(),
        };
        for (passed, left_out, expected) in [
            (0, 0, "Writing… 0 statements checked"),
            (1, 0, "Writing… 1 statement checked"),
            (2, 1, "Writing… 2 statements checked, 1 left out"),
        ] {
            let so_far = AnswerSoFar {
                statements: vec![statement.clone(); passed],
                citations: Vec::new(),
                left_out,
            };
            assert_eq!(how_far(&so_far), expected);
        }
    }
}

//! What happened since an answer was given to the documents that it cites. The answer itself stays as it was.

use crate::backend::{call, commands};
use crate::components::note::{Note, Tone};
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{Answer, AnswerChange, DocumentChange, OutOfForce};

/// What happened to one document, in words.
pub fn words(changed: &AnswerChange) -> String {
    let numbers: Vec<String> = changed
        .citations
        .iter()
        .map(|at| format!("[{}]", at + 1))
        .collect();
    let cited = numbers.join(" ");
    let day = match &changed.change {
        DocumentChange::OutOfForce { out_of_force } => match out_of_force {
            OutOfForce::Repealed { since: day }
            | OutOfForce::Expired { until: day }
            | OutOfForce::NotYet { from: day } => day,
        },
        _ => "",
    };
    let values = [
        ("cited", cited.as_str()),
        ("title", &changed.title),
        ("day", day),
    ];
    let what = match &changed.change {
        DocumentChange::Removed => tf("answering.since_removed", &values),
        DocumentChange::InForce => tf("answering.since_in_force", &values),
        DocumentChange::Replaced { .. } => tf("answering.since_replaced", &values),
        DocumentChange::Newer { .. } => tf("answering.since_newer", &values),
        DocumentChange::OutOfForce { out_of_force } => match out_of_force {
            OutOfForce::Repealed { .. } => tf("answering.since_repealed", &values),
            OutOfForce::Expired { .. } => tf("answering.since_expired", &values),
            OutOfForce::NotYet { .. } => tf("answering.since_not_yet", &values),
        },
    };
    tf("answering.since", &[("what", &what)])
}

/// The newer version of a document that was cited, if that is what came.
fn newer(changed: &AnswerChange) -> Option<DocumentId> {
    match changed.change {
        DocumentChange::Replaced { by } | DocumentChange::Newer { by } => Some(by),
        DocumentChange::Removed | DocumentChange::InForce | DocumentChange::OutOfForce { .. } => {
            None
        }
    }
}

/// What happened, before the answer; nothing where nothing did.
#[component]
pub fn Since(answer: Answer) -> impl IntoView {
    let app = use_app();
    let (place, id) = (app.ask, answer.id);
    if let Some(id) = id {
        app.attempt(call(commands::AnswerSince { id }), move |changes| {
            place.since.set(Some((id, changes)));
        });
    }
    let notes = move |changes: Vec<AnswerChange>| {
        let notes = changes.into_iter().map(move |changed| {
            let open = newer(&changed).map(|newer| {
                view! {
                    " "
                    <button class="link" on:click=move |_| app.open_sentence(newer, 1, None)>{t("answering.open_newer")}</button>
                }
            });
            view! { <Note tone=Tone::Warn>{words(&changed)}{open}</Note> }
        });
        view! { <div id="answer-since">{notes.collect_view()}</div> }
    };
    move || {
        let changes = place.changes(id);
        (!changes.is_empty()).then(|| notes(changes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_says_which_citations_it_concerns() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let changed = |citations: &[usize], change| AnswerChange {
            document: DocumentId(1),
            title: "Harbour Dues Act 1987".to_owned(),
            citations: citations.to_vec(),
            change,
        };
        let by = DocumentId(3);
        let out_of_force = OutOfForce::Repealed {
            since: "2024-01-01".to_owned(),
        };
        for (change, told, opens) in [
            (
                changed(&[0, 2], DocumentChange::OutOfForce { out_of_force }),
                "Since this answer was given: [1] [3] “Harbour Dues Act 1987” is repealed from 2024-01-01.",
                None,
            ),
            (
                changed(&[1], DocumentChange::Replaced { by }),
                "Since this answer was given: [2] “Harbour Dues Act 1987” was replaced by a newer version.",
                Some(by),
            ),
            (
                changed(&[1], DocumentChange::Removed),
                "Since this answer was given: [2] “Harbour Dues Act 1987” is no longer in the workspace.",
                None,
            ),
        ] {
            assert_eq!(words(&change), told);
            assert_eq!(newer(&change), opens);
        }
    }
}

//! Decisions made outside a queue: recorded at once, told with a way back.

use super::word::did;
use crate::backend::{call, commands};
use crate::i18n::{t, tf};
use crate::state::App;
use crate::toast::Toast;
use leptos::prelude::*;
use lexforge_domain::api::{ActView, NewDecision};
use lexforge_domain::review::{Choice, Edit, Subject};

/// Records one choice about these items; `then` runs once it is saved.
pub fn decide(
    app: App,
    subjects: Vec<Subject>,
    choice: Choice,
    edit: Edit,
    then: impl FnOnce() + 'static,
) {
    let several = subjects.len() > 1;
    let decision = NewDecision {
        subjects,
        choice,
        edit,
        reason: String::new(),
        adjudicates: false,
    };
    let made = call(commands::Decide { decision });
    let told = move |act: ActView| {
        app.toast.set(Some(Toast {
            text: tf(
                "review.told",
                &[("deed", &did(act.choice, act.items, &act.text))],
            ),
            undo: Some(Callback::new(move |()| undo(app))),
        }));
        app.reload();
        then();
    };
    // Of single items the next may be decided before the last is recorded.
    match several {
        true => app.attempt_once(t("wait.decide"), made, told),
        false => app.attempt(made, told),
    }
}

/// Takes the last deed back.
pub fn undo(app: App) {
    app.attempt(call(commands::UndoDecision {}), move |act| {
        let text = match act {
            Some(act) => tf(
                "review.undone",
                &[("deed", &did(act.choice, act.items, &act.text))],
            ),
            None => t("review.nothing_to_undo"),
        };
        app.toast.set(Some(Toast { text, undo: None }));
        app.reload();
    });
}

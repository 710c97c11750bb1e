//! Saves the decisions of a desk one after another, in the order in which they were made.

use super::Desk;
use crate::backend::{call, commands};
use crate::i18n::{t, tf};
use crate::review::pending::{Deed, Pending};
use crate::review::word::{did, name};
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Code;
use lexforge_domain::api::{ActView, NewDecision};
use lexforge_domain::review::Subject;

impl Desk {
    /// Saves the open decisions, unless they are being saved already. Then requests the queue again.
    pub(super) fn send(self) {
        if self.pending.try_update_value(Pending::begin) != Some(true) {
            return;
        }
        spawn_local(async move {
            let mut at = None;
            while let Some(deed) = self.pending.try_with_value(Pending::first).flatten() {
                let answer = match &deed {
                    Deed::Decide(decision, _) => call(commands::Decide {
                        decision: NewDecision::clone(decision),
                    })
                    .await
                    .map(|_| None),
                    Deed::Undo => call(commands::UndoDecision {}).await.map(Some),
                };
                let Some(current) = self.shown.try_get_untracked() else {
                    return;
                };
                match answer {
                    Ok(undone) => {
                        self.change(Pending::saved);
                        at = match undone {
                            None => at,
                            Some(act) => self.undone(act).or(current),
                        };
                    }
                    Err(failure) if failure.code == Code::NotFound && is_gone(&deed).await => {
                        // Another try would not help. The desk already has another item, which stays.
                        self.drop_first(&deed);
                    }
                    Err(failure) => {
                        self.said.set(t("review.not_saved"));
                        let mut back = None;
                        self.change(|pending| back = pending.failed(deed));
                        if let Some(item) = back {
                            self.show(item);
                        }
                        self.unsaved.set(Some(failure));
                        return;
                    }
                }
            }
            self.pending.update_value(Pending::end);
            self.refresh(at.or(self.here()));
        });
    }

    /// Lets the first deed go, which was about something that is no longer there, and says so.
    fn drop_first(self, deed: &Deed) {
        self.change(Pending::saved);
        let Deed::Decide(decision, item) = deed else {
            return;
        };
        self.marks
            .update(|marks| marks.retain(|subject, _| !decision.subjects.contains(subject)));
        let text = item
            .as_ref()
            .map_or_else(|| t("subject.pair"), |item| name(item));
        self.said.set(tf("review.too_late", &[("text", &text)]));
        self.too_late.set(Some(text));
    }

    /// Shows what was undone. Returns the item to go back to.
    fn undone(self, act: Option<ActView>) -> Option<Subject> {
        let Some(act) = act else {
            self.said.set(t("review.nothing_to_undo"));
            return None;
        };
        self.said.set(tf(
            "review.undone",
            &[("deed", &did(act.choice, act.items, &act.text))],
        ));
        self.marks.update(|marks| {
            marks.remove(&act.subject);
        });
        if act.subject.kind() != self.kind() {
            return None;
        }
        self.gone.set(false);
        self.shown.set(Some(act.subject));
        Some(act.subject)
    }
}

/// Whether what a decision is about is no longer in the workspace; it may also name a term that is not.
async fn is_gone(deed: &Deed) -> bool {
    let Deed::Decide(decision, _) = deed else {
        return false;
    };
    let Some(subject) = decision.subjects.first().copied() else {
        return false;
    };
    matches!(call(commands::ReviewItem { subject }).await, Err(failure) if failure.code == Code::NotFound)
}

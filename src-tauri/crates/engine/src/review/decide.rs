//! Deciding, and taking back.

use super::Review;
use super::checks;
use super::settings::origin;
use super::subject::{name_of, text_of};
use crate::workspace::Result;
use lexforge_domain::api::{ActView, NewDecision};
use lexforge_domain::review::{Choice, Edit, Subject};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{ActId, Failure, TermId};
use lexforge_store::{NewAct, Reader, StoreError};
use std::collections::BTreeSet;

impl Review<'_> {
    /// Decides about one item or a batch in the name of the present person. Either all decisions are made or none, and
    /// they are on the disk when this returns.
    ///
    /// # Errors
    /// When the choice does not suit the items, an item does not exist, merges would form a circle, or an adjudication
    /// has no reason.
    pub fn decide(&self, new: &NewDecision) -> Result<ActView> {
        let subjects: Vec<Subject> = new
            .subjects
            .iter()
            .copied()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let Some(first) = subjects.first() else {
            return Err(refused(
                "There is nothing to decide about.",
                "Choose an item at least.",
            ));
        };
        let edit = Edit {
            text: new.edit.text.as_ref().map(|t| t.trim().to_owned()),
            class: new.edit.class.as_ref().map(|c| c.trim().to_owned()),
            choices: new.edit.choices.as_deref().map(trimmed),
            ..new.edit.clone()
        };
        let reason = new.reason.trim();
        if subjects.iter().any(|s| s.kind() != first.kind()) {
            return Err(refused(
                "One decision is about items of one kind.",
                "Decide about each kind by itself.",
            ));
        }
        if subjects.len() > 1 && (edit.text.is_some() || edit.choices.is_some()) {
            return Err(refused(
                "Several items cannot get the same text.",
                "Change them one by one.",
            ));
        }
        if new.adjudicates && (reason.is_empty() || new.choice == Choice::Skip) {
            return Err(refused(
                "An adjudication decides for everybody and needs a reason.",
                "Say in a sentence why it is so; it stands in the audit chain.",
            ));
        }
        checks::suits(first.kind(), new.choice, &edit, reason)?;
        let me = self.me()?;
        Ok(self.workspace.store.write(&me.name, |w| {
            if new.adjudicates && origin(w)?.is_some() {
                let failure = refused(
                    "Conflicts are settled where the packet came from.",
                    "Decide without adjudicating.",
                );
                return Err(StoreError::Refused(failure));
            }
            for &subject in &subjects {
                checks::two_terms(subject, &edit)?;
                if !w.holds(subject)? {
                    return Err(StoreError::NotFound {
                        what: "item",
                        id: name_of(subject),
                    });
                }
                if let (Some(choices), Subject::Question { id }) = (&edit.choices, subject) {
                    checks::fit(choices, w.question(id)?.question.draft.choices.len())?;
                }
                if let (Some(said), Subject::Triplet { id }) = (&edit.choices, subject) {
                    checks::differ(said, &w.triplet(id, false)?.triplet.source)?;
                }
                if let (Some(into), Subject::Term { id }) = (edit.into, subject) {
                    no_circle(w, id, into, &subjects)?;
                }
            }
            let act = w.decide(&NewAct {
                person: me.id,
                subjects: &subjects,
                choice: new.choice,
                edit: &edit,
                reason,
                adjudicates: new.adjudicates,
            })?;
            act_view(w, act)
        })?)
    }

    /// Takes back the present person's newest act that was not taken back yet. `None` if there is no such act.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn undo_decision(&self) -> Result<Option<ActView>> {
        let me = self.me()?;
        Ok(self.workspace.store.write(&me.name, |w| {
            let Some(last) = w.last_act_of(me.id)? else {
                return Ok(None);
            };
            w.undo_act(me.id, last.id)?;
            act_view(w, last.id).map(Some)
        })?)
    }
}

/// An act as it is shown.
pub(super) fn act_view(reader: &Reader, act: ActId) -> lexforge_store::Result<ActView> {
    let stored = reader.act(act)?;
    let text = match text_of(reader, stored.subject) {
        Err(StoreError::NotFound { .. }) => name_of(stored.subject),
        text => text?,
    };
    Ok(ActView {
        act,
        choice: stored.choice,
        items: stored.items,
        subject: stored.subject,
        text,
        made: stored.made,
    })
}

/// Refuses to merge a term into a term that was itself merged, directly or through others, into the first one.
fn no_circle(
    reader: &Reader,
    term: TermId,
    into: TermId,
    merged: &[Subject],
) -> lexforge_store::Result<()> {
    let mut at = into;
    if !reader.holds(Subject::term(into))? {
        return Err(StoreError::NotFound {
            what: "term",
            id: into.to_string(),
        });
    }
    let mut seen = BTreeSet::from([into]);
    loop {
        if at == term || merged.contains(&Subject::term(at)) {
            return Err(StoreError::Refused(refused(
                "The term would be merged into itself.",
                "The other term is merged into this one already; merge into the name that is to stay.",
            )));
        }
        let verdict = reader.verdict(Subject::term(at))?;
        match verdict
            .edit
            .into
            .filter(|_| verdict.status == ReviewStatus::Merged)
        {
            Some(next) if seen.insert(next) => at = next,
            _ => return Ok(()),
        }
    }
}

fn trimmed(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| text.trim().to_owned()).collect()
}

fn refused(message: &str, hint: &str) -> Failure {
    Failure::invalid(message, hint)
}

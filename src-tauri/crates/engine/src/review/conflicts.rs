//! Items about which reviewers differ.

use super::Review;
use super::subject::{language_of, text_of};
use crate::workspace::Result;
use lexforge_domain::PersonId;
use lexforge_domain::api::ConflictRow;
use lexforge_domain::review::{Choice, Decision, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_store::Reader;

impl Review<'_> {
    /// The items of a kind on which reviewers disagree and that nobody adjudicated yet, the oldest conflict first.
    pub fn conflicts(&self, kind: SubjectKind) -> Result<Vec<ConflictRow>> {
        let mut rows: Vec<ConflictRow> = self.workspace.store.read(|r| {
            let found = r.with_status(kind, ReviewStatus::Conflict)?;
            let held = found
                .into_iter()
                .filter_map(|subject| match r.holds(subject) {
                    Ok(true) => Some(Ok(subject)),
                    Ok(false) => None,
                    Err(e) => Some(Err(e)),
                });
            held.map(|subject| row(r, subject?)).collect()
        })?;
        rows.sort_by(|a, b| (&a.since, a.subject).cmp(&(&b.since, b.subject)));
        Ok(rows)
    }
}

fn row(reader: &Reader, subject: Subject) -> lexforge_store::Result<ConflictRow> {
    let decisions = reader.decisions_of(subject)?;
    let counted = newest_of_each(&decisions);
    let said = Choice::all()
        .map(|choice| {
            (
                choice,
                counted.iter().filter(|d| d.choice == choice).count() as u32,
            )
        })
        .filter(|(_, n)| *n > 0)
        .collect();
    let class = match subject {
        Subject::Term { id } => reader.term(id)?.class,
        _ => String::new(),
    };
    Ok(ConflictRow {
        subject,
        text: text_of(reader, subject)?,
        language: language_of(reader, subject)?,
        class,
        said,
        since: counted
            .iter()
            .map(|d| d.made.clone())
            .min()
            .unwrap_or_default(),
    })
}

/// Each person's newest decision that was not taken back; skips do not count.
fn newest_of_each(decisions: &[Decision]) -> Vec<&Decision> {
    let mut newest: Vec<&Decision> = Vec::new();
    let said = |person: PersonId, newest: &[&Decision]| newest.iter().any(|d| d.person == person);
    for decision in decisions
        .iter()
        .rev()
        .filter(|d| !d.undone && d.choice != Choice::Skip)
    {
        if !said(decision.person, &newest) {
            newest.push(decision);
        }
    }
    newest
}

//! Review: who decides, what to decide next, deciding, taking back, what differs, and packets for colleagues.

mod assignment;
mod cards;
mod checks;
mod conflicts;
mod decide;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod fixture;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod forged_tests;
mod identity;
mod joined;
mod merge;
mod names;
mod packet_file;
mod packet_fill;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod packet_tests;
mod packets;
mod people;
mod queue;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;

pub(crate) use identity::taken_as_one;
pub(crate) use joined::JoinedTerms;
use lexforge_domain::PersonId;
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_store::Reader;
pub(crate) use packets::{UID, workspace_uid};
pub(crate) use people::plan;

/// What an open workspace remembers of a review that goes on.
#[derive(Debug, Default)]
pub(crate) struct ReviewState {
    /// As whom this engine decides, where it was told so.
    acting: Option<PersonId>,
    /// The queue that is looked at.
    queue: Option<queue::Queue>,
}

/// What stands for an item in a list: the term, the two terms, the question.
fn text_of(reader: &Reader, subject: Subject) -> lexforge_store::Result<String> {
    Ok(match subject {
        Subject::Term { id } => reader.term(id)?.text,
        Subject::Pair { a, b } => format!("{} ↔ {}", reader.term(a)?.text, reader.term(b)?.text),
        Subject::Question { id } => reader.question(id)?.question.draft.question,
    })
}

/// What stands for an item that the workspace may no longer hold.
fn name_of(subject: Subject) -> String {
    match subject.keys() {
        (a, b) if subject.kind() == SubjectKind::Pair => format!("pair {a} {b}"),
        (id, _) => format!("{} {id}", subject.kind().tag()),
    }
}

//! What stands for an item in a list.

use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_store::Reader;

/// What stands for an item in a list: the term, the two terms, the question.
pub(super) fn text_of(reader: &Reader, subject: Subject) -> lexforge_store::Result<String> {
    Ok(match subject {
        Subject::Term { id } => reader.term(id)?.text,
        Subject::Pair { a, b } => format!("{} ↔ {}", reader.term(a)?.text, reader.term(b)?.text),
        Subject::Question { id } => reader.question(id)?.question.draft.question,
    })
}

/// What stands for an item that the workspace may no longer hold.
pub(super) fn name_of(subject: Subject) -> String {
    match subject.keys() {
        (a, b) if subject.kind() == SubjectKind::Pair => format!("pair {a} {b}"),
        (id, _) => format!("{} {id}", subject.kind().tag()),
    }
}

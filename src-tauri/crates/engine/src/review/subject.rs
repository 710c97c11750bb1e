//! The text that represents an item in a list, and its language.

use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::text::Language;
use lexforge_store::Reader;

/// The text of an item in a list: the term, both terms, the question, the sentence of a triplet, or both sentences.
pub(super) fn text_of(reader: &Reader, subject: Subject) -> lexforge_store::Result<String> {
    Ok(match subject {
        Subject::Term { id } => reader.term(id)?.text,
        Subject::Pair { a, b } => format!("{} ↔ {}", reader.term(a)?.text, reader.term(b)?.text),
        Subject::Question { id } => reader.question(id)?.question.draft.question,
        Subject::Triplet { id } => reader.triplet(id, false)?.triplet.source,
        Subject::Similarity { id } => {
            let pair = reader.similarity_pair(id)?;
            format!("{} ↔ {}", pair.one, pair.other)
        }
    })
}

/// The language of an item. For a pair of terms it is that of the first term, and for a question that of the document
/// it was made from.
pub(super) fn language_of(reader: &Reader, subject: Subject) -> lexforge_store::Result<Language> {
    Ok(match subject {
        Subject::Term { id } | Subject::Pair { a: id, .. } => reader.term(id)?.language,
        Subject::Question { id } => reader.document(reader.question(id)?.document)?.language,
        Subject::Triplet { id } => reader.triplet(id, false)?.triplet.language,
        Subject::Similarity { id } => reader.similarity_pair(id)?.language,
    })
}

/// The text for an item that the workspace may no longer contain.
pub(super) fn name_of(subject: Subject) -> String {
    match subject.keys() {
        (a, b) if subject.kind() == SubjectKind::Pair => format!("pair {a} {b}"),
        (id, _) => format!("{} {id}", subject.kind().tag()),
    }
}

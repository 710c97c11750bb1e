//! What tests of this room read: sentences of their own making.

use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId};

/// A sentence of a kind, without a section and without a place on its page.
pub fn sentence(kind: SentenceKind, text: &str) -> Sentence {
    Sentence {
        id: SentenceId(1),
        document: DocumentId(1),
        position: 0,
        page: 1,
        section_id: None,
        section: String::new(),
        kind,
        text: text.to_owned(),
        complete: None,
        boxes: Vec::new(),
        start: 0,
        end: 0,
        external_id: None,
    }
}

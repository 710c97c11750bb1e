//! Sentences and entities as they are given, and which sentences can be asked about.

use foldhash::HashMap;
use lexforge_domain::graph::TypeOrigin;
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use lexforge_text::is_unspaced;

/// A sentence of the corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceNode {
    pub id: SentenceId,
    pub document: DocumentId,
    /// Its type: the user's class of the document, else its top-level section; empty if it has neither.
    pub group: String,
    /// Which of the two it is.
    pub type_origin: TypeOrigin,
    /// Path of its section, labels joined by ` › `.
    pub section: String,
    /// The kind of the sentence in its document.
    pub kind: SentenceKind,
    pub text: String,
    /// The entities (terms) that it mentions.
    pub entities: Vec<TermId>,
    /// The sentences that open the clauses to which it refers; others than those of the graph are skipped.
    pub refers_to: Vec<SentenceId>,
}

/// An entity, embedded once however often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityNode {
    pub id: TermId,
    /// As written.
    pub text: String,
}

/// Whether a sentence can be an anchor or a candidate: a rule, definition or list item of reasonable length
/// that is mostly words. Headings, table cells and footnotes are nodes, but no questions are asked about them.
pub fn is_anchor(kind: SentenceKind, text: &str) -> bool {
    if !matches!(
        kind,
        SentenceKind::Rule | SentenceKind::Definition | SentenceKind::ListItem
    ) {
        return false;
    }
    let (mut length, mut letters, mut ideographs) = (0usize, 0usize, 0usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        length += 1;
        letters += usize::from(c.is_alphabetic());
        ideographs += usize::from(is_unspaced(c));
    }
    let long_enough = if 2 * ideographs > length {
        (12..=400).contains(&length)
    } else {
        length <= 1000 && (5..=180).contains(&text.split_whitespace().count())
    };
    long_enough && 10 * letters >= 7 * length
}

/// The entities of each sentence as ascending rows, each once; unknown ids are left out.
pub(crate) fn entity_rows(sentences: &[SentenceNode], entities: &[EntityNode]) -> Vec<Vec<u32>> {
    let row_of: HashMap<TermId, u32> = entities
        .iter()
        .enumerate()
        .map(|(row, e)| (e.id, row as u32))
        .collect();
    sentences
        .iter()
        .map(|sentence| {
            let mut rows: Vec<u32> = sentence
                .entities
                .iter()
                .filter_map(|id| row_of.get(id).copied())
                .collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        })
        .collect()
}

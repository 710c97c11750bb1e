//! What is found: a clause, which is a paragraph of its own number with its heading and the items of its list, never a window
//! of characters.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::api::DocumentRow;
use lexforge_domain::document::{DocumentFormat, Sentence};
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_ingest::CONTENTS_SECTION;
use lexforge_store::ClauseMap;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// A longer run of sentences under one heading is no clause: each of its sentences, with the items that it leads in, is one.
const MOST_SENTENCES: usize = 16;
/// The same by length, in characters.
const MOST_CHARACTERS: usize = 2_400;

/// All clauses of the corpus.
pub(super) struct Clauses {
    /// Hash of the corpus that they are of.
    pub corpus: String,
    /// Which sentences they hold.
    pub map: ClauseMap,
    /// The document of each clause, by its place in `documents`.
    pub document: Vec<u32>,
    /// Clauses that are a heading with nothing under it.
    pub bare_headings: HashSet<u32>,
    /// The documents.
    pub documents: Vec<DocumentRow>,
    /// Passages by the id that the corpus file gave them.
    pub by_external_id: HashMap<String, SentenceId>,
}

/// The clauses of the corpus as it was last.
#[derive(Default)]
struct Kept(Mutex<Option<Arc<Clauses>>>);

impl Answering<'_> {
    /// The clauses, put together anew when documents came in since.
    pub(super) fn clauses(&self) -> Result<Arc<Clauses>> {
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clauses) = kept.as_ref().filter(|c| c.corpus == corpus) {
            return Ok(Arc::clone(clauses));
        }
        let mut clauses = Clauses {
            corpus,
            map: ClauseMap::default(),
            document: Vec::new(),
            bare_headings: HashSet::new(),
            documents: Vec::new(),
            by_external_id: HashMap::new(),
        };
        self.workspace.store.read(|r| {
            clauses.documents = r.documents()?;
            for place in 0..clauses.documents.len() {
                let document = &clauses.documents[place];
                let sentences = r.sentences(Some(document.id))?;
                let runs = runs(document.format, &sentences);
                clauses.map.add(&document.title, &runs);
                clauses.document.resize(clauses.map.len(), place as u32);
                let headings = sentences
                    .iter()
                    .filter(|s| s.kind == SentenceKind::Heading)
                    .filter_map(|s| {
                        let clause = clauses.map.clause(s.id)?;
                        let alone = clauses.map.sentences(clause) == Some((s.id, s.id));
                        alone.then_some(clause)
                    });
                clauses.bare_headings.extend(headings);
                for sentence in sentences {
                    if let Some(external) = sentence.external_id {
                        clauses.by_external_id.insert(external, sentence.id);
                    }
                }
            }
            Ok(())
        })?;
        let clauses = Arc::new(clauses);
        *kept = Some(Arc::clone(&clauses));
        Ok(clauses)
    }
}

impl Clauses {
    /// The document of a clause.
    pub fn document_of(&self, clause: u32) -> Option<&DocumentRow> {
        let place = self.document.get(clause as usize)?;
        self.documents.get(*place as usize)
    }

    /// A document by its id.
    pub fn row(&self, id: DocumentId) -> Option<&DocumentRow> {
        self.documents.iter().find(|d| d.id == id)
    }

    /// The sentence of a passage's id: that of the corpus file, or the sentence's own number.
    pub fn sentence_of(&self, passage: &str) -> Option<SentenceId> {
        let known = self.by_external_id.get(passage).copied();
        known.or_else(|| {
            let id = SentenceId(passage.parse().ok()?);
            self.map.clause(id).map(|_| id)
        })
    }
}

/// First and last sentence of each clause of a document, in reading order. Entries of a table of contents are in none.
fn runs(format: DocumentFormat, sentences: &[Sentence]) -> Vec<(SentenceId, SentenceId)> {
    if format == DocumentFormat::Jsonl {
        return sentences.iter().map(|s| (s.id, s.id)).collect();
    }
    let mut runs = Vec::new();
    // Headings wait for the clause that they stand over.
    let mut headings: Option<SentenceId> = None;
    let mut body: Vec<&Sentence> = Vec::new();
    let mut key = String::new();
    let mut close = |headings: &mut Option<SentenceId>, body: &mut Vec<&Sentence>| {
        divided(headings.take(), body, &mut runs);
        body.clear();
    };
    for sentence in sentences {
        if is_contents(sentence) {
            close(&mut headings, &mut body);
            continue;
        }
        if sentence.kind == SentenceKind::Heading {
            if !body.is_empty() {
                close(&mut headings, &mut body);
            }
            headings.get_or_insert(sentence.id);
            continue;
        }
        // An item stands with what leads it in; any other place is a clause of its own.
        let item = sentence.is_item() && !body.is_empty();
        if !item {
            if !body.is_empty() && sentence.section != key {
                close(&mut headings, &mut body);
            }
            key.clone_from(&sentence.section);
        }
        body.push(sentence);
    }
    close(&mut headings, &mut body);
    runs
}

/// A run of sentences of one place as one clause, or, where it is too long, as several.
fn divided(
    heading: Option<SentenceId>,
    body: &[&Sentence],
    runs: &mut Vec<(SentenceId, SentenceId)>,
) {
    let (Some(first), Some(last)) = (body.first(), body.last()) else {
        // A heading with nothing under it is found by itself.
        if let Some(id) = heading {
            runs.push((id, id));
        }
        return;
    };
    let from = heading.unwrap_or(first.id);
    let length: usize = body.iter().map(|s| s.text.chars().count()).sum();
    if body.len() <= MOST_SENTENCES && length <= MOST_CHARACTERS {
        runs.push((from, last.id));
        return;
    }
    let mut start = from;
    // An item stays with what leads it in, unless the list itself is too long.
    for group in body.chunk_by(|_, next| next.is_item()) {
        let parts = if group.len() > MOST_SENTENCES {
            1
        } else {
            group.len()
        };
        for part in group.chunks(parts) {
            let (Some(one), Some(other)) = (part.first(), part.last()) else {
                continue;
            };
            runs.push((start.min(one.id), other.id));
            start = SentenceId(i64::MAX);
        }
    }
}

fn is_contents(sentence: &Sentence) -> bool {
    sentence.section.split(" › ").next() == Some(CONTENTS_SECTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences by kind and section; with a mark for an item that something leads in.
    fn sentences(of: &[(SentenceKind, &str, bool)]) -> Vec<Sentence> {
        (1..)
            .zip(of)
            .map(|(id, (kind, section, item))| Sentence {
                id: SentenceId(id),
                document: DocumentId(1),
                position: 0,
                page: 1,
                section_id: None,
                section: (*section).to_owned(),
                kind: *kind,
                text: "It is said here.".to_owned(),
                complete: item.then(|| "It is said here, with its lead-in.".to_owned()),
                boxes: Vec::new(),
                start: 0,
                end: 0,
                external_id: None,
            })
            .collect()
    }

    fn found(format: DocumentFormat, of: &[(SentenceKind, &str, bool)]) -> Vec<(i64, i64)> {
        runs(format, &sentences(of))
            .into_iter()
            .map(|(from, to)| (from.0, to.0))
            .collect()
    }

    #[test]
    fn a_clause_has_its_heading_and_the_items_of_its_list() {
        use SentenceKind::{Heading, ListItem, Rule};
        let of = [
            (Heading, "Article 5", false),
            (Rule, "Article 5 › 1", false),
            (ListItem, "Article 5 › 1 › (a)", true),
            (ListItem, "Article 5 › 1 › (b)", true),
            (Rule, "Article 5 › 2", false),
            (Rule, "Article 5 › 2", false),
            (Rule, "Article 6 › (1)", false),
            (Rule, "Article 6 › (2)", false),
            (Heading, "Contents", false),
            (Heading, "Annex", false),
        ];
        assert_eq!(
            found(DocumentFormat::Pdf, &of),
            [(1, 4), (5, 6), (7, 7), (8, 8), (10, 10)]
        );
        // A passage of a corpus file is a clause as it is.
        assert_eq!(found(DocumentFormat::Jsonl, &of[..2]), [(1, 1), (2, 2)]);
    }

    #[test]
    fn what_is_too_long_is_divided() {
        use SentenceKind::{ListItem, Rule};
        let mut of = vec![(Rule, "", false); 20];
        of.push((ListItem, "", true));
        let runs = found(DocumentFormat::Text, &of);
        assert_eq!(runs.len(), 20);
        assert_eq!(runs.last(), Some(&(20, 21)));
        let long = vec![(ListItem, "", true); 30];
        assert_eq!(found(DocumentFormat::Text, &long).len(), 30);
    }
}

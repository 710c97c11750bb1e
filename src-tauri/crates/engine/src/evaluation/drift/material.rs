//! The material of a sample: sentences of documents, and questions that users asked.

use super::panel::evenly;
use super::watching::Watching;
use crate::evaluation::Evaluations;
use crate::graph::Graph;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::drift::{DriftSeries, DriftUnit, MoverPlace};
use lexforge_domain::{SentenceId, TermId};
use std::collections::{BTreeSet, HashSet};

/// Sentences of a document that stand for it.
const OF_DOCUMENT: usize = 64;
/// Shorter sentences say too little.
const LEAST_CHARACTERS: usize = 20;

/// A text, and where it can be read.
pub(super) struct PlacedText {
    pub(super) text: String,
    pub(super) place: MoverPlace,
}

/// Texts that are to be embedded, and what they belong to.
pub(super) struct NewUnit {
    pub(super) unit: DriftUnit,
    /// The file's name; empty of a question.
    pub(super) file: String,
    pub(super) texts: Vec<PlacedText>,
}

/// The sentences that stand for a document, each with the terms in it.
pub(super) struct WithTerms {
    pub(super) key: String,
    pub(super) at: String,
    pub(super) sentences: Vec<(String, BTreeSet<TermId>)>,
}

impl Evaluations<'_> {
    /// Documents and questions that are not known yet.
    pub(super) fn new_units(
        &self,
        watching: &Watching,
        known: &HashSet<&str>,
    ) -> Result<Vec<NewUnit>> {
        let classes = Graph::of(self.workspace).document_classes()?;
        let store = &self.workspace.store;
        let (documents, replies) = store.read(|r| Ok((r.documents()?, r.replies()?)))?;
        let mut new = Vec::new();
        for document in documents {
            let key = format!("document {}", document.id);
            if known.contains(key.as_str()) || !watching.reads(document.language) {
                continue;
            }
            let sentences = store.read(|r| r.sentences(Some(document.id)))?;
            let texts: Vec<PlacedText> = standing_for(sentences)
                .into_iter()
                .map(|sentence| PlacedText {
                    place: MoverPlace::Page {
                        document: document.id,
                        page: sentence.page,
                        sentence: sentence.id,
                    },
                    text: sentence.text,
                })
                .collect();
            if !texts.is_empty() {
                let stratum = classes
                    .get(&document.id)
                    .cloned()
                    .unwrap_or_else(|| document.format.tag().to_owned());
                let at = document.imported;
                new.push(NewUnit {
                    file: document.file,
                    ..unit(key, DriftSeries::Sentences, stratum, at, texts)
                });
            }
        }
        for reply in replies {
            let key = format!("answer {}", reply.id);
            if known.contains(key.as_str()) || reply.question.is_empty() {
                continue;
            }
            let asked = PlacedText {
                text: reply.question,
                place: MoverPlace::Answer { answer: reply.id },
            };
            let (series, stratum) = (DriftSeries::Questions, String::new());
            new.push(unit(key, series, stratum, reply.asked, vec![asked]));
        }
        Ok(new)
    }

    /// Documents in which terms were found, and whose terms were not looked at yet.
    pub(super) fn new_terms(
        &self,
        watching: &Watching,
        known: &HashSet<&str>,
    ) -> Result<Vec<WithTerms>> {
        let store = &self.workspace.store;
        let mut new = Vec::new();
        for document in store.read(|r| r.documents())? {
            let key = format!("document {}", document.id);
            if known.contains(key.as_str()) || !watching.reads(document.language) {
                continue;
            }
            let sentences = store.read(|r| {
                let sentences = standing_for(r.sentences(Some(document.id))?);
                let terms = |id: SentenceId| r.mentions_in_sentence(id);
                sentences
                    .into_iter()
                    .map(|s| {
                        let of = terms(s.id)?.into_iter().map(|m| m.term).collect();
                        Ok((s.text, of))
                    })
                    .collect::<lexforge_store::Result<Vec<(String, BTreeSet<TermId>)>>>()
            })?;
            if sentences.iter().any(|(_, terms)| !terms.is_empty()) {
                new.push(WithTerms {
                    key,
                    at: document.imported,
                    sentences,
                });
            }
        }
        Ok(new)
    }
}

/// The sentences that stand for a document: long enough to say something, and evenly spread.
fn standing_for(sentences: Vec<Sentence>) -> Vec<Sentence> {
    let long: Vec<Sentence> = sentences
        .into_iter()
        .filter(|s| s.text.chars().count() >= LEAST_CHARACTERS)
        .collect();
    evenly(&long, OF_DOCUMENT)
}

fn unit(
    key: String,
    series: DriftSeries,
    stratum: String,
    at: String,
    texts: Vec<PlacedText>,
) -> NewUnit {
    NewUnit {
        unit: DriftUnit {
            key,
            series,
            stratum,
            at,
            n: 0,
            sum: Vec::new(),
        },
        file: String::new(),
        texts,
    }
}

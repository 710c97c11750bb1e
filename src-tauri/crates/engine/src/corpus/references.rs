//! Which clause refers to which: the references of the whole workspace, resolved in it.

use super::Corpus;
use crate::workspace::{Result, stem};
use lexforge_domain::api::{DocumentRow, PageView, ReferenceTarget, ReferenceView};
use lexforge_domain::document::{DocumentFormat, Sentence};
use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_ingest::references::{Clause, Instrument, Resolver, find};
use lexforge_ingest::{is_contents, is_footnotes};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Sentences of one instrument from which it is learned what it cites and how it calls others: enough for a law.
const LEARNED_FROM: usize = 2_000;

/// The index over all clauses of a workspace, kept while its documents stay the same.
pub(crate) struct ReferenceIndex {
    /// The documents that it covers, by their hash.
    corpus: String,
    resolver: Resolver,
    /// The sentences in the order of the index.
    ids: Vec<SentenceId>,
    rows: HashMap<SentenceId, u32>,
    languages: HashMap<DocumentId, Language>,
}

/// The index over all clauses, once something needed it.
#[derive(Default)]
struct Kept(Mutex<Option<Arc<ReferenceIndex>>>);

impl Corpus<'_> {
    /// Fills in the references of a page's sentences.
    pub(crate) fn refer(&self, page: &mut PageView) -> Result<()> {
        let index = self.reference_index()?;
        let titles = self.titles()?;
        for view in &mut page.sentences {
            let language = index
                .languages
                .get(&page.document)
                .copied()
                .unwrap_or(Language::Other);
            let found = find(&view.sentence.text, language);
            let mut references = Vec::with_capacity(found.len());
            for reference in found {
                let target = match index.resolve(&reference, view.sentence.id).first() {
                    Some(&id) => {
                        let sentence = self.workspace.store.read(|r| r.sentence(id))?;
                        Some(ReferenceTarget {
                            title: titles.get(&sentence.document).cloned().unwrap_or_default(),
                            document: sentence.document,
                            page: sentence.page,
                            section: sentence.section,
                            sentence: id,
                        })
                    }
                    None => None,
                };
                references.push(ReferenceView {
                    start: u32::try_from(reference.start).unwrap_or(u32::MAX),
                    end: u32::try_from(reference.end).unwrap_or(u32::MAX),
                    text: reference.text,
                    instrument: reference.instrument,
                    target,
                });
            }
            view.references = references;
        }
        Ok(())
    }

    /// The index over all clauses, made again when documents came in since.
    pub(crate) fn reference_index(&self) -> Result<Arc<ReferenceIndex>> {
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = kept.as_ref().filter(|index| index.corpus == corpus) {
            return Ok(Arc::clone(index));
        }
        let (documents, sentences) = self
            .workspace
            .store
            .read(|r| Ok((r.documents()?, r.sentences(None)?)))?;
        let index = Arc::new(ReferenceIndex::new(corpus, &documents, &sentences));
        *kept = Some(Arc::clone(&index));
        Ok(index)
    }
}

impl ReferenceIndex {
    fn new(corpus: String, documents: &[DocumentRow], sentences: &[Sentence]) -> Self {
        let rows_of: HashMap<DocumentId, &DocumentRow> =
            documents.iter().map(|d| (d.id, d)).collect();
        let mut instruments: Vec<Instrument> = Vec::new();
        let mut known: HashMap<(DocumentId, &str), u32> = HashMap::new();
        let mut clauses: Vec<Clause> = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            let document = rows_of.get(&sentence.document).copied();
            let (title, section) = match document.map(|d| d.format) {
                Some(DocumentFormat::Jsonl) => passage_place(&sentence.section),
                _ => ("", sentence.section.as_str()),
            };
            let next = u32::try_from(instruments.len()).unwrap_or(u32::MAX);
            let instrument = *known.entry((sentence.document, title)).or_insert(next);
            if instrument == next {
                instruments.push(Instrument {
                    names: names(document, title),
                });
            }
            let top = sentence.section.split(" › ").next().unwrap_or_default();
            clauses.push(Clause {
                instrument,
                section,
                text: &sentence.text,
                heading: sentence.kind == SentenceKind::Heading,
                aside: is_contents(top) || is_footnotes(top),
            });
        }
        let languages: HashMap<DocumentId, Language> =
            documents.iter().map(|d| (d.id, d.language)).collect();
        let mut counts = vec![0usize; instruments.len()];
        let references: Vec<Vec<CrossReference>> = sentences
            .iter()
            .zip(&clauses)
            .map(|(sentence, clause)| {
                let Some(count) = counts.get_mut(clause.instrument as usize) else {
                    return Vec::new();
                };
                *count += 1;
                if *count > LEARNED_FROM {
                    return Vec::new();
                }
                find(
                    &sentence.text,
                    languages
                        .get(&sentence.document)
                        .copied()
                        .unwrap_or(Language::Other),
                )
            })
            .collect();
        let resolver = Resolver::new(&instruments, &clauses, &references);
        let ids: Vec<SentenceId> = sentences.iter().map(|s| s.id).collect();
        let rows = ids.iter().copied().zip(0u32..).collect();
        Self {
            corpus,
            resolver,
            ids,
            rows,
            languages,
        }
    }

    /// The first sentences of the clauses that a reference in a sentence names, itself left out.
    pub(crate) fn resolve(&self, reference: &CrossReference, from: SentenceId) -> Vec<SentenceId> {
        let Some(&row) = self.rows.get(&from) else {
            return Vec::new();
        };
        let targets = self.resolver.resolve(reference, row as usize).into_iter();
        targets
            .filter_map(|row| self.ids.get(row).copied())
            .filter(|id| *id != from)
            .collect()
    }

    /// The language of a document.
    pub(crate) fn language_of(&self, document: DocumentId) -> Language {
        let known = self.languages.get(&document).copied();
        known.unwrap_or(Language::Other)
    }

    /// The sentences that a sentence refers to, each once, in order.
    pub(crate) fn of(&self, sentence: &Sentence) -> Vec<SentenceId> {
        let language = self.language_of(sentence.document);
        let mut out = Vec::new();
        for reference in find(&sentence.text, language) {
            for id in self.resolve(&reference, sentence.id) {
                if !out.contains(&id) {
                    out.push(id);
                }
            }
        }
        out
    }
}

/// The names of a document, or of the part of a corpus file under one title.
fn names(document: Option<&DocumentRow>, title: &str) -> Vec<String> {
    if !title.is_empty() {
        return vec![title.to_owned()];
    }
    let Some(document) = document else {
        return Vec::new();
    };
    let mut names = vec![document.title.clone(), stem(Path::new(&document.file))];
    names.extend(document.metadata.identifier.clone());
    names
}

/// Title and section of a passage from its path: `Title › Section`, or one of them alone.
fn passage_place(path: &str) -> (&str, &str) {
    if let Some((title, section)) = path.split_once(" › ") {
        return (title, section);
    }
    let label = path.starts_with(|c: char| c.is_ascii_digit() || "(（第§".contains(c));
    if label { ("", path) } else { (path, "") }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::document::{DocumentMetadata, EngineCounts};

    fn document(id: i64, title: &str, identifier: Option<&str>) -> DocumentRow {
        DocumentRow {
            id: DocumentId(id),
            file: format!("{id}.pdf"),
            title: title.to_owned(),
            format: DocumentFormat::Pdf,
            language: Language::En,
            pages: 1,
            sentences: 1,
            scanned_pages: 0,
            engines: EngineCounts::default(),
            reader_agreement: None,
            warnings: Vec::new(),
            sha256: String::new(),
            bytes: 0,
            imported: String::new(),
            metadata: DocumentMetadata {
                identifier: identifier.map(str::to_owned),
                ..DocumentMetadata::default()
            },
            predecessor: None,
            validity: None,
        }
    }

    fn sentence(id: i64, document: i64, section: &str, text: &str) -> Sentence {
        let (id, document) = (SentenceId(id), DocumentId(document));
        Sentence {
            section: section.to_owned(),
            ..Sentence::alone(id, document, SentenceKind::Rule, text)
        }
    }

    #[test]
    fn a_guideline_leads_to_the_regulation_that_it_names() {
        let documents = [
            document(1, "Deposit rules", Some("Regulation (EU) 2031/77")),
            document(2, "Guidelines", None),
        ];
        let sentences = [
            sentence(1, 1, "Contents", "Article 5 Fees"),
            sentence(
                2,
                1,
                "Article 5 › 1",
                "A bank may charge a fee for keeping a deposit.",
            ),
            sentence(
                3,
                2,
                "2.1",
                "A fee under Article 5(1) of Regulation (EU) 2031/77 is shown as paragraph 2.2 says.",
            ),
            sentence(
                4,
                2,
                "2.2",
                "It is shown in bold, and Article 6 of that Regulation does not apply.",
            ),
        ];
        let index = ReferenceIndex::new(String::new(), &documents, &sentences);
        assert_eq!(index.of(&sentences[2]), [SentenceId(2), SentenceId(4)]);
        assert_eq!(index.of(&sentences[3]), []);
        assert_eq!(passage_place("A Rulebook › 1.1"), ("A Rulebook", "1.1"));
        assert_eq!(passage_place("1.1"), ("", "1.1"));
    }
}

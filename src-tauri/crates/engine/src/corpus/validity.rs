//! Since when and until when documents are in force: what people set, and what the documents say of it.

use super::Corpus;
use crate::workspace::Result;
use lexforge_domain::api::{DocumentRow, Validity, ValidityProposal};
use lexforge_domain::document::Sentence;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_ingest::validity::{Ends, Term, find, names};
use std::sync::{Arc, Mutex, PoisonError};

/// What the sentences of the corpus say, by the hash of the corpus.
#[derive(Default)]
struct Kept(Mutex<Option<(String, Arc<Said>)>>);

/// Sentences that say how long acts are in force, each with what it says.
type Said = Vec<(Sentence, Vec<Term>)>;

impl Corpus<'_> {
    /// Sets from which day and until which day a document is in force. If no day is given, only the document's own
    /// statements count, and everything that documents say about it now is rejected. What was rejected before stays
    /// rejected. Returns the document's row.
    ///
    /// # Errors
    /// When there is no such document, or a text is not a valid date. Also when the days contradict each other, or
    /// contradict the day from which the document itself says that it applies.
    pub fn set_validity(&self, document: DocumentId, validity: &Validity) -> Result<DocumentRow> {
        let day = |day: &Option<String>| day.as_deref().map(day_of).transpose();
        let mut validity = Validity {
            from: day(&validity.from)?,
            until: day(&validity.until)?,
            repealed: day(&validity.repealed)?,
            refused: validity.refused.clone(),
        };
        if validity.until.is_some() && validity.repealed.is_some() {
            return Err(Failure::invalid(
                "A document is either in force until a day, or repealed from a day on.",
                "Name one of the two days.",
            ));
        }
        let documents = self.documents()?;
        let row = documents.iter().find(|row| row.id == document);
        if row.is_some_and(|row| ends_first(&validity, first_day(&validity, row))) {
            return Err(Failure::invalid(
                "The document would no longer be in force before it is.",
                "Check the days.",
            ));
        }
        if validity.refused.is_empty() && !validity.names_a_day() {
            let said = self.said_of_validity(&documents)?;
            let of_it = said_of_each(&documents, &said).filter(|p| p.document == document);
            validity.refused = of_it.map(|p| p.sentence).collect();
        }
        let before = row.and_then(|row| row.validity.as_ref());
        let refused = before.iter().flat_map(|before| &before.refused);
        validity.refused.extend(refused);
        validity.refused.sort_unstable();
        validity.refused.dedup();
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_validity(document, &validity)?;
            w.document(document)
        })?)
    }

    /// Rejects what these sentences say about a document, so that it is not proposed again. Days that were set stay.
    /// Returns the document's row.
    ///
    /// # Errors
    /// When there is no such document, or one of the sentences is not among the proposals for it.
    pub fn turn_down(&self, document: DocumentId, sentences: &[SentenceId]) -> Result<DocumentRow> {
        let row = self.workspace.store.read(|r| r.document(document))?;
        let proposals = self.validity_proposals()?;
        let waits = |sentence: &&SentenceId| {
            let own = |p: &ValidityProposal| p.document == document && p.sentence == **sentence;
            proposals.iter().any(own)
        };
        if let Some(other) = sentences.iter().find(|sentence| !waits(sentence)) {
            return Err(Failure::new(
                Code::NotFound,
                format!("Sentence {other} is not among the proposals for document {document}."),
                "What is proposed stands with the facts about the document, each with the number of its sentence.",
            ));
        }
        let mut validity = row.validity.unwrap_or_default();
        validity.refused.extend(sentences);
        self.set_validity(document, &validity)
    }

    /// What documents say about how long they, or other documents of the workspace, are in force. Two things are left
    /// out: documents for which a person has already set the day until which they are in force, and sentences that a
    /// person rejected.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn validity_proposals(&self) -> Result<Vec<ValidityProposal>> {
        let documents = self.documents()?;
        let said = self.said_of_validity(&documents)?;
        Ok(proposals(&documents, &said))
    }

    /// The sentences that say how long acts are in force, looked for once for each state of the corpus.
    fn said_of_validity(&self, documents: &[DocumentRow]) -> Result<Arc<Said>> {
        let store = &self.workspace.store;
        let corpus = store.read(|r| r.corpus_hash())?;
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, said)) = kept.as_ref()
            && *of == corpus
        {
            return Ok(Arc::clone(said));
        }
        let mut said = Said::new();
        for document in documents {
            let sentences = store.read(|r| r.sentences(Some(document.id)))?;
            let befores = sentences.iter().map(|before| before.text.as_str());
            let befores = std::iter::once(None).chain(befores.map(Some));
            for (sentence, before) in sentences.iter().zip(befores) {
                let terms = find(&sentence.text, before, document.language);
                if !terms.is_empty() {
                    said.push((sentence.clone(), terms));
                }
            }
        }
        let said = Arc::new(said);
        *kept = Some((corpus, Arc::clone(&said)));
        Ok(said)
    }
}

/// What is proposed, one proposal for each document and end, in the order of the documents.
fn proposals(documents: &[DocumentRow], said: &Said) -> Vec<ValidityProposal> {
    let decided = |p: &ValidityProposal| {
        let row = documents.iter().find(|d| d.id == p.document);
        let set = row.and_then(|row| row.validity.as_ref());
        set.is_some_and(|set| set.ends() || set.refused.contains(&p.sentence))
    };
    let mut all: Vec<ValidityProposal> = Vec::new();
    for proposal in said_of_each(documents, said).filter(|p| !decided(p)) {
        let is_known = |p: &ValidityProposal| {
            p.document == proposal.document
                && (p.validity == proposal.validity || p.said_by == proposal.said_by)
        };
        if !all.iter().any(is_known) {
            all.push(proposal);
        }
    }
    all.sort_by_key(|p| (p.document, p.sentence));
    all
}

/// What each sentence says of each document, whether or not a person decided about it.
fn said_of_each<'a>(
    documents: &'a [DocumentRow],
    said: &'a Said,
) -> impl Iterator<Item = ValidityProposal> + 'a {
    let terms = said.iter().filter_map(|(sentence, terms)| {
        let by = documents.iter().find(|d| d.id == sentence.document)?;
        Some(terms.iter().map(move |term| (by, sentence, term)))
    });
    terms.flatten().flat_map(move |(by, sentence, term)| {
        let meant = documents.iter().filter(move |d| is_meant(d, by, term));
        meant.filter_map(move |document| {
            let validity = proposed(&term.ends, by);
            let set = document.validity.clone().unwrap_or_default();
            (!ends_first(&validity, first_day(&set, document))).then(|| ValidityProposal {
                document: document.id,
                title: document.title.clone(),
                validity,
                repealed: matches!(term.ends, Ends::Repealed(_)),
                said_by: by.id,
                by_title: by.title.clone(),
                sentence: sentence.id,
                page: sentence.page,
                text: sentence.text.clone(),
            })
        })
    })
}

/// Whether what one document says is about this one.
fn is_meant(document: &DocumentRow, by: &DocumentRow, term: &Term) -> bool {
    let Some(words) = &term.of else {
        return document.id == by.id;
    };
    let number = document.metadata.identifier.as_deref();
    document.id != by.id && !is_later(document, by) && names(words, &document.title, number)
}

/// The first day of a document: the one that is set, or else the one that it states itself.
fn first_day<'a>(set: &'a Validity, row: &'a DocumentRow) -> Option<&'a str> {
    let stated = row.metadata.effective.as_deref();
    let stated = stated.filter(|day| day_of(day).is_ok());
    set.from.as_deref().or(stated)
}

/// Whether a document would end before it begins.
fn ends_first(validity: &Validity, first: Option<&str>) -> bool {
    first.is_some_and(|first| {
        let ends_before = validity.until.as_deref().is_some_and(|last| last < first);
        ends_before || validity.repealed.as_deref().is_some_and(|day| day <= first)
    })
}

/// Whether a document begins to apply later than `by`, or is the next version of it. The act `by` repeals rules by
/// their title. It can only mean rules that existed then, and not later rules with the same title.
fn is_later(document: &DocumentRow, by: &DocumentRow) -> bool {
    let begins = |d: &DocumentRow| d.metadata.effective.clone().or(d.metadata.date.clone());
    document.predecessor == Some(by.id)
        || begins(document)
            .zip(begins(by))
            .is_some_and(|(begins, by)| begins > by)
}

/// The days that are set if the proposal is accepted. If a repeal names no day, this is the day from which the
/// repealing act applies, if that day is known.
fn proposed(ends: &Ends, by: &DocumentRow) -> Validity {
    let applies = || {
        let set = by.validity.as_ref().and_then(|v| v.from.clone());
        set.or(by.metadata.effective.clone())
            .filter(|day| day_of(day).is_ok())
    };
    match ends {
        Ends::Until(last) => Validity {
            until: Some(last.clone()),
            ..Validity::default()
        },
        Ends::Repealed(day) => Validity {
            repealed: day.clone().or_else(applies),
            ..Validity::default()
        },
    }
}

/// A day, `YYYY-MM-DD`.
pub(crate) fn day_of(text: &str) -> Result<String> {
    let form = time::macros::format_description!("[year]-[month]-[day]");
    time::Date::parse(text.trim(), form)
        .map(|_| text.trim().to_owned())
        .map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("\u{201c}{text}\u{201d} is no day."),
                "Write it as year, month and day: 2026-03-31.",
            )
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::text::{Language, SentenceKind};

    fn document(id: i64, title: &str, number: Option<&str>, language: &str) -> DocumentRow {
        let mut row: DocumentRow = serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": title, "format": "text", "language": language, "pages": 1,
            "sentences": 1, "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0},
            "reader_agreement": null, "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": null
        }))
        .unwrap();
        row.metadata.identifier = number.map(str::to_owned);
        row.metadata.effective = (id == 1).then(|| "2020-07-01".to_owned());
        row
    }

    #[test]
    fn what_documents_say_is_proposed_for_those_that_are_here_and_undecided() {
        let mut documents = vec![
            document(1, "Regulation on harbour dues", None, "en"),
            document(2, "Data protection", Some("Directive 95/46/EC"), "en"),
            document(3, "Harbour Dues Act 1987", None, "en"),
            document(4, "港口收费办法", None, "zh"),
            document(5, "港口规定", None, "zh"),
        ];
        let said = |documents: &[DocumentRow]| -> Said {
            [
                (1, "This Regulation shall apply until 31 December 2027."),
                (
                    1,
                    "Directive 95/46/EC is repealed with effect from 25 May 2018.",
                ),
                // The same is not proposed twice.
                (1, "The Directive 95/46/EC is repealed."),
                (1, "The Harbour Dues Act 1987 is repealed."),
                (1, "The Lighthouse Act 1950 is repealed."),
                (5, "《港口收费办法》同时废止。"),
            ]
            .iter()
            .zip(1..)
            .map(|((by, text), id)| {
                let row = documents.iter().find(|d| d.id == DocumentId(*by)).unwrap();
                let sentence = Sentence::alone(SentenceId(id), row.id, SentenceKind::Rule, text);
                (sentence, find(text, None, row.language))
            })
            .collect()
        };
        let told = |documents: &[DocumentRow]| -> Vec<(i64, Option<String>, Option<String>)> {
            proposals(documents, &said(documents))
                .into_iter()
                .map(|p| (p.document.0, p.validity.until, p.validity.repealed))
                .collect()
        };
        let day = |day: &str| Some(day.to_owned());
        assert_eq!(
            told(&documents),
            [
                (1, day("2027-12-31"), None),
                (2, None, day("2018-05-25")),
                // Without a day, that of the act that repeals it.
                (3, None, day("2020-07-01")),
                (4, None, None),
            ]
        );
        assert_eq!(documents[3].language, Language::Zh);
        // One that came after the act that repeals those of its title is another one.
        let mut later = documents.clone();
        later[2].metadata.effective = Some("2024-01-01".to_owned());
        let left: Vec<i64> = told(&later).iter().map(|p| p.0).collect();
        assert_eq!(left, [1, 2, 4]);
        // An end before its own first day is none. The sentence that names no day is left for the directive.
        let mut first = documents.clone();
        first[0].metadata.effective = Some("2028-01-01".to_owned());
        first[1].metadata.effective = Some("2018-05-25".to_owned());
        assert_eq!(
            told(&first),
            [
                (2, None, day("2028-01-01")),
                (3, None, day("2028-01-01")),
                (4, None, None),
            ]
        );
        let set = |from: Option<&str>, until: Option<&str>, refused: &[i64]| Validity {
            from: from.map(str::to_owned),
            until: until.map(str::to_owned),
            repealed: None,
            refused: refused.iter().map(|id| SentenceId(*id)).collect(),
        };
        for (validity, left) in [
            // A first day alone decides nothing about the end.
            (set(Some("2000-01-01"), None, &[]), &[1, 2, 3, 4][..]),
            (set(Some("2019-01-01"), None, &[]), &[1, 2, 3, 4]),
            (set(None, Some("2019-01-01"), &[]), &[1, 3, 4]),
            // One sentence was rejected; another one says the same. Both were.
            (set(None, None, &[2]), &[1, 2, 3, 4]),
            (set(None, None, &[2, 3]), &[1, 3, 4]),
        ] {
            documents[1].validity = Some(validity.clone());
            let proposed: Vec<i64> = told(&documents).iter().map(|p| p.0).collect();
            assert_eq!(proposed, left, "{validity:?}");
        }
    }
}

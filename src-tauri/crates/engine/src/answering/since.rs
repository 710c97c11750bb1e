//! What happened since an answer was given to the documents that it cites.

use super::Answering;
use super::force::InForce;
use super::history::is_of_its_day;
use crate::workspace::{Result, today};
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerChange, DocumentChange, DocumentRow};

impl Answering<'_> {
    /// The documents that an answer from the history cites and that count otherwise by now. An answer of its own day is
    /// compared with today, one as of another day with what is known of that day by now. The kept answer stays as it is.
    ///
    /// # Errors
    /// When no answer has this number.
    pub fn changed_since(&self, id: AnswerId) -> Result<Vec<AnswerChange>> {
        let store = &self.workspace.store;
        let (answer, documents) = store.read(|r| Ok((r.reply(id)?, r.documents()?)))?;
        let (day, asked_for) = match is_of_its_day(&answer) {
            true => (today(), false),
            false => (answer.as_of.clone(), true),
        };
        let now = InForce::on(&day, asked_for, &documents);
        Ok(changes(&answer, &documents, &now))
    }
}

/// What happened to each document that an answer cites, in the order of its citations.
fn changes(answer: &Answer, documents: &[DocumentRow], now: &InForce) -> Vec<AnswerChange> {
    let mut all: Vec<AnswerChange> = Vec::new();
    for (at, citation) in answer.citations.iter().enumerate() {
        let document = citation.document;
        let mut told = all.iter_mut().filter(|c| c.document == document).peekable();
        if told.peek().is_some() {
            told.for_each(|change| change.citations.push(at));
            continue;
        }
        let is_here = documents.iter().any(|row| row.id == document);
        let out_of_force = now.out_of_force.get(&document);
        let newer = now.superseded_by.get(&document);
        let found = [
            (!is_here).then_some(DocumentChange::Removed),
            now.replaced_by
                .get(&document)
                .map(|by| DocumentChange::Replaced { by: *by }),
            newer
                .filter(|by| citation.superseded_by != Some(**by))
                .map(|by| DocumentChange::Newer { by: *by }),
            out_of_force
                .filter(|out| citation.out_of_force.as_ref() != Some(*out))
                .map(|out| DocumentChange::OutOfForce {
                    out_of_force: out.clone(),
                }),
            (citation.out_of_force.is_some()
                && is_here
                && out_of_force.is_none()
                && !now.left_out.contains(&document))
            .then_some(DocumentChange::InForce),
        ];
        all.extend(found.into_iter().flatten().map(|change| AnswerChange {
            document,
            title: citation.title.clone(),
            citations: vec![at],
            change,
        }));
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::answering::made::answer;
    use lexforge_domain::DocumentId;
    use lexforge_domain::api::{OutOfForce, Validity};

    fn document(id: i64, from: &str, predecessor: Option<i64>, repealed: &str) -> DocumentRow {
        let mut row: DocumentRow = serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": "Act", "format": "text", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": predecessor
        }))
        .unwrap();
        row.metadata.effective = Some(from.to_owned());
        row.validity = Some(Validity {
            repealed: (!repealed.is_empty()).then(|| repealed.to_owned()),
            ..Validity::default()
        });
        row
    }

    #[test]
    fn what_happened_to_a_cited_document_is_told_once() {
        let day = "2026-01-01";
        let repealed = |day: &str| OutOfForce::Repealed {
            since: day.to_owned(),
        };
        let by = DocumentId(2);
        for (documents, said_out, said_newer, expected) in [
            // Nothing happened, or it was said.
            (vec![document(1, "2020", None, "")], None, None, vec![]),
            (
                vec![document(1, "2020", None, "2024-01-01")],
                Some(repealed("2024-01-01")),
                None,
                vec![],
            ),
            (
                vec![
                    document(1, "2020", None, ""),
                    document(2, "2027", Some(1), ""),
                ],
                None,
                Some(by),
                vec![],
            ),
            // A repeal that is known of and does not apply yet.
            (
                vec![document(1, "2020", None, "2026-01-02")],
                None,
                None,
                vec![],
            ),
            (vec![], None, None, vec![DocumentChange::Removed]),
            (
                vec![document(1, "2020", None, "2024-01-01")],
                None,
                None,
                vec![DocumentChange::OutOfForce {
                    out_of_force: repealed("2024-01-01"),
                }],
            ),
            (
                vec![document(1, "2020", None, "")],
                Some(repealed("2024-01-01")),
                None,
                vec![DocumentChange::InForce],
            ),
            (
                vec![
                    document(1, "2020", None, ""),
                    document(2, "2027", Some(1), ""),
                ],
                None,
                None,
                vec![DocumentChange::Newer { by }],
            ),
            // The newer version was known of, and applies by now.
            (
                vec![
                    document(1, "2020", None, ""),
                    document(2, "2025", Some(1), ""),
                ],
                None,
                Some(by),
                vec![DocumentChange::Replaced { by }],
            ),
        ] {
            let mut answer = answer(&["It is due.", "It is paid."], 0.8);
            for citation in &mut answer.citations {
                citation.out_of_force.clone_from(&said_out);
                citation.superseded_by = said_newer;
            }
            let kept = answer.clone();
            let now = InForce::on(day, false, &documents);
            let told = changes(&answer, &documents, &now);
            let what: Vec<DocumentChange> = told.iter().map(|c| c.change.clone()).collect();
            assert_eq!(what, expected, "{documents:?}");
            // Both citations are of the one document.
            assert!(told.iter().all(|change| change.citations == [0, 1]));
            assert_eq!(answer, kept);
        }
    }
}

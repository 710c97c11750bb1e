//! What happened since an answer was given to the documents that it cites.

use super::Answering;
use super::force::InForce;
use crate::workspace::{Result, day_here, today};
use lexforge_domain::api::{
    Answer, AnswerChange, AnswerRow, AnswerThen, DocumentChange, DocumentRow, OutOfForce,
};
use lexforge_domain::{AnswerId, DocumentId};
use std::collections::{HashMap, HashSet};

impl Answering<'_> {
    /// Finds the documents that an answer from the history cites and whose state has changed since the answer. For
    /// example, there is a newer version of a document now, or a person set the document out of force. The stored
    /// answer is not changed.
    ///
    /// # Errors
    /// When no answer has this number.
    pub fn changed_since(&self, id: AnswerId) -> Result<Vec<AnswerChange>> {
        let store = &self.workspace.store;
        let (answer, documents) = store.read(|r| Ok((r.reply(id)?, r.documents()?)))?;
        let (day, asked_for) = day_of(&answer.asked, &answer.as_of, today());
        let now = Now::on(&day, asked_for, &documents);
        Ok(changes(&answer, &now))
    }
}

/// The rows of the list, each with how many of the documents that it cites count otherwise by now. `then` says how they
/// counted when the answer was given; an answer that it does not have is not marked. What is in force is worked out once
/// a day that answers hold for, and mostly that is one.
pub(super) fn marked(
    mut rows: Vec<AnswerRow>,
    then: &HashMap<AnswerId, Option<AnswerThen>>,
    documents: &[DocumentRow],
) -> Vec<AnswerRow> {
    let today = today();
    let mut on: HashMap<(String, bool), Now> = HashMap::new();
    for row in &mut rows {
        let Some(then) = then.get(&row.id).and_then(Option::as_ref) else {
            continue;
        };
        let (day, asked_for) = day_of(&then.asked, &then.as_of, today.clone());
        let now = on
            .entry((day, asked_for))
            .or_insert_with_key(|(day, asked_for)| Now::on(day, *asked_for, documents));
        let changed = then.citations.iter().filter(|cited| {
            let (newer, out) = (cited.superseded_by, cited.out_of_force.as_ref());
            !now.changes(cited.document, newer, out).is_empty()
        });
        row.changed = changed
            .map(|cited| cited.document)
            .collect::<HashSet<_>>()
            .len();
    }
    rows
}

/// The day by which an answer is judged now, and whether somebody asked for that day. An answer for the day on which
/// it was asked is judged by today. An answer for another day is judged by what is known today about that day.
fn day_of(asked: &str, as_of: &str, today: String) -> (String, bool) {
    match is_of_its_day(asked, as_of) {
        true => (today, false),
        false => (as_of.to_owned(), true),
    }
}

/// Whether an answer holds for the day on which it was asked, in the local time of this machine. The time of asking is
/// stored in UTC, where it may be another day.
pub(super) fn is_of_its_day(asked: &str, as_of: &str) -> bool {
    day_here(asked).is_some_and(|day| day == as_of)
}

/// How the documents of the workspace count now.
struct Now {
    here: HashSet<DocumentId>,
    force: InForce,
}

impl Now {
    fn on(day: &str, asked_for: bool, documents: &[DocumentRow]) -> Self {
        Self {
            here: documents.iter().map(|row| row.id).collect(),
            force: InForce::on(day, asked_for, documents),
        }
    }

    /// What happened to a document since it was cited. `said_newer` and `said_out` are what the citation said then:
    /// which newer version there was, and that the document was out of force.
    fn changes(
        &self,
        document: DocumentId,
        said_newer: Option<DocumentId>,
        said_out: Option<&OutOfForce>,
    ) -> Vec<DocumentChange> {
        let force = &self.force;
        let is_here = self.here.contains(&document);
        let out_of_force = force.out_of_force.get(&document);
        let newer = force.superseded_by.get(&document);
        let found = [
            (!is_here).then_some(DocumentChange::Removed),
            force
                .replaced_by
                .get(&document)
                .map(|by| DocumentChange::Replaced { by: *by }),
            newer
                .filter(|by| said_newer != Some(**by))
                .map(|by| DocumentChange::Newer { by: *by }),
            out_of_force
                .filter(|out| said_out != Some(*out))
                .map(|out| DocumentChange::OutOfForce {
                    out_of_force: out.clone(),
                }),
            (said_out.is_some()
                && is_here
                && out_of_force.is_none()
                && !force.left_out.contains(&document))
            .then_some(DocumentChange::InForce),
        ];
        found.into_iter().flatten().collect()
    }
}

/// What happened to each document that an answer cites, in the order of its citations.
fn changes(answer: &Answer, now: &Now) -> Vec<AnswerChange> {
    let mut all: Vec<AnswerChange> = Vec::new();
    for (at, citation) in answer.citations.iter().enumerate() {
        let document = citation.document;
        let mut told = all.iter_mut().filter(|c| c.document == document).peekable();
        if told.peek().is_some() {
            told.for_each(|change| change.citations.push(at));
            continue;
        }
        let out = citation.out_of_force.as_ref();
        let found = now.changes(document, citation.superseded_by, out);
        all.extend(found.into_iter().map(|change| AnswerChange {
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
    use lexforge_domain::api::{CitedThen, Validity};

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
            let told = changes(&answer, &Now::on(day, false, &documents));
            let what: Vec<DocumentChange> = told.iter().map(|c| c.change.clone()).collect();
            assert_eq!(what, expected, "{documents:?}");
            // Both citations are of the one document.
            assert!(told.iter().all(|change| change.citations == [0, 1]));
            assert_eq!(answer, kept);
        }
    }

    #[test]
    fn the_list_counts_the_documents_that_count_otherwise_by_now() {
        let documents = [
            document(1, "2020", None, "2024-01-01"),
            document(2, "2020", None, ""),
            // Repealed after any day on which this is read.
            document(3, "2020", None, "2999-01-01"),
        ];
        let since = OutOfForce::Repealed {
            since: "2024-01-01".to_owned(),
        };
        let cited = |id: i64, out_of_force: Option<&OutOfForce>| CitedThen {
            document: DocumentId(id),
            superseded_by: None,
            out_of_force: out_of_force.cloned(),
        };
        let today = "2023-05-05";
        for (as_of, citations, changed) in [
            (today, vec![], 0),
            (today, vec![cited(2, None), cited(3, None)], 0),
            // Cited twice, it is one document.
            (today, vec![cited(1, None), cited(1, None)], 1),
            (
                today,
                vec![cited(1, None), cited(9, None), cited(2, None)],
                2,
            ),
            // The answer says it.
            (today, vec![cited(1, Some(&since))], 0),
            // It was asked for a day on which the document was in force, and that is still so.
            ("2022-01-01", vec![cited(1, None)], 0),
        ] {
            let cited = citations.len();
            let row = |id: i64| AnswerRow {
                id: AnswerId(id),
                asked: String::new(),
                question: String::new(),
                found: true,
                citations: cited,
                verdict: None,
                changed: 0,
            };
            let then = AnswerThen {
                asked: format!("{today}T12:00:00Z"),
                as_of: as_of.to_owned(),
                citations,
            };
            // By its id and not by its place: the second one cannot be read, and the third was not looked for.
            let of = HashMap::from([(AnswerId(1), Some(then.clone())), (AnswerId(2), None)]);
            let rows = marked(vec![row(3), row(2), row(1)], &of, &documents);
            let found: Vec<usize> = rows.iter().map(|row| row.changed).collect();
            assert_eq!(found, [0, 0, changed], "{then:?}");
        }
    }
}

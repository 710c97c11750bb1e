//! The documents that are in force on a day.

use lexforge_domain::DocumentId;
use lexforge_domain::api::{Answer, AnswerNote, Citation, DocumentRow, OutOfForce};
use std::collections::{HashMap, HashSet};

/// The documents that are in force on a day.
#[derive(Clone)]
pub(super) struct InForce {
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// Documents that do not count.
    pub left_out: HashSet<DocumentId>,
    /// The newer version of a document that counts all the same, since the newer one does not apply yet.
    pub superseded_by: HashMap<DocumentId, DocumentId>,
    /// The newest version that applies, of a document that does not count since a newer one does.
    pub replaced_by: HashMap<DocumentId, DocumentId>,
    /// Documents that a person set out of force for this day, with the reason. Versions that are left out because of
    /// other versions are not included.
    pub out_of_force: HashMap<DocumentId, OutOfForce>,
    /// What a reader should know of it.
    pub notes: Vec<AnswerNote>,
}

impl InForce {
    /// Finds the documents of the corpus that are in force on a day. A version is in force until a newer version
    /// applies. A version that applies only later is left out in two cases: there is an older version, or the question
    /// names a day. A document that a person set out of force is left out, too.
    pub fn on(day: &str, asked_for: bool, documents: &[DocumentRow]) -> Self {
        // `2025` and `2025-11` stand before each of their days.
        let applies =
            |document: &DocumentRow| begins(document).is_none_or(|from| from.as_str() <= day);
        // A document linked by hand may share its older version with another one.
        let mut newer: HashMap<DocumentId, Vec<&DocumentRow>> = HashMap::new();
        for document in documents {
            if let Some(older) = document.predecessor {
                newer.entry(older).or_default().push(document);
            }
        }
        let (mut left_out, mut superseded_by) = (HashSet::new(), HashMap::new());
        let (mut out_of_force, mut replaced_by) = (HashMap::new(), HashMap::new());
        let (mut older, mut not_yet) = (0, 0);
        for document in documents {
            let after = versions_after(document.id, &newer, documents.len());
            if !applies(document) && (asked_for || document.predecessor.is_some()) {
                left_out.insert(document.id);
                not_yet += 1;
            } else if let Some(newest) = after
                .iter()
                .rfind(|newer| applies(newer) && ever_applied(newer))
            {
                left_out.insert(document.id);
                replaced_by.insert(document.id, newest.id);
                older += 1;
            } else {
                if let Some(next) = after.iter().find(|newer| ever_applied(newer)) {
                    superseded_by.insert(document.id, next.id);
                }
                if let Some(why) = document.out_of_force(day) {
                    left_out.insert(document.id);
                    out_of_force.insert(document.id, why);
                }
            }
        }
        let mut notes = Vec::new();
        if older > 0 {
            notes.push(AnswerNote::OlderVersionsLeftOut { documents: older });
        }
        if not_yet > 0 {
            notes.push(AnswerNote::NotYetInForce { documents: not_yet });
        }
        if !out_of_force.is_empty() {
            notes.push(AnswerNote::OutOfForceLeftOut {
                documents: out_of_force.len(),
            });
        }
        Self {
            day: day.to_owned(),
            left_out,
            superseded_by,
            replaced_by,
            out_of_force,
            notes,
        }
    }

    /// The same day, with the documents that a person set out of force among those that are searched.
    pub(crate) fn with_out_of_force(mut self) -> Self {
        self.left_out
            .retain(|id| !self.out_of_force.contains_key(id));
        self.notes
            .retain(|note| !matches!(note, AnswerNote::OutOfForceLeftOut { .. }));
        self
    }

    /// The documents that are searched, as a certificate names them: the hash of the corpus, and what is left out of it
    /// on this day.
    pub fn searched(&self, corpus: &str) -> String {
        let mut left_out: Vec<i64> = self.left_out.iter().map(|id| id.0).collect();
        left_out.sort_unstable();
        let mut searched = corpus.to_owned();
        for id in left_out {
            searched.push_str(&format!(" -{id}"));
        }
        searched
    }
}

/// Why a document is not in force, in words.
pub(crate) fn told(out: &OutOfForce) -> String {
    match out {
        OutOfForce::Repealed { since } => format!("repealed from {since}"),
        OutOfForce::Expired { until } => format!("was in force until {until}"),
        OutOfForce::NotYet { from } => format!("in force only from {from}"),
    }
}

/// Whether an answer is from documents that are not in force, since no document in force answers.
pub(super) fn is_out_of_force(answer: &Answer) -> bool {
    let only = |note: &AnswerNote| matches!(note, AnswerNote::OnlyOutOfForce { .. });
    answer.notes.iter().any(only)
}

/// The documents of places that are not in force on the day of the answer.
pub(super) fn cited_out_of_force<'c>(
    places: impl IntoIterator<Item = &'c Citation>,
) -> HashSet<DocumentId> {
    let out = places.into_iter().filter(|c| c.out_of_force.is_some());
    out.map(|c| c.document).collect()
}

/// Whether a place is cited only because no document in force answers the question, or the part of the question, for
/// which it is cited.
pub(super) fn stands_for_want_of_better(answer: &Answer, place: Option<&Citation>) -> bool {
    let of_part = |note: &AnswerNote| matches!(note, AnswerNote::PartOutOfForce { .. });
    let is_out = place.is_some_and(|place| place.out_of_force.is_some());
    is_out_of_force(answer) || (is_out && answer.notes.iter().any(of_part))
}

/// All versions after a document, the nearest first.
fn versions_after<'d>(
    document: DocumentId,
    newer: &HashMap<DocumentId, Vec<&'d DocumentRow>>,
    documents: usize,
) -> Vec<&'d DocumentRow> {
    let mut after: Vec<&DocumentRow> = newer.get(&document).cloned().unwrap_or_default();
    let mut at = 0;
    // There cannot be more versions than documents, whatever the file says.
    while at < after.len() && after.len() < documents {
        let next = after[at].id;
        after.extend(newer.get(&next).into_iter().flatten().copied());
        at += 1;
    }
    after
}

/// The day from which a document applies, as a person set it or as it says itself.
fn begins(document: &DocumentRow) -> Option<&String> {
    let about = &document.metadata;
    let set = document.validity.as_ref().and_then(|v| v.from.as_ref());
    set.or(about.effective.as_ref()).or(about.date.as_ref())
}

/// Whether a document applied on any day. One that was repealed before its first day has replaced nothing.
fn ever_applied(document: &DocumentRow) -> bool {
    begins(document).is_none_or(|from| document.out_of_force(from).is_none())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::Validity;

    /// A document that applies from a day, and the version before it.
    fn document(id: i64, effective: &str, predecessor: Option<i64>) -> DocumentRow {
        let mut row: DocumentRow = serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": "Act", "format": "text", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": predecessor
        }))
        .unwrap();
        row.metadata.effective = Some(effective.to_owned());
        row
    }

    #[test]
    fn a_document_counts_until_one_of_its_newer_versions_applies() {
        for (documents, left_out, superseded) in [
            // A chain: the middle one applies, the last one not yet.
            (
                vec![
                    document(1, "2020", None),
                    document(2, "2024", Some(1)),
                    document(3, "2999", Some(2)),
                ],
                vec![1, 3],
                vec![(2, 3)],
            ),
            // Two documents follow one. Whichever of them stands last, the one that applies counts.
            (
                vec![
                    document(1, "2020", None),
                    document(2, "2024", Some(1)),
                    document(3, "2999", Some(1)),
                ],
                vec![1, 3],
                vec![],
            ),
            (
                vec![
                    document(1, "2020", None),
                    document(2, "2999", Some(1)),
                    document(3, "2024", Some(1)),
                ],
                vec![1, 2],
                vec![],
            ),
            // A circle, which only a spoilt file can have, ends.
            (
                vec![document(1, "2020", Some(2)), document(2, "2020", Some(1))],
                vec![1, 2],
                vec![],
            ),
        ] {
            let found = InForce::on("2026-01-01", false, &documents);
            let mut out: Vec<i64> = found.left_out.iter().map(|id| id.0).collect();
            out.sort_unstable();
            assert_eq!(out, left_out, "{documents:?}");
            let by: Vec<(i64, i64)> = found
                .superseded_by
                .iter()
                .map(|(older, newer)| (older.0, newer.0))
                .collect();
            assert_eq!(by, superseded, "{documents:?}");
        }
    }

    #[test]
    fn a_document_that_a_person_set_out_of_force_is_left_out_and_can_be_brought_back() {
        let set = |id, predecessor, from: &str, until: &str, repealed: &str| {
            let day = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let mut row = document(id, "2020", predecessor);
            row.validity = Some(Validity {
                from: day(from),
                until: day(until),
                repealed: day(repealed),
                ..Validity::default()
            });
            row
        };
        for (documents, day, asked_for, out, back) in [
            (
                vec![set(1, None, "", "2025-12-31", "")],
                "2025-12-31",
                false,
                vec![],
                vec![],
            ),
            (
                vec![set(1, None, "", "2025-12-31", "")],
                "2026-01-01",
                false,
                vec![1],
                vec![1],
            ),
            (
                vec![set(1, None, "", "", "2026-01-01")],
                "2026-01-01",
                true,
                vec![1],
                vec![1],
            ),
            (
                vec![set(1, None, "2027-01-01", "", "")],
                "2026-01-01",
                false,
                vec![1],
                vec![1],
            ),
            // On a day that is asked for, what applies only later is not there.
            (
                vec![set(1, None, "2027-01-01", "", "")],
                "2026-01-01",
                true,
                vec![1],
                vec![],
            ),
            // A day that a person set comes before the one that the document states.
            (
                vec![set(1, None, "2019-01-01", "", "")],
                "2019-06-01",
                true,
                vec![],
                vec![],
            ),
            // The newer version was repealed: the older one was replaced all the same.
            (
                vec![
                    document(1, "2018", None),
                    set(2, Some(1), "", "", "2024-01-01"),
                ],
                "2026-01-01",
                false,
                vec![1, 2],
                vec![2],
            ),
            // A newer version that was repealed before its first day has replaced nothing.
            (
                vec![
                    document(1, "2018", None),
                    set(2, Some(1), "2026-01-01", "", "2025-06-01"),
                ],
                "2026-02-01",
                false,
                vec![2],
                vec![2],
            ),
            // The older version was repealed, and the newer one applies: only the version is said.
            (
                vec![
                    set(1, None, "", "", "2024-01-01"),
                    document(2, "2024", Some(1)),
                ],
                "2026-01-01",
                false,
                vec![1],
                vec![],
            ),
        ] {
            let found = InForce::on(day, asked_for, &documents);
            let sorted = |ids: &HashSet<DocumentId>| {
                let mut ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
                ids.sort_unstable();
                ids
            };
            assert_eq!(sorted(&found.left_out), out, "{day} {documents:?}");
            let keys: HashSet<DocumentId> = found.out_of_force.keys().copied().collect();
            assert_eq!(sorted(&keys), back, "{day} {documents:?}");
            let left_out = |note: &AnswerNote| matches!(note, AnswerNote::OutOfForceLeftOut { .. });
            assert_eq!(found.notes.iter().any(left_out), !back.is_empty());
            let all = found.with_out_of_force();
            let still: Vec<i64> = out.into_iter().filter(|id| !back.contains(id)).collect();
            assert_eq!(sorted(&all.left_out), still, "{day} {documents:?}");
            assert!(!all.notes.iter().any(left_out));
            assert_eq!(all.out_of_force.len(), back.len());
        }
        // Other documents are searched then: a certificate that was measured before is void.
        let ended = [set(1, None, "", "2025-12-31", "")];
        for (day, searched) in [("2025-12-31", "c"), ("2026-01-01", "c -1")] {
            let found = InForce::on(day, false, &ended);
            assert_eq!(found.searched("c"), searched, "{day}");
            assert_eq!(found.with_out_of_force().searched("c"), "c", "{day}");
        }
    }

    #[test]
    fn what_is_searched_on_a_day_has_a_name_of_its_own() {
        let documents = [document(1, "2020", None), document(2, "2024-07", Some(1))];
        for (day, asked_for, searched) in [
            ("2026-01-01", false, "c -1"),
            ("2026-01-01", true, "c -1"),
            ("2021-01-01", true, "c -2"),
            ("2019-01-01", true, "c -1 -2"),
        ] {
            let found = InForce::on(day, asked_for, &documents);
            assert_eq!(found.searched("c"), searched, "{day}");
        }
        let alone = InForce::on("2026-01-01", false, &documents[..1]);
        assert_eq!(alone.searched("c"), "c");
    }
}

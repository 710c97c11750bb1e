//! Sentences that a search by vectors passes over, because they came in after the vectors were made.

use super::clauses::Clauses;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId};
use std::collections::HashSet;

/// Counts the sentences of clauses that have no vector. Only documents in one of `languages` are counted, and none that
/// is in `left_out`. `ids` are the sentences with a vector.
pub(super) fn lacking(
    clauses: &Clauses,
    left_out: &HashSet<DocumentId>,
    languages: &[Language],
    ids: &[i64],
) -> u64 {
    let is_searched: Vec<bool> = (0..clauses.map.len() as u32)
        .map(|clause| {
            clauses.document_of(clause).is_some_and(|document| {
                languages.contains(&document.language) && !left_out.contains(&document.id)
            })
        })
        .collect();
    let all: u64 = (0..)
        .zip(&is_searched)
        .filter(|(_, searched)| **searched)
        .filter_map(|(clause, _)| clauses.map.sentences(clause))
        .map(|(first, last)| last.0.abs_diff(first.0) + 1)
        .sum();
    let has_vector = |id: &&i64| {
        let clause = clauses.map.clause(SentenceId(**id));
        clause.is_some_and(|clause| is_searched.get(clause as usize) == Some(&true))
    };
    all.saturating_sub(ids.iter().filter(has_vector).count() as u64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::DocumentRow;
    use lexforge_store::ClauseMap;
    use std::collections::{BTreeSet, HashMap};

    fn document(id: i64, language: &str) -> DocumentRow {
        serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": "a", "format": "text", "language": language, "pages": 1, "sentences": 4,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": null
        }))
        .unwrap()
    }

    /// Three documents: sentences 1 to 4 and 9 in English, of which the fourth is in no clause, and 5 to 8 in Chinese.
    fn clauses() -> Clauses {
        let mut map = ClauseMap::default();
        let id = SentenceId;
        map.add("a", &[(id(1), id(2)), (id(3), id(3))]);
        map.add("b", &[(id(5), id(8))]);
        map.add("c", &[(id(9), id(9))]);
        Clauses {
            corpus: String::new(),
            links: 0,
            map,
            document: vec![0, 0, 1, 2],
            bare_headings: HashSet::new(),
            beside: HashSet::new(),
            headings: Vec::new(),
            named: BTreeSet::new(),
            defined: Vec::new(),
            documents: vec![document(1, "en"), document(2, "zh"), document(3, "en")],
            by_external_id: HashMap::new(),
        }
    }

    #[test]
    fn sentences_that_came_later_have_no_vector() {
        let (en, zh) = (Language::En, Language::Zh);
        let none: &[i64] = &[];
        for (languages, left_out, ids, expected) in [
            ([en].as_slice(), none, [1, 2, 3, 9].as_slice(), 0),
            (&[en], none, &[1, 2, 3, 4], 1),
            (&[en], none, &[1, 9], 2),
            (&[en], none, none, 4),
            // The newer document is left out, as one that does not apply yet.
            (&[en], &[3], &[1, 2, 3], 0),
            // Vectors of another language are not missed, and do not count.
            (&[en], none, &[1, 2, 3, 5, 6], 1),
            (&[en, zh], none, &[1, 2, 3, 5, 6], 3),
            (&[zh], &[2], &[1, 2, 3], 0),
            (&[], none, none, 0),
        ] {
            let left_out: HashSet<DocumentId> = left_out.iter().copied().map(DocumentId).collect();
            let found = lacking(&clauses(), &left_out, languages, ids);
            assert_eq!(found, expected, "{languages:?} {left_out:?} {ids:?}");
        }
    }
}

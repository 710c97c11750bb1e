//! The documents that a snapshot was made of, as reports name them: by file and hash.

use lexforge_domain::api::DocumentRow;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The files that were in the corpus when it had this hash, each with its SHA-256. If the workspace does not know that
/// state, all documents are taken. If two files have the same name, the document's number is added to the name of the
/// later one.
pub(super) fn documents_of(
    documents: &[DocumentRow],
    corpus: Option<&str>,
) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for document in there_then(documents, corpus) {
        let mut name = document.file.clone();
        if named.contains_key(&name) {
            name = format!("{name} (document {})", document.id);
        }
        named.insert(name, document.sha256.clone());
    }
    named
}

/// Documents come one after the other and stay: those of an earlier day are the first ones.
fn there_then<'d>(documents: &'d [DocumentRow], corpus: Option<&str>) -> &'d [DocumentRow] {
    let Some(corpus) = corpus else {
        return documents;
    };
    let mut firsts = (1..=documents.len()).rev().map(|n| &documents[..n]);
    let then = firsts.find(|first| corpus_hash(first) == corpus);
    then.unwrap_or(documents)
}

/// The hash of a corpus, computed as the workspace does.
fn corpus_hash(documents: &[DocumentRow]) -> String {
    let mut hashes: Vec<&str> = documents.iter().map(|d| d.sha256.as_str()).collect();
    hashes.sort_unstable();
    let mut hash = Sha256::new();
    for one in hashes {
        hash.update(one);
        hash.update(b"\n");
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn document(id: i64, file: &str, sha256: &str) -> DocumentRow {
        serde_json::from_value(serde_json::json!({
            "id": id, "file": file, "title": "A", "format": "text", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": sha256, "bytes": 1, "imported": ""
        }))
        .unwrap()
    }

    #[test]
    fn a_report_names_each_document_of_its_snapshot_and_no_later_one() {
        let all = [
            document(1, "policy.pdf", "bb"),
            document(2, "policy.pdf", "aa"),
            document(3, "later.pdf", "cc"),
        ];
        let of_two = hex::encode(Sha256::digest("aa\nbb\n"));
        let of_all = hex::encode(Sha256::digest("aa\nbb\ncc\n"));
        let two = ["policy.pdf: bb", "policy.pdf (document 2): aa"];
        let three = ["later.pdf: cc", two[0], two[1]];
        for (corpus, expected) in [
            (Some(of_two.as_str()), &two[..]),
            (Some(of_all.as_str()), &three[..]),
            // If the state of the corpus is not known, it is not guessed.
            (Some("another"), &three[..]),
            (None, &three[..]),
        ] {
            let found = documents_of(&all, corpus);
            let told: Vec<String> = found.iter().map(|(f, h)| format!("{f}: {h}")).collect();
            assert_eq!(told, expected, "{corpus:?}");
        }
        assert!(documents_of(&[], Some("another")).is_empty());
    }
}

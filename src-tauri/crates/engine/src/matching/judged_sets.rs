//! Sets of documents for which people have said what covers which demand, read from a folder.

use super::learned::{Judged, Lesson, Said};
use super::reading::rows;
use crate::workspace::{Result, io_failure};
use lexforge_domain::Failure;
use lexforge_files::name_of;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Passages of another kind are headings and the like.
const PARAGRAPH: &str = "paragraph";

#[derive(Deserialize)]
struct Demand {
    id: String,
    text: String,
}

/// A document with where its spans stand, in characters.
#[derive(Deserialize)]
struct Spanned {
    id: String,
    text: String,
    spans: Vec<[usize; 2]>,
}

/// A statement of a document.
#[derive(Deserialize)]
struct Statement {
    document_id: String,
    #[serde(alias = "passage")]
    sentence: i64,
    text: String,
    kind: Option<String>,
}

/// What people said of a document and a demand.
#[derive(Deserialize)]
struct Label {
    document_id: String,
    #[serde(alias = "hypothesis_id")]
    requirement_id: String,
    covered: Option<bool>,
    label: Option<String>,
    #[serde(
        default,
        alias = "evidence_sentences",
        alias = "evidence_passages",
        alias = "evidence_spans"
    )]
    evidence: Vec<i64>,
}

impl Label {
    fn said(&self) -> Option<Said> {
        match (self.covered, self.label.as_deref()) {
            (Some(true), _) | (None, Some("entailed")) => Some(Said::Covered),
            (Some(false), _) | (None, Some("not_mentioned")) => Some(Said::Open),
            (None, Some("contradicted")) => Some(Said::Contradicted),
            _ => None,
        }
    }
}

/// A set: its documents are the policies of a lesson, in the order of their names.
pub(super) struct JudgedSet {
    /// The folder's name.
    pub name: String,
    pub documents: Vec<String>,
    pub lesson: Lesson,
}

/// The folders that hold such a set: this one, or those in it.
pub(super) fn judged_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    if is_judged(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = std::fs::read_dir(folder).map_err(|e| io_failure(&e, folder))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| io_failure(&e, folder))?.path();
        if is_judged(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn is_judged(folder: &Path) -> bool {
    let both = |demands: &str, labels: &str| {
        folder.join(demands).is_file() && folder.join(labels).is_file()
    };
    both("requirements.jsonl", "coverage.jsonl") || both("hypotheses.jsonl", "labels.jsonl")
}

impl JudgedSet {
    /// The set of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let spanned = folder.join("hypotheses.jsonl").is_file();
        let (demands, labels) = if spanned {
            ("hypotheses.jsonl", "labels.jsonl")
        } else {
            ("requirements.jsonl", "coverage.jsonl")
        };
        let demands: Vec<Demand> = rows(&folder.join(demands), not_a_set)?;
        // The statements of each document, by their numbers.
        let mut documents: BTreeMap<String, BTreeMap<i64, String>> = BTreeMap::new();
        if spanned {
            for one in rows::<Spanned>(&folder.join("documents.jsonl"), not_a_set)? {
                let texts = (0..).zip(spans(&one.text, &one.spans)).collect();
                documents.insert(one.id, texts);
            }
        } else {
            let path = ["sentences.jsonl", "passages.jsonl"]
                .map(|name| folder.join(name))
                .into_iter()
                .find(|path| path.is_file())
                .ok_or_else(|| {
                    not_a_set(folder, "it has neither sentences.jsonl nor passages.jsonl")
                })?;
            for one in rows::<Statement>(&path, not_a_set)? {
                if one.kind.as_deref().unwrap_or(PARAGRAPH) == PARAGRAPH {
                    let of = documents.entry(one.document_id).or_default();
                    of.insert(one.sentence, one.text);
                }
            }
        }
        for texts in documents.values_mut() {
            texts.retain(|_, text| !text.trim().is_empty());
        }
        let path = folder.join(labels);
        let demand: HashMap<&str, usize> = demands.iter().map(|d| d.id.as_str()).zip(0..).collect();
        let place: HashMap<&str, usize> = documents.keys().map(String::as_str).zip(0..).collect();
        let mut judged = Vec::new();
        for label in rows::<Label>(&path, not_a_set)? {
            let (Some(rule), Some(policy)) = (
                demand.get(label.requirement_id.as_str()),
                place.get(label.document_id.as_str()),
            ) else {
                continue;
            };
            let said = label.said().ok_or_else(|| {
                not_a_set(
                    &path,
                    "a line says neither covered nor a label that is known",
                )
            })?;
            let texts = documents.get(&label.document_id);
            let numbers: Vec<i64> = texts
                .into_iter()
                .flat_map(|texts| texts.keys().copied())
                .collect();
            let mut named: Vec<usize> = label
                .evidence
                .iter()
                .filter_map(|number| numbers.binary_search(number).ok())
                .collect();
            named.sort_unstable();
            named.dedup();
            judged.push(Judged {
                rule: *rule,
                policy: *policy,
                said,
                named,
            });
        }
        if judged.is_empty() {
            return Err(not_a_set(
                folder,
                "none of its labels names a demand and a document of its files",
            ));
        }
        Ok(Self {
            name: name_of(folder),
            lesson: Lesson {
                rules: demands.into_iter().map(|one| one.text).collect(),
                groups: (0..documents.len()).collect(),
                policies: documents
                    .values()
                    .map(|texts| texts.values().cloned().collect())
                    .collect(),
                judged,
            },
            documents: documents.into_keys().collect(),
        })
    }
}

/// The spans of a text, from a character to before another one.
fn spans(text: &str, spans: &[[usize; 2]]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    spans
        .iter()
        .map(|[from, to]| {
            characters
                .get(*from..*to)
                .unwrap_or_default()
                .iter()
                .collect()
        })
        .collect()
}

fn not_a_set(path: &Path, why: &str) -> Failure {
    Failure::invalid(
        format!(
            "{} is no set of documents and what they cover: {why}.",
            path.display()
        ),
        "Such a set is a folder with requirements.jsonl, sentences.jsonl (or passages.jsonl) and coverage.jsonl, or with hypotheses.jsonl, documents.jsonl and labels.jsonl.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn both_kinds_of_sets_are_read() {
        let sentences = folder(&[
            (
                "requirements.jsonl",
                r#"{"id": "R1", "text": "Keep records."}"#,
            ),
            (
                "passages.jsonl",
                "{\"document_id\": \"b\", \"passage\": 4, \"kind\": \"title\", \"text\": \"Records\"}\n\
                 {\"document_id\": \"b\", \"passage\": 5, \"kind\": \"paragraph\", \"text\": \"We keep records.\"}\n\
                 {\"document_id\": \"a\", \"passage\": 1, \"text\": \"Nothing is kept.\"}\n",
            ),
            (
                "coverage.jsonl",
                "{\"document_id\": \"b\", \"requirement_id\": \"R1\", \"covered\": true, \"evidence_passages\": [4, 5]}\n\
                 {\"document_id\": \"a\", \"requirement_id\": \"R1\", \"covered\": false, \"evidence_passages\": []}\n",
            ),
        ]);
        let spans = folder(&[
            (
                "hypotheses.jsonl",
                r#"{"id": "R1", "text": "Keep records."}"#,
            ),
            (
                "documents.jsonl",
                "{\"id\": \"a\", \"text\": \"Nothing is kept.\", \"spans\": [[0, 16]]}\n\
                 {\"id\": \"b\", \"text\": \"é We keep records.\", \"spans\": [[2, 18]]}\n",
            ),
            (
                "labels.jsonl",
                "{\"document_id\": \"b\", \"hypothesis_id\": \"R1\", \"label\": \"entailed\", \"evidence_spans\": [0]}\n\
                 {\"document_id\": \"a\", \"hypothesis_id\": \"R1\", \"label\": \"not_mentioned\", \"evidence_spans\": []}\n",
            ),
        ]);
        for set in [&sentences, &spans] {
            assert_eq!(judged_folders(set.path()).unwrap(), [set.path()]);
            let read = JudgedSet::read(set.path()).unwrap();
            assert_eq!(read.documents, ["a", "b"]);
            let lesson = read.lesson;
            assert_eq!(
                lesson.policies,
                [["Nothing is kept."], ["We keep records."]]
            );
            let found: Vec<_> = lesson
                .judged
                .iter()
                .map(|one| (one.policy, one.said, one.named.as_slice()))
                .collect();
            let expected = [(1, Said::Covered, &[0][..]), (0, Said::Open, &[][..])];
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_label_that_is_not_known_is_refused() {
        let set = folder(&[
            (
                "hypotheses.jsonl",
                r#"{"id": "R1", "text": "Keep records."}"#,
            ),
            (
                "documents.jsonl",
                r#"{"id": "a", "text": "No.", "spans": [[0, 3]]}"#,
            ),
            (
                "labels.jsonl",
                r#"{"document_id": "a", "hypothesis_id": "R1", "label": "perhaps"}"#,
            ),
        ]);
        assert!(JudgedSet::read(set.path()).is_err());
        let other = folder(&[("requirements.jsonl", "")]);
        assert!(judged_folders(other.path()).unwrap().is_empty());
    }
}

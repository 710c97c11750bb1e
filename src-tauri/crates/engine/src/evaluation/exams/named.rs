//! The files of an exam, and the names that they give it.

use crate::workspace::{Result, file_size, io_failure, stem};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::exam;
use std::path::{Path, PathBuf};

/// Endings of files that are looked for in a folder.
const ENDINGS: [&str; 4] = ["csv", "tsv", "jsonl", "json"];
/// Endings by which C-Eval and others name the parts of a subject.
const PARTS: [&str; 4] = ["_dev", "_val", "_test", "_train"];

/// The files that are meant; those of a folder by name.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|e| io_failure(&e, path))?;
        let mut inside = Vec::new();
        for entry in entries {
            let file = entry.map_err(|e| io_failure(&e, path))?.path();
            let ending = file.extension().and_then(|e| e.to_str());
            let is_exam = ending.is_some_and(|e| ENDINGS.contains(&e.to_lowercase().as_str()));
            if is_exam && file.is_file() {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Failure::new(
                Code::FileUnreadable,
                format!("{} holds no table and no JSON lines.", path.display()),
                "Name the exam's files.",
            ));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

pub(in crate::evaluation) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let size = file_size(path)?;
    if size > exam::LARGEST {
        let why = format!(
            "the file has {} MiB; exams of up to {} MiB are read",
            size >> 20,
            exam::LARGEST >> 20
        );
        return Err(refused(IngestError::TooLarge(why), path));
    }
    std::fs::read(path).map_err(|e| io_failure(&e, path))
}

pub(in crate::evaluation) fn refused(error: IngestError, path: &Path) -> Failure {
    let (code, hint) = match &error {
        IngestError::TooLarge(_) => (Code::TooLarge, "Split the file into parts."),
        IngestError::Empty => (Code::Empty, "Save the exam again and choose that file."),
        _ => (
            Code::InvalidRequest,
            "An exam is a table whose first line names the columns question, A, B, C, D and answer, or a JSON object a line \
             with question, choices and answer; terms in contexts are JSON objects with term, context_pos and context_neg; pairs have \
             question, passage and label, or a, b and label or score; texts with a class have text and class.",
        ),
    };
    let mut why = error.to_string();
    if let Some(first) = why.get(..1) {
        why = first.to_uppercase() + &why[1..];
    }
    Failure::new(code, format!("{why}."), hint).in_file(name_of(path))
}

pub(in crate::evaluation) fn name_of(path: &Path) -> String {
    let name = path
        .file_name()
        .or_else(|| path.components().next_back().map(|c| c.as_os_str()));
    name.map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The subject that a file's name states.
pub(super) fn subject(path: &Path) -> String {
    let stem = stem(path);
    let part = PARTS.iter().find_map(|part| stem.strip_suffix(part));
    part.unwrap_or(&stem).to_owned()
}

//! What the files of an exam hold, before anything of it is stored.

use super::named::name_of;
use crate::workspace::{Result, Watcher, cancelled, stem, tell};
use lexforge_domain::api::{ExamReport, ExamRow, RejectedQuestion, Stage};
use lexforge_domain::exam::ExamKind;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_ingest::exam;
use lexforge_text::fold::tidy;
use lexforge_text::language::detect;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Rejected questions that are listed; the rest is counted.
const LISTED: usize = 1_000;
/// Longest name of an exam, in characters.
const LONGEST_NAME: usize = 200;

/// The exam to import.
#[derive(Clone, Debug, Default)]
pub struct ExamRequest {
    /// The files; of a folder, the tables and JSON lines that lie in it.
    pub files: Vec<PathBuf>,
    /// The name of the exam. `None` = the name of the file or folder, which must be a single one.
    pub name: Option<String>,
    /// The subject of questions that name none; that of their file where none is given.
    pub subject: Option<String>,
    /// The hash of what a person looked at before; the files must still hold it. `None` = nobody looked.
    pub seen: Option<String>,
}

/// What the files of an exam hold, before any of it is stored.
pub(in crate::evaluation) struct Found {
    pub(in crate::evaluation) report: ExamReport,
    pub(in crate::evaluation) items: String,
}

/// The content of the files before it is stored.
pub(in crate::evaluation) struct Brought<T> {
    pub(in crate::evaluation) items: Vec<T>,
    read: u64,
    left_out: u64,
    rejected: Vec<RejectedQuestion>,
    pub(in crate::evaluation) warnings: Vec<String>,
}

impl<T> Default for Brought<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            read: 0,
            left_out: 0,
            rejected: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl<T> Brought<T> {
    fn reject(&mut self, file: &str, line: u64, reason: String) {
        self.left_out += 1;
        if self.rejected.len() < LISTED {
            self.rejected.push(RejectedQuestion {
                file: file.to_owned(),
                line,
                reason,
            });
        }
    }

    /// Adds the content of one file; lines that occurred before are left out.
    pub(in crate::evaluation) fn take(
        &mut self,
        file: &str,
        found: exam::ExamFile<T>,
        seen: &mut HashMap<String, (String, u64)>,
        key: impl Fn(&T) -> String,
    ) {
        self.read += (found.items.len() + found.rejected.len()) as u64;
        self.warnings
            .extend(found.warnings.into_iter().map(|w| format!("{file}: {w}")));
        let mut lines: Vec<(u64, std::result::Result<T, String>)> = found
            .items
            .into_iter()
            .map(|(line, item)| (line, Ok(item)))
            .collect();
        lines.extend(
            found
                .rejected
                .into_iter()
                .map(|(line, why)| (line, Err(why))),
        );
        lines.sort_by_key(|(line, _)| *line);
        for (line, item) in lines {
            match item {
                Err(reason) => self.reject(file, line, reason),
                Ok(item) => match seen.get(&key(&item)) {
                    Some((other, at)) => {
                        let reason = format!("The same stands in line {at} of {other}.");
                        self.reject(file, line, reason);
                    }
                    None => {
                        seen.insert(key(&item), (file.to_owned(), line));
                        self.items.push(item);
                    }
                },
            }
        }
    }
}

/// The next file of an exam is read, unless the user has cancelled.
pub(in crate::evaluation) fn next(
    watcher: &dyn Watcher,
    path: &Path,
    done: usize,
    of: usize,
) -> Result<()> {
    if watcher.cancelled() {
        return Err(cancelled("Nothing was kept."));
    }
    tell(
        watcher,
        Stage::Import,
        name_of(path),
        done as u64,
        of as u64,
    );
    Ok(())
}

/// Makes an exam from the imported items. `several` is the number of questions with several right answers, and
/// `subjects` the number of questions in each subject. `text` gives the text of an item by which its language is
/// recognised.
///
/// # Errors
/// When the exam has no name, or none of its items can be used.
pub(in crate::evaluation) fn found<T: Serialize>(
    request: &ExamRequest,
    files: &[PathBuf],
    kind: ExamKind,
    (several, subjects): (u64, BTreeMap<String, u64>),
    brought: Brought<T>,
    text: impl Fn(&T) -> String,
) -> Result<Found> {
    let name = name(request)?;
    if brought.items.is_empty() {
        return Err(nothing_usable(brought.read, brought.rejected.first()));
    }
    let mut languages: BTreeMap<Language, u64> = BTreeMap::new();
    for item in &brought.items {
        *languages.entry(detect(&text(item))).or_default() += 1;
    }
    let items = serde_json::json!(brought.items).to_string();
    let exam = ExamRow {
        name,
        kind,
        questions: brought.items.len() as u64,
        several,
        subjects,
        hash: hex::encode(Sha256::digest(&items)),
        files: files.iter().map(|file| name_of(file)).collect(),
        made: String::new(),
    };
    let report = ExamReport {
        exam,
        languages,
        unchanged: false,
        read: brought.read,
        left_out: brought.left_out,
        rejected: brought.rejected,
        warnings: brought.warnings,
    };
    Ok(Found { report, items })
}

fn nothing_usable(read: u64, first: Option<&RejectedQuestion>) -> Failure {
    let why = first.map_or_else(
        || "It has no line.".to_owned(),
        |one| format!("{}, line {}: {}", one.file, one.line, one.reason),
    );
    Failure::new(
        Code::TooLittleData,
        format!("None of the {read} lines can be used. {why}"),
        "Correct the file, then bring it in again; nothing of it was kept.",
    )
}

fn name(request: &ExamRequest) -> Result<String> {
    let name = match (&request.name, request.files.as_slice()) {
        (Some(name), _) => tidy(name),
        (None, [one]) if one.is_dir() => tidy(&name_of(one)),
        (None, [one]) => tidy(&stem(one)),
        (None, _) => {
            return Err(Failure::invalid(
                "Several files make one exam, which has no name yet.",
                "Give it a name.",
            ));
        }
    };
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(Failure::invalid(
            format!("An exam's name has 1 to {LONGEST_NAME} characters."),
            "Give it another name.",
        ));
    }
    Ok(name)
}

//! Files of exams. They hold questions with choices and the right answers, in the forms of FinanceIQ and C-Eval (CSV),
//! JEC-QA (JSON lines) and others. As JSON lines they can also hold pairs of a term's contexts, pairs of texts, and
//! texts with a class.
//!
//! A question that cannot be used is left out and reported with its line and the reason; the other questions are read.
//! A file that is not an exam at all is an error.

mod answer;
mod contexts;
mod csv;
mod draft;
mod json;
mod take;
mod task;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::encoding::decode;
use crate::error::IngestError;
use crate::workbook::is_workbook;
use answer::Numbers;
use draft::Draft;
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair, ExamQuestion, TermInContext};
use take::taken;

/// Most bytes of a file.
pub const LARGEST: u64 = 100 << 20;
/// A byte order mark, as it is in a text.
const MARK: char = '\u{FEFF}';

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamFile<T> {
    /// What can be used, each with its line, from 1.
    pub items: Vec<(u64, T)>,
    /// What cannot: the line and the reason.
    pub rejected: Vec<(u64, String)>,
    /// Notes on how the file was read.
    pub warnings: Vec<String>,
}

impl<T> ExamFile<T> {
    fn of(
        lines: impl IntoIterator<Item = (u64, Result<T, String>)>,
        warnings: Vec<String>,
    ) -> Self {
        let mut file = Self {
            items: Vec::new(),
            rejected: Vec::new(),
            warnings,
        };
        for (line, found) in lines {
            match found {
                Ok(item) => file.items.push((line, item)),
                Err(reason) => file.rejected.push((line, reason)),
            }
        }
        file
    }
}

/// The questions in a file of an exam. A question that names no subject gets `subject`.
///
/// # Errors
/// When the bytes are not text, or the text is neither a table with columns for question, choices and answer nor JSON
/// lines.
pub fn questions(bytes: &[u8], subject: &str) -> Result<ExamFile<ExamQuestion>, IngestError> {
    let (text, mut warnings) = text_of(bytes)?;
    let drafts: Vec<(u64, Result<Draft, String>)> = if text.trim_start().starts_with('{') {
        json::drafts(&text)
    } else {
        csv::drafts(&text, &mut warnings)?
    };
    let numbers = Numbers::of(drafts.iter().filter_map(|(_, draft)| draft.as_ref().ok()));
    warnings.extend(numbers.note().map(str::to_owned));
    let lines = drafts
        .into_iter()
        .map(|(line, draft)| (line, draft.and_then(|draft| taken(draft, numbers, subject))));
    Ok(ExamFile::of(lines, warnings))
}

/// The kind of exam in a file, which its first line shows: questions with choices, pairs of texts, scored pairs, or
/// texts with a class.
///
/// # Errors
/// When the bytes are not text.
pub fn kind_of(bytes: &[u8]) -> Result<ExamKind, IngestError> {
    Ok(task::kind_of(&text_of(bytes)?.0))
}

/// The pairs of a file. With `labelled`, its lines are `{"question", "passage", "label"}` or `{"a", "b", "label"}`;
/// otherwise they are `{"a", "b", "score"}`.
///
/// # Errors
/// When the bytes are not text, or no line is a JSON object.
pub fn pairs(bytes: &[u8], labelled: bool) -> Result<ExamFile<ExamPair>, IngestError> {
    let (text, warnings) = objects(bytes)?;
    Ok(ExamFile::of(task::pairs(&text, labelled), warnings))
}

/// The texts with classes in a file: lines of `{"text", "class"}`.
///
/// # Errors
/// When the bytes are not text, or no line is a JSON object.
pub fn classed(bytes: &[u8]) -> Result<ExamFile<ClassedText>, IngestError> {
    let (text, warnings) = objects(bytes)?;
    Ok(ExamFile::of(task::classed(&text), warnings))
}

/// The pairs of contexts in a file: lines of `{"term", "context_pos", "context_neg", "label"?, "shown_in"?, "act"?}`.
///
/// # Errors
/// When the bytes are not text, or no line is a JSON object.
pub fn contexts(bytes: &[u8]) -> Result<ExamFile<TermInContext>, IngestError> {
    let (text, warnings) = objects(bytes)?;
    Ok(ExamFile::of(contexts::lines(&text), warnings))
}

/// A text that begins as JSON lines do.
fn objects(bytes: &[u8]) -> Result<(String, Vec<String>), IngestError> {
    let (text, warnings) = text_of(bytes)?;
    if !text.trim_start().starts_with('{') {
        return Err(IngestError::Damaged(
            "the file does not hold a JSON object a line".to_owned(),
        ));
    }
    Ok((text, warnings))
}

fn text_of(bytes: &[u8]) -> Result<(String, Vec<String>), IngestError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(IngestError::Empty);
    }
    if is_workbook(bytes)? {
        return Err(IngestError::Unsupported(
            "the file is a spreadsheet; save it as a table in plain text (CSV, UTF-8) and choose that file"
                .to_owned(),
        ));
    }
    let decoded = decode(bytes, None)?;
    let text = decoded.text.trim_start_matches(MARK).to_owned();
    let warnings = decoded.warnings.into_iter().map(|w| w.message).collect();
    Ok((text, warnings))
}

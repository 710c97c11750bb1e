//! Tables of an exam: a head line names the columns, a letter each for the choices.

use super::draft::{Draft, Given};
use crate::error::IngestError;
use crate::sheet::text_of;
use ::csv::{ReaderBuilder, StringRecord};
use lexforge_text::fold::letters;

/// Delimiters that are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Question,
    Choice(usize),
    Answer,
    Subject,
    Kind,
}

/// The words by which a head line names a column, folded to letters.
const NAMES: &[(Field, &[&str])] = &[
    (
        Field::Question,
        &["question", "stem", "statement", "题目", "问题", "题干"],
    ),
    (
        Field::Answer,
        &[
            "answer",
            "answers",
            "correct answer",
            "right answer",
            "答案",
            "正确答案",
            "参考答案",
        ],
    ),
    (Field::Subject, &["subject", "topic", "科目", "学科"]),
    (
        Field::Kind,
        &["kind", "type", "question type", "题型", "类型"],
    ),
];

/// Words that may stand before the letter of a choice.
const OF_CHOICES: &[&str] = &["choice", "option", "选项"];

fn field(name: &str) -> Option<Field> {
    let name = letters(name);
    if let Some((field, _)) = NAMES
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()))
    {
        return Some(*field);
    }
    let rest = OF_CHOICES
        .iter()
        .find_map(|word| name.strip_prefix(word))
        .unwrap_or(&name)
        .trim();
    match rest.as_bytes() {
        [one] if one.is_ascii_lowercase() => Some(Field::Choice(usize::from(one - b'a'))),
        _ => None,
    }
}

/// A line of a table, and the question in it or why there is none.
pub(super) type Numbered = (u64, Result<Draft, String>);

/// The questions of a table, each with its line. A table that is not one of an exam is an error.
pub(super) fn drafts(text: &str, warnings: &mut Vec<String>) -> Result<Vec<Numbered>, IngestError> {
    let head = text.lines().next().unwrap_or_default();
    let delimiter = DELIMITERS
        .into_iter()
        .max_by_key(|d| (head.matches(char::from(*d)).count(), *d == b','))
        .unwrap_or(b',');
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut rows = reader.records();
    let broken = |e: ::csv::Error| IngestError::Damaged(format!("the table is broken: {e}"));
    let first = rows.next().transpose().map_err(broken)?.unwrap_or_default();
    let columns: Vec<Option<Field>> = first.iter().map(field).collect();
    check(&columns)?;
    let unread: Vec<&str> = first
        .iter()
        .zip(&columns)
        .filter(|(name, field)| field.is_none() && !matches!(letters(name).as_str(), "" | "id"))
        .map(|(name, _)| name)
        .collect();
    if !unread.is_empty() {
        warnings.push(format!(
            "Columns that were not read: {}.",
            unread.join(", ")
        ));
    }
    let mut drafts = Vec::new();
    for row in rows {
        let row = row.map_err(broken)?;
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let line = row.position().map_or(0, |at| line_of(text, at));
        let more = row.len().saturating_sub(columns.len());
        let draft = if more > 0 {
            Err(format!(
                "The line has {more} more cells than there are columns: a separator in a text that is not quoted."
            ))
        } else {
            Ok(draft(&row, &columns))
        };
        drafts.push((line, draft));
    }
    Ok(drafts)
}

/// The line on which a row begins. The reader counts from before the empty lines that it passes over.
fn line_of(text: &str, at: &::csv::Position) -> u64 {
    let rest = text
        .as_bytes()
        .get(at.byte() as usize..)
        .unwrap_or_default();
    let passed = rest
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .filter(|byte| **byte == b'\n');
    at.line() + passed.count() as u64
}

/// Whether the columns are those of an exam.
fn check(columns: &[Option<Field>]) -> Result<(), IngestError> {
    let has = |field: Field| columns.contains(&Some(field));
    let missing = if !has(Field::Question) {
        "for the question (“question”)"
    } else if !(has(Field::Choice(0)) && has(Field::Choice(1))) {
        "for the choices (“A”, “B”, …)"
    } else if !has(Field::Answer) {
        "for the right answer (“answer”)"
    } else {
        let mut sorted: Vec<Field> = columns.iter().copied().flatten().collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return Err(IngestError::Damaged(format!(
                "two of its columns are one by their names ({:?})",
                twice[0]
            )));
        }
        return Ok(());
    };
    Err(IngestError::Damaged(format!(
        "the first line names no column {missing}"
    )))
}

fn draft(row: &StringRecord, columns: &[Option<Field>]) -> Draft {
    let mut draft = Draft {
        lettered: true,
        ..Draft::default()
    };
    for (cell, field) in row.iter().zip(columns) {
        let text = text_of(cell);
        match field {
            None => {}
            Some(Field::Question) => draft.question = text,
            Some(Field::Choice(place)) => {
                if draft.choices.len() <= *place {
                    draft.choices.resize(place + 1, String::new());
                }
                draft.choices[*place] = text;
            }
            Some(Field::Answer) if text.trim().is_empty() => {}
            Some(Field::Answer) => draft.answer = Given::Text(text),
            Some(Field::Subject) => draft.subject = text,
            Some(Field::Kind) => draft.kind = text,
        }
    }
    draft
}

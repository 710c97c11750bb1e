//! Tables that somebody made in a spreadsheet program. Workbooks are read by the parser program, behind its limits;
//! plain text is read here.

use crate::workspace::{Result, io_failure};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::Parser;
use lexforge_ingest::sheet;
use lexforge_ingest::workbook::{Sheet, is_workbook};
use std::path::Path;

pub(super) struct Table {
    /// Its rows, including the head.
    pub rows: Vec<Vec<String>>,
    /// The sheet of the workbook that it is; `None` where it was plain text.
    pub sheet: Option<String>,
    /// Sheets of the workbook that were left alone.
    pub others: u64,
}

impl Table {
    /// The table in a file. In a workbook it is the first sheet that has a column with one of these names, or else the
    /// first sheet. Hidden and empty sheets are skipped.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(file: &Path, names: &[&str], cancelled: &dyn Fn() -> bool) -> Result<Self> {
        let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
        if is_workbook(&bytes).map_err(|e| unreadable(&e.to_string()))? {
            let sheets = Parser::locate()?.sheets(&bytes, cancelled);
            return match sheets {
                Ok(sheets) => Ok(Self::of(sheets, names)),
                Err(failure) if failure.code == Code::Cancelled => Err(failure),
                Err(failure) => Err(unreadable(failure.message.trim_end_matches('.'))),
            };
        }
        Ok(Self {
            rows: sheet::rows(&bytes).map_err(|e| unreadable(&e.to_string()))?,
            sheet: None,
            others: 0,
        })
    }

    fn of(sheets: Vec<Sheet>, names: &[&str]) -> Self {
        let count = sheets.len() as u64;
        let shown = |sheet: &&Sheet| !sheet.hidden && !sheet.rows.is_empty();
        let has_column = |sheet: &&Sheet| {
            let head = sheet.rows.iter().find(|row| !row.is_empty());
            head.is_some_and(|head| sheet::place_of(head, names).is_some())
        };
        let named = sheets.iter().filter(shown).find(has_column);
        let chosen = named.or_else(|| sheets.iter().find(shown)).cloned();
        let others = count - u64::from(chosen.is_some());
        let chosen = chosen.unwrap_or_default();
        Self {
            rows: chosen.rows,
            sheet: Some(chosen.name),
            others,
        }
    }

    /// The texts of the column that has one of these names.
    ///
    /// # Errors
    /// When the table has several columns and none of them has one of these names.
    pub fn column(&self, names: &[&str]) -> Result<Vec<String>> {
        sheet::column_of(&self.rows, names).map_err(|error| unreadable(&error.to_string()))
    }
}

fn unreadable(why: &str) -> Failure {
    Failure::new(
        Code::UnsupportedFormat,
        format!("The table cannot be read: {why}."),
        "Save it as .xlsx or CSV, with the questions in a column that is called question.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sheet(name: &str, hidden: bool, rows: &[&[&str]]) -> Sheet {
        Sheet {
            name: name.to_owned(),
            hidden,
            rows: rows
                .iter()
                .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
                .collect(),
        }
    }

    #[test]
    fn the_sheet_with_the_column_is_taken_and_the_others_are_counted() {
        let notes = sheet("Notes", false, &[&["who", "when"], &["we", "today"]]);
        let old = sheet("Old", true, &[&["question"], &["Left?"]]);
        let asked = sheet("Asked", false, &[&[], &["no", "Question"], &["1", "Who?"]]);
        let table = Table::of(vec![notes.clone(), old.clone(), asked], &["question"]);
        assert_eq!(table.sheet.as_deref(), Some("Asked"));
        assert_eq!(table.others, 2);
        assert_eq!(table.column(&["question"]).unwrap(), ["Who?"]);
        let none = Table::of(vec![notes, old], &["question"]);
        let failure = none.column(&["question"]).unwrap_err();
        assert!(failure.message.contains("2 columns"), "{failure:?}");
        assert!(Table::of(Vec::new(), &["question"]).rows.is_empty());
    }

    #[test]
    fn a_workbook_that_cannot_be_opened_is_one_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("old.xls");
        std::fs::write(&file, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1").unwrap();
        let failure = Table::read(&file, &["question"], &|| false).err().unwrap();
        assert_eq!(failure.code, Code::UnsupportedFormat);
        assert!(failure.hint.contains(".xlsx"), "{failure:?}");
    }
}

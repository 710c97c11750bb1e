//! Tables for spreadsheets (CSV). Text of other people must never be taken for a formula, whichever separator the
//! spreadsheet uses. Every table of the product is written here.
//!
//! A *place* is where a spreadsheet could begin a cell: the beginning of the text, and the place after each semicolon,
//! tab and line end in it. If the text at a place looks like a formula (blanks and apostrophes before it are ignored),
//! an apostrophe is put before it. [`text_of`] removes exactly this apostrophe, so every text is read back unchanged.

use crate::error::IngestError;
use ::csv::{QuoteStyle, Terminator, WriterBuilder};

/// Signs with which a spreadsheet takes a text for a formula, with their wide forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Characters of a row that are shown where it cannot be read.
const SHOWN: usize = 60;
/// What ends a cell, in one program or another.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// Bytes of a table: the names of its columns, then its rows. Lines end as spreadsheets write them. A byte order mark
/// comes first, because without it Excel reads the file in the system's old encoding. Every cell is quoted, so that a
/// semicolon or a tab in a text does not end the cell.
///
/// # Errors
/// When a row has another number of cells than there are columns.
pub fn table<'a>(
    columns: &[&str],
    rows: impl IntoIterator<Item = Vec<Cell<'a>>>,
) -> Result<Vec<u8>, ::csv::Error> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::Always)
        .from_writer(b"\xEF\xBB\xBF".to_vec());
    writer.write_record(columns)?;
    for row in rows {
        writer.write_record(row.iter().map(Cell::written))?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

/// The texts of one column of a table that somebody else wrote, as [`column_of`] finds it. The separator may be a
/// comma, a semicolon or a tab. The encoding may be any that spreadsheets write.
///
/// # Errors
/// When the table is damaged, or has several columns and none with one of these names.
pub fn column(bytes: &[u8], names: &[&str]) -> Result<Vec<String>, IngestError> {
    column_of(&rows(bytes)?, names)
}

/// The rows of a table in plain text. Each cell is returned as it was written.
///
/// # Errors
/// When the table is damaged, or a row has more cells than the first row. A row has too many cells if a text contains
/// the separator but is not quoted. The text would be cut there, and its rest would be read as the next column.
pub fn rows(bytes: &[u8]) -> Result<Vec<Vec<String>>, IngestError> {
    let numbered = numbered_rows(bytes)?;
    Ok(numbered.into_iter().map(|(_, row)| row).collect())
}

/// As [`rows`], but each row comes with its number in a spreadsheet. Numbers begin with 1, and empty rows are counted.
///
/// # Errors
/// As those of [`rows`].
pub fn numbered_rows(bytes: &[u8]) -> Result<Vec<(u64, Vec<String>)>, IngestError> {
    let text = crate::encoding::decode(bytes, None)?.text;
    let text = text.trim_start_matches('\u{feff}');
    let head = text.lines().find(|line| !line.trim().is_empty());
    let head = head.unwrap_or_default();
    let separator = [',', ';', '\t']
        .into_iter()
        .max_by_key(|c| (head.matches(*c).count(), *c == ','))
        .filter(|c| head.contains(*c))
        .unwrap_or(',');
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .quoting(separator != '\t' || !has_bare_quotes(text))
        .delimiter(separator as u8)
        .from_reader(text.as_bytes());
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    let mut columns = None;
    for row in reader.records() {
        let row = row.map_err(|e| IngestError::Damaged(format!("the table is broken: {e}")))?;
        let begins = row.position().map_or(0, ::csv::Position::byte);
        let last = rows.last().map_or(0, |(number, _)| *number);
        let number = last + 1 + empty_rows_at(text.as_bytes(), begins as usize);
        let row: Vec<String> = row.iter().map(str::to_owned).collect();
        let last = row.iter().rposition(|cell| !cell.trim().is_empty());
        match (last, columns) {
            (Some(_), None) => columns = Some(row.len()),
            (Some(last), Some(columns)) if last >= columns => {
                let begins: String = row[0].chars().take(SHOWN).collect();
                return Err(IngestError::Damaged(format!(
                    "the row that begins with “{begins}” has more cells than the first; put texts with a separator in quotes"
                )));
            }
            _ => {}
        }
        rows.push((number, row));
    }
    Ok(rows)
}

/// How many empty rows stand at a place where the row before ends.
fn empty_rows_at(text: &[u8], place: usize) -> u64 {
    let mut rest = text.get(place..).unwrap_or_default();
    // Of a line end of two signs the reader leaves the second one.
    if place > 0 && text.get(place - 1) == Some(&b'\r') {
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    let mut empty = 0;
    while let Some(after) = rest
        .strip_prefix(b"\r\n")
        .or_else(|| rest.strip_prefix(b"\n"))
        .or_else(|| rest.strip_prefix(b"\r"))
    {
        rest = after;
        empty += 1;
    }
    empty
}

/// Whether the quotes in a table separated by tabs are part of the texts. Many tools write tables of this kind; in
/// tables of other tools, quotes enclose cells. Two things show that quotes are part of the texts: every line has as
/// many cells as the first line, and some cell begins with a quote although the quotes do not enclose the whole cell.
fn has_bare_quotes(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let columns = |line: &str| line.matches('\t').count();
    let head = lines.next().map_or(0, columns);
    let bare = |cell: &str| {
        let Some(rest) = cell.strip_prefix('"') else {
            return false;
        };
        let inner = rest.strip_suffix('"');
        inner.is_none_or(|inner| inner.replace("\"\"", "").contains('"'))
    };
    let mut found = false;
    for line in lines {
        if columns(line) != head {
            return false;
        }
        found = found || line.split('\t').any(bare);
    }
    found
}

/// The texts of the column that is named by one of `names` in the first row that is not empty. If there is only one
/// column, it needs no name, and its first row counts as a text, too.
///
/// # Errors
/// When there are several columns and none with one of these names.
pub fn column_of(rows: &[Vec<String>], names: &[&str]) -> Result<Vec<String>, IngestError> {
    let is_empty = |row: &Vec<String>| row.iter().all(|cell| cell.trim().is_empty());
    let begins = rows.iter().take_while(|row| is_empty(row)).count();
    let Some(first) = rows.get(begins) else {
        return Ok(Vec::new());
    };
    let named = place_of(first, names);
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if named.is_none() && columns > 1 {
        return Err(IngestError::Damaged(format!(
            "none of its {} columns is called {}",
            columns,
            names.first().copied().unwrap_or_default()
        )));
    }
    let from = begins + usize::from(named.is_some());
    let cell = |row: &Vec<String>| text_of(row.get(named.unwrap_or(0)).map_or("", String::as_str));
    Ok(rows.iter().skip(from).map(cell).collect())
}

/// The place of a column with one of these names in the head of a table.
pub fn place_of(head: &[String], names: &[&str]) -> Option<usize> {
    head.iter()
        .position(|name| names.contains(&name.trim().to_lowercase().as_str()))
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Text of other people.
    Text(&'a str),
    /// A text that was put together.
    Joined(String),
    /// A figure that the product wrote, which stays a figure: `-5` is not a formula.
    Figure(String),
}

impl Cell<'_> {
    fn written(&self) -> String {
        match self {
            Self::Text(text) => cell(text),
            Self::Joined(text) => cell(text),
            Self::Figure(figure) => figure.clone(),
        }
    }
}

/// A text as a cell that no spreadsheet takes for a formula.
pub fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    let mut place = true;
    for (at, c) in text.char_indices() {
        if place && acts(&text[at..], at == 0) {
            out.push('\'');
        }
        out.push(c);
        place = SEPARATORS.contains(&c);
    }
    out
}

/// The text that [`cell`] made this cell of.
pub fn text_of(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut place = true;
    let mut first = true;
    for (at, c) in cell.char_indices() {
        let guards = place && c == '\'' && acts(&cell[at + 1..], first);
        if !guards {
            out.push(c);
        }
        first = false;
        place = SEPARATORS.contains(&c);
    }
    out
}

/// Whether a spreadsheet could take the text at a place for a formula. A tab or line end at the beginning of a cell
/// counts as well, because some programs drop it and then read the rest as a formula.
fn acts(text: &str, first: bool) -> bool {
    let rest = text.trim_start_matches(['\'', ' ', '\u{a0}', '\u{3000}']);
    rest.starts_with(FORMULA) || (first && rest.starts_with(['\t', '\n', '\r']))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use ::csv::ReaderBuilder;

    #[test]
    fn no_cell_is_a_formula_by_any_separator() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a-b; c", "a-b; c"),
            ("=1+1", "'=1+1"),
            ("-5", "'-5"),
            ("x;=1+1", "x;'=1+1"),
            ("x; @sum", "x;' @sum"),
            ("x\n+1", "x\n'+1"),
            ("x\t-1", "x\t'-1"),
            ("\t=1", "'\t'=1"),
            ("'=1", "''=1"),
            ("'quoted'", "'quoted'"),
            ("＝1", "'＝1"),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
            assert_eq!(text_of(&cell(text)), text, "{text:?}");
        }
    }

    #[test]
    fn every_text_comes_back_and_none_acts() {
        // All texts of up to five of the signs that matter.
        const SIGNS: [char; 8] = ['=', '-', '\'', ';', '\t', '\n', ' ', 'x'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer: Vec<String> = texts
                .iter()
                .flat_map(|t| SIGNS.map(|s| format!("{t}{s}")))
                .collect();
            texts = longer;
            for text in &texts {
                let written = cell(text);
                assert_eq!(&text_of(&written), text);
                for part in written.split(SEPARATORS) {
                    assert!(
                        !part.trim_start().starts_with(FORMULA),
                        "{text:?} → {written:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_have_the_numbers_that_a_spreadsheet_gives_them() {
        for (table, expected) in [
            ("a,b\n1,2\n3,4\n", vec![1, 2, 3]),
            ("a,b\n\n1,2\n\n\n3,4", vec![1, 3, 6]),
            ("a,b\r\n\r\n1,2\r\n3,4\r\n\r\n5,6\r\n", vec![1, 3, 4, 6]),
            ("\n\na,b\n1,2\n", vec![3, 4]),
            ("\r\n\r\na,b\r\n1,2\r\n", vec![3, 4]),
            // A cell of several lines is in one row, and a row of blanks is a row.
            ("a,b\n\"1\n\n1\",2\n,\n\n3,4\n", vec![1, 2, 3, 5]),
            ("\u{feff}a,b\r\r1,2\r", vec![1, 3]),
        ] {
            let rows = numbered_rows(table.as_bytes()).unwrap();
            let numbers: Vec<u64> = rows.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, expected, "{table:?}");
        }
    }

    #[test]
    fn a_row_with_more_cells_than_the_first_is_not_cut() {
        for (table, expected) in [
            ("question\nWho reports?\n", Some(2)),
            ("question\n\"Who, if anyone, reports?\"\n", Some(2)),
            ("question\nWho, if anyone, reports?\n", None),
            ("no;question\n1;Who; and when?\n", None),
            // Spreadsheets end rows with empty cells, and shorter rows lack nothing.
            ("no,question\n1,Who?,,\n2\n", Some(3)),
            // The separator is that of the first row with a text.
            ("\n\nno;question\n1;Who, and when?\n", Some(2)),
        ] {
            let found = rows(table.as_bytes());
            assert_eq!(found.as_ref().ok().map(Vec::len), expected, "{table:?}");
        }
        let texts = column(b"question\nWho, if anyone, reports?\n", &["question"]);
        assert!(texts.is_err_and(|e| e.to_string().contains("“Who”")));
    }

    #[test]
    fn quotes_in_a_table_of_tabs_hold_cells_together_or_are_signs_of_the_text() {
        for (table, expected) in [
            // As spreadsheets write it: a tab, a line end and a quote stand in quotes.
            (
                "a\tb\n\"one\ttwo\"\t1\n\"three\nfour\"\t2\n\"say \"\"five\"\"\"\t3\n",
                &["one\ttwo", "three\nfour", "say \"five\""][..],
            ),
            // As other tools write it: a quote is a sign like any other.
            (
                "a\tb\n\"Loss\" is a word\t1\n\"Loss is a word\t2\nLoss\t3\n",
                &["\"Loss\" is a word", "\"Loss is a word", "Loss"][..],
            ),
        ] {
            let found = column(table.as_bytes(), &["a"]).unwrap();
            assert_eq!(found, expected, "{table:?}");
        }
    }

    #[test]
    fn a_table_has_its_cells_by_commas_and_no_formula_by_other_separators() {
        let rows = [["x;=1+1", "a\tb", "=2"], ["say \"=3\"", "a,;=4", "x\n=5"]];
        let cells = rows.map(|row| row.map(Cell::Text).to_vec());
        let bytes = table(&["one", "two", "three"], cells).unwrap();
        let text = std::str::from_utf8(&bytes)
            .unwrap()
            .strip_prefix('\u{feff}')
            .unwrap();
        let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
        let read: Vec<Vec<String>> = reader
            .records()
            .map(|r| r.unwrap().iter().map(text_of).collect())
            .collect();
        assert_eq!(read, rows.map(|row| row.map(str::to_owned).to_vec()));
        for separator in [b';', b'\t', b','] {
            let mut reader = ReaderBuilder::new()
                .delimiter(separator)
                .has_headers(false)
                .flexible(true)
                .from_reader(text.as_bytes());
            for record in reader.records() {
                for cell in &record.unwrap() {
                    assert!(
                        !cell.trim_start_matches(['"', ' ']).starts_with(FORMULA),
                        "{cell:?}"
                    );
                }
            }
        }
        let figure = table(&["n"], [vec![Cell::Figure("-5".to_owned())]]).unwrap();
        assert!(
            std::str::from_utf8(&figure)
                .unwrap()
                .ends_with("\"-5\"\r\n")
        );
    }
}

//! Finds the column heads of a table that continues on the next page, if they are repeated there. Rows at the beginning
//! of both parts are heads if they are the same, even if they do not look like heads.

use lexforge_domain::document::{ParsedCell, ParsedTable};
use lexforge_text::is_set_solid;

/// Most rows of heads.
pub(super) const HEADS: u32 = 4;
/// A head has no more words than this.
pub(super) const HEAD_WORDS: usize = 8;

/// How many rows are heads in `before` and in `table`, the part of it on the next page. `None` if none come again.
pub(super) fn repeated(before: &ParsedTable, table: &ParsedTable) -> Option<(u32, u32)> {
    let (above, below) = (Rows::of(before), Rows::of(table));
    let same = above.alike(&below);
    // A row below the heads may be on both pages, too.
    if before.heads > 0 && same >= before.heads {
        return Some((before.heads, before.heads));
    }
    if before.heads == 0 && same > 0 && above.is_headed(&below) {
        return Some((1, 1));
    }
    // A title over the heads may stand on the first page alone, and a head may take another number of rows here.
    (0..before.heads)
        .take_while(|&from| from == 0 || above.is_title(from - 1, before.columns()))
        .map(|from| above.text(from, before.heads))
        .filter(|heads| !heads.is_empty())
        .find_map(|heads| (1..=HEADS).find(|&to| below.text(0, to) == heads))
        .map(|to| (before.heads, to))
}

/// The cells of a table that hold something, by row.
struct Rows<'a>(Vec<&'a ParsedCell>);

impl<'a> Rows<'a> {
    fn of(table: &'a ParsedTable) -> Self {
        let mut cells: Vec<&ParsedCell> = table.cells.iter().collect();
        cells.retain(|c| !folded(&c.text).is_empty());
        cells.sort_by_key(|c| (c.row, c.column));
        Self(cells)
    }

    fn row(&self, row: u32) -> impl Iterator<Item = &&'a ParsedCell> {
        self.0.iter().filter(move |c| c.row == row)
    }

    /// The text of some rows without blanks.
    fn text(&self, from: u32, to: u32) -> String {
        let cells = self.0.iter().filter(|c| (from..to).contains(&c.row));
        cells.map(|c| folded(&c.text)).collect()
    }

    /// Counts the rows at the beginning that are the same in both tables. Each of these rows must have words in several
    /// columns and must contain no quantity. The last row of the first table is never counted.
    fn alike(&self, other: &Self) -> u32 {
        let names = |row: u32| {
            let named = |c: &&&ParsedCell| c.text.contains(char::is_alphabetic);
            self.row(row).filter(named).count() > 1 && !self.row(row).any(|c| is_quantity(&c.text))
        };
        let same = |row: u32| {
            names(row) && {
                let cells = |rows: &Self| -> Vec<String> {
                    rows.row(row).map(|c| folded(&c.text)).collect()
                };
                cells(self) == cells(other)
            }
        };
        let last = self.0.last().map_or(0, |c| c.row);
        let count = (0..last.min(HEADS)).take_while(|&row| same(row)).count();
        u32::try_from(count).unwrap_or(0)
    }

    /// Whether the first row is a column head although it does not look like one, because the table `other` begins with
    /// the same row. Two forms may also begin with the same row, but a form has no column heads. A form is recognised
    /// because most labels in its first column are the same on the page before.
    fn is_headed(&self, other: &Self) -> bool {
        let labels = |rows: &Self| -> Vec<String> {
            let below = rows.0.iter().filter(|c| c.row > 0 && c.column == 0);
            below.map(|c| folded(&c.text)).collect()
        };
        let (own, others) = (labels(self), labels(other));
        let known = others.iter().filter(|label| own.contains(label)).count();
        self.row(0).all(|c| is_brief(&c.text)) && known * 2 <= others.len()
    }

    /// Whether one text over all columns is all of a row.
    fn is_title(&self, row: u32, columns: u32) -> bool {
        let mut cells = self.row(row);
        cells.next().is_none_or(|c| c.columns >= columns) && cells.next().is_none()
    }
}

/// A text without blanks, in small letters. Its signs stay: `AA+` is not `AA-`.
fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}

/// A few words that end like no part of a sentence, as heads do.
pub(super) fn is_brief(text: &str) -> bool {
    words(text) <= HEAD_WORDS && !text.ends_with(['.', ';', ',', '。', '；', '，'])
}

/// Words, or every two ideographs.
pub(super) fn words(text: &str) -> usize {
    let solid = text.chars().filter(|c| is_set_solid(*c)).count();
    text.split_whitespace().count() + solid / 2
}

/// Mostly digits, and no year.
pub(super) fn is_quantity(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let year = text.len() == 4 && digits == 4 && (text.starts_with("19") || text.starts_with("20"));
    digits > 0 && letters <= 1 && !year
}

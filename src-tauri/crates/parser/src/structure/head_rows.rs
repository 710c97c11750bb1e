//! Heads of a table that come again where it goes on, on the next page. They are heads there, too, and rows that come
//! again so are heads, whatever they look like.

use lexforge_domain::document::{ParsedCell, ParsedTable};

/// Most rows of heads.
pub(super) const HEADS: u32 = 4;

/// How many rows are heads in `before` and in `table`, the part of it on the next page. `None` if none come again.
pub(super) fn repeated(before: &ParsedTable, table: &ParsedTable) -> Option<(u32, u32)> {
    let (above, below) = (Rows::of(before), Rows::of(table));
    let same = above.alike(&below);
    if same >= before.heads.max(1) {
        return Some((same, same));
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
        cells.retain(|c| !letters(&c.text).is_empty());
        cells.sort_by_key(|c| (c.row, c.column));
        Self(cells)
    }

    fn row(&self, row: u32) -> impl Iterator<Item = &&'a ParsedCell> {
        self.0.iter().filter(move |c| c.row == row)
    }

    /// The letters and digits of some rows, without what lies between them.
    fn text(&self, from: u32, to: u32) -> String {
        let cells = self.0.iter().filter(|c| (from..to).contains(&c.row));
        cells.map(|c| letters(&c.text)).collect()
    }

    /// The number of first rows that both tables have, as long as each names several columns and counts nothing. A table
    /// has more rows than its heads.
    fn alike(&self, other: &Self) -> u32 {
        let names = |row: u32| {
            let named = |c: &&&ParsedCell| c.text.contains(char::is_alphabetic);
            self.row(row).filter(named).count() > 1 && !self.row(row).any(|c| is_quantity(&c.text))
        };
        let same = |row: u32| {
            names(row) && {
                let cells = |rows: &Self| -> Vec<String> {
                    rows.row(row).map(|c| letters(&c.text)).collect()
                };
                cells(self) == cells(other)
            }
        };
        let last = self.0.last().map_or(0, |c| c.row);
        let count = (0..last.min(HEADS)).take_while(|&row| same(row)).count();
        u32::try_from(count).unwrap_or(0)
    }

    /// Whether one text over all columns is all of a row.
    fn is_title(&self, row: u32, columns: u32) -> bool {
        let mut cells = self.row(row);
        cells.next().is_none_or(|c| c.columns >= columns) && cells.next().is_none()
    }
}

fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// Mostly digits, and no year.
pub(super) fn is_quantity(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let year = text.len() == 4 && digits == 4 && (text.starts_with("19") || text.starts_with("20"));
    digits > 0 && letters <= 1 && !year
}

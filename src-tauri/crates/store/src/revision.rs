//! Which state of the workspace a file holds: a random mark that every commit replaces, and the mark before it.
//!
//! A write-ahead log does not say which file it belongs to. These marks make it possible to find out
//! ([`crate::log_check`]). A log belongs to the file in two cases: the file has a mark that the log wrote, or it has
//! the mark that was there before the log's first commit.

use crate::error::Result;
use crate::step::Migration;
use rusqlite::{Connection, OptionalExtension};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    55,
    "CREATE TABLE revision (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mark BLOB NOT NULL CHECK (length(mark) = 16),
        before BLOB NOT NULL CHECK (length(before) = 16)
    ) STRICT;
    INSERT INTO revision VALUES (1, randomblob(16), zeroblob(16));",
)];

/// The row as it stands on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    /// The mark of this state.
    pub mark: [u8; 16],
    /// The mark of the state before it.
    pub before: [u8; 16],
}

impl Revision {
    /// Reads the row directly from the only page of its table, in the layout of SQLite's file format. The page is a
    /// leaf with one cell. Its record has 36 bytes, the row number 1, and a header with the types of three values: NULL
    /// (the key) and two blobs of 16 bytes.
    pub fn on_page(page: &[u8]) -> Option<Self> {
        if page.first() != Some(&0x0D) || page.get(3..5)? != [0, 1] {
            return None;
        }
        let start = usize::from(u16::from_be_bytes(page.get(8..10)?.try_into().ok()?));
        let cell = page.get(start..start + 38)?;
        if cell[..6] != [36, 1, 4, 0, 44, 44] {
            return None;
        }
        Some(Self {
            mark: cell[6..22].try_into().ok()?,
            before: cell[22..38].try_into().ok()?,
        })
    }

    /// The page that the table stands on; none in files of older versions.
    pub fn page_number(connection: &Connection) -> rusqlite::Result<Option<u32>> {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'revision'";
        connection.query_row(sql, [], |row| row.get(0)).optional()
    }
}

/// Marks the state that the open transaction makes.
pub(crate) fn advance(change: &Connection) -> Result<()> {
    change
        .prepare_cached("UPDATE revision SET before = mark, mark = randomblob(16)")?
        .execute([])?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_row_is_read_from_its_page() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(MIGRATIONS[0].sql).unwrap();
        advance(&connection).unwrap();
        let (mark, before) = connection
            .query_row("SELECT mark, before FROM revision", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        let number = Revision::page_number(&connection).unwrap().unwrap() as usize;
        drop(connection);
        let bytes = std::fs::read(&path).unwrap();
        let page = &bytes[4096 * (number - 1)..4096 * number];
        assert_eq!(Revision::on_page(page), Some(Revision { mark, before }));
        for other in [
            &bytes[..4096],
            &page[..20],
            &[][..],
            &[0x0D, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF],
        ] {
            assert_eq!(Revision::on_page(other), None);
        }
    }
}

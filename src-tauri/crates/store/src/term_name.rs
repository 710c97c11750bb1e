//! Other names of a term: its short or long form, names in a definition, names in a glossary.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::all;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::TermId;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    38,
    "CREATE TABLE term_name (
        term INTEGER NOT NULL REFERENCES term (id),
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        PRIMARY KEY (term, name)
    ) STRICT, WITHOUT ROWID;",
)];

pub(crate) const COVERED: Part = (
    "term name",
    "SELECT term, name, source FROM term_name ORDER BY term, name",
);

/// The source of names that an extraction found. Each extraction replaces them.
const EXTRACTED: &str = "document";

impl Reader<'_> {
    /// The other names of a term, in alphabetical order.
    pub fn names_of(&self, term: TermId) -> Result<Vec<String>> {
        let sql = "SELECT name FROM term_name WHERE term = ?1 ORDER BY name";
        all(self.connection, sql, [term.0], |row| Ok(row.get(0)?))
    }

    /// The other names of all terms.
    pub fn term_names(&self) -> Result<Vec<(TermId, String)>> {
        let sql = "SELECT term, name FROM term_name ORDER BY term, name";
        all(self.connection, sql, [], |row| {
            Ok((TermId(row.get(0)?), row.get(1)?))
        })
    }
}

impl Writer<'_> {
    /// Records another name of a term, and returns whether it is new. This function writes no audit row. It is part of
    /// a larger change of the terms, which writes one.
    pub(crate) fn add_name(&self, term: TermId, name: &str, source: &str) -> Result<bool> {
        let sql = "INSERT OR IGNORE INTO term_name (term, name, source) VALUES (?1, ?2, ?3)";
        Ok(self
            .connection
            .prepare_cached(sql)?
            .execute(params![term.0, name, source])?
            > 0)
    }
}

/// Replaces all names that the documents gave to terms before by these, each with its term.
pub(crate) fn replace<'n>(
    writer: &Writer,
    names: impl IntoIterator<Item = (TermId, &'n str)>,
) -> Result<()> {
    writer
        .connection
        .execute("DELETE FROM term_name WHERE source = ?1", [EXTRACTED])?;
    for (term, name) in names {
        writer.add_name(term, name, EXTRACTED)?;
    }
    Ok(())
}

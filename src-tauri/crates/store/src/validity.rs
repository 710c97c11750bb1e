//! From which day and until which day a document is in force, as people set it. This is a separate table because the
//! row of a document is never changed. Rows of this table are never changed either: the newest row of a document
//! counts. A row without days means that only the document's own statements count.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, now, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::DocumentId;
use lexforge_domain::api::Validity;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    88,
    concat!(
        "CREATE TABLE validity (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            body TEXT NOT NULL,
            made TEXT NOT NULL
        ) STRICT;
        CREATE INDEX validity_of_document ON validity (document, id);",
        append_only!("validity")
    ),
)];

pub(crate) const COVERED: Part = (
    "validity",
    "SELECT id, body, made FROM validity WHERE document = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// The number of the newest row; 0 if no days were ever set. Every change adds a row. So as long as the number is
    /// the same, data about what is in force that was read before is still valid.
    pub fn newest_validity(&self) -> Result<i64> {
        Ok(self
            .connection
            .prepare_cached("SELECT coalesce(max(id), 0) FROM validity")?
            .query_row([], |row| row.get(0))?)
    }

    /// What was set last for each document for which something was set.
    pub fn validities(&self) -> Result<Vec<(DocumentId, Validity)>> {
        let sql = "SELECT document, body FROM validity
             WHERE id IN (SELECT max(id) FROM validity GROUP BY document) ORDER BY document";
        let rows: Vec<(i64, String)> = all(self.connection, sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        rows.into_iter()
            .map(|(id, body)| Ok((DocumentId(id), from_json("validity", &body)?)))
            .collect()
    }
}

impl Writer<'_> {
    /// Sets from which day and until which day a document is in force.
    ///
    /// # Errors
    /// `NotFound` for an unknown document.
    pub fn set_validity(&mut self, document: DocumentId, validity: &Validity) -> Result<()> {
        self.document(document)?;
        let body = to_json("validity", validity)?;
        self.connection
            .prepare_cached("INSERT INTO validity (document, body, made) VALUES (?1, ?2, ?3)")?
            .execute(params![document.0, body, now()])?;
        self.record("document.force", &Scope::Document(document))
    }
}

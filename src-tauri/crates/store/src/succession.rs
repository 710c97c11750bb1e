//! Which document is the new version of which other document. A link is never changed. The newest row of a document
//! counts, and a row without a predecessor cancels the link.

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::now;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::{DocumentId, Failure};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    23,
    concat!(
        "CREATE TABLE succession (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            predecessor INTEGER REFERENCES document (id),
            linked TEXT NOT NULL,
            CHECK (document <> predecessor)
        ) STRICT;
        CREATE INDEX succession_of_document ON succession (document, id);",
        append_only!("succession")
    ),
)];

pub(crate) const COVERED: Part = (
    "succession",
    "SELECT id, predecessor, linked FROM succession WHERE document = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// The number of the newest row of this table; 0 if no document was ever linked. Every new link and every removal
    /// of a link adds a row. So as long as the number is the same, data about versions that was read before is still
    /// valid.
    pub fn newest_succession(&self) -> Result<i64> {
        Ok(self
            .connection
            .prepare_cached("SELECT coalesce(max(id), 0) FROM succession")?
            .query_row([], |row| row.get(0))?)
    }
}

impl Writer<'_> {
    /// Links a document to the older version of the same text, or removes that link.
    ///
    /// # Errors
    /// `NotFound` for an unknown document, `Refused` where the link would make a circle.
    pub fn link_predecessor(
        &mut self,
        document: DocumentId,
        predecessor: Option<DocumentId>,
    ) -> Result<()> {
        self.document(document)?;
        let mut at = predecessor;
        while let Some(earlier) = at {
            if earlier == document {
                return Err(StoreError::Refused(Failure::invalid(
                    format!(
                        "Document {document} cannot be the newer version of a document that follows it already."
                    ),
                    "Take the other link back first.",
                )));
            }
            at = self.document(earlier)?.predecessor;
        }
        self.connection
            .prepare_cached(
                "INSERT INTO succession (document, predecessor, linked) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![document.0, predecessor.map(|p| p.0), now()])?;
        self.record("document.link", &Scope::Document(document))
    }
}

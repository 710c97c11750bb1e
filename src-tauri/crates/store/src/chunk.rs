//! The bytes of the original documents, in pieces of 1 MiB, apart from the tables that every screen reads.

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::bytes_in;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::DocumentId;
use rusqlite::params;
use sha2::{Digest, Sha256};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    4,
    concat!(
        "CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            UNIQUE (document, position)
        ) STRICT;",
        append_only!("chunk")
    ),
)];

pub(crate) const COVERED: Part = (
    "chunk",
    "SELECT position, sha256, bytes FROM chunk WHERE document = ?1 ORDER BY position",
);

const CHUNK_BYTES: usize = 1 << 20;

impl Reader<'_> {
    /// The bytes of the original document.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn document_bytes(&self, id: DocumentId) -> Result<Vec<u8>> {
        let size: i64 = self
            .connection
            .prepare_cached("SELECT bytes FROM document WHERE id = ?1")?
            .query_row([id.0], |row| row.get(0))
            .map_err(|e| not_found(id, e))?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        let mut statement = self
            .connection
            .prepare_cached("SELECT bytes FROM chunk WHERE document = ?1 ORDER BY position")?;
        let mut rows = statement.query([id.0])?;
        while let Some(row) = rows.next()? {
            bytes.extend_from_slice(bytes_in("chunk", row, 0)?);
        }
        Ok(bytes)
    }
}

/// A query's "no row" as `NotFound`.
fn not_found(id: DocumentId, error: rusqlite::Error) -> StoreError {
    match error {
        rusqlite::Error::QueryReturnedNoRows => crate::row::not_found("document", id),
        other => other.into(),
    }
}

pub(crate) fn insert(writer: &Writer, document: DocumentId, bytes: &[u8]) -> Result<()> {
    let mut statement = writer.connection.prepare_cached(
        "INSERT INTO chunk (document, position, sha256, bytes) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (position, chunk) in bytes.chunks(CHUNK_BYTES).enumerate() {
        let hash: [u8; 32] = Sha256::digest(chunk).into();
        statement.execute(params![document.0, position as i64, hash, chunk])?;
    }
    Ok(())
}

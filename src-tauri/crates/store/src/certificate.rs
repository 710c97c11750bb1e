//! Certificates of how often answers are wrong. Never changed; the newest counts, where it still holds.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use rusqlite::{OptionalExtension, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    66,
    concat!(
        "CREATE TABLE certificate (id INTEGER PRIMARY KEY, made TEXT NOT NULL, body TEXT NOT NULL) STRICT;",
        append_only!("certificate")
    ),
)];

pub(crate) const COVERED: Part = (
    "certificate",
    "SELECT id, made, body FROM certificate ORDER BY id",
);

impl Reader<'_> {
    /// The newest certificate, as whoever made it wrote it.
    ///
    /// # Errors
    /// The database's own.
    pub fn newest_certificate(&self) -> Result<Option<String>> {
        Ok(self
            .connection
            .prepare_cached("SELECT body FROM certificate ORDER BY id DESC LIMIT 1")?
            .query_row([], |row| row.get(0))
            .optional()?)
    }
}

impl Writer<'_> {
    /// Keeps a certificate.
    ///
    /// # Errors
    /// The database's own.
    pub fn put_certificate(&mut self, made: &str, body: &str) -> Result<()> {
        self.connection
            .prepare_cached("INSERT INTO certificate (made, body) VALUES (?1, ?2)")?
            .execute(params![made, body])?;
        self.record("certificate.put", &Scope::Certificates)
    }
}

//! Certificates of how often answers are wrong. Never changed; of those for an index and a corpus the newest counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::all;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use rusqlite::params;

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
    /// The certificates in the form in which the caller stored them, newest first.
    pub fn certificates(&self) -> Result<Vec<String>> {
        let sql = "SELECT body FROM certificate ORDER BY id DESC";
        all(self.connection, sql, [], |row| Ok(row.get(0)?))
    }
}

impl Writer<'_> {
    /// Stores a certificate.
    pub fn put_certificate(&mut self, made: &str, body: &str) -> Result<()> {
        self.connection
            .prepare_cached("INSERT INTO certificate (made, body) VALUES (?1, ?2)")?
            .execute(params![made, body])?;
        self.record("certificate.put", &Scope::Certificates)
    }
}

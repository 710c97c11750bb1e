//! Rankers of clauses that were fitted here. Never changed; the newest of an index counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::all;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    69,
    concat!(
        "CREATE TABLE ranker (id INTEGER PRIMARY KEY, made TEXT NOT NULL, body TEXT NOT NULL) STRICT;",
        append_only!("ranker")
    ),
)];

pub(crate) const COVERED: Part = ("ranker", "SELECT id, made, body FROM ranker ORDER BY id");

impl Reader<'_> {
    /// All rankers, newest first. Each has its number, and its body in the form in which the caller stored it.
    pub fn rankers(&self) -> Result<Vec<(i64, String)>> {
        let sql = "SELECT id, body FROM ranker ORDER BY id DESC";
        all(self.connection, sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }
}

impl Writer<'_> {
    /// Stores a ranker.
    pub fn put_ranker(&mut self, made: &str, body: &str) -> Result<()> {
        self.connection
            .prepare_cached("INSERT INTO ranker (made, body) VALUES (?1, ?2)")?
            .execute(params![made, body])?;
        self.record("ranker.put", &Scope::Rankers)
    }
}

//! The answers of each system of a bench. They are stored so that an interrupted bench can continue. The rows are never
//! changed. A system is identified by the hashes of its components, and a question by the hash of what the system was
//! shown.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use rusqlite::params;
use std::collections::HashMap;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    74,
    concat!(
        "CREATE TABLE bench_score (
            id INTEGER PRIMARY KEY,
            system TEXT NOT NULL,
            item TEXT NOT NULL,
            scores TEXT NOT NULL,
            UNIQUE (system, item)
        ) STRICT;",
        append_only!("bench_score")
    ),
)];

pub(crate) const COVERED: Part = (
    "bench_score",
    "SELECT id, system, item, scores FROM bench_score WHERE system = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// A system's answers, by the hash of the question, in the form in which the caller stored them.
    pub fn bench_scores(&self, system: &str) -> Result<HashMap<String, String>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT item, scores FROM bench_score WHERE system = ?1")?;
        let rows = statement.query_map([system], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

impl Writer<'_> {
    /// Stores a system's answers to these questions. An answer that is stored already stays as it is.
    pub fn put_bench_scores(&mut self, system: &str, scores: &[(String, String)]) -> Result<()> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO bench_score (system, item, scores) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?;
        for (item, scores) in scores {
            statement.execute(params![system, item, scores])?;
        }
        drop(statement);
        self.record("bench.scored", &Scope::Bench(system.to_owned()))
    }
}

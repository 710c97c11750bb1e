//! Labelled questions: which passages answer them. Rows are never changed; the newest of a name counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, from_tag, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::{Pair, PairSource};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    65,
    concat!(
        "CREATE TABLE pair (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            question TEXT NOT NULL,
            passages TEXT NOT NULL,
            answer TEXT,
            source TEXT NOT NULL
        ) STRICT;
        CREATE INDEX pair_by_name ON pair (name, id);",
        append_only!("pair")
    ),
)];

pub(crate) const COVERED: Part = (
    "pair",
    "SELECT id, name, question, passages, answer, source FROM pair ORDER BY id",
);

impl Reader<'_> {
    /// The labelled questions in the order in which they were added. If several have the same name, only the newest
    /// counts.
    pub fn pairs(&self) -> Result<Vec<Pair>> {
        let sql = "SELECT name, question, passages, answer, source FROM pair
             WHERE id IN (SELECT max(id) FROM pair GROUP BY name) ORDER BY id";
        all(self.connection, sql, [], |row| {
            let (passages, source): (String, String) = (row.get(2)?, row.get(4)?);
            Ok(Pair {
                id: row.get(0)?,
                question: row.get(1)?,
                passage_ids: from_json("pair", &passages)?,
                answer: row.get(3)?,
                source: from_tag("pair", &source, PairSource::from_tag)?,
            })
        })
    }
}

impl Writer<'_> {
    /// Adds labelled questions. If a question with the same name exists, it is replaced.
    pub fn add_pairs(&mut self, pairs: &[Pair]) -> Result<()> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO pair (name, question, passages, answer, source) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for pair in pairs {
            statement.execute(params![
                pair.id,
                pair.question,
                to_json("pair", &pair.passage_ids)?,
                pair.answer,
                pair.source.tag()
            ])?;
        }
        drop(statement);
        self.record("pairs.add", &Scope::Pairs)
    }
}

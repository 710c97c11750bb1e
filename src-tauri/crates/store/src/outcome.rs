//! The answers of models to the test questions of a snapshot, question by question. Rows are never changed. If a
//! model has several rows of the same scorer, the newest one counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{first, from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::DatasetId;
use lexforge_domain::gate::Outcomes;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    71,
    concat!(
        "CREATE TABLE outcome (
            id INTEGER PRIMARY KEY,
            dataset INTEGER NOT NULL REFERENCES dataset (id),
            scorer TEXT NOT NULL,
            base TEXT NOT NULL,
            adapter TEXT,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX outcome_of_dataset ON outcome (dataset, id);",
        append_only!("outcome")
    ),
)];

pub(crate) const COVERED: Part = (
    "outcome",
    "SELECT id, dataset, scorer, base, adapter, body FROM outcome WHERE dataset = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// The newest answers of a model to the test questions of a snapshot under a scorer. Without `adapter`, the answers
    /// of the base model.
    pub fn outcomes(
        &self,
        dataset: DatasetId,
        scorer: &str,
        base: &str,
        adapter: Option<&str>,
    ) -> Result<Option<Outcomes>> {
        let sql = "SELECT body FROM outcome WHERE dataset = ?1 AND scorer = ?2 AND base = ?3 AND adapter IS ?4
                 ORDER BY id DESC LIMIT 1";
        let of = params![dataset.0, scorer, base, adapter];
        first(self.connection, sql, of, |row| {
            from_json("outcome", &row.get::<_, String>(0)?)
        })
    }
}

impl Writer<'_> {
    /// Stores the answers of a model to the test questions of a snapshot.
    pub fn put_outcomes(&mut self, dataset: DatasetId, outcomes: &Outcomes) -> Result<()> {
        let body = to_json("outcome", outcomes)?;
        self.connection
            .prepare_cached(
                "INSERT INTO outcome (dataset, scorer, base, adapter, body) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                dataset.0,
                outcomes.scorer,
                outcomes.base,
                outcomes.adapter,
                body
            ])?;
        self.record("outcome.put", &Scope::Outcomes(dataset))
    }
}

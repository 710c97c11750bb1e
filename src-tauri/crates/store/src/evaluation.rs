//! Evaluations: never overwritten; the newest of a run is the one that is shown.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{first, from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::EvaluationView;
use lexforge_domain::{EvaluationId, RunId};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    19,
    concat!(
        "CREATE TABLE evaluation (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            created TEXT NOT NULL,
            view TEXT NOT NULL
        ) STRICT;
        CREATE INDEX evaluation_of_run ON evaluation (run, id);",
        append_only!("evaluation")
    ),
)];

pub(crate) const COVERED: Part = (
    "evaluation",
    "SELECT id, run, created, view FROM evaluation WHERE id = ?1",
);

impl Reader<'_> {
    /// The newest evaluation of a run.
    pub fn evaluation(&self, run: RunId) -> Result<Option<EvaluationView>> {
        let sql = "SELECT view FROM evaluation WHERE run = ?1 ORDER BY id DESC LIMIT 1";
        first(self.connection, sql, [run.0], |row| {
            from_json("evaluation", &row.get::<_, String>(0)?)
        })
    }
}

impl Writer<'_> {
    /// Records an evaluation of a run.
    ///
    /// # Errors
    /// `Row` if a figure is NaN or infinite; errors of the database.
    pub fn put_evaluation(&mut self, run: RunId, view: &EvaluationView) -> Result<EvaluationId> {
        let json = to_json("evaluation", view)?;
        // JSON has no infinity and no NaN: better refused now than unreadable for good.
        from_json::<EvaluationView>("evaluation", &json)?;
        let id = self
            .connection
            .prepare_cached("INSERT INTO evaluation (run, created, view) VALUES (?1, ?2, ?3)")?
            .insert(params![run.0, view.created, json])?;
        self.record("evaluation.put", &Scope::Evaluation(EvaluationId(id)))?;
        Ok(EvaluationId(id))
    }
}

//! The active adapters and the earlier ones. Rows are never changed; the newest row counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::RunId;
use lexforge_domain::api::{Deployment, ModelKind};
use rusqlite::{OptionalExtension, Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    72,
    concat!(
        "CREATE TABLE deployment (
            id INTEGER PRIMARY KEY,
            made TEXT NOT NULL,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            run INTEGER REFERENCES run (id),
            back INTEGER REFERENCES deployment (id),
            body TEXT NOT NULL
        ) STRICT;",
        append_only!("deployment")
    ),
)];

pub(crate) const COVERED: Part = (
    "deployment",
    "SELECT id, made, action, kind, run, back, body FROM deployment ORDER BY id",
);

impl Reader<'_> {
    /// The newest deployment of a kind of model. Its run is `None` if the last activation was taken back.
    pub fn newest_deployment(&self, kind: ModelKind) -> Result<Option<Deployment>> {
        let found = self
            .connection
            .prepare_cached(
                "SELECT id, body FROM deployment WHERE kind = ?1 ORDER BY id DESC LIMIT 1",
            )?
            .query_row([kind.tag()], kept)
            .optional()?;
        found.map(deployment).transpose()
    }

    /// A deployment by its number.
    pub fn deployment(&self, id: i64) -> Result<Option<Deployment>> {
        let found = self
            .connection
            .prepare_cached("SELECT id, body FROM deployment WHERE id = ?1")?
            .query_row([id], kept)
            .optional()?;
        found.map(deployment).transpose()
    }

    /// All deployments of models, newest first.
    pub fn deployments(&self) -> Result<Vec<Deployment>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id, body FROM deployment ORDER BY id DESC")?;
        let rows: Vec<(i64, String)> = statement
            .query_map([], kept)?
            .collect::<rusqlite::Result<_>>()?;
        rows.into_iter().map(deployment).collect()
    }
}

fn kept(row: &Row) -> rusqlite::Result<(i64, String)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn deployment((id, body): (i64, String)) -> Result<Deployment> {
    let deployment: Deployment = from_json("deployment", &body)?;
    Ok(Deployment { id, ..deployment })
}

impl Writer<'_> {
    /// Stores a deployment, and returns its number. The audit row names the action, and says if it was done against the
    /// gate's advice.
    pub fn put_deployment(&mut self, deployment: &Deployment) -> Result<i64> {
        let body = to_json("deployment", deployment)?;
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO deployment (made, action, kind, run, back, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![
                deployment.made,
                deployment.action.tag(),
                deployment.kind.tag(),
                deployment.run.map(|RunId(id)| id),
                deployment.back,
                body
            ])?;
        let action = format!("deployment.{}", deployment.action.tag());
        self.record(&action, &Scope::Deployments)?;
        Ok(id)
    }
}

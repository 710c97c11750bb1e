//! The active adapters and the earlier ones. Rows are never changed; the newest row counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::RunId;
use lexforge_domain::api::{Deployment, ModelKind};
use rusqlite::{Row, params};

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
        let sql = "SELECT id, body FROM deployment WHERE kind = ?1 ORDER BY id DESC LIMIT 1";
        first(self.connection, sql, [kind.tag()], deployment)
    }

    /// A deployment by its number.
    pub fn deployment(&self, id: i64) -> Result<Option<Deployment>> {
        let sql = "SELECT id, body FROM deployment WHERE id = ?1";
        first(self.connection, sql, [id], deployment)
    }

    /// All deployments of models, newest first.
    pub fn deployments(&self) -> Result<Vec<Deployment>> {
        let sql = "SELECT id, body FROM deployment ORDER BY id DESC";
        all(self.connection, sql, [], deployment)
    }
}

fn deployment(row: &Row) -> Result<Deployment> {
    let deployment: Deployment = from_json("deployment", &row.get::<_, String>(1)?)?;
    Ok(Deployment {
        id: row.get(0)?,
        ..deployment
    })
}

impl Writer<'_> {
    /// Stores a deployment, and returns its number. The audit row says what was done. It also says whether the person
    /// did this although the checks advised against it.
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

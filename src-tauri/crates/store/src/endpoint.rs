//! Endpoints that the user named. Their keys are elsewhere: a row says where, never what.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, to_json};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::endpoint::Endpoint;
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    24,
    "CREATE TABLE endpoint (name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;",
)];

pub(crate) const COVERED: Part = (
    "endpoint",
    "SELECT name, settings FROM endpoint WHERE name = ?1",
);

impl Reader<'_> {
    /// All endpoints, ordered by name.
    pub fn endpoints(&self) -> Result<Vec<Endpoint>> {
        let sql = "SELECT settings FROM endpoint ORDER BY name";
        all(self.connection, sql, [], endpoint)
    }

    /// The endpoint with this name.
    pub fn endpoint(&self, name: &str) -> Result<Option<Endpoint>> {
        let sql = "SELECT settings FROM endpoint WHERE name = ?1";
        first(self.connection, sql, [name], endpoint)
    }
}

fn endpoint(row: &Row) -> Result<Endpoint> {
    from_json("endpoint", &row.get::<_, String>(0)?)
}

impl Writer<'_> {
    /// Stores an endpoint under its name. It replaces an endpoint with the same name.
    pub fn put_endpoint(&mut self, endpoint: &Endpoint) -> Result<()> {
        let sql = "INSERT INTO endpoint (name, settings) VALUES (?1, ?2)
                   ON CONFLICT (name) DO UPDATE SET settings = excluded.settings";
        self.connection
            .prepare_cached(sql)?
            .execute(params![endpoint.name, to_json("endpoint", endpoint)?])?;
        self.record("endpoint.put", &Scope::Endpoint(endpoint.name.clone()))
    }

    /// Removes an endpoint. Returns whether there was one.
    pub fn remove_endpoint(&mut self, name: &str) -> Result<bool> {
        let removed = self
            .connection
            .prepare_cached("DELETE FROM endpoint WHERE name = ?1")?
            .execute([name])?;
        self.record("endpoint.remove", &Scope::Endpoint(name.to_owned()))?;
        Ok(removed > 0)
    }
}

//! Samples by which drift is seen. Never changed.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::drift::DriftSample;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    73,
    concat!(
        "CREATE TABLE drift_sample (
            id INTEGER PRIMARY KEY,
            made TEXT NOT NULL,
            encoder TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;",
        append_only!("drift_sample")
    ),
)];

pub(crate) const COVERED: Part = (
    "drift_sample",
    "SELECT id, made, encoder, body FROM drift_sample ORDER BY id",
);

impl Reader<'_> {
    /// The time of the newest sample, and the encoder it was taken with. `None` if there is no sample.
    pub fn last_drift_sample(&self) -> Result<Option<(String, String)>> {
        let sql = "SELECT made, encoder FROM drift_sample ORDER BY id DESC LIMIT 1";
        first(self.connection, sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// The samples that were taken with this encoder, oldest first.
    pub fn drift_samples(&self, encoder: &str) -> Result<Vec<DriftSample>> {
        let sql = "SELECT body FROM drift_sample WHERE encoder = ?1 ORDER BY id";
        all(self.connection, sql, [encoder], |row| {
            from_json("drift_sample", &row.get::<_, String>(0)?)
        })
    }
}

impl Writer<'_> {
    /// Stores a sample.
    pub fn put_drift_sample(&mut self, sample: &DriftSample) -> Result<()> {
        let body = to_json("drift_sample", sample)?;
        self.connection
            .prepare_cached("INSERT INTO drift_sample (made, encoder, body) VALUES (?1, ?2, ?3)")?
            .execute(params![sample.made, sample.encoder, body])?;
        self.record("drift_sample.put", &Scope::DriftSamples)
    }
}

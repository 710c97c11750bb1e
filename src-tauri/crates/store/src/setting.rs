//! Settings of the workspace: key and value.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{first, unreadable};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use rusqlite::params;
use serde::de::DeserializeOwned;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    2,
    "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;",
)];

pub(crate) const COVERED: Part = ("setting", "SELECT key, value FROM setting WHERE key = ?1");

impl Reader<'_> {
    /// The value of a setting.
    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM setting WHERE key = ?1";
        first(self.connection, sql, [key], |row| Ok(row.get(0)?))
    }

    /// The value of a setting that is stored as JSON. If a stored setting cannot be read, this is an error. Otherwise
    /// it would be treated as not set and be overwritten.
    ///
    /// # Errors
    /// Errors of the database, and [`StoreError::Row`](crate::StoreError::Row) with the name of the setting.
    pub fn json_setting<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let read = |text: String| {
            serde_json::from_str(&text).map_err(|e| unreadable("setting", format!("{key}: {e}")))
        };
        self.setting(key)?.map(read).transpose()
    }
}

impl Writer<'_> {
    /// Stores a setting.
    pub fn set_setting(&mut self, key: &str, value: &str) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )?
            .execute(params![key, value])?;
        self.record("setting.set", &Scope::Setting(key.to_owned()))
    }
}

//! Which decisions were taken back, and with which act. Taking back is final: deciding again is a new decision.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{first, uid_bytes};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::ActId;
use rusqlite::params;
use std::collections::HashSet;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    32,
    concat!(
        "CREATE TABLE undo (
            decision BLOB PRIMARY KEY REFERENCES decision (uid),
            act INTEGER NOT NULL REFERENCES act (id),
            made TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX undo_of_act ON undo (act);",
        append_only!("undo")
    ),
)];

pub(crate) const COVERED: Part = (
    "undo",
    "SELECT decision, made FROM undo WHERE act = ?1 ORDER BY decision",
);

impl Reader<'_> {
    /// The marks of all decisions that were taken back.
    pub(crate) fn undone_uids(&self) -> Result<HashSet<[u8; 16]>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT decision FROM undo")?;
        Ok(statement
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a decision was taken back; `None` where there is no such decision.
    pub(crate) fn undone(&self, uid: &str) -> Result<Option<bool>> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM undo WHERE decision = ?1) FROM decision WHERE uid = ?1";
        first(self.connection, sql, [uid_bytes(uid)?], |row| {
            Ok(row.get(0)?)
        })
    }
}

/// Records that a decision was taken back.
pub(crate) fn insert(writer: &Writer, uid: &str, act: ActId, made: &str) -> Result<()> {
    let sql = "INSERT INTO undo (decision, act, made) VALUES (?1, ?2, ?3)";
    writer
        .connection
        .prepare_cached(sql)?
        .execute(params![uid_bytes(uid)?, act.0, made])?;
    Ok(())
}

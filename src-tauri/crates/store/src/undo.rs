//! Which decisions were taken back, and with which act. Taking back is final: deciding again is a new decision.

use crate::act::{self, ActKind};
use crate::cover::{Part, Scope};
use crate::decision::uid_bytes;
use crate::error::Result;
use crate::handle::{Reader, Writer};
use crate::migration::{Migration, append_only};
use crate::row::from_tag;
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::{ActId, PersonId};
use rusqlite::{OptionalExtension, params};
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

pub(crate) const COVERED: Part = ("undo", "SELECT decision, made FROM undo WHERE act = ?1 ORDER BY decision");

impl Reader<'_> {
    /// The marks of all decisions that were taken back.
    pub(crate) fn undone_uids(&self) -> Result<HashSet<[u8; 16]>> {
        let mut statement = self.connection.prepare_cached("SELECT decision FROM undo")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a decision was taken back; none where there is no such decision.
    pub(crate) fn undone(&self, uid: &str) -> Result<Option<bool>> {
        let sql = "SELECT EXISTS (SELECT 1 FROM undo WHERE decision = ?1) FROM decision WHERE uid = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([uid_bytes(uid)?], |row| row.get(0)).optional()?)
    }
}

impl Writer<'_> {
    /// Takes an act of deciding back, as far as it was not taken back already.
    ///
    /// # Errors
    /// The database's own.
    pub fn undo_act(&mut self, person: PersonId, undone: ActId) -> Result<ActId> {
        let items: Vec<([u8; 16], String, i64, i64)> = {
            let mut statement = self.connection.prepare_cached(
                "SELECT uid, kind, first, second FROM decision
                 WHERE act = ?1 AND uid NOT IN (SELECT decision FROM undo) ORDER BY id",
            )?;
            let rows =
                statement.query_map([undone.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        let (act, made) = act::insert(self, person, ActKind::Undo, None)?;
        for (uid, kind, first, second) in items {
            insert(self, &hex::encode(uid), act, &made)?;
            let kind = from_tag("decision", &kind, SubjectKind::from_tag)?;
            crate::verdict::refresh(self, Subject::from_keys(kind, first, second))?;
        }
        self.because(format!("takes back act {undone}")).record("review.undo", &Scope::Act(act))?;
        Ok(act)
    }
}

pub(crate) fn insert(writer: &Writer, uid: &str, act: ActId, made: &str) -> Result<()> {
    let sql = "INSERT INTO undo (decision, act, made) VALUES (?1, ?2, ?3)";
    writer.connection.prepare_cached(sql)?.execute(params![uid_bytes(uid)?, act.0, made])?;
    Ok(())
}

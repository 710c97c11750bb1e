//! The rows of the audit chain as they hang together.

use crate::digest::Digest;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::first;
use rusqlite::{OptionalExtension, Row};

/// The hash before the first row.
pub(crate) const GENESIS: [u8; 32] = [0; 32];

/// A row of the chain with its hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub sequence: i64,
    pub time: String,
    pub actor: String,
    pub action: String,
    pub subject: String,
    pub reason: String,
    pub covers: Option<String>,
    pub payload: [u8; 32],
    pub previous: [u8; 32],
    pub hash: [u8; 32],
}

impl Link {
    pub const COLUMNS: &'static str =
        "sequence, time, actor, action, subject, reason, covers, payload, previous, hash";

    pub(crate) fn from_row(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self {
            sequence: row.get(0)?,
            time: row.get(1)?,
            actor: row.get(2)?,
            action: row.get(3)?,
            subject: row.get(4)?,
            reason: row.get(5)?,
            covers: row.get(6)?,
            payload: row.get(7)?,
            previous: row.get(8)?,
            hash: row.get(9)?,
        })
    }

    /// SHA-256 over all other fields, each with its length before it.
    pub(crate) fn expected_hash(&self) -> [u8; 32] {
        let mut digest = Digest::default();
        digest.text("lexforge audit 1");
        digest.integer(self.sequence);
        for field in [
            &self.time,
            &self.actor,
            &self.action,
            &self.subject,
            &self.reason,
        ] {
            digest.text(field);
        }
        match &self.covers {
            Some(scope) => digest.text(scope),
            None => digest.null(),
        }
        digest.bytes(&self.payload);
        digest.bytes(&self.previous);
        digest.finish()
    }
}

impl Reader<'_> {
    /// Number and hash of the newest row.
    pub(crate) fn head(&self) -> Result<(i64, [u8; 32])> {
        let head = self
            .connection
            .query_row(
                "SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        Ok(head.unwrap_or((0, GENESIS)))
    }

    /// The newest row that covers a scope.
    pub(crate) fn newest_link_of(&self, scope: &str) -> Result<Option<Link>> {
        let sql = format!(
            "SELECT {} FROM audit WHERE covers = ?1 ORDER BY sequence DESC LIMIT 1",
            Link::COLUMNS
        );
        first(self.connection, &sql, [scope], |row| {
            Ok(Link::from_row(row)?)
        })
    }

    /// The newest row.
    pub(crate) fn newest_link(&self) -> Result<Option<Link>> {
        let sql = format!(
            "SELECT {} FROM audit ORDER BY sequence DESC LIMIT 1",
            Link::COLUMNS
        );
        first(self.connection, &sql, [], |row| Ok(Link::from_row(row)?))
    }
}

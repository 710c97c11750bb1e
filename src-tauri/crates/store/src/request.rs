//! Requests to an endpoint: each is written down before it leaves, and its fate when it is known.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, value};
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::AskingId;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    26,
    // `key` is the SHA-256 over model, prompt and parameters. `again` says that an earlier request with the same key
    // may have been answered. `written` says that the prompt was written into a batch file and not sent to an endpoint.
    "CREATE TABLE request (
        id INTEGER PRIMARY KEY,
        asking INTEGER NOT NULL REFERENCES asking (id),
        key BLOB NOT NULL CHECK (length(key) = 32),
        state TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed', 'uncertain', 'written')),
        reason TEXT NOT NULL,
        again INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX request_of_key ON request (key);
    CREATE INDEX request_of_asking ON request (asking);
    CREATE TRIGGER request_is_never_deleted BEFORE DELETE ON request
    BEGIN SELECT RAISE(ABORT, 'rows of request are never deleted'); END;",
)];

/// While an asking runs its requests are covered by nothing: each would be an audit row.
pub(crate) const COVERED: Part = (
    "request",
    "SELECT id, key, state, reason, again FROM request
     WHERE asking = ?1 AND EXISTS (SELECT 1 FROM asking WHERE id = ?1 AND state <> 'running') ORDER BY id",
);

/// SHA-256 over model, prompt and parameters.
pub type PromptKey = [u8; 32];

impl Reader<'_> {
    /// The keys of the prompts that were written into batch files, each with the asking that wrote it.
    pub fn written_prompts(&self) -> Result<Vec<(PromptKey, AskingId)>> {
        let sql = "SELECT key, max(asking) FROM request WHERE state = 'written' GROUP BY key";
        all(self.connection, sql, [], |row| {
            Ok((row.get(0)?, AskingId(row.get(1)?)))
        })
    }
}

impl Writer<'_> {
    /// Records that a request is about to be sent.
    pub fn insert_request(&mut self, asking: AskingId, key: &PromptKey) -> Result<()> {
        let sql = "INSERT INTO request (asking, key, state, reason, again) VALUES (?1, ?2, 'asked', '', coalesce(
                   (SELECT state IN ('asked', 'uncertain') FROM request WHERE key = ?2 AND state <> 'written'
                    ORDER BY id DESC LIMIT 1), 0))";
        self.connection
            .prepare_cached(sql)?
            .execute(params![asking.0, key])?;
        Ok(())
    }

    /// Records that the open request of a prompt failed. `uncertain` says that the request may nevertheless have been
    /// answered.
    pub fn fail_request(
        &mut self,
        asking: AskingId,
        key: &PromptKey,
        reason: &str,
        uncertain: bool,
    ) -> Result<()> {
        let state = if uncertain { "uncertain" } else { "failed" };
        self.settle_request(asking, key, state, reason)
    }

    /// Writes down the fate of the open request of a prompt.
    pub(crate) fn settle_request(
        &self,
        asking: AskingId,
        key: &PromptKey,
        state: &str,
        reason: &str,
    ) -> Result<()> {
        let sql = "UPDATE request SET state = ?3, reason = ?4 WHERE asking = ?1 AND key = ?2 AND state = 'asked'";
        self.connection
            .prepare_cached(sql)?
            .execute(params![asking.0, key, state, reason])?;
        Ok(())
    }

    /// Records the prompts that go into a batch file.
    pub fn insert_written(&mut self, asking: AskingId, keys: &[PromptKey]) -> Result<()> {
        let sql = "INSERT INTO request (asking, key, state, reason, again) VALUES (?1, ?2, 'written', '', 0)";
        let mut statement = self.connection.prepare_cached(sql)?;
        for key in keys {
            statement.execute(params![asking.0, key])?;
        }
        Ok(())
    }

    /// How many of the prompts in batch files have no answer yet.
    pub fn written_without_answer(&self) -> Result<u64> {
        let sql = "SELECT count(DISTINCT key) FROM request WHERE state = 'written'
                   AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.key = request.key)";
        value(self.connection, sql, [])
    }
}

//! Askings: each time that a use case asks an endpoint, with what was agreed to.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{ids, now, one};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::AskingId;
use lexforge_domain::endpoint::{AskCounts, AskingState};
use rusqlite::params;
use std::collections::BTreeMap;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    25,
    "CREATE TABLE asking (
        id INTEGER PRIMARY KEY,
        purpose TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        host TEXT NOT NULL,
        model TEXT NOT NULL,
        consent TEXT NOT NULL,
        started TEXT NOT NULL,
        state TEXT NOT NULL,
        ended TEXT
    ) STRICT;
    CREATE TRIGGER asking_is_never_deleted BEFORE DELETE ON asking
    BEGIN SELECT RAISE(ABORT, 'rows of asking are never deleted'); END;",
)];

pub(crate) const COVERED: Part = (
    "asking",
    "SELECT id, purpose, endpoint, host, model, consent, started, state, ended FROM asking WHERE id = ?1",
);

/// An asking that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAsking {
    /// What for: `questions`.
    pub purpose: String,
    /// The endpoint's name.
    pub endpoint: String,
    /// The host that is talked to.
    pub host: String,
    pub model: String,
    /// The person's consent as JSON.
    pub consent: String,
}

impl Reader<'_> {
    /// An asking (one round of requests) with the data with which it was started.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn asking(&self, id: AskingId) -> Result<NewAsking> {
        let sql = "SELECT purpose, endpoint, host, model, consent FROM asking WHERE id = ?1";
        one(self.connection, sql, "asking", id.0, |row| {
            Ok(NewAsking {
                purpose: row.get(0)?,
                endpoint: row.get(1)?,
                host: row.get(2)?,
                model: row.get(3)?,
                consent: row.get(4)?,
            })
        })
    }

    /// Counts the requests and answers of an asking. Two counts of the result stay zero, because the store does not
    /// know them: answers that were known before, and answers that cannot be read.
    pub fn asking_counts(&self, id: AskingId) -> Result<AskCounts> {
        let mut counts = AskCounts {
            asking: Some(id),
            ..AskCounts::default()
        };
        let sql = "SELECT count(*), count(*) - count(DISTINCT key), coalesce(sum(state = 'uncertain'), 0),
                          coalesce(sum(again), 0)
                   FROM request WHERE asking = ?1 AND state <> 'written'";
        (
            counts.calls,
            counts.retried,
            counts.uncertain,
            counts.possibly_billed_twice,
        ) = self
            .connection
            .prepare_cached(sql)?
            .query_row([id.0], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?;
        let sql = "SELECT reason, count(*) FROM request WHERE asking = ?1 AND state IN ('failed', 'uncertain')
                   GROUP BY reason ORDER BY reason";
        let mut statement = self.connection.prepare_cached(sql)?;
        let failed = statement.query_map([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
        counts.failed = failed.collect::<rusqlite::Result<BTreeMap<String, u64>>>()?;
        let sql =
            "SELECT count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),
                          coalesce(sum(prompt_tokens IS NULL), 0), sum(cost)
                   FROM answer WHERE asking = ?1";
        (
            counts.answered,
            counts.prompt_tokens,
            counts.completion_tokens,
            counts.uncounted,
            counts.cost,
        ) = self
            .connection
            .prepare_cached(sql)?
            .query_row([id.0], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                ))
            })?;
        Ok(counts)
    }
}

impl Writer<'_> {
    pub fn begin_asking(&mut self, new: &NewAsking) -> Result<AskingId> {
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO asking (purpose, endpoint, host, model, consent, started, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .insert(params![
                new.purpose,
                new.endpoint,
                new.host,
                new.model,
                new.consent,
                now(),
                AskingState::Running.tag()
            ])?;
        self.record("asking.begin", &Scope::Asking(AskingId(id)))?;
        Ok(AskingId(id))
    }

    /// Ends an asking. A request that is still open is marked as uncertain: it may have been answered.
    pub fn end_asking(&mut self, id: AskingId, state: AskingState) -> Result<()> {
        let sql = "UPDATE request SET state = 'uncertain', reason = ?2 WHERE asking = ?1 AND state = 'asked'";
        self.connection
            .prepare_cached(sql)?
            .execute(params![id.0, state.tag()])?;
        let sql = "UPDATE asking SET state = ?2, ended = ?3 WHERE id = ?1";
        self.connection
            .prepare_cached(sql)?
            .execute(params![id.0, state.tag(), now()])?;
        self.record(&format!("asking.{}", state.tag()), &Scope::Asking(id))
    }

    /// Marks askings as ended if their program ended before they were complete, and returns their number. The caller
    /// must know that no asking is running.
    pub fn end_interrupted_askings(&mut self) -> Result<u64> {
        let running = ids(
            self.connection,
            "SELECT id FROM asking WHERE state = 'running' ORDER BY id",
            [],
        )?;
        for id in &running {
            self.end_asking(AskingId(*id), AskingState::Interrupted)?;
        }
        Ok(running.len() as u64)
    }
}

//! The audit chain: one row for every change of state, in the same transaction as the change.
//!
//! Row *n* holds who did what to what and why, the hash of the rows that the action covers ([`Scope`]) as they were
//! after the action, the hash of row *n* − 1, and the SHA-256 over all of these. So a change of any row changes every
//! hash after it. [`crate::verify`] checks the chain from the first row and compares it with the present rows.

use crate::digest::Digest;
use crate::error::Result;
use crate::imprint::Imprint;
use crate::link::{GENESIS, Link};
use crate::reader::Reader;
use crate::row::{all, now, value};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::{AuditFacets, AuditFilter, AuditRow};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    1,
    concat!(
        "CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            reason TEXT NOT NULL,
            covers TEXT,
            payload BLOB NOT NULL CHECK (length(payload) = 32),
            previous BLOB NOT NULL CHECK (length(previous) = 32),
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
        ) STRICT;
        CREATE INDEX audit_of_scope ON audit (covers, sequence);",
        append_only!("audit")
    ),
)];

impl Reader<'_> {
    /// Hash of the newest row of the chain, in hexadecimal; zeros for an empty chain.
    pub fn audit_head(&self) -> Result<String> {
        Ok(hex::encode(self.head()?.1))
    }

    /// At most `limit` rows of the chain that are older than row `before`, newest first.
    pub fn audit_rows(&self, limit: u64, before: Option<i64>) -> Result<Vec<AuditRow>> {
        self.audit_rows_of(&AuditFilter::default(), limit, before)
    }

    /// At most `limit` rows of the chain that match a filter and are older than row `before`, newest first.
    pub fn audit_rows_of(
        &self,
        filter: &AuditFilter,
        limit: u64,
        before: Option<i64>,
    ) -> Result<Vec<AuditRow>> {
        let mut rows = self.connection.prepare_cached(
            "SELECT sequence, time, actor, action, subject, reason, hash FROM audit
             WHERE sequence < ?1 AND (?3 IS NULL OR actor = ?3)
                AND (?4 IS NULL OR substr(action, 1, instr(action, '.') - 1) = ?4)
                AND (?5 IS NULL OR time >= ?5) AND (?6 IS NULL OR time < ?6)
             ORDER BY sequence DESC LIMIT ?2",
        )?;
        let rows = rows.query_map(
            params![
                before.unwrap_or(i64::MAX),
                crate::row::limit(limit),
                filter.actor,
                filter.kind,
                filter.from,
                filter.to
            ],
            |row| {
                Ok(AuditRow {
                    sequence: row.get(0)?,
                    time: row.get(1)?,
                    actor: row.get(2)?,
                    action: row.get(3)?,
                    subject: row.get(4)?,
                    reason: row.get(5)?,
                    hash: hex::encode(row.get::<_, [u8; 32]>(6)?),
                })
            },
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The values by which rows of the chain can be filtered.
    pub fn audit_facets(&self) -> Result<AuditFacets> {
        let column = |sql: &str| -> Result<Vec<String>> {
            all(self.connection, sql, [], |row| Ok(row.get(0)?))
        };
        Ok(AuditFacets {
            actors: column("SELECT DISTINCT actor FROM audit ORDER BY actor")?,
            kinds: column(
                "SELECT DISTINCT substr(action, 1, instr(action, '.') - 1) AS kind FROM audit ORDER BY kind",
            )?,
        })
    }

    /// The hash (SHA-256, in hexadecimal) in the newest audit row of this scope. It is the hash over the rows of the
    /// scope at that time. `None` if no audit row covers the scope.
    pub fn recorded(&self, scope: &Scope) -> Result<Option<String>> {
        let link = self.newest_link_of(&scope.to_string())?;
        Ok(link.map(|link| hex::encode(link.payload)))
    }

    /// Number of the newest row that covers a scope; 0 if no row covers it. The number grows with every change of the
    /// scope.
    pub fn newest_row_of(&self, scope: &Scope) -> Result<i64> {
        let sql = "SELECT coalesce(max(sequence), 0) FROM audit WHERE covers = ?1";
        value(self.connection, sql, [scope.to_string()])
    }
}

impl Writer<'_> {
    /// Appends an audit row for a change of the rows of `scope`. This audit row covers the rows as they are now. If
    /// they are the same as in the newest audit row of the scope, nothing has changed, and no audit row is appended. It
    /// is an error if another program altered the rows before this change began. Otherwise the new audit row would
    /// cover the alteration, too.
    pub(crate) fn record(&mut self, action: &str, scope: &Scope) -> Result<()> {
        self.guarded(|guard| guard.compare(scope))?;
        let label = scope.to_string();
        let imprint = Imprint::of(self.connection, &self.cover(scope))?;
        if self
            .newest_link_of(&label)?
            .is_some_and(|link| link.payload == imprint.payload)
        {
            return Ok(());
        }
        imprint.keep(self.connection, scope)?;
        self.append(action, &label, Some(label.clone()), imprint.payload)
    }

    /// Appends a row about something that covers no rows of the database, for example a decision that the engine made.
    /// `reason` is for this row only; `None` = the reason given by [`Writer::because`].
    pub fn note(&mut self, action: &str, subject: &str, reason: Option<&str>) -> Result<()> {
        let payload = Digest::default().finish();
        match reason {
            Some(reason) => {
                let usual = std::mem::replace(&mut self.reason, reason.to_owned());
                let appended = self.append(action, subject, None, payload);
                self.reason = usual;
                appended
            }
            None => self.append(action, subject, None, payload),
        }
    }

    fn append(
        &mut self,
        action: &str,
        subject: &str,
        covers: Option<String>,
        payload: [u8; 32],
    ) -> Result<()> {
        tracing::debug!(action, "a row of the audit chain");
        let (last, previous) = self.head()?;
        let mut link = Link {
            sequence: last + 1,
            time: now(),
            actor: self.actor.to_owned(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            reason: self.reason.clone(),
            covers,
            payload,
            previous,
            hash: GENESIS,
        };
        link.hash = link.expected_hash();
        self.connection
            .prepare_cached(
                "INSERT INTO audit (sequence, time, actor, action, subject, reason, covers, payload, previous, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                link.sequence,
                link.time,
                link.actor,
                link.action,
                link.subject,
                link.reason,
                link.covers,
                link.payload,
                link.previous,
                link.hash
            ])?;
        Ok(())
    }
}

//! Which of two answers to a question people found better. A row is never changed.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_tag, now};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{AnswerPreference, Preferred};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    70,
    concat!(
        "CREATE TABLE reply_preference (
            id INTEGER PRIMARY KEY,
            first INTEGER NOT NULL REFERENCES reply (id),
            second INTEGER NOT NULL REFERENCES reply (id),
            preferred TEXT NOT NULL,
            blind INTEGER NOT NULL,
            judged TEXT NOT NULL,
            actor TEXT NOT NULL,
            CHECK (first <> second)
        ) STRICT;
        CREATE INDEX reply_preference_of ON reply_preference (first, id);",
        append_only!("reply_preference")
    ),
)];

/// Covered with the answer that stood first.
pub(crate) const COVERED: Part = (
    "reply_preference",
    "SELECT id, first, second, preferred, blind, judged, actor FROM reply_preference WHERE first = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// All comparisons of two answers, newest first.
    pub fn preferences(&self) -> Result<Vec<AnswerPreference>> {
        let sql = "SELECT first, second, preferred, blind, judged, actor FROM reply_preference ORDER BY id DESC";
        all(self.connection, sql, [], |row| {
            let preferred: String = row.get(2)?;
            Ok(AnswerPreference {
                first: AnswerId(row.get(0)?),
                second: AnswerId(row.get(1)?),
                preferred: from_tag("reply_preference", &preferred, Preferred::from_tag)?,
                blind: row.get(3)?,
                judged: row.get(4)?,
                actor: row.get(5)?,
            })
        })
    }
}

impl Writer<'_> {
    /// Records which of two answers a person found better.
    ///
    /// # Errors
    /// `NotFound`; errors of the database.
    pub fn prefer_reply(
        &mut self,
        first: AnswerId,
        second: AnswerId,
        preferred: Preferred,
        blind: bool,
    ) -> Result<AnswerPreference> {
        self.reply_row(first)?;
        self.reply_row(second)?;
        let kept = AnswerPreference {
            first,
            second,
            preferred,
            blind,
            judged: now(),
            actor: self.actor.to_owned(),
        };
        self.connection
            .prepare_cached(
                "INSERT INTO reply_preference (first, second, preferred, blind, judged, actor)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                first.0,
                second.0,
                preferred.tag(),
                blind,
                kept.judged,
                kept.actor
            ])?;
        self.record("answer.prefer", &Scope::Reply(first))?;
        Ok(kept)
    }
}

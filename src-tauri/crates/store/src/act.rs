//! Acts: what a person did at one time. There are four kinds: a single decision, a batch of decisions, an act that
//! undoes an earlier one, and the import of a colleague's decisions. Each act is one row of the audit chain, and this
//! row covers exactly the rows that the act added.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_tag, latest_moment, limit, moment_after, not_found, value};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::review::{Choice, Subject, SubjectKind};
use lexforge_domain::{ActId, PersonId};
use rusqlite::params;
use strum::IntoStaticStr;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    30,
    concat!(
        "CREATE TABLE act (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            person INTEGER NOT NULL REFERENCES person (id),
            kind TEXT NOT NULL,
            packet TEXT,
            made TEXT NOT NULL
        ) STRICT;
        CREATE INDEX act_of_person ON act (person, kind, id);",
        append_only!("act")
    ),
)];

pub(crate) const COVERED: Part = (
    "act",
    "SELECT id, person, kind, packet, made FROM act WHERE id = ?1",
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum ActKind {
    /// Deciding.
    Decide,
    /// Taking an act back.
    Undo,
    /// Taking in what was decided elsewhere.
    Merge,
}

impl ActKind {
    fn tag(self) -> &'static str {
        self.into()
    }
}

/// An act of deciding, as it can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAct {
    pub id: ActId,
    /// What was chosen.
    pub choice: Choice,
    /// The first item that it decided.
    pub subject: Subject,
    /// How many items it decided.
    pub items: u64,
    /// When.
    pub made: String,
}

impl Reader<'_> {
    /// The number of the newest act; 0 if there is none.
    pub fn newest_act(&self) -> Result<ActId> {
        value(self.connection, "SELECT coalesce(max(id), 0) FROM act", []).map(ActId)
    }

    /// The time of the newest act.
    pub fn last_act_time(&self) -> Result<Option<String>> {
        let sql = "SELECT made FROM act ORDER BY id DESC LIMIT 1";
        first(self.connection, sql, [], |row| Ok(row.get(0)?))
    }

    /// This person's newest act of deciding, without acts that were taken back.
    pub fn last_act_of(&self, person: PersonId) -> Result<Option<StoredAct>> {
        let sql = "SELECT a.id FROM act a WHERE a.person = ?1 AND a.kind = 'decide' AND EXISTS (
                    SELECT 1 FROM decision d WHERE d.act = a.id AND d.uid NOT IN (SELECT decision FROM undo))
                 ORDER BY a.id DESC LIMIT 1";
        let id: Option<i64> = first(self.connection, sql, [person.0], |row| Ok(row.get(0)?))?;
        id.map(|id| self.act(ActId(id))).transpose()
    }

    /// The act with this id, which must be an act of deciding (one decision or a batch).
    ///
    /// # Errors
    /// `NotFound` if no act has this id, or if the act is of another kind.
    pub fn act(&self, id: ActId) -> Result<StoredAct> {
        let mut statement = self.connection.prepare_cached(
            "SELECT d.choice, d.kind, d.first, d.second, (SELECT count(*) FROM decision WHERE act = ?1), a.made
             FROM act a JOIN decision d ON d.act = a.id WHERE a.id = ?1 ORDER BY d.id LIMIT 1",
        )?;
        let mut rows = statement.query([id.0])?;
        let row = rows.next()?.ok_or_else(|| not_found("act", id))?;
        let kind = from_tag("decision", &row.get::<_, String>(1)?, SubjectKind::from_tag)?;
        Ok(StoredAct {
            id,
            choice: from_tag("decision", &row.get::<_, String>(0)?, Choice::from_tag)?,
            subject: Subject::from_keys(kind, row.get(2)?, row.get(3)?),
            items: row.get(4)?,
            made: row.get(5)?,
        })
    }

    /// The times of this person's newest acts of deciding, newest first.
    pub fn act_times(&self, person: PersonId, most: u64) -> Result<Vec<String>> {
        let sql =
            "SELECT made FROM act WHERE person = ?1 AND kind = 'decide' ORDER BY id DESC LIMIT ?2";
        all(
            self.connection,
            sql,
            params![person.0, limit(most)],
            |row| Ok(row.get(0)?),
        )
    }
}

/// Adds an act with the present time. This time is later than all earlier decisions of the person. If the time of an
/// earlier decision is so far in the future that a clock must have been wrong, that decision is ignored.
pub(crate) fn insert(
    writer: &Writer,
    person: PersonId,
    kind: ActKind,
    packet: Option<&str>,
) -> Result<(ActId, String)> {
    let sql = "SELECT max(made) FROM decision WHERE person = ?1 AND made <= ?2";
    let newest: Option<String> = value(writer.connection, sql, params![person.0, latest_moment()])?;
    let made = moment_after(newest.as_deref());
    let id = writer
        .connection
        .prepare_cached("INSERT INTO act (person, kind, packet, made) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![person.0, kind.tag(), packet, made])?;
    Ok((ActId(id), made))
}

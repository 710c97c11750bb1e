//! Decisions: who decided what about which item. A decision is never changed and never deleted; [`crate::undo`] says
//! which ones were taken back.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, from_tag, tag_in, to_json, uid_bytes, value};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::review::{Choice, Decision, Edit, Subject, SubjectKind};
use lexforge_domain::{ActId, PersonId};
use rusqlite::{Row, params};
use std::collections::HashSet;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    31,
    concat!(
        "CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
            act INTEGER NOT NULL REFERENCES act (id),
            kind TEXT NOT NULL,
            first INTEGER NOT NULL,
            second INTEGER NOT NULL,
            person INTEGER NOT NULL REFERENCES person (id),
            choice TEXT NOT NULL,
            edit TEXT,
            reason TEXT NOT NULL,
            made TEXT NOT NULL,
            adjudicates INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX decision_of_item ON decision (kind, first, second);
        CREATE INDEX decision_of_act ON decision (act);
        CREATE INDEX decision_of_person ON decision (person, made);",
        append_only!("decision")
    ),
)];

pub(crate) const COVERED: Part = (
    "decision",
    "SELECT id, uid, kind, first, second, person, choice, edit, reason, made, adjudicates FROM decision
     WHERE act = ?1 ORDER BY id",
);

pub(crate) const SELECT: &str =
    "SELECT d.uid, d.act, d.kind, d.first, d.second, d.person, d.choice, d.edit, d.reason,
    d.made, d.adjudicates, a.packet, u.decision IS NOT NULL
    FROM decision d JOIN act a ON a.id = d.act LEFT JOIN undo u ON u.decision = d.uid";

/// One person's last choice on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnChoice {
    /// The item.
    pub subject: Subject,
    /// What.
    pub choice: Choice,
    /// With which act.
    pub act: ActId,
}

impl Reader<'_> {
    /// The decisions about an item, the oldest first.
    pub fn decisions_of(&self, subject: Subject) -> Result<Vec<Decision>> {
        let (first, second) = subject.keys();
        let sql = format!(
            "{SELECT} WHERE d.kind = ?1 AND d.first = ?2 AND d.second = ?3 ORDER BY d.made, d.uid"
        );
        self.decisions_by(&sql, params![subject.kind().tag(), first, second])
    }

    /// All decisions about items of a kind, grouped by item, the oldest first.
    pub fn decisions(&self, kind: SubjectKind) -> Result<Vec<Decision>> {
        let sql = format!("{SELECT} WHERE d.kind = ?1 ORDER BY d.first, d.second, d.made, d.uid");
        self.decisions_by(&sql, params![kind.tag()])
    }

    /// The decision with this random mark.
    pub fn decision(&self, uid: &str) -> Result<Option<Decision>> {
        Ok(self
            .decisions_by(&format!("{SELECT} WHERE d.uid = ?1"), [uid_bytes(uid)?])?
            .pop())
    }

    /// All decisions of a person, the oldest first.
    pub fn decisions_by_person(&self, person: PersonId) -> Result<Vec<Decision>> {
        self.decisions_by(
            &format!("{SELECT} WHERE d.person = ?1 ORDER BY d.made, d.id"),
            params![person.0],
        )
    }

    fn decisions_by(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Decision>> {
        all(self.connection, sql, values, decision)
    }

    /// A person's choice on each item of a kind. It is the newest decision that was not taken back. A skip counts only
    /// if there is no other decision.
    pub fn own_choices(&self, person: PersonId, kind: SubjectKind) -> Result<Vec<OwnChoice>> {
        let undone: HashSet<[u8; 16]> = self.undone_uids()?;
        let mut statement = self.connection.prepare_cached(
            "SELECT uid, first, second, choice, act, made FROM decision
             WHERE person = ?1 AND +kind = ?2 ORDER BY first, second, choice = 'skip', made DESC, uid DESC",
        )?;
        let mut rows = statement.query(params![person.0, kind.tag()])?;
        let mut own: Vec<OwnChoice> = Vec::new();
        while let Some(row) = rows.next()? {
            let subject = Subject::from_keys(kind, row.get(1)?, row.get(2)?);
            if own.last().is_some_and(|last| last.subject == subject)
                || undone.contains(&row.get::<_, [u8; 16]>(0)?)
            {
                continue;
            }
            own.push(OwnChoice {
                subject,
                choice: tag_in("decision", row, 3, Choice::from_tag)?,
                act: ActId(row.get(4)?),
            });
        }
        Ok(own)
    }

    /// This person's choice on one item.
    pub fn own_choice(&self, person: PersonId, subject: Subject) -> Result<Option<OwnChoice>> {
        let (first, second) = subject.keys();
        let mut statement = self.connection.prepare_cached(
            "SELECT choice, act FROM decision
             WHERE kind = ?1 AND first = ?2 AND second = ?3 AND person = ?4
               AND NOT EXISTS (SELECT 1 FROM undo WHERE undo.decision = decision.uid)
             ORDER BY choice = 'skip', made DESC, uid DESC LIMIT 1",
        )?;
        let mut rows = statement.query(params![subject.kind().tag(), first, second, person.0])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let choice = from_tag("decision", &row.get::<_, String>(0)?, Choice::from_tag)?;
        Ok(Some(OwnChoice {
            subject,
            choice,
            act: ActId(row.get(1)?),
        }))
    }

    /// The items of a kind on which a person decided after this act, or took a decision back after it.
    pub fn touched_since(
        &self,
        person: PersonId,
        kind: SubjectKind,
        act: ActId,
    ) -> Result<Vec<Subject>> {
        // By act, which are few: the unary plus keeps SQLite from walking all decisions of a kind.
        let sql =
            "SELECT first, second FROM decision WHERE act > ?1 AND +person = ?2 AND +kind = ?3
             UNION SELECT d.first, d.second FROM undo u CROSS JOIN decision d ON d.uid = u.decision
             WHERE u.act > ?1 AND +d.person = ?2 AND +d.kind = ?3";
        all(
            self.connection,
            sql,
            params![act.0, person.0, kind.tag()],
            |row| Ok(Subject::from_keys(kind, row.get(0)?, row.get(1)?)),
        )
    }

    /// Whether the workspace contains an item.
    pub fn holds(&self, subject: Subject) -> Result<bool> {
        let (first, second) = subject.keys();
        let sql = match subject.kind() {
            SubjectKind::Term => "SELECT EXISTS (SELECT 1 FROM term WHERE id = ?1) AND ?2 = 0",
            SubjectKind::Question => "SELECT EXISTS (SELECT 1 FROM qca WHERE id = ?1) AND ?2 = 0",
            SubjectKind::Triplet => {
                "SELECT EXISTS (SELECT 1 FROM triplet WHERE id = ?1 AND reason IS NULL) AND ?2 = 0"
            }
            SubjectKind::Similarity => {
                "SELECT EXISTS (SELECT 1 FROM similarity_pair WHERE id = ?1) AND ?2 = 0"
            }
            SubjectKind::Pair => "SELECT count(*) = 2 FROM term WHERE id IN (?1, ?2)",
        };
        value(self.connection, sql, [first, second])
    }
}

/// Adds a decision.
pub(crate) fn insert(writer: &Writer, new: &Decision) -> Result<()> {
    let (first, second) = new.subject.keys();
    let edit = (!new.edit.is_empty())
        .then(|| to_json("decision", &new.edit))
        .transpose()?;
    writer
        .connection
        .prepare_cached(
            "INSERT INTO decision (uid, act, kind, first, second, person, choice, edit, reason, made, adjudicates)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            uid_bytes(&new.uid)?,
            new.act.0,
            new.subject.kind().tag(),
            first,
            second,
            new.person.0,
            new.choice.tag(),
            edit,
            new.reason,
            new.made,
            new.adjudicates
        ])?;
    Ok(())
}

/// A decision from a row of [`SELECT`].
pub(crate) fn decision(row: &Row) -> Result<Decision> {
    let kind = tag_in("decision", row, 2, SubjectKind::from_tag)?;
    let edit: Option<String> = row.get(7)?;
    Ok(Decision {
        uid: hex::encode(row.get::<_, [u8; 16]>(0)?),
        act: ActId(row.get(1)?),
        subject: Subject::from_keys(kind, row.get(3)?, row.get(4)?),
        person: PersonId(row.get(5)?),
        choice: tag_in("decision", row, 6, Choice::from_tag)?,
        edit: edit.map_or(Ok(Edit::default()), |json| from_json("decision", &json))?,
        reason: row.get(8)?,
        made: row.get(9)?,
        adjudicates: row.get(10)?,
        packet: row.get(11)?,
        undone: row.get(12)?,
    })
}

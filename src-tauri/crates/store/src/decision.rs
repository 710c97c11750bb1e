//! Decisions: who decided what about which item. Never changed, never deleted; [`crate::undo`] says which were taken back.

use crate::act::{self, ActKind};
use crate::cover::{Part, Scope};
use crate::error::{Result, StoreError};
use crate::handle::{Reader, Writer};
use crate::migration::{Migration, append_only};
use crate::row::{from_json, from_tag, to_json, unreadable};
use lexforge_domain::review::{Choice, Decision, Edit, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{ActId, PersonId};
use rusqlite::{Row, params};
use std::collections::{BTreeSet, HashSet};

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

pub(crate) const SELECT: &str = "SELECT d.uid, d.act, d.kind, d.first, d.second, d.person, d.choice, d.edit, d.reason,
    d.made, d.adjudicates, a.packet, u.decision IS NOT NULL
    FROM decision d JOIN act a ON a.id = d.act LEFT JOIN undo u ON u.decision = d.uid";

/// A decision about a batch of items to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAct<'a> {
    /// Who.
    pub person: PersonId,
    /// About what, each once.
    pub subjects: &'a [Subject],
    /// What.
    pub choice: Choice,
    /// What else it changes.
    pub edit: &'a Edit,
    /// Why.
    pub reason: &'a str,
    /// Whether it ends a conflict for everybody.
    pub adjudicates: bool,
}

/// What one person said last about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnChoice {
    /// The item.
    pub subject: Subject,
    /// What.
    pub choice: Choice,
    /// With which act.
    pub act: ActId,
}

/// What became of decisions that came from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedDecisions {
    /// Decisions that are new here.
    pub merged: u64,
    /// Decisions that were here already.
    pub known: u64,
    /// Decisions of which it is new here that they were taken back.
    pub undone: u64,
    /// Items on which reviewers differ now and did not before.
    pub conflicts: u64,
}

impl Reader<'_> {
    /// The decisions about an item, the oldest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn decisions_of(&self, subject: Subject) -> Result<Vec<Decision>> {
        let (first, second) = subject.keys();
        let sql = format!("{SELECT} WHERE d.kind = ?1 AND d.first = ?2 AND d.second = ?3 ORDER BY d.made, d.uid");
        self.decisions_by(&sql, params![subject.kind().tag(), first, second])
    }

    /// All decisions about items of a kind, item by item, the oldest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn decisions(&self, kind: SubjectKind) -> Result<Vec<Decision>> {
        let sql = format!("{SELECT} WHERE d.kind = ?1 ORDER BY d.first, d.second, d.made, d.uid");
        self.decisions_by(&sql, params![kind.tag()])
    }

    /// The decision with this mark.
    ///
    /// # Errors
    /// The database's own.
    pub fn decision(&self, uid: &str) -> Result<Option<Decision>> {
        Ok(self.decisions_by(&format!("{SELECT} WHERE d.uid = ?1"), [uid_bytes(uid)?])?.pop())
    }

    /// All decisions of a person, the oldest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn decisions_by_person(&self, person: PersonId) -> Result<Vec<Decision>> {
        self.decisions_by(&format!("{SELECT} WHERE d.person = ?1 ORDER BY d.made, d.id"), params![person.0])
    }

    fn decisions_by(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Decision>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(values)?;
        let mut decisions = Vec::new();
        while let Some(row) = rows.next()? {
            decisions.push(decision(row)?);
        }
        Ok(decisions)
    }

    /// What a person's decisions about items of a kind come to: of each item the newest that was not taken back, and one
    /// that skips only where there is no other.
    ///
    /// # Errors
    /// The database's own.
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
            if own.last().is_some_and(|last| last.subject == subject) || undone.contains(&row.get::<_, [u8; 16]>(0)?) {
                continue;
            }
            let choice = row.get_ref(3)?.as_str().map_err(|e| unreadable("decision", e))?;
            let choice = from_tag("decision", choice, Choice::from_tag)?;
            own.push(OwnChoice { subject, choice, act: ActId(row.get(4)?) });
        }
        Ok(own)
    }

    /// The same about one item.
    ///
    /// # Errors
    /// The database's own.
    pub fn own_choice(&self, person: PersonId, subject: Subject) -> Result<Option<OwnChoice>> {
        let (first, second) = subject.keys();
        let mut statement = self.connection.prepare_cached(
            "SELECT choice, act FROM decision
             WHERE kind = ?1 AND first = ?2 AND second = ?3 AND person = ?4
               AND NOT EXISTS (SELECT 1 FROM undo WHERE undo.decision = decision.uid)
             ORDER BY choice = 'skip', made DESC, uid DESC LIMIT 1",
        )?;
        let mut rows = statement.query(params![subject.kind().tag(), first, second, person.0])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let choice = from_tag("decision", &row.get::<_, String>(0)?, Choice::from_tag)?;
        Ok(Some(OwnChoice { subject, choice, act: ActId(row.get(1)?) }))
    }

    /// The items of a kind that a person decided, or took a decision on back, after an act.
    ///
    /// # Errors
    /// The database's own.
    pub fn touched_since(&self, person: PersonId, kind: SubjectKind, act: ActId) -> Result<Vec<Subject>> {
        let mut statement = self.connection.prepare_cached(
            // By act, which are few: the unary plus keeps SQLite from walking all decisions of a kind.
            "SELECT first, second FROM decision WHERE act > ?1 AND +person = ?2 AND +kind = ?3
             UNION SELECT d.first, d.second FROM undo u CROSS JOIN decision d ON d.uid = u.decision
             WHERE u.act > ?1 AND +d.person = ?2 AND +d.kind = ?3",
        )?;
        let found = statement.query_map(params![act.0, person.0, kind.tag()], |row| {
            Ok(Subject::from_keys(kind, row.get(0)?, row.get(1)?))
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether the workspace holds an item.
    ///
    /// # Errors
    /// The database's own.
    pub fn holds(&self, subject: Subject) -> Result<bool> {
        let (first, second) = subject.keys();
        let sql = match subject.kind() {
            SubjectKind::Term => "SELECT EXISTS (SELECT 1 FROM term WHERE id = ?1) AND ?2 = 0",
            SubjectKind::Question => "SELECT EXISTS (SELECT 1 FROM qca WHERE id = ?1) AND ?2 = 0",
            SubjectKind::Pair => "SELECT count(*) = 2 FROM term WHERE id IN (?1, ?2)",
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([first, second], |row| row.get(0))?)
    }
}

impl Writer<'_> {
    /// Decides. Every item must be in the workspace, which the caller has made sure of in the same transaction.
    ///
    /// # Errors
    /// The database's own.
    pub fn decide(&mut self, new: &NewAct) -> Result<ActId> {
        let (act, made) = act::insert(self, new.person, ActKind::Decide, None)?;
        for &subject in new.subjects {
            let decision = Decision {
                uid: self.new_uid()?,
                act,
                subject,
                person: new.person,
                choice: new.choice,
                edit: new.edit.clone(),
                reason: new.reason.to_owned(),
                made: made.clone(),
                adjudicates: new.adjudicates,
                packet: None,
                undone: false,
            };
            insert(self, &decision)?;
            crate::verdict::refresh(self, subject)?;
        }
        self.because(new.reason).record(&format!("review.{}", new.choice.tag()), &Scope::Act(act))?;
        Ok(act)
    }

    /// Takes in the decisions of a person that were made elsewhere, with what was taken back of them. Those that are here
    /// already change nothing. Of each, `act` and `person` are set here.
    ///
    /// # Errors
    /// The database's own.
    pub fn merge_decisions(
        &mut self,
        person: PersonId,
        packet: &str,
        decisions: &[Decision],
    ) -> Result<MergedDecisions> {
        let mut counts = MergedDecisions::default();
        let mut fresh: Vec<&Decision> = Vec::new();
        let mut undone: Vec<&Decision> = Vec::new();
        for decision in decisions {
            let here = self.undone(&decision.uid)?;
            match here {
                None => fresh.push(decision),
                Some(_) => counts.known += 1,
            }
            if decision.undone && here != Some(true) {
                undone.push(decision);
                counts.undone += u64::from(here.is_some());
            }
        }
        counts.merged = fresh.len() as u64;
        if fresh.is_empty() && undone.is_empty() {
            return Ok(counts);
        }
        let (act, made) = act::insert(self, person, ActKind::Merge, Some(packet))?;
        for decision in &fresh {
            insert(self, &Decision { act, person, ..(*decision).clone() })?;
        }
        for decision in &undone {
            crate::undo::insert(self, &decision.uid, act, &made)?;
        }
        let touched: BTreeSet<Subject> = fresh.iter().chain(&undone).map(|d| d.subject).collect();
        for subject in touched {
            let before = self.verdict(subject)?.status;
            let after = crate::verdict::refresh(self, subject)?.status;
            counts.conflicts += u64::from(after == ReviewStatus::Conflict && before != ReviewStatus::Conflict);
        }
        self.record("review.merge", &Scope::Act(act))?;
        Ok(counts)
    }
}

fn insert(writer: &Writer, new: &Decision) -> Result<()> {
    let (first, second) = new.subject.keys();
    let edit = (!new.edit.is_empty()).then(|| to_json("decision", &new.edit)).transpose()?;
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

/// The bytes of a decision's mark.
pub(crate) fn uid_bytes(uid: &str) -> Result<[u8; 16]> {
    let mut bytes = [0; 16];
    match hex::decode_to_slice(uid, &mut bytes) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(StoreError::NotFound { what: "decision", id: uid.to_owned() }),
    }
}

/// A decision from a row of [`SELECT`].
pub(crate) fn decision(row: &Row) -> Result<Decision> {
    let tag = |column: usize| row.get_ref(column)?.as_str().map_err(|e| unreadable("decision", e));
    let kind = from_tag("decision", tag(2)?, SubjectKind::from_tag)?;
    let edit: Option<String> = row.get(7)?;
    Ok(Decision {
        uid: hex::encode(row.get::<_, [u8; 16]>(0)?),
        act: ActId(row.get(1)?),
        subject: Subject::from_keys(kind, row.get(3)?, row.get(4)?),
        person: PersonId(row.get(5)?),
        choice: from_tag("decision", tag(6)?, Choice::from_tag)?,
        edit: edit.map_or(Ok(Edit::default()), |json| from_json("decision", &json))?,
        reason: row.get(8)?,
        made: row.get(9)?,
        adjudicates: row.get(10)?,
        packet: row.get(11)?,
        undone: row.get(12)?,
    })
}

//! Verdicts: the result of all decisions about an item. Only [`refresh`] computes verdicts, and only from decisions.
//! They are stored so that lists and filters need not compute them again. An item that nobody decided about has no row.

use crate::decision;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::{all, from_json, from_tag, tag_in, to_json, value};
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::TermId;
use lexforge_domain::review::{Choice, Decision, Edit, Subject, SubjectKind, Verdict, verdict};
use lexforge_domain::term::ReviewStatus;
use rusqlite::{Row, params};
use std::collections::HashMap;

pub(crate) const MIGRATIONS: &[Migration] = &[MADE, BACKWARDS];

/// From a term to those that were joined to it.
const BACKWARDS: Migration = Migration::new(
    36,
    "CREATE INDEX verdict_of_second ON verdict (second, kind) WHERE second <> 0;
     CREATE INDEX verdict_into ON verdict (into_term) WHERE into_term IS NOT NULL;",
);

const MADE: Migration = Migration::new(
    33,
    "CREATE TABLE verdict (
        kind TEXT NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        status TEXT NOT NULL,
        choice TEXT,
        reviewers INTEGER NOT NULL,
        agreeing INTEGER NOT NULL,
        adjudicated INTEGER NOT NULL,
        text TEXT,
        class TEXT,
        into_term INTEGER,
        choices TEXT,
        PRIMARY KEY (kind, first, second)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX verdict_by_status ON verdict (kind, status);",
);

const SELECT: &str =
    "SELECT kind, first, second, status, choice, reviewers, agreeing, adjudicated, text, class,
    into_term, choices FROM verdict";

impl Reader<'_> {
    /// The result of all decisions about an item.
    pub fn verdict(&self, subject: Subject) -> Result<Verdict> {
        let (first, second) = subject.keys();
        let sql = format!("{SELECT} WHERE kind = ?1 AND first = ?2 AND second = ?3");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![subject.kind().tag(), first, second])?;
        Ok(rows
            .next()?
            .map(stored)
            .transpose()?
            .map(|(_, verdict)| verdict)
            .unwrap_or_default())
    }

    /// The verdicts on all items of a kind about which somebody decided, by item.
    pub fn verdicts(&self, kind: SubjectKind) -> Result<Vec<(Subject, Verdict)>> {
        let sql = format!("{SELECT} WHERE kind = ?1");
        all(self.connection, &sql, [kind.tag()], stored)
    }

    /// The items of a kind that have this status, ordered by their ids.
    pub fn with_status(&self, kind: SubjectKind, status: ReviewStatus) -> Result<Vec<Subject>> {
        let sql = "SELECT first, second FROM verdict WHERE kind = ?1 AND status = ?2 ORDER BY first, second";
        all(
            self.connection,
            sql,
            params![kind.tag(), status.tag()],
            |row| Ok(Subject::from_keys(kind, row.get(0)?, row.get(1)?)),
        )
    }

    /// How many items of a kind have this status.
    pub fn count_with_status(&self, kind: SubjectKind, status: ReviewStatus) -> Result<u64> {
        let sql = "SELECT count(*) FROM verdict WHERE kind = ?1 AND status = ?2";
        value(self.connection, sql, params![kind.tag(), status.tag()])
    }

    /// The terms that reviewers merged into this one or declared to be the same, ordered by id.
    pub fn joined_to(&self, term: TermId) -> Result<Vec<TermId>> {
        let sql = "SELECT first AS id FROM verdict WHERE into_term = ?1 AND status = 'merged'
             UNION SELECT second FROM verdict WHERE kind = 'pair' AND first = ?1 AND choice = 'same'
             UNION SELECT first FROM verdict WHERE kind = 'pair' AND second = ?1 AND second <> 0 AND choice = 'same'
             ORDER BY 1";
        Ok(crate::row::ids(self.connection, sql, [term.0])?
            .into_iter()
            .map(TermId)
            .collect())
    }

    /// Status and class of the terms that somebody decided; a class of none = the decisions say nothing of it.
    pub(crate) fn term_states(&self) -> Result<HashMap<i64, (ReviewStatus, Option<String>)>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT first, status, class FROM verdict WHERE kind = 'term'")?;
        let mut rows = statement.query([])?;
        let mut states = HashMap::new();
        while let Some(row) = rows.next()? {
            let status = tag_in("verdict", row, 1, ReviewStatus::from_tag)?;
            states.insert(row.get(0)?, (status, row.get(2)?));
        }
        Ok(states)
    }
}

/// Works the verdict on an item out of its decisions and keeps it.
pub(crate) fn refresh(writer: &Writer, subject: Subject) -> Result<Verdict> {
    let (first, second) = subject.keys();
    let kind = subject.kind().tag();
    let item = format!("{kind} {first} {second}");
    writer.guarded(|guard| {
        guard.check_once(format!("verdict {item}"), |before| {
            match follows(before, subject)? {
                true => Ok(()),
                false => Err(StoreError::Altered(format!(
                    "the row of verdict for {item} is not what the decisions about it come to"
                ))),
            }
        })
    })?;
    let found = verdict(&writer.decisions_of(subject)?);
    if found == Verdict::default() {
        let sql = "DELETE FROM verdict WHERE kind = ?1 AND first = ?2 AND second = ?3";
        writer
            .connection
            .prepare_cached(sql)?
            .execute(params![kind, first, second])?;
        return Ok(found);
    }
    let choices = found
        .edit
        .choices
        .as_ref()
        .map(|c| to_json("verdict", c))
        .transpose()?;
    writer
        .connection
        .prepare_cached(
            "INSERT OR REPLACE INTO verdict (kind, first, second, status, choice, reviewers, agreeing, adjudicated,
                                             text, class, into_term, choices)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            kind,
            first,
            second,
            found.status.tag(),
            found.choice.map(Choice::tag),
            found.reviewers,
            found.agreeing,
            found.adjudicated,
            found.edit.text,
            found.edit.class,
            found.edit.into.map(|t| t.0),
            choices
        ])?;
    Ok(found)
}

/// An item whose stored verdict does not follow from its decisions.
pub(crate) struct Unfounded {
    /// The item: its kind and its keys, as the row has them.
    pub item: String,
    /// The newest act that decided it; `None` = no act did.
    pub act: Option<i64>,
}

impl Unfounded {
    fn of(subject: Subject, act: Option<i64>) -> Self {
        let (first, second) = subject.keys();
        Self {
            item: item(subject.kind().tag(), first, second),
            act,
        }
    }
}

fn item(kind: &str, first: i64, second: i64) -> String {
    let kind = kind.escape_debug();
    if second == 0 {
        format!("{kind} {first}")
    } else {
        format!("{kind} {first} {second}")
    }
}

/// Finds verdicts whose keys cannot belong to any item. Such rows are wrong: a list that asks for an item by its keys
/// would not find them, but other lists would show them.
const OF_NO_ITEM: &str = "SELECT kind, first, second FROM verdict
    WHERE CASE kind WHEN 'pair' THEN first >= second WHEN 'term' THEN second <> 0 WHEN 'question' THEN second <> 0
          WHEN 'triplet' THEN second <> 0 WHEN 'similarity' THEN second <> 0 ELSE 1 END OR adjudicated NOT IN (0, 1)";

/// The first item whose kept verdict is not what its decisions come to.
pub(crate) fn first_that_does_not_follow(reader: &Reader) -> Result<Option<Unfounded>> {
    let mut statement = reader.connection.prepare(&format!(
        "{OF_NO_ITEM} ORDER BY kind, first, second LIMIT 1"
    ))?;
    let mut rows = statement.query([])?;
    if let Some(row) = rows.next()? {
        let kind: String = row.get(0)?;
        return Ok(Some(Unfounded {
            item: item(&kind, row.get(1)?, row.get(2)?),
            act: None,
        }));
    }
    for kind in SubjectKind::ALL {
        let mut kept: HashMap<Subject, Verdict> = reader.verdicts(kind)?.into_iter().collect();
        let sql = format!(
            "{} WHERE d.kind = ?1 ORDER BY d.first, d.second",
            decision::SELECT
        );
        let mut statement = reader.connection.prepare(&sql)?;
        let mut rows = statement.query([kind.tag()])?;
        let mut of_item: Vec<Decision> = Vec::new();
        loop {
            let next = rows.next()?.map(decision::decision).transpose()?;
            let same = next
                .as_ref()
                .zip(of_item.last())
                .is_some_and(|(next, last)| next.subject == last.subject);
            if !same && let Some(last) = of_item.last() {
                let subject = last.subject;
                if kept.remove(&subject).unwrap_or_default() != verdict(&of_item) {
                    return Ok(Some(Unfounded::of(
                        subject,
                        of_item.iter().map(|d| d.act.0).max(),
                    )));
                }
                of_item.clear();
            }
            match next {
                Some(next) => of_item.push(next),
                None => break,
            }
        }
        if let Some(subject) = kept.into_keys().min() {
            return Ok(Some(Unfounded::of(subject, None)));
        }
    }
    Ok(None)
}

/// Whether the stored verdict on an item is the result of its decisions, and there is no second row for the item.
pub(crate) fn follows(reader: &Reader, subject: Subject) -> Result<bool> {
    let (first, _) = subject.keys();
    let sql =
        format!("SELECT EXISTS (SELECT 1 FROM ({OF_NO_ITEM}) WHERE kind = ?1 AND first = ?2)");
    let strays: bool = value(
        reader.connection,
        &sql,
        params![subject.kind().tag(), first],
    )?;
    Ok(!strays && reader.verdict(subject)? == verdict(&reader.decisions_of(subject)?))
}

fn stored(row: &Row) -> Result<(Subject, Verdict)> {
    let kind = tag_in("verdict", row, 0, SubjectKind::from_tag)?;
    let choice: Option<String> = row.get(4)?;
    let choices: Option<String> = row.get(11)?;
    let verdict = Verdict {
        status: tag_in("verdict", row, 3, ReviewStatus::from_tag)?,
        choice: choice
            .map(|tag| from_tag("verdict", &tag, Choice::from_tag))
            .transpose()?,
        reviewers: row.get(5)?,
        agreeing: row.get(6)?,
        adjudicated: row.get(7)?,
        edit: Edit {
            text: row.get(8)?,
            class: row.get(9)?,
            into: row.get::<_, Option<i64>>(10)?.map(TermId),
            choices: choices
                .map(|json| from_json("verdict", &json))
                .transpose()?,
        },
    };
    Ok((Subject::from_keys(kind, row.get(1)?, row.get(2)?), verdict))
}

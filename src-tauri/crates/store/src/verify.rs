//! Verifying the audit chain against itself and against the live rows.

use crate::audit::{GENESIS, Link};
use crate::cover::Scope;
use crate::error::Result;
use crate::handle::Reader;
use crate::verdict::first_that_does_not_follow;
use lexforge_domain::ActId;
use lexforge_domain::api::{AuditBreak, AuditReport};
use lexforge_domain::review::Subject;
use rusqlite::OptionalExtension;
use std::collections::HashSet;

/// Walks the chain from its first row and recomputes, for the newest row of every scope, the payload hash from the
/// live rows, and the verdicts of the review from its decisions. Names the first row that does not hold; verdicts that
/// do not follow and rows that no audit row covers are named last.
///
/// # Errors
/// The database's own, where the file is damaged beyond reading.
pub fn verify(reader: &Reader) -> Result<AuditReport> {
    let (rows, head) = reader.head()?;
    let first_break = first_break(reader)?;
    Ok(AuditReport {
        ok: first_break.is_none(),
        rows: u64::try_from(rows).unwrap_or(0),
        head: hex::encode(head),
        first_break,
    })
}

fn first_break(reader: &Reader) -> Result<Option<AuditBreak>> {
    let newest = newest_of_each_scope(reader)?;
    let mut statement = reader.connection.prepare(&format!("SELECT {} FROM audit ORDER BY sequence", Link::COLUMNS))?;
    let mut rows = statement.query([])?;
    let mut covered = HashSet::new();
    let (mut expected, mut previous) = (1, GENESIS);
    while let Some(row) = rows.next()? {
        let link = match Link::from_row(row) {
            Ok(link) => link,
            Err(e) => return Ok(Some(unreadable(expected, &e))),
        };
        if let Some(message) = fault_of_link(&link, expected, &previous) {
            return Ok(Some(broken(&link, message)));
        }
        if let Some(label) = &link.covers
            && newest.contains(&link.sequence)
        {
            let Ok(scope) = label.parse::<Scope>() else {
                return Ok(Some(broken(&link, format!("it covers `{label}`, which this version does not know"))));
            };
            if scope.payload(reader.connection)? != link.payload {
                return Ok(Some(broken(&link, format!("the rows of {label} are not what was recorded"))));
            }
            covered.insert(scope);
        }
        previous = link.hash;
        expected += 1;
    }
    drop(rows);
    if let Some((subject, act)) = first_that_does_not_follow(reader)? {
        return Ok(Some(no_verdict(reader, subject, act)?));
    }
    let uncovered = Scope::live(reader.connection)?.into_iter().find(|scope| !covered.contains(scope));
    Ok(uncovered.map(|scope| AuditBreak {
        sequence: expected - 1,
        action: String::new(),
        subject: scope.to_string(),
        message: format!("the rows of {scope} are in the workspace, but no row of the chain says how they came"),
    }))
}

/// A verdict that the decisions do not come to, at the row of the newest act that decided the item.
fn no_verdict(reader: &Reader, subject: Subject, act: Option<i64>) -> Result<AuditBreak> {
    let row: Option<(i64, String)> = match act {
        None => None,
        Some(act) => reader
            .connection
            .query_row(
                "SELECT sequence, action FROM audit WHERE covers = ?1 ORDER BY sequence DESC LIMIT 1",
                [Scope::Act(ActId(act)).to_string()],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?,
    };
    let (first, second) = subject.keys();
    let what = subject.kind().tag();
    let item = if second == 0 { format!("{what} {first}") } else { format!("{what} {first} {second}") };
    let (sequence, action) = row.map_or((reader.head()?.0, String::new()), |(n, action)| (n, action));
    let message = format!("the verdict on {item} is not what the decisions about it come to");
    Ok(AuditBreak { sequence, action, subject: format!("verdict {item}"), message })
}

/// What is wrong with a row as a link of the chain.
fn fault_of_link(link: &Link, expected: i64, previous: &[u8; 32]) -> Option<String> {
    if link.sequence != expected {
        return Some(format!("row {expected} of the chain is missing"));
    }
    if link.previous != *previous {
        return Some("it does not continue the row before it".to_owned());
    }
    (link.hash != link.expected_hash()).then(|| "its fields are not those that its hash was taken over".to_owned())
}

fn broken(link: &Link, message: String) -> AuditBreak {
    AuditBreak { sequence: link.sequence, action: link.action.clone(), subject: link.subject.clone(), message }
}

fn unreadable(sequence: i64, error: &rusqlite::Error) -> AuditBreak {
    AuditBreak {
        sequence,
        action: String::new(),
        subject: String::new(),
        message: format!("it cannot be read: {error}"),
    }
}

fn newest_of_each_scope(reader: &Reader) -> Result<HashSet<i64>> {
    let mut statement =
        reader.connection.prepare("SELECT max(sequence) FROM audit WHERE covers IS NOT NULL GROUP BY covers")?;
    let newest = statement.query_map([], |row| row.get(0))?;
    Ok(newest.collect::<rusqlite::Result<_>>()?)
}

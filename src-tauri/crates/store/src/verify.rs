//! Verifying the audit chain against itself and against the live rows.

use crate::error::{Result, StoreError};
use crate::imprint::differing_row;
use crate::link::{GENESIS, Link};
use crate::reader::Reader;
use crate::scope::Scope;
use crate::tables::live;
use crate::verdict::{Unfounded, first_that_does_not_follow};
use lexforge_domain::ActId;
use lexforge_domain::api::{AuditBreak, AuditReport, BreakKind, KnownHead};
use rusqlite::OptionalExtension;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Most breaks that are told one by one.
const MOST: usize = 40;
/// How often it is checked whether the verification was cancelled.
const LISTENS: Duration = Duration::from_millis(20);

/// Checks the chain from its first row on. Then computes the hash of every scope again from the present rows, and
/// compares it with the scope's newest row of the chain. Then it checks four more things: stored results (such as
/// verdicts) follow from the rows they are computed from, every row is covered, there are no foreign tables and
/// triggers, and indexes contain the same rows as their tables.
///
/// # Errors
/// Errors of the database, where the file is too damaged to be read.
pub fn verify(reader: &Reader) -> Result<AuditReport> {
    verified(reader, &|_, _| ())
}

/// Does the same as [`verify`], with two callbacks. `tell` gets how many rows of the chain have been checked (0 of 0
/// while the rest of the file is checked). `given_up` can cancel the check; the report of a cancelled check means
/// nothing.
///
/// # Errors
/// As [`verify`].
pub fn verify_watched(
    reader: &Reader,
    tell: &dyn Fn(u64, u64),
    given_up: &(dyn Fn() -> bool + Sync),
) -> Result<AuditReport> {
    let ended = AtomicBool::new(false);
    let handle = reader.connection.get_interrupt_handle();
    std::thread::scope(|scope| {
        // A single statement can take as long as all others together, so another thread must be able to interrupt it.
        let listen = || {
            while !ended.load(Ordering::Relaxed) {
                if given_up() {
                    handle.interrupt();
                }
                std::thread::sleep(LISTENS);
            }
        };
        // If no thread can be started, the check cannot be interrupted.
        let _ = std::thread::Builder::new().spawn_scoped(scope, listen);
        let _ends = Ends(&ended);
        verified(reader, tell)
    })
}

/// Informs the thread that listens that the work is over, however it ended.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn verified(reader: &Reader, tell: &dyn Fn(u64, u64)) -> Result<AuditReport> {
    let schema = crate::schema::faults(reader.connection)?;
    let (rows, head, mut breaks) = match walked(reader, tell) {
        Ok(found) => found,
        // A view in the place of a table can make any query fail: then the schema is what there is to say.
        Err(_) if !schema.is_empty() => (0, GENESIS, Vec::new()),
        Err(error) => return Err(error),
    };
    let mut at_head = |kind, subject: &str, message| breaks.push(at(kind, rows, subject, message));
    for fault in schema {
        at_head(BreakKind::Schema, "schema", fault);
    }
    if let Some(fault) = fault_of_file(reader)? {
        at_head(BreakKind::File, "file", fault);
    }
    breaks.truncate(MOST);
    Ok(AuditReport {
        ok: breaks.is_empty(),
        rows: u64::try_from(rows).unwrap_or(0),
        head: hex::encode(head),
        first_break: breaks.first().cloned(),
        breaks,
        ..AuditReport::default()
    })
}

/// The place in the chain of a head that somebody noted earlier.
pub fn known_head(reader: &Reader, head: &str) -> Result<KnownHead> {
    let sql =
        "SELECT sequence, (SELECT max(sequence) FROM audit) - sequence FROM audit WHERE hash = ?1";
    let bytes = hex::decode(head).unwrap_or_default();
    let found: Option<(i64, i64)> = reader
        .connection
        .query_row(sql, [bytes], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(KnownHead {
        head: head.to_owned(),
        row: found.map(|(row, _)| row),
        since: found
            .and_then(|(_, since)| u64::try_from(since).ok())
            .unwrap_or(0),
    })
}

/// Hash of the chain's first row, in hexadecimal. It differs between workspaces and is the same in copies of one
/// workspace.
pub fn first_hash(reader: &Reader) -> Result<String> {
    let hash: Option<[u8; 32]> = reader
        .connection
        .query_row("SELECT hash FROM audit WHERE sequence = 1", [], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(hex::encode(hash.unwrap_or(GENESIS)))
}

type Walked = (i64, [u8; 32], Vec<AuditBreak>);

fn walked(reader: &Reader, tell: &dyn Fn(u64, u64)) -> Result<Walked> {
    let (rows, head) = reader.head()?;
    let of = u64::try_from(rows).unwrap_or(0);
    let (mut breaks, covered) = breaks_of_chain(reader, &|done| tell(done, of))?;
    tell(0, 0);
    match first_that_does_not_follow(reader) {
        Ok(None) => {}
        Ok(Some(found)) => breaks.push(no_verdict(reader, found)?),
        Err(error @ (StoreError::Row { .. } | StoreError::Sqlite(_))) => {
            breaks.push(at(
                BreakKind::Derived,
                rows,
                "verdict",
                format!("the verdicts cannot be read: {error}"),
            ));
        }
        Err(error) => return Err(error),
    }
    if !tallies_follow(reader)? {
        let message =
            "the counts of questions by kind and part are not those of the questions".to_owned();
        breaks.push(at(BreakKind::Derived, rows, "qca_tally", message));
    }
    for scope in live(reader.connection)? {
        if !covered.contains(&scope) {
            let message = format!(
                "the rows of {scope} are in the workspace, but no row of the chain says how they came"
            );
            breaks.push(at(BreakKind::Uncovered, rows, &scope.to_string(), message));
        }
    }
    Ok((rows, head, breaks))
}

/// The breaks of the chain and of what it covers, and the scopes that it covers, whether they hold or not.
fn breaks_of_chain(
    reader: &Reader,
    tell: &dyn Fn(u64),
) -> Result<(Vec<AuditBreak>, HashSet<Scope>)> {
    let newest = newest_of_each_scope(reader)?;
    let mut statement = reader.connection.prepare(&format!(
        "SELECT {} FROM audit ORDER BY sequence",
        Link::COLUMNS
    ))?;
    let mut rows = statement.query([])?;
    let (mut breaks, mut covered) = (Vec::new(), HashSet::new());
    let (mut expected, mut previous) = (1, GENESIS);
    // After a break of the chain the rows prove nothing. The rows that they cover are compared nevertheless.
    let mut whole = true;
    let mut done = 0;
    while let Some(row) = rows.next()? {
        done += 1;
        tell(done);
        let link = match Link::from_row(row) {
            Ok(link) => link,
            Err(e) => {
                if whole {
                    breaks.push(at(
                        BreakKind::Chain,
                        expected,
                        "",
                        format!("it cannot be read: {e}"),
                    ));
                }
                whole = false;
                expected += 1;
                continue;
            }
        };
        if whole && let Some(message) = fault_of_link(&link, expected, &previous) {
            breaks.push(broken(BreakKind::Chain, &link, message));
            whole = false;
        }
        if let Some(label) = &link.covers
            && newest.contains(&link.sequence)
        {
            match label.parse::<Scope>() {
                Err(_) => {
                    let message = format!(
                        "it covers `{}`, which this version does not know",
                        label.escape_debug()
                    );
                    breaks.push(broken(BreakKind::Chain, &link, message));
                }
                Ok(scope) => {
                    let cover = reader.cover(&scope);
                    if !cover.is_of_the_past() && cover.payload(reader.connection)? != link.payload
                    {
                        let row = differing_row(reader.connection, &cover)?;
                        let row = row.map_or_else(String::new, |row| format!(": {row}"));
                        let message = format!("the rows of {label} are not what was recorded{row}");
                        breaks.push(broken(BreakKind::Rows, &link, message));
                    }
                    covered.insert(scope);
                }
            }
        }
        previous = link.hash;
        expected = link.sequence + 1;
    }
    Ok((breaks, covered))
}

/// A verdict that the decisions do not come to, at the row of the newest act that decided the item.
fn no_verdict(reader: &Reader, found: Unfounded) -> Result<AuditBreak> {
    let row = match found.act {
        None => None,
        Some(act) => reader.newest_link_of(&Scope::Act(ActId(act)).to_string())?,
    };
    let (sequence, action) = match row {
        Some(link) => (link.sequence, link.action),
        None => (reader.head()?.0, String::new()),
    };
    let message = format!(
        "the verdict on {} is not what the decisions about it come to",
        found.item
    );
    Ok(AuditBreak {
        kind: BreakKind::Derived,
        sequence,
        action,
        subject: format!("verdict {}", found.item),
        message,
    })
}

/// Whether the stored counts of questions are right. (They exist so that nobody has to count the questions.)
fn tallies_follow(reader: &Reader) -> Result<bool> {
    let counted = "SELECT level, type, split, count(*) FROM qca GROUP BY level, type, split";
    let kept = "SELECT level, type, split, n FROM qca_tally";
    let sql = format!(
        "SELECT NOT EXISTS (SELECT * FROM ({counted}) EXCEPT {kept}) AND NOT EXISTS ({kept} EXCEPT SELECT * FROM ({counted}))"
    );
    Ok(reader.connection.query_row(&sql, [], |row| row.get(0))?)
}

/// A fault that SQLite itself finds in the file. For example, an index may hold other rows than its table; lists would
/// then show rows that no table contains.
fn fault_of_file(reader: &Reader) -> Result<Option<String>> {
    let said: String = reader
        .connection
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    Ok((said != "ok").then(|| format!("the file is damaged inside: {}", said.escape_debug())))
}

/// The fault of a row as a link of the chain.
fn fault_of_link(link: &Link, expected: i64, previous: &[u8; 32]) -> Option<String> {
    if link.sequence != expected {
        return Some(format!("row {expected} of the chain is missing"));
    }
    if link.previous != *previous {
        return Some("it does not continue the row before it".to_owned());
    }
    (link.hash != link.expected_hash())
        .then(|| "its fields are not those that its hash was taken over".to_owned())
}

fn broken(kind: BreakKind, link: &Link, message: String) -> AuditBreak {
    let (action, subject) = (link.action.clone(), link.subject.clone());
    AuditBreak {
        kind,
        sequence: link.sequence,
        action,
        subject,
        message,
    }
}

/// A break that is not at a row of the chain, or at one that cannot be read.
fn at(kind: BreakKind, sequence: i64, subject: &str, message: String) -> AuditBreak {
    AuditBreak {
        kind,
        sequence,
        action: String::new(),
        subject: subject.to_owned(),
        message,
    }
}

fn newest_of_each_scope(reader: &Reader) -> Result<HashSet<i64>> {
    let mut statement = reader
        .connection
        .prepare("SELECT max(sequence) FROM audit WHERE covers IS NOT NULL GROUP BY covers")?;
    let newest = statement.query_map([], |row| row.get(0))?;
    Ok(newest.collect::<rusqlite::Result<_>>()?)
}

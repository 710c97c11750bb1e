//! The guard of every change. A change writes a new audit row that covers the present rows. If another program altered
//! these rows before, the new audit row would cover the alteration as well and hide it. So before rows are recorded,
//! the guard compares their state before the change with what the chain recorded.
//!
//! The guard reads the earlier rows through a connection of its own: while a change holds the write lock, other
//! connections see the last commit. The function that records rows calls the guard, so no caller can forget it.

use crate::connection::connect;
use crate::cover::Covers;
use crate::error::{Result, StoreError};
use crate::imprint::differing_row;
use crate::key::Key;
use crate::link::Link;
use crate::posting_cache::PostingCache;
use crate::reader::Reader;
use crate::scope::Scope;
use rusqlite::Connection;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Compares the rows that a change covers with the chain, once a change.
#[derive(Debug)]
pub(crate) struct Guard {
    path: PathBuf,
    key: Option<Key>,
    /// Says what the scopes of the chain cover.
    covers: Covers,
    /// Sees what was committed last, from the first question of a change to its end.
    before: Option<Connection>,
    compared: HashSet<String>,
    /// SQLite's number of the schema that was found to be right.
    schema: Option<i64>,
}

impl Guard {
    pub fn new(path: &Path, key: Option<Key>, covers: Covers) -> Self {
        Self {
            path: path.to_owned(),
            key,
            covers,
            before: None,
            compared: HashSet::new(),
            schema: None,
        }
    }

    /// Begins to guard a change. First `require` checks the tables and triggers of the file. It refuses the file if any
    /// of them is not this program's own, because a foreign trigger could change the rows that are written.
    pub fn begin(
        &mut self,
        change: &Connection,
        require: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<()> {
        self.end();
        // A connection sees a new trigger only when this number has changed.
        let number: i64 = change.query_row("PRAGMA schema_version", [], |row| row.get(0))?;
        if self.schema != Some(number) {
            require(change)?;
            self.schema = Some(number);
        }
        Ok(())
    }

    /// Ends with the change: a view that stayed open would keep the log from being taken into the file.
    pub fn end(&mut self) {
        self.compared.clear();
        if self.before.as_ref().is_some_and(|before| {
            !before.is_autocommit() && before.execute_batch("ROLLBACK").is_err()
        }) {
            self.before = None;
        }
    }

    /// Compares the rows of a scope with what its newest row of the chain recorded.
    ///
    /// # Errors
    /// `Altered` where they differ.
    pub fn compare(&mut self, scope: &Scope) -> Result<()> {
        let label = scope.to_string();
        self.check_once(label.clone(), |before| {
            for link in [before.newest_link()?, before.newest_link_of(&label)?].into_iter().flatten() {
                holds(&link)?;
            }
            let cover = before.cover(scope);
            let payload = cover.payload(before.connection)?;
            match before.newest_link_of(&label)? {
                Some(link) if link.payload == payload => Ok(()),
                Some(link) => {
                    let row =
                        differing_row(before.connection, &cover)?.map_or_else(String::new, |row| format!(": {row}"));
                    Err(StoreError::Altered(format!(
                        "the rows of {label} are not what entry {} of the audit chain recorded{row}",
                        link.sequence
                    )))
                }
                None if payload == cover.payload_of_nothing() => Ok(()),
                None => Err(StoreError::Altered(format!(
                    "there are rows of {label} in the workspace that no entry of the audit chain covers"
                ))),
            }
        })
    }

    /// Checks something in the state before the change. `what` is the name of the check. If a check with this name was
    /// made already during this change, it is not made again.
    ///
    /// # Errors
    /// The errors of `check`.
    pub(crate) fn check_once(
        &mut self,
        what: String,
        check: impl FnOnce(&Reader) -> Result<()>,
    ) -> Result<()> {
        if self.compared.insert(what) {
            self.ask(check)
        } else {
            Ok(())
        }
    }

    fn ask(&mut self, question: impl FnOnce(&Reader) -> Result<()>) -> Result<()> {
        if self.before.is_none() {
            self.before = Some(connect(&self.path, self.key.as_ref())?);
        }
        let Some(before) = &self.before else {
            return Ok(());
        };
        if before.is_autocommit() {
            before.execute_batch("BEGIN")?;
        }
        question(&Reader {
            connection: before,
            postings: &PostingCache::default(),
            covers: self.covers,
        })
    }
}

fn holds(link: &Link) -> Result<()> {
    if link.hash == link.expected_hash() {
        return Ok(());
    }
    Err(StoreError::Altered(format!(
        "entry {} of the audit chain is not what its hash was taken over",
        link.sequence
    )))
}

//! What a transaction hands out: [`Reader`] and [`Writer`]. The tables' functions hang on them.

use crate::postings::PostingCache;
use rusqlite::Connection;
use std::ops::Deref;

/// A consistent view of the workspace.
#[derive(Debug)]
pub struct Reader<'w> {
    pub(crate) connection: &'w Connection,
    pub(crate) postings: &'w PostingCache,
}

/// The right to change the workspace until the end of the transaction; reads like a [`Reader`].
#[derive(Debug)]
pub struct Writer<'w> {
    reader: Reader<'w>,
    pub(crate) actor: &'w str,
    pub(crate) reason: String,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(reader: Reader<'w>, actor: &'w str) -> Self {
        Self { reader, actor, reason: String::new() }
    }

    /// Why the changes that follow are made: it stands in their audit rows.
    pub fn because(&mut self, reason: impl Into<String>) -> &mut Self {
        self.reason = reason.into();
        self
    }

    /// From here on this connection refuses to let the file grow, as a full disk does: for rehearsing that case.
    ///
    /// # Errors
    /// The database's own.
    #[doc(hidden)]
    pub fn limit_pages_to_present(&self) -> crate::error::Result<()> {
        let pages: i64 = self.connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        self.connection.pragma_update(None, "max_page_count", pages)?;
        Ok(())
    }
}

impl<'w> Deref for Writer<'w> {
    type Target = Reader<'w>;

    fn deref(&self) -> &Reader<'w> {
        &self.reader
    }
}

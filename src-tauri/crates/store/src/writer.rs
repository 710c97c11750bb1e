//! The right to change the workspace. The tables' functions that change something hang on it.

use crate::error::Result;
use crate::guard::Guard;
use crate::reader::Reader;
use std::cell::RefCell;
use std::ops::Deref;

/// The right to change the workspace until the end of the transaction; reads like a [`Reader`].
#[derive(Debug)]
pub struct Writer<'w> {
    reader: Reader<'w>,
    pub(crate) actor: &'w str,
    pub(crate) reason: String,
    /// Compares the rows before the change with the chain; none while a workspace is made, because it has no rows yet.
    guard: Option<RefCell<&'w mut Guard>>,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(reader: Reader<'w>, actor: &'w str, guard: Option<&'w mut Guard>) -> Self {
        Self {
            reader,
            actor,
            reason: String::new(),
            guard: guard.map(RefCell::new),
        }
    }

    /// Asks the guard, where there is one.
    pub(crate) fn guarded(&self, ask: impl FnOnce(&mut Guard) -> Result<()>) -> Result<()> {
        self.guard
            .as_ref()
            .map_or(Ok(()), |guard| ask(&mut guard.borrow_mut()))
    }

    /// Why the changes that follow are made: it is in their audit rows.
    pub fn because(&mut self, reason: impl Into<String>) -> &mut Self {
        self.reason = reason.into();
        self
    }

    /// From now on this connection refuses to let the file grow, as a full disk would. This is for tests.
    #[doc(hidden)]
    pub fn limit_pages_to_present(&self) -> Result<()> {
        let pages: i64 = self
            .connection
            .query_row("PRAGMA page_count", [], |row| row.get(0))?;
        self.connection
            .pragma_update(None, "max_page_count", pages)?;
        Ok(())
    }
}

impl<'w> Deref for Writer<'w> {
    type Target = Reader<'w>;

    fn deref(&self) -> &Reader<'w> {
        &self.reader
    }
}

//! A consistent view of the workspace. The tables' functions hang on it.

use crate::cover::{Cover, Covers};
use crate::posting_cache::PostingCache;
use crate::scope::Scope;
use rusqlite::Connection;

/// A consistent view of the workspace.
#[derive(Debug)]
pub struct Reader<'w> {
    pub(crate) connection: &'w Connection,
    pub(crate) postings: &'w PostingCache,
    /// Says what the scopes of the audit chain cover.
    pub(crate) covers: Covers,
}

impl Reader<'_> {
    /// The rows that belong to a scope.
    pub(crate) fn cover<'s>(&self, scope: &'s Scope) -> Cover<'s> {
        (self.covers)(scope)
    }
}

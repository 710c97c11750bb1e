//! The rows that an audit row covers, and the hash over them.
//!
//! A *scope* is a set of rows that change together: a document with its pages and sentences, all terms with their
//! mentions, one setting. Each audit row names at most one scope. The newest row of a scope covers the scope's present
//! rows; older rows of the same scope keep the hash of the rows at that time. The function `tables::cover` says which
//! rows of which tables belong to a scope. This file must not use the files of the tables, so it gets that function as
//! a value of type [`Covers`].

use crate::digest::Digest;
use crate::error::Result;
use crate::scope::Scope;
use rusqlite::{Connection, params_from_iter};

/// A name, and the SQL query for the rows of one table that belong to a scope. `?1` is the scope's key. The query gives
/// the covered columns in a fixed order, and the rows in the order of the primary key. It names each column, so that a
/// column added later does not change old hashes.
pub(crate) type Part = (&'static str, &'static str);

/// Says what belongs to a scope.
pub(crate) type Covers = fn(&Scope) -> Cover<'_>;

/// The rows that belong to a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cover<'s> {
    pub scope: &'s Scope,
    /// The parts that the scope always had.
    pub own: &'static [Part],
    /// Parts that later formats added. They count only if they have rows, so that the hashes of older rows stay.
    pub later: &'static [&'static [Part]],
}

impl Cover<'_> {
    /// SHA-256 over the present rows. It takes the name of each table and the values of each row. The type and the
    /// length of each value are included.
    pub fn payload(&self, connection: &Connection) -> Result<[u8; 32]> {
        self.walk(connection, |_, _| {})
    }

    /// SHA-256 over the present rows, as [`Self::payload`] computes it. `each` is called for every row, in order, with
    /// the name of its part and four bytes of the row's own hash.
    pub fn walk(
        &self,
        connection: &Connection,
        mut each: impl FnMut(&'static str, u32),
    ) -> Result<[u8; 32]> {
        let key = self.scope.key();
        let mut digest = Digest::default();
        for (part, sql) in self.own {
            digest.text(part);
            digest.rows(connection, sql, key.as_ref(), |mark| each(part, mark))?;
        }
        for (part, sql) in self.later.iter().copied().flatten() {
            let with_rows = format!("SELECT EXISTS ({sql})");
            if connection
                .prepare_cached(&with_rows)?
                .query_row(params_from_iter(key.as_ref()), |row| row.get(0))?
            {
                digest.text(part);
                digest.rows(connection, sql, key.as_ref(), |mark| each(part, mark))?;
            }
        }
        Ok(digest.finish())
    }

    /// Whether the tables of the scope are no longer part of a workspace, so that there is nothing to compare.
    pub(crate) fn is_of_the_past(&self) -> bool {
        self.own.is_empty()
    }

    /// The payload of a scope that has no rows.
    pub(crate) fn payload_of_nothing(&self) -> [u8; 32] {
        let mut digest = Digest::default();
        for (part, _) in self.own {
            digest.text(part);
        }
        digest.finish()
    }

    /// All parts; those of later formats come last.
    pub fn all_parts(&self) -> impl Iterator<Item = &'static Part> {
        self.own.iter().chain(self.later.iter().copied().flatten())
    }
}

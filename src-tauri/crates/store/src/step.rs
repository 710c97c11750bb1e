//! A step from one format to the next, as the file of a table holds it.

/// A step, kept in the file of the table that it makes or changes.
#[derive(Debug)]
pub(crate) struct Migration {
    /// Its number, from 1 and unique among all tables. `user_version` has this value afterwards.
    pub number: u32,
    /// What it does.
    pub sql: &'static str,
}

impl Migration {
    /// A step.
    pub const fn new(number: u32, sql: &'static str) -> Self {
        Self { number, sql }
    }
}

/// The triggers that forbid changing and deleting rows of an append-only table.
macro_rules! append_only {
    ($table:literal) => {
        concat!(
            "CREATE TRIGGER ",
            $table,
            "_is_never_changed BEFORE UPDATE ON ",
            $table,
            " BEGIN SELECT RAISE(ABORT, 'rows of ",
            $table,
            " are never changed'); END; ",
            "CREATE TRIGGER ",
            $table,
            "_is_never_deleted BEFORE DELETE ON ",
            $table,
            " BEGIN SELECT RAISE(ABORT, 'rows of ",
            $table,
            " are never deleted'); END;"
        )
    };
}
pub(crate) use append_only;

//! The table of checkpoints, which a later migration step removes. No version of the product ever wrote a row into it,
//! because a run's checkpoints are files of its bundle.

use crate::step::{Migration, append_only};

pub(crate) const MIGRATIONS: &[Migration] = &[MADE, GONE];

const MADE: Migration = Migration::new(
    18,
    concat!(
        "CREATE TABLE checkpoint (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            folder TEXT NOT NULL,
            dev_loss REAL,
            created TEXT NOT NULL,
            UNIQUE (run, stage, step)
        ) STRICT;",
        append_only!("checkpoint")
    ),
);

const GONE: Migration = Migration::new(62, "DROP TABLE checkpoint;");

//! Checkpoints that a run's worker wrote.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::now;
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::{CheckpointId, RunId};
use rusqlite::{OptionalExtension, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
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
)];

pub(crate) const COVERED: Part = (
    "checkpoint",
    "SELECT id, run, stage, step, folder, dev_loss, created FROM checkpoint WHERE id = ?1",
);

/// A checkpoint to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCheckpoint {
    /// Its run.
    pub run: RunId,
    /// Stage.
    pub stage: String,
    /// Optimiser step.
    pub step: u64,
    /// Its folder, relative to the run's bundle.
    pub folder: String,
    /// Loss on the development part.
    pub dev_loss: Option<f64>,
}

/// A checkpoint as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its id.
    pub id: CheckpointId,
    /// What was recorded.
    pub checkpoint: NewCheckpoint,
    /// When, RFC 3339, UTC.
    pub created: String,
}

impl Reader<'_> {
    /// The checkpoints of a run in the order in which they were written.
    ///
    /// # Errors
    /// The database's own.
    pub fn checkpoints(&self, run: RunId) -> Result<Vec<Checkpoint>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, stage, step, folder, dev_loss, created FROM checkpoint WHERE run = ?1 ORDER BY id",
        )?;
        let checkpoints = statement.query_map([run.0], |row| {
            Ok(Checkpoint {
                id: CheckpointId(row.get(0)?),
                checkpoint: NewCheckpoint {
                    run,
                    stage: row.get(1)?,
                    step: row.get(2)?,
                    folder: row.get(3)?,
                    dev_loss: row.get(4)?,
                },
                created: row.get(5)?,
            })
        })?;
        Ok(checkpoints.collect::<rusqlite::Result<_>>()?)
    }
}

impl Writer<'_> {
    /// Records a checkpoint. One that is there already (a follower reads the same event twice) changes nothing.
    ///
    /// # Errors
    /// The database's own.
    pub fn insert_checkpoint(&mut self, new: &NewCheckpoint) -> Result<CheckpointId> {
        let same = self
            .connection
            .prepare_cached(
                "SELECT id FROM checkpoint WHERE run = ?1 AND stage = ?2 AND step = ?3",
            )?
            .query_row(params![new.run.0, new.stage, new.step], |row| row.get(0))
            .optional()?;
        if let Some(id) = same {
            return Ok(CheckpointId(id));
        }
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO checkpoint (run, stage, step, folder, dev_loss, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![new.run.0, new.stage, new.step, new.folder, new.dev_loss.filter(|l| !l.is_nan()), now()])?;
        self.record("checkpoint.write", &Scope::Checkpoint(CheckpointId(id)))?;
        Ok(CheckpointId(id))
    }
}

//! Training runs: what was asked, and what the worker last said.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, from_tag, now, one, to_json};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::{RunRow, RunState};
use lexforge_domain::{DatasetId, Failure, RunId};
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
    17,
    "CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        recipe TEXT NOT NULL,
        base TEXT NOT NULL,
        dataset INTEGER NOT NULL REFERENCES dataset (id),
        bundle TEXT NOT NULL,
        spec TEXT NOT NULL,
        started TEXT NOT NULL,
        state TEXT NOT NULL,
        stage TEXT NOT NULL,
        step INTEGER NOT NULL,
        of INTEGER NOT NULL,
        best INTEGER,
        adapter TEXT,
        loss REAL,
        eta_s REAL,
        failure TEXT
    ) STRICT;
    CREATE TRIGGER run_is_never_deleted BEFORE DELETE ON run
    BEGIN SELECT RAISE(ABORT, 'rows of run are never deleted'); END;",
),
    // A run that learns from labelled questions has no snapshot. The table is created again, because SQLite cannot
    // remove NOT NULL from a column. The references of evaluations to runs are valid again before the step ends.
    Migration::new(
        68,
        "PRAGMA defer_foreign_keys = ON;
        CREATE TEMP TABLE run_before AS SELECT * FROM run;
        DROP TABLE run;
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            recipe TEXT NOT NULL,
            base TEXT NOT NULL,
            dataset INTEGER REFERENCES dataset (id),
            bundle TEXT NOT NULL,
            spec TEXT NOT NULL,
            started TEXT NOT NULL,
            state TEXT NOT NULL,
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            of INTEGER NOT NULL,
            best INTEGER,
            adapter TEXT,
            loss REAL,
            eta_s REAL,
            failure TEXT
        ) STRICT;
        INSERT INTO run (id, recipe, base, dataset, bundle, spec, started, state, stage, step, of, best, adapter, loss,
                         eta_s, failure)
        SELECT id, recipe, base, dataset, bundle, spec, started, state, stage, step, of, best, adapter, loss, eta_s, failure
        FROM run_before;
        DROP TABLE run_before;
        CREATE TRIGGER run_is_never_deleted BEFORE DELETE ON run
        BEGIN SELECT RAISE(ABORT, 'rows of run are never deleted'); END;",
    ),
];

/// While a worker moves them, the progress figures are covered by nothing: each step would be an audit row.
pub(crate) const COVERED: Part = (
    "run",
    "SELECT id, recipe, base, dataset, bundle, spec, started, state, adapter, failure,
            CASE WHEN state IN ('running', 'paused') THEN NULL ELSE stage END,
            CASE WHEN state IN ('running', 'paused') THEN NULL ELSE step END,
            CASE WHEN state IN ('running', 'paused') THEN NULL ELSE of END,
            CASE WHEN state IN ('running', 'paused') THEN NULL ELSE best END,
            CASE WHEN state IN ('running', 'paused') THEN NULL ELSE loss END
     FROM run WHERE id = ?1",
);

/// A run with the data that the engine needs to follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// As listed.
    pub row: RunRow,
    /// Its bundle's folder, relative to the workspace's artifacts.
    pub bundle: String,
    /// The job's specification as JSON.
    pub spec: String,
}

/// Changes of a run; `None` = unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunUpdate {
    /// State. Leaving `failed` forgets the failure; resting forgets the time left.
    pub state: Option<RunState>,
    pub stage: Option<String>,
    /// Steps made.
    pub step: Option<u64>,
    /// Of how many.
    pub of: Option<u64>,
    /// Step of the best checkpoint.
    pub best: Option<u64>,
    /// Hash of the adapter.
    pub adapter: Option<String>,
    /// Last training loss.
    pub loss: Option<f64>,
    /// Seconds left.
    pub eta_s: Option<f64>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

impl RunUpdate {
    /// The run has failed, and nothing else is said of it.
    pub fn failed(failure: &Failure) -> Self {
        Self {
            state: Some(RunState::Failed),
            failure: Some(failure.clone()),
            ..Self::default()
        }
    }
}

const SELECT: &str = "SELECT id, state, recipe, base, dataset, stage, step, of, started, best, adapter, loss, eta_s,
    failure, EXISTS (SELECT 1 FROM evaluation WHERE evaluation.run = run.id), bundle, spec FROM run";

impl Reader<'_> {
    /// All runs of the workspace, newest first.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        let sql = format!("{SELECT} ORDER BY id DESC");
        all(self.connection, &sql, [], run_row)
    }

    /// The run with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn run(&self, id: RunId) -> Result<Run> {
        let sql = format!("{SELECT} WHERE id = ?1");
        one(self.connection, &sql, "run", id.0, |row| {
            Ok(Run {
                row: run_row(row)?,
                bundle: row.get(15)?,
                spec: row.get(16)?,
            })
        })
    }
}

impl Writer<'_> {
    /// Records a run that waits for its worker. A run that learns from labelled questions has no snapshot. `bundle` is
    /// a path relative to the workspace's artifacts.
    pub fn insert_run(
        &mut self,
        recipe: &str,
        base: &str,
        dataset: Option<DatasetId>,
        bundle: &str,
        spec: &str,
    ) -> Result<RunId> {
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO run (recipe, base, dataset, bundle, spec, started, state, stage, step, of)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '', 0, 0)",
            )?
            .insert(params![recipe, base, dataset.map(|d| d.0), bundle, spec, now(), RunState::Queued.tag()])?;
        self.record("run.create", &Scope::Run(RunId(id)))?;
        Ok(RunId(id))
    }

    /// Stores a worker's report. An audit row is written if the state of the run changes, and for any change to a run
    /// that is not running. If a run is running and only its progress has changed, no audit row is written.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn update_run(&mut self, id: RunId, update: &RunUpdate) -> Result<()> {
        let now = self.run(id)?.row;
        let state = update.state.unwrap_or(now.state);
        let failure = update
            .failure
            .clone()
            .or(now.failure)
            .filter(|_| state == RunState::Failed);
        let failure = failure.map(|f| to_json("run", &f)).transpose()?;
        let moving = matches!(state, RunState::Running | RunState::Paused);
        let eta_s = update.eta_s.or(now.eta_s).filter(|_| moving);
        self.connection
            .prepare_cached(
                "UPDATE run SET state = ?2, stage = ?3, step = ?4, of = ?5, best = ?6, adapter = ?7, loss = ?8,
                                eta_s = ?9, failure = ?10
                 WHERE id = ?1",
            )?
            .execute(params![
                id.0,
                state.tag(),
                update.stage.as_ref().unwrap_or(&now.stage),
                update.step.unwrap_or(now.step),
                update.of.unwrap_or(now.of),
                update.best.or(now.best),
                update.adapter.as_ref().or(now.adapter.as_ref()),
                // SQLite would keep a number that is none as NULL anyway.
                update.loss.or(now.loss).filter(|l| !l.is_nan()),
                eta_s.filter(|s| !s.is_nan()),
                failure
            ])?;
        self.record(&format!("run.{}", state.tag()), &Scope::Run(id))
    }
}

fn run_row(row: &Row) -> Result<RunRow> {
    Ok(RunRow {
        id: RunId(row.get(0)?),
        state: from_tag("run", &row.get::<_, String>(1)?, RunState::from_tag)?,
        recipe: row.get(2)?,
        base: row.get(3)?,
        dataset: row.get::<_, Option<i64>>(4)?.map(DatasetId),
        stage: row.get(5)?,
        step: row.get(6)?,
        of: row.get(7)?,
        started: row.get(8)?,
        best: row.get(9)?,
        no_better: false,
        adapter: row.get(10)?,
        loss: row.get(11)?,
        eta_s: row.get(12)?,
        failure: row
            .get::<_, Option<String>>(13)?
            .map(|json| from_json("run", &json))
            .transpose()?,
        evaluated: row.get(14)?,
        notes: Vec::new(),
        on: None,
        sent_to: None,
    })
}

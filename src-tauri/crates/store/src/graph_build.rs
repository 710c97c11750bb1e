//! Builds of the sentence graph. Each build is stored with its settings, its figures and its parent. Only the newest
//! build is stored with its edges, its candidates, and data for the next build.

use crate::cover::Part;
use crate::edge::{self, SentenceCandidate};
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, bytes_in, from_json, now, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::BuildKind;
use lexforge_domain::graph::{GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use lexforge_domain::{DocumentId, GraphBuildId};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
        12,
        concat!(
            "CREATE TABLE graph_build (
                id INTEGER PRIMARY KEY,
                created TEXT NOT NULL,
                corpus_hash TEXT NOT NULL,
                settings TEXT NOT NULL,
                stats TEXT NOT NULL
            ) STRICT;",
            append_only!("graph_build")
        ),
    ),
    Migration::new(
        41,
        "ALTER TABLE graph_build ADD COLUMN parent INTEGER REFERENCES graph_build (id);
         ALTER TABLE graph_build ADD COLUMN record TEXT;",
    ),
    Migration::new(
        42,
        "CREATE TABLE graph_kept (
            name TEXT NOT NULL,
            block INTEGER NOT NULL,
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            PRIMARY KEY (name, block)
        ) STRICT, WITHOUT ROWID;",
    ),
];

/// Bytes of a block. Data that a build stores is divided into blocks.
const BLOCK_BYTES: usize = 1 << 20;

pub(crate) const COVERED: Part = (
    "graph_build",
    "SELECT id, created, corpus_hash, settings, stats FROM graph_build ORDER BY id",
);

/// The part that later formats added.
pub(crate) const COVERED_RECORDS: Part = (
    "graph_build.record",
    "SELECT id, parent, record FROM graph_build WHERE record IS NOT NULL ORDER BY id",
);
pub(crate) const COVERED_KEPT: Part = (
    "graph_kept",
    "SELECT name, block, bytes FROM graph_kept ORDER BY name, block",
);

/// The texts that a build contains, and how it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BuildRecord {
    /// Whole or an update.
    pub kind: BuildKind,
    /// Documents that it covers, ascending.
    pub documents: Vec<DocumentId>,
    /// Terms that it covers.
    pub terms: u64,
    /// Sentences that were compared with all others.
    pub joined_sentences: u64,
    /// Terms that were compared with all others.
    pub joined_terms: u64,
}

/// A build as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphBuild {
    pub id: GraphBuildId,
    /// When, RFC 3339, UTC.
    pub created: String,
    /// The corpus that it was built on, hexadecimal.
    pub corpus_hash: String,
    /// Parameters.
    pub settings: GraphSettings,
    /// Figures.
    pub stats: GraphStats,
    /// The build that it was added to.
    pub parent: Option<GraphBuildId>,
    /// The texts that it contains; `None` in a build of an earlier format.
    pub record: Option<BuildRecord>,
}

/// A build to be recorded, with everything that takes the place of the last one's.
#[derive(Clone, Copy, Debug)]
pub struct NewGraph<'a> {
    /// Parameters.
    pub settings: &'a GraphSettings,
    /// Figures.
    pub stats: &'a GraphStats,
    /// The corpus that it was built on, hexadecimal.
    pub corpus_hash: &'a str,
    /// The build that it was added to.
    pub parent: Option<GraphBuildId>,
    /// What it covers.
    pub record: &'a BuildRecord,
    /// Pairs of similar entities.
    pub similar: &'a [SimilarEntities],
    /// Edges between sentences.
    pub edges: &'a [SentenceEdge],
    /// Candidates of the sentences.
    pub candidates: &'a [SentenceCandidate],
    /// The data for the next build, by name. Data of earlier builds under other names is removed.
    pub kept: &'a [(String, Vec<u8>)],
}

const COLUMNS: &str = "id, created, corpus_hash, settings, stats, parent, record";

impl Reader<'_> {
    /// The newest build.
    pub fn latest_graph(&self) -> Result<Option<GraphBuild>> {
        let sql = format!("SELECT {COLUMNS} FROM graph_build ORDER BY id DESC LIMIT 1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        rows.next()?.map(build).transpose()
    }

    /// All builds of the graph, newest first.
    pub fn graph_builds(&self) -> Result<Vec<GraphBuild>> {
        let sql = format!("SELECT {COLUMNS} FROM graph_build ORDER BY id DESC");
        all(self.connection, &sql, [], build)
    }

    /// The data that the newest build stored under a name. `None` if it stored nothing under this name.
    pub fn graph_kept(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT bytes FROM graph_kept WHERE name = ?1 ORDER BY block")?;
        let mut rows = statement.query([name])?;
        let mut all: Option<Vec<u8>> = None;
        while let Some(row) = rows.next()? {
            let bytes = bytes_in("graph_kept", row, 0)?;
            all.get_or_insert_default().extend_from_slice(bytes);
        }
        Ok(all)
    }
}

fn build(row: &Row<'_>) -> Result<GraphBuild> {
    let record: Option<String> = row.get(6)?;
    Ok(GraphBuild {
        id: GraphBuildId(row.get(0)?),
        created: row.get(1)?,
        corpus_hash: row.get(2)?,
        settings: from_json("graph_build", &row.get::<_, String>(3)?)?,
        stats: from_json("graph_build", &row.get::<_, String>(4)?)?,
        parent: row.get::<_, Option<i64>>(5)?.map(GraphBuildId),
        record: record
            .map(|text| from_json("graph_build", &text))
            .transpose()?,
    })
}

impl Writer<'_> {
    /// Records a build. Its edges, its candidates and the data for the next build replace those of the last build.
    pub fn insert_graph(&mut self, new: &NewGraph<'_>) -> Result<GraphBuildId> {
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO graph_build (created, corpus_hash, settings, stats, parent, record)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![
                now(),
                new.corpus_hash,
                to_json("graph_build", new.settings)?,
                to_json("graph_build", new.stats)?,
                new.parent.map(|p| p.0),
                to_json("graph_build", new.record)?
            ])?;
        edge::replace(self, new.similar, new.edges, new.candidates)?;
        self.connection.execute("DELETE FROM graph_kept", [])?;
        let mut statement = self
            .connection
            .prepare_cached("INSERT INTO graph_kept (name, block, bytes) VALUES (?1, ?2, ?3)")?;
        for (name, bytes) in new.kept {
            // Empty data is stored as one empty block, so that it differs from missing data.
            let blocks = bytes
                .chunks(BLOCK_BYTES)
                .chain(bytes.is_empty().then_some(&[][..]));
            for (block, bytes) in blocks.enumerate() {
                statement.execute(params![name, block, bytes])?;
            }
        }
        drop(statement);
        self.record("graph.build", &Scope::Graph)?;
        Ok(GraphBuildId(id))
    }
}

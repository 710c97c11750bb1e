//! Builds of the sentence graph: settings and figures of each, edges and candidates of the newest.

use crate::cover::{Part, Scope};
use crate::edge::{self, SentenceCandidate};
use crate::error::Result;
use crate::handle::{Reader, Writer};
use crate::migration::{Migration, append_only};
use crate::row::{from_json, now, to_json};
use lexforge_domain::GraphBuildId;
use lexforge_domain::graph::{GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use rusqlite::{OptionalExtension, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
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
)];

pub(crate) const COVERED: Part =
    ("graph_build", "SELECT id, created, corpus_hash, settings, stats FROM graph_build ORDER BY id");

/// A build as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphBuild {
    /// Its id.
    pub id: GraphBuildId,
    /// When, RFC 3339, UTC.
    pub created: String,
    /// The corpus that it was built on, hexadecimal.
    pub corpus_hash: String,
    /// Parameters.
    pub settings: GraphSettings,
    /// Figures.
    pub stats: GraphStats,
}

impl Reader<'_> {
    /// The newest build.
    ///
    /// # Errors
    /// The database's own.
    pub fn latest_graph(&self) -> Result<Option<GraphBuild>> {
        let found = self
            .connection
            .prepare_cached(
                "SELECT id, created, corpus_hash, settings, stats FROM graph_build ORDER BY id DESC LIMIT 1",
            )?
            .query_row([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?, row.get::<_, String>(4)?))
            })
            .optional()?;
        let Some((id, created, corpus_hash, settings, stats)) = found else { return Ok(None) };
        Ok(Some(GraphBuild {
            id: GraphBuildId(id),
            created,
            corpus_hash,
            settings: from_json("graph_build", &settings)?,
            stats: from_json("graph_build", &stats)?,
        }))
    }
}

impl Writer<'_> {
    /// Records a build and puts its edges and candidates in the place of the last one's.
    ///
    /// # Errors
    /// The database's own.
    pub fn insert_graph(
        &mut self,
        settings: &GraphSettings,
        stats: &GraphStats,
        corpus_hash: &str,
        similar: &[SimilarEntities],
        edges: &[SentenceEdge],
        candidates: &[SentenceCandidate],
    ) -> Result<GraphBuildId> {
        let id = self
            .connection
            .prepare_cached("INSERT INTO graph_build (created, corpus_hash, settings, stats) VALUES (?1, ?2, ?3, ?4)")?
            .insert(params![now(), corpus_hash, to_json("graph_build", settings)?, to_json("graph_build", stats)?])?;
        edge::replace(self, similar, edges, candidates)?;
        self.record("graph.build", &Scope::Graph)?;
        Ok(GraphBuildId(id))
    }
}

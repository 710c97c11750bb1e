//! The stored edges of the newest graph, and the candidates of each sentence. (Edges by shared entity or same type
//! are counted, never stored.)

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::handle::{Reader, Writer};
use crate::migration::Migration;
use lexforge_domain::graph::{EdgeKind, SentenceEdge, SimilarEntities};
use lexforge_domain::{SentenceId, TermId};
use rusqlite::{OptionalExtension, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    13,
    "CREATE TABLE edge (
        kind TEXT NOT NULL,
        a INTEGER NOT NULL,
        b INTEGER NOT NULL,
        weight REAL NOT NULL,
        PRIMARY KEY (kind, a, b)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX edge_back ON edge (kind, b, a, weight);
    CREATE TABLE candidate (
        anchor INTEGER NOT NULL REFERENCES sentence (id),
        candidate INTEGER NOT NULL REFERENCES sentence (id),
        cosine REAL NOT NULL,
        PRIMARY KEY (anchor, candidate)
    ) STRICT, WITHOUT ROWID;",
)];

pub(crate) const COVERED: Part = ("edge", "SELECT kind, a, b, weight FROM edge ORDER BY kind, a, b");
pub(crate) const COVERED_CANDIDATES: Part =
    ("candidate", "SELECT anchor, candidate, cosine FROM candidate ORDER BY anchor, candidate");

const SIMILAR: &str = "similar_entity";

/// A sentence that may serve as distractor for another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentenceCandidate {
    /// The sentence that a question is asked about.
    pub anchor: SentenceId,
    /// The sentence that is near it.
    pub candidate: SentenceId,
    /// Cosine of their vectors.
    pub cosine: f32,
}

impl Reader<'_> {
    /// The terms similar to this one, nearest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn similar_to(&self, term: TermId) -> Result<Vec<(TermId, f32)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT other, weight FROM (
                SELECT b AS other, weight FROM edge WHERE kind = ?1 AND a = ?2
                UNION ALL SELECT a, weight FROM edge WHERE kind = ?1 AND b = ?2
             ) JOIN term ON term.id = other ORDER BY weight DESC, other",
        )?;
        let near = statement.query_map(params![SIMILAR, term.0], |row| Ok((TermId(row.get(0)?), row.get(1)?)))?;
        Ok(near.collect::<rusqlite::Result<_>>()?)
    }

    /// The cosine of two similar terms; none = there is no such edge.
    ///
    /// # Errors
    /// The database's own.
    pub fn similarity(&self, one: TermId, other: TermId) -> Result<Option<f32>> {
        let mut statement =
            self.connection.prepare_cached("SELECT weight FROM edge WHERE kind = ?1 AND a = ?2 AND b = ?3")?;
        let found = statement.query_row(params![SIMILAR, one.min(other).0, one.max(other).0], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// The stored edges of a kind (lexical or reference) of one sentence, the strongest first; of a reference, `a` is the
    /// sentence that refers.
    ///
    /// # Errors
    /// The database's own; `Row` for a kind that is not stored.
    pub fn edges_of(&self, sentence: SentenceId, kind: EdgeKind) -> Result<Vec<SentenceEdge>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a, b, weight FROM edge WHERE kind = ?1 AND a = ?2
             UNION ALL SELECT a, b, weight FROM edge WHERE kind = ?1 AND b = ?2
             ORDER BY weight DESC, a, b",
        )?;
        let edges = statement.query_map(params![tag(kind)?, sentence.0], |row| {
            Ok(SentenceEdge { a: SentenceId(row.get(0)?), b: SentenceId(row.get(1)?), kind, weight: row.get(2)? })
        })?;
        Ok(edges.collect::<rusqlite::Result<_>>()?)
    }

    /// The candidates of one sentence, nearest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn candidates_of(&self, anchor: SentenceId) -> Result<Vec<SentenceCandidate>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT anchor, candidate, cosine FROM candidate WHERE anchor = ?1 ORDER BY cosine DESC, candidate",
        )?;
        let found = statement.query_map([anchor.0], |row| {
            Ok(SentenceCandidate { anchor, candidate: SentenceId(row.get(1)?), cosine: row.get(2)? })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// All pairs of similar terms.
    ///
    /// # Errors
    /// The database's own.
    pub fn similar_entities(&self) -> Result<Vec<SimilarEntities>> {
        let mut statement =
            self.connection.prepare_cached("SELECT a, b, weight FROM edge WHERE kind = ?1 ORDER BY a, b")?;
        let pairs = statement.query_map([SIMILAR], |row| {
            Ok(SimilarEntities { a: TermId(row.get(0)?), b: TermId(row.get(1)?), cosine: row.get(2)? })
        })?;
        Ok(pairs.collect::<rusqlite::Result<_>>()?)
    }

    /// All stored edges between sentences.
    ///
    /// # Errors
    /// The database's own.
    pub fn sentence_edges(&self) -> Result<Vec<SentenceEdge>> {
        let mut edges = Vec::new();
        for kind in [EdgeKind::Lexical, EdgeKind::Reference] {
            let mut statement =
                self.connection.prepare_cached("SELECT a, b, weight FROM edge WHERE kind = ?1 ORDER BY a, b")?;
            let found = statement.query_map([tag(kind)?], |row| {
                Ok(SentenceEdge { a: SentenceId(row.get(0)?), b: SentenceId(row.get(1)?), kind, weight: row.get(2)? })
            })?;
            for edge in found {
                edges.push(edge?);
            }
        }
        Ok(edges)
    }

    /// The candidates of all sentences, nearest first for each.
    ///
    /// # Errors
    /// The database's own.
    pub fn sentence_candidates(&self) -> Result<Vec<SentenceCandidate>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT anchor, candidate, cosine FROM candidate ORDER BY anchor, cosine DESC, candidate",
        )?;
        let found = statement.query_map([], |row| {
            Ok(SentenceCandidate {
                anchor: SentenceId(row.get(0)?),
                candidate: SentenceId(row.get(1)?),
                cosine: row.get(2)?,
            })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}

pub(crate) fn replace(
    writer: &Writer,
    similar: &[SimilarEntities],
    edges: &[SentenceEdge],
    candidates: &[SentenceCandidate],
) -> Result<()> {
    writer.connection.execute_batch("DELETE FROM edge; DELETE FROM candidate;")?;
    let mut statement =
        writer.connection.prepare_cached("INSERT OR REPLACE INTO edge (kind, a, b, weight) VALUES (?1, ?2, ?3, ?4)")?;
    for pair in similar {
        statement.execute(params![SIMILAR, pair.a.0, pair.b.0, pair.cosine])?;
    }
    for edge in edges {
        statement.execute(params![tag(edge.kind)?, edge.a.0, edge.b.0, edge.weight])?;
    }
    let mut statement = writer
        .connection
        .prepare_cached("INSERT OR REPLACE INTO candidate (anchor, candidate, cosine) VALUES (?1, ?2, ?3)")?;
    for c in candidates {
        statement.execute(params![c.anchor.0, c.candidate.0, c.cosine])?;
    }
    Ok(())
}

/// The tag of an edge between sentences that is stored.
fn tag(kind: EdgeKind) -> Result<&'static str> {
    match kind {
        EdgeKind::Lexical => Ok("lexical"),
        EdgeKind::Reference => Ok("reference"),
        EdgeKind::SharedEntity | EdgeKind::SameType | EdgeKind::SimilarEntity => {
            Err(StoreError::Row { table: "edge", reason: format!("{kind:?} is not stored between sentences") })
        }
    }
}

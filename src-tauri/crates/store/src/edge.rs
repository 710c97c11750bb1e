//! The stored edges of the newest graph, and the candidates of each sentence. (Edges by shared entity or same type are
//! only counted and never stored.)

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::{all, first};
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::graph::{EdgeKind, SentenceEdge, SimilarEntities};
use lexforge_domain::{SentenceId, TermId};
use rusqlite::{Row, params};

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

pub(crate) const COVERED: Part = (
    "edge",
    "SELECT kind, a, b, weight FROM edge ORDER BY kind, a, b",
);
pub(crate) const COVERED_CANDIDATES: Part = (
    "candidate",
    "SELECT anchor, candidate, cosine FROM candidate ORDER BY anchor, candidate",
);

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

/// An edge of a kind, of a row with its two ends and its weight.
fn read(kind: EdgeKind) -> impl Fn(&Row) -> Result<SentenceEdge> {
    move |row| {
        Ok(SentenceEdge {
            a: SentenceId(row.get(0)?),
            b: SentenceId(row.get(1)?),
            kind,
            weight: row.get(2)?,
        })
    }
}

fn candidate(row: &Row) -> Result<SentenceCandidate> {
    Ok(SentenceCandidate {
        anchor: SentenceId(row.get(0)?),
        candidate: SentenceId(row.get(1)?),
        cosine: row.get(2)?,
    })
}

impl Reader<'_> {
    /// The terms similar to this one, nearest first.
    pub fn similar_to(&self, term: TermId) -> Result<Vec<(TermId, f32)>> {
        let sql = "SELECT other, weight FROM (
                SELECT b AS other, weight FROM edge WHERE kind = ?1 AND a = ?2
                UNION ALL SELECT a, weight FROM edge WHERE kind = ?1 AND b = ?2
             ) JOIN term ON term.id = other ORDER BY weight DESC, other";
        all(self.connection, sql, params![SIMILAR, term.0], |row| {
            Ok((TermId(row.get(0)?), row.get(1)?))
        })
    }

    /// The cosine of two similar terms. `None` if no edge between them is stored.
    pub fn similarity(&self, one: TermId, other: TermId) -> Result<Option<f32>> {
        let sql = "SELECT weight FROM edge WHERE kind = ?1 AND a = ?2 AND b = ?3";
        let (a, b) = (one.min(other).0, one.max(other).0);
        first(self.connection, sql, params![SIMILAR, a, b], |row| {
            Ok(row.get(0)?)
        })
    }

    /// The edges of one sentence of a kind that is stored, the strongest first. In an edge by reference, `a` is the
    /// sentence that refers to the other.
    ///
    /// # Errors
    /// Errors of the database; `Row` for a kind that is not stored.
    pub fn edges_of(&self, sentence: SentenceId, kind: EdgeKind) -> Result<Vec<SentenceEdge>> {
        let sql = "SELECT a, b, weight FROM edge WHERE kind = ?1 AND a = ?2
             UNION ALL SELECT a, b, weight FROM edge WHERE kind = ?1 AND b = ?2
             ORDER BY weight DESC, a, b";
        all(
            self.connection,
            sql,
            params![tag(kind)?, sentence.0],
            read(kind),
        )
    }

    /// The candidates of one sentence, nearest first.
    pub fn candidates_of(&self, anchor: SentenceId) -> Result<Vec<SentenceCandidate>> {
        let sql = "SELECT anchor, candidate, cosine FROM candidate WHERE anchor = ?1 ORDER BY cosine DESC, candidate";
        all(self.connection, sql, [anchor.0], candidate)
    }

    /// All stored pairs of similar terms.
    pub fn similar_entities(&self) -> Result<Vec<SimilarEntities>> {
        let sql = "SELECT a, b, weight FROM edge WHERE kind = ?1 ORDER BY a, b";
        all(self.connection, sql, [SIMILAR], |row| {
            Ok(SimilarEntities {
                a: TermId(row.get(0)?),
                b: TermId(row.get(1)?),
                cosine: row.get(2)?,
            })
        })
    }

    /// All stored edges between sentences.
    pub fn sentence_edges(&self) -> Result<Vec<SentenceEdge>> {
        let mut edges = Vec::new();
        for &kind in EdgeKind::ALL.iter().filter(|kind| kind.about().stored) {
            let sql = "SELECT a, b, weight FROM edge WHERE kind = ?1 ORDER BY a, b";
            edges.extend(all(self.connection, sql, [tag(kind)?], read(kind))?);
        }
        Ok(edges)
    }

    /// The candidates of all sentences, nearest first for each.
    pub fn sentence_candidates(&self) -> Result<Vec<SentenceCandidate>> {
        let sql = "SELECT anchor, candidate, cosine FROM candidate ORDER BY anchor, cosine DESC, candidate";
        all(self.connection, sql, [], candidate)
    }
}

/// Replaces the stored edges and candidates. Only rows that differ are written, because an update of a graph changes
/// few of very many rows.
pub(crate) fn replace(
    writer: &Writer,
    similar: &[SimilarEntities],
    edges: &[SentenceEdge],
    candidates: &[SentenceCandidate],
) -> Result<()> {
    let mut new: Vec<(&'static str, i64, i64, f32)> =
        Vec::with_capacity(similar.len() + edges.len());
    new.extend(similar.iter().map(|p| (SIMILAR, p.a.0, p.b.0, p.cosine)));
    for edge in edges {
        new.push((tag(edge.kind)?, edge.a.0, edge.b.0, edge.weight));
    }
    let here = &writer.connection;
    let mut add =
        here.prepare_cached("INSERT INTO edge (kind, a, b, weight) VALUES (?1, ?2, ?3, ?4)")?;
    let mut remove =
        here.prepare_cached("DELETE FROM edge WHERE kind = ?1 AND a = ?2 AND b = ?3")?;
    let mut held =
        here.prepare_cached("SELECT a, b, weight FROM edge WHERE kind = ?1 ORDER BY a, b")?;
    for kind in ["lexical", "reference", SIMILAR] {
        let old = held.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let old: Vec<(i64, i64, f32)> = old.collect::<rusqlite::Result<_>>()?;
        let new = new
            .iter()
            .filter(|e| e.0 == kind)
            .map(|&(_, a, b, weight)| (a, b, weight))
            .collect();
        let (gone, come) = differing(&old, new);
        for (a, b, _) in gone {
            remove.execute(params![kind, a, b])?;
        }
        for (a, b, weight) in come {
            add.execute(params![kind, a, b, weight])?;
        }
    }
    let mut add = here
        .prepare_cached("INSERT INTO candidate (anchor, candidate, cosine) VALUES (?1, ?2, ?3)")?;
    let mut remove =
        here.prepare_cached("DELETE FROM candidate WHERE anchor = ?1 AND candidate = ?2")?;
    let mut held = here.prepare_cached(
        "SELECT anchor, candidate, cosine FROM candidate ORDER BY anchor, candidate",
    )?;
    let old = held.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let old: Vec<(i64, i64, f32)> = old.collect::<rusqlite::Result<_>>()?;
    let new = candidates
        .iter()
        .map(|c| (c.anchor.0, c.candidate.0, c.cosine))
        .collect();
    let (gone, come) = differing(&old, new);
    for (anchor, candidate, _) in gone {
        remove.execute(params![anchor, candidate])?;
    }
    for (anchor, candidate, cosine) in come {
        add.execute(params![anchor, candidate, cosine])?;
    }
    Ok(())
}

/// A row with its two ends and its weight.
type Weighted = (i64, i64, f32);

/// The rows of `old` that are not in `new`, and the rows of `new` that are not in `old`. `old` is sorted by the two
/// ends of its edges. If several rows of `new` have the same ends, only the last one is used.
fn differing(old: &[Weighted], mut new: Vec<Weighted>) -> (Vec<Weighted>, Vec<Weighted>) {
    let ends = |row: &Weighted| (row.0, row.1);
    // A stable sort, backwards, so that the last of equal ends comes first and is the one that stays.
    new.reverse();
    new.sort_by_key(ends);
    new.dedup_by_key(|row| ends(row));
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        match (old.get(i), new.get(j)) {
            (Some(o), Some(n)) if ends(o) == ends(n) => {
                if o.2.to_bits() != n.2.to_bits() {
                    gone.push(*o);
                    come.push(*n);
                }
                (i, j) = (i + 1, j + 1);
            }
            (Some(o), n) if n.is_none_or(|n| ends(o) < ends(n)) => {
                gone.push(*o);
                i += 1;
            }
            (_, Some(n)) => {
                come.push(*n);
                j += 1;
            }
            (_, None) => i += 1,
        }
    }
    (gone, come)
}

/// The tag of an edge between sentences that is stored.
fn tag(kind: EdgeKind) -> Result<&'static str> {
    if kind.about().stored {
        return Ok(kind.tag());
    }
    Err(StoreError::Row {
        table: "edge",
        reason: format!("{kind:?} is not stored between sentences"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_written() {
        let old = [(1, 2, 0.5), (1, 3, 0.5), (2, 3, 0.5)];
        let new = vec![
            (2, 3, 0.25),
            (1, 2, 0.1),
            (1, 2, 0.5),
            (0, 9, 1.0),
            (4, 1, 1.0),
        ];
        let (gone, come) = differing(&old, new);
        assert_eq!(gone, [(1, 3, 0.5), (2, 3, 0.5)]);
        assert_eq!(come, [(0, 9, 1.0), (2, 3, 0.25), (4, 1, 1.0)]);
        assert_eq!(differing(&old, old.to_vec()), (vec![], vec![]));
        assert_eq!(differing(&old, vec![]).0, old);
    }
}

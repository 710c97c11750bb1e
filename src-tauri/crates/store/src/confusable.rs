//! Pairs of terms that could be taken for each other, as they were found: what to look at first, not what was decided.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, limit};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::TermId;
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    39,
    "CREATE TABLE confusable (
        a INTEGER NOT NULL REFERENCES term (id),
        b INTEGER NOT NULL REFERENCES term (id),
        cosine REAL,
        spelling REAL NOT NULL,
        score REAL NOT NULL,
        place INTEGER NOT NULL,
        PRIMARY KEY (a, b),
        CHECK (a < b)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX confusable_of_b ON confusable (b, a);
    CREATE INDEX confusable_by_place ON confusable (place, score DESC, a, b);",
)];

pub(crate) const COVERED: Part = (
    "confusable",
    "SELECT a, b, cosine, spelling, score, place FROM confusable ORDER BY a, b",
);

const COLUMNS: &str = "a, b, cosine, spelling, score, place";

/// Two terms that could be taken for each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfusablePair {
    /// The term with the smaller id.
    pub a: TermId,
    /// The other.
    pub b: TermId,
    /// Cosine of their vectors; `None` = at least one has none.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// The score by which the pairs are ranked, 0 to 1.
    pub score: f32,
    /// The better of the two places, from 1, that each has in the other's list.
    pub place: u32,
}

impl ConfusablePair {
    /// The term that is not `term`.
    pub fn other(&self, term: TermId) -> TermId {
        if self.a == term { self.b } else { self.a }
    }
}

impl Reader<'_> {
    /// The pairs that contain a term, the nearest first. At most `most` pairs are returned; 0 = all.
    pub fn confusables_of(&self, term: TermId, most: u64) -> Result<Vec<ConfusablePair>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM (SELECT {COLUMNS} FROM confusable WHERE a = ?1
             UNION ALL SELECT {COLUMNS} FROM confusable WHERE b = ?1) ORDER BY score DESC, a, b LIMIT ?2"
        );
        let values = params![term.0, limit(most)];
        all(self.connection, &sql, values, |row| Ok(pair(row)?))
    }

    /// All pairs of terms that could be confused. The first ones are pairs in which one term is the nearest neighbour
    /// of the other. At most `most` pairs are returned; 0 means all.
    pub fn confusables(&self, most: u64) -> Result<Vec<ConfusablePair>> {
        let sql =
            format!("SELECT {COLUMNS} FROM confusable ORDER BY place, score DESC, a, b LIMIT ?1");
        all(self.connection, &sql, [limit(most)], |row| Ok(pair(row)?))
    }

    /// For each term, the pair with the term that is nearest to it.
    pub fn nearest_confusables(&self) -> Result<Vec<ConfusablePair>> {
        let sql = format!("SELECT {COLUMNS} FROM confusable WHERE place = 1");
        all(self.connection, &sql, [], |row| Ok(pair(row)?))
    }

    /// The stored row of one pair of terms.
    pub fn confusable(&self, one: TermId, other: TermId) -> Result<Option<ConfusablePair>> {
        let sql = format!("SELECT {COLUMNS} FROM confusable WHERE a = ?1 AND b = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query_map([one.min(other).0, one.max(other).0], pair)?;
        Ok(rows.next().transpose()?)
    }
}

impl Writer<'_> {
    /// Replaces all pairs.
    ///
    /// # Errors
    /// Errors of the database, for instance where a pair names a term that is gone.
    pub fn replace_confusables(&mut self, pairs: &[ConfusablePair]) -> Result<()> {
        clear(self)?;
        let sql = "INSERT INTO confusable (a, b, cosine, spelling, score, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut statement = self.connection.prepare_cached(sql)?;
        for p in pairs {
            statement.execute(params![
                p.a.0, p.b.0, p.cosine, p.spelling, p.score, p.place
            ])?;
        }
        drop(statement);
        self.record("terms.confusables", &Scope::Terms)
    }
}

/// Forgets all pairs, before terms go.
pub(crate) fn clear(writer: &Writer) -> Result<()> {
    writer.connection.execute("DELETE FROM confusable", [])?;
    Ok(())
}

fn pair(row: &Row) -> rusqlite::Result<ConfusablePair> {
    Ok(ConfusablePair {
        a: TermId(row.get(0)?),
        b: TermId(row.get(1)?),
        cosine: row.get(2)?,
        spelling: row.get(3)?,
        score: row.get(4)?,
        place: row.get(5)?,
    })
}

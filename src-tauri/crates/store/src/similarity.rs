//! Pairs of sentences whose likeness in meaning people score. Also records the random selections from which the pairs
//! came. A pair is never changed or deleted. Scores are decisions about the pair, and its texts stay as the scorers
//! read them.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, now, one, text_in, to_json, value};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::SimilarityId;
use lexforge_domain::api::{SimilarityDraw, SimilarityPair};
use lexforge_domain::text::Language;
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    85,
    concat!(
        "CREATE TABLE similarity_draw (
            id INTEGER PRIMARY KEY,
            record TEXT NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL
        ) STRICT;
        CREATE TABLE similarity_pair (
            id INTEGER PRIMARY KEY,
            draw INTEGER NOT NULL REFERENCES similarity_draw (id),
            language TEXT NOT NULL,
            one TEXT NOT NULL,
            other TEXT NOT NULL,
            one_place TEXT NOT NULL,
            other_place TEXT NOT NULL,
            cosine REAL NOT NULL,
            stratum INTEGER NOT NULL
        ) STRICT;",
        append_only!("similarity_draw"),
        append_only!("similarity_pair")
    ),
)];

pub(crate) const COVERED: Part = (
    "similarity_pair",
    "SELECT id, draw, language, one, other, one_place, other_place, cosine, stratum FROM similarity_pair ORDER BY id",
);
pub(crate) const COVERED_DRAWS: Part = (
    "similarity_draw",
    "SELECT id, record, made, actor FROM similarity_draw ORDER BY id",
);

const SELECT: &str =
    "SELECT id, language, one, other, one_place, other_place, cosine, stratum FROM similarity_pair";

impl Reader<'_> {
    /// All pairs, in the order in which they are scored.
    pub fn similarity_pairs(&self) -> Result<Vec<(SimilarityId, SimilarityPair)>> {
        let sql = format!("{SELECT} ORDER BY id");
        all(self.connection, &sql, [], pair)
    }

    /// The pair with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn similarity_pair(&self, id: SimilarityId) -> Result<SimilarityPair> {
        let sql = format!("{SELECT} WHERE id = ?1");
        Ok(one(self.connection, &sql, "pair of sentences", id.0, pair)?.1)
    }

    /// How many pairs there are.
    pub fn count_similarity_pairs(&self) -> Result<u64> {
        value(self.connection, "SELECT count(*) FROM similarity_pair", [])
    }

    /// Records of how pairs were chosen, the oldest first, each with its time.
    pub fn similarity_draws(&self) -> Result<Vec<(String, SimilarityDraw)>> {
        let sql = "SELECT made, record FROM similarity_draw ORDER BY id";
        all(self.connection, sql, [], |row| {
            let record: String = row.get(1)?;
            Ok((row.get(0)?, from_json("similarity_draw", &record)?))
        })
    }
}

impl Writer<'_> {
    /// Adds the pairs that a draw has chosen.
    pub fn add_similarity_pairs(
        &mut self,
        draw: &SimilarityDraw,
        pairs: &[SimilarityPair],
    ) -> Result<()> {
        let record = to_json("similarity_draw", draw)?;
        let actor = self.actor.to_owned();
        self.connection.execute(
            "INSERT INTO similarity_draw (record, made, actor) VALUES (?1, ?2, ?3)",
            params![record, now(), actor],
        )?;
        let id = self.connection.last_insert_rowid();
        {
            let mut insert = self.connection.prepare_cached(
                "INSERT INTO similarity_pair (draw, language, one, other, one_place, other_place, cosine, stratum)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?;
            for pair in pairs {
                insert.execute(params![
                    id,
                    pair.language.tag(),
                    pair.one,
                    pair.other,
                    to_json("similarity_pair", &pair.one_place)?,
                    to_json("similarity_pair", &pair.other_place)?,
                    pair.cosine,
                    pair.stratum
                ])?;
            }
        }
        self.record("similarity.draw", &Scope::Similarity)
    }
}

fn pair(row: &Row) -> Result<(SimilarityId, SimilarityPair)> {
    let text = |column| text_in("similarity_pair", row, column);
    Ok((
        SimilarityId(row.get(0)?),
        SimilarityPair {
            language: Language::from_tag(text(1)?),
            one: row.get(2)?,
            other: row.get(3)?,
            one_place: from_json("similarity_pair", text(4)?)?,
            other_place: from_json("similarity_pair", text(5)?)?,
            cosine: row.get(6)?,
            stratum: row.get(7)?,
        },
    ))
}

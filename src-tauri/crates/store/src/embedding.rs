//! Vectors of sentences and terms, f32, in blocks: a screen never reads one, a search reads them all.

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::{all, bytes_in, unreadable};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::{Code, Failure};
use rusqlite::params;
use strum::IntoStaticStr;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    11,
    "CREATE TABLE embedding (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        block INTEGER NOT NULL,
        dim INTEGER NOT NULL CHECK (dim > 0),
        ids BLOB NOT NULL,
        vectors BLOB NOT NULL,
        UNIQUE (name, block)
    ) STRICT;",
)];

pub(crate) const COVERED: Part = (
    "embedding",
    "SELECT name, block, dim, ids, vectors FROM embedding WHERE name = ?1 ORDER BY block",
);

/// Vectors in a block.
const BLOCK: usize = 512;

/// The things that the vectors represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EmbeddingKind {
    /// Sentences; the ids are sentence ids.
    Sentence,
    /// Terms; the ids are term ids.
    Term,
}

impl EmbeddingKind {
    /// The tag that is stored: `sentence` or `term`.
    pub fn tag(self) -> &'static str {
        self.into()
    }
}

/// The vectors of one kind by one encoder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embeddings {
    /// The ids of the things that the vectors represent.
    pub ids: Vec<i64>,
    /// Values a vector.
    pub dim: usize,
    /// The vectors one after the other: `ids.len() × dim` values.
    pub vectors: Vec<f32>,
}

impl Reader<'_> {
    /// The vectors of this kind that this encoder made, in the order in which they were stored. `None` if there are
    /// none.
    pub fn embeddings(&self, kind: EmbeddingKind, encoder: &str) -> Result<Option<Embeddings>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT dim, ids, vectors FROM embedding WHERE name = ?1 ORDER BY block",
        )?;
        let mut rows = statement.query([name(kind, encoder)])?;
        let mut all: Option<Embeddings> = None;
        while let Some(row) = rows.next()? {
            let all = all.get_or_insert_with(Embeddings::default);
            all.dim = row.get(0)?;
            let ids = bytes_in("embedding", row, 1)?.as_chunks().0;
            all.ids.extend(ids.iter().map(|b| i64::from_le_bytes(*b)));
            let vectors = bytes_in("embedding", row, 2)?.as_chunks().0;
            all.vectors
                .extend(vectors.iter().map(|b| f32::from_le_bytes(*b)));
        }
        match all {
            Some(all) if all.vectors.len() != all.ids.len() * all.dim => {
                Err(unreadable("embedding", "a block is cut"))
            }
            all => Ok(all),
        }
    }

    /// The ids that have a vector of this kind by this encoder, in the order in which the vectors were stored. The
    /// vectors themselves are not read.
    pub fn embedded(&self, kind: EmbeddingKind, encoder: &str) -> Result<Vec<i64>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT ids FROM embedding WHERE name = ?1 ORDER BY block")?;
        let mut rows = statement.query([name(kind, encoder)])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let ids = bytes_in("embedding", row, 0)?.as_chunks().0;
            all.extend(ids.iter().map(|b| i64::from_le_bytes(*b)));
        }
        Ok(all)
    }

    /// The encoders that made the stored vectors of this kind.
    pub fn encoders(&self, kind: EmbeddingKind) -> Result<Vec<String>> {
        let sql = "SELECT name FROM embedding WHERE block = 0 ORDER BY name";
        let names: Vec<String> = all(self.connection, sql, [], |row| Ok(row.get(0)?))?;
        let prefix = name(kind, "");
        Ok(names
            .iter()
            .filter_map(|n| n.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect())
    }
}

impl Writer<'_> {
    /// Replaces the stored vectors of this kind by this encoder. `vectors` are `ids.len() × dim` values.
    ///
    /// # Errors
    /// A refusal if the sizes do not fit; errors of the database.
    pub fn put_embeddings(
        &mut self,
        kind: EmbeddingKind,
        encoder: &str,
        ids: &[i64],
        dim: usize,
        vectors: &[f32],
    ) -> Result<()> {
        if vectors.len() != ids.len() * dim {
            let message = format!(
                "{} values are not {} vectors of {dim}",
                vectors.len(),
                ids.len()
            );
            return Err(StoreError::Refused(Failure::new(
                Code::Internal,
                message,
                "report this message",
            )));
        }
        let name = name(kind, encoder);
        self.connection
            .execute("DELETE FROM embedding WHERE name = ?1", [&name])?;
        self.append_embeddings(&name, 0, ids, dim, vectors)?;
        self.record("embeddings.put", &Scope::Embeddings(name))
    }

    /// Adds these vectors to the stored vectors of this kind by this encoder. If an id has a vector already, the one
    /// added last counts.
    ///
    /// # Errors
    /// A refusal if the sizes do not fit the stored vectors; errors of the database.
    pub fn add_embeddings(
        &mut self,
        kind: EmbeddingKind,
        encoder: &str,
        ids: &[i64],
        dim: usize,
        vectors: &[f32],
    ) -> Result<()> {
        let name = name(kind, encoder);
        let (next, there): (i64, Option<usize>) = self
            .connection
            .prepare_cached(
                "SELECT coalesce(max(block), -1) + 1, max(dim) FROM embedding WHERE name = ?1",
            )?
            .query_row([&name], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if vectors.len() != ids.len() * dim || there.is_some_and(|there| there != dim) {
            let message = format!(
                "{} values are not {} vectors of {:?}",
                vectors.len(),
                ids.len(),
                there.unwrap_or(dim)
            );
            return Err(StoreError::Refused(Failure::new(
                Code::Internal,
                message,
                "report this message",
            )));
        }
        self.append_embeddings(&name, next, ids, dim, vectors)?;
        self.record("embeddings.add", &Scope::Embeddings(name))
    }

    pub(crate) fn append_embeddings(
        &self,
        name: &str,
        from: i64,
        ids: &[i64],
        dim: usize,
        vectors: &[f32],
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO embedding (name, block, dim, ids, vectors) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for ((block, ids), start) in (from..)
            .zip(ids.chunks(BLOCK))
            .zip((0..).step_by(BLOCK * dim.max(1)))
        {
            let id_bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
            let bytes: Vec<u8> = vectors[start..start + ids.len() * dim]
                .iter()
                .flat_map(|v| v.to_le_bytes())
                .collect();
            statement.execute(params![name, block, dim, id_bytes, bytes])?;
        }
        Ok(())
    }
}

fn name(kind: EmbeddingKind, encoder: &str) -> String {
    format!("{} {encoder}", kind.tag())
}

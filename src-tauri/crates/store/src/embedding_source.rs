//! What the vectors of an encoder that a user named were made of: a mark of each text, and how texts were read.

use crate::cover::Part;
use crate::embedding::EmbeddingKind;
use crate::embedding::Embeddings;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::{bytes_in, unreadable};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::{Code, Failure};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    67,
    "CREATE TABLE embedding_source (
        name TEXT NOT NULL,
        part INTEGER NOT NULL,
        reading TEXT NOT NULL,
        marks BLOB NOT NULL,
        PRIMARY KEY (name, part)
    ) STRICT;",
)];

pub(crate) const COVERED: Part = (
    "embedding_source",
    "SELECT name, part, reading, marks FROM embedding_source WHERE name = ?1 ORDER BY part",
);

/// Vectors of sentences by an encoder that a user named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkedEmbeddings {
    /// The vectors.
    pub embeddings: Embeddings,
    /// The mark of each vector's text, by which a changed text is recognised.
    pub marks: Vec<u64>,
    /// How the encoder read the texts, as JSON.
    pub reading: String,
}

impl Reader<'_> {
    /// The sentences that have vectors by this encoder, in the order in which the vectors were stored: the id of each,
    /// and the mark of its text, by which a changed text is recognised.
    pub fn marks_of(&self, encoder: &str) -> Result<Vec<(i64, u64)>> {
        let name = name(encoder);
        let blobs = |sql: &str| -> Result<Vec<u8>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query([&name])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.extend_from_slice(bytes_in("embedding_source", row, 0)?);
            }
            Ok(all)
        };
        let ids = blobs("SELECT ids FROM embedding WHERE name = ?1 ORDER BY block")?;
        let marks = blobs("SELECT marks FROM embedding_source WHERE name = ?1 ORDER BY part")?;
        if ids.len() != marks.len() {
            return Err(unreadable("embedding_source", "marks are missing"));
        }
        let ids = ids.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b));
        let marks = marks.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b));
        Ok(ids.zip(marks).collect())
    }
}

impl Writer<'_> {
    /// Stores vectors of sentences by this encoder. A new vector replaces the sentence's earlier one.
    ///
    /// # Errors
    /// A refusal if the sizes do not fit; errors of the database.
    pub fn put_marked_embeddings(
        &mut self,
        encoder: &str,
        new: &MarkedEmbeddings,
        in_place_of_all: bool,
    ) -> Result<()> {
        let (name, made) = (name(encoder), &new.embeddings);
        let there: Option<usize> = match in_place_of_all {
            true => None,
            false => self.connection.query_row(
                "SELECT max(dim) FROM embedding WHERE name = ?1",
                [&name],
                |row| row.get(0),
            )?,
        };
        if made.vectors.len() != made.ids.len() * made.dim
            || made.ids.len() != new.marks.len()
            || there.is_some_and(|there| there != made.dim)
        {
            return Err(StoreError::Refused(Failure::new(
                Code::Internal,
                format!("vectors of {name} do not fit those that are there"),
                "report this message",
            )));
        }
        if in_place_of_all {
            for table in ["embedding", "embedding_source"] {
                self.connection
                    .execute(&format!("DELETE FROM {table} WHERE name = ?1"), [&name])?;
            }
        }
        let next = |table: &str, number: &str| -> Result<i64> {
            let sql =
                format!("SELECT coalesce(max({number}), -1) + 1 FROM {table} WHERE name = ?1");
            Ok(self.connection.query_row(&sql, [&name], |row| row.get(0))?)
        };
        let (block, part) = (
            next("embedding", "block")?,
            next("embedding_source", "part")?,
        );
        self.append_embeddings(&name, block, &made.ids, made.dim, &made.vectors)?;
        let marks: Vec<u8> = new.marks.iter().flat_map(|m| m.to_le_bytes()).collect();
        self.connection.execute(
            "INSERT INTO embedding_source (name, part, reading, marks) VALUES (?1, ?2, ?3, ?4)",
            params![name, part, new.reading, marks],
        )?;
        let action = if in_place_of_all {
            "embeddings.put"
        } else {
            "embeddings.add"
        };
        self.record(action, &Scope::Embeddings(name))
    }
}

fn name(encoder: &str) -> String {
    format!("{} {encoder}", EmbeddingKind::Sentence.tag())
}

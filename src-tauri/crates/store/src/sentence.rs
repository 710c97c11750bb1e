//! Sentences: text, kind, place. The hot table: the only one that keeps the sentences' text.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, bytes_in, one, tag_in, unreadable, value};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::document::{ParsedSentence, Sentence};
use lexforge_domain::text::{Region, SentenceKind};
use lexforge_domain::{DocumentId, SectionId, SentenceId};
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
        7,
        concat!(
            "CREATE TABLE sentence (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            page INTEGER NOT NULL,
            section INTEGER REFERENCES section (id),
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            regions BLOB NOT NULL,
            first INTEGER NOT NULL,
            past INTEGER NOT NULL,
            external_id TEXT
        ) STRICT;
        CREATE INDEX sentence_of_page ON sentence (document, page, id);",
            append_only!("sentence")
        ),
    ),
    Migration::new(22, "ALTER TABLE sentence ADD COLUMN complete TEXT;"),
];

pub(crate) const COVERED_COMPLETE: Part = (
    "sentence.complete",
    "SELECT id, complete FROM sentence WHERE document = ?1 AND complete IS NOT NULL ORDER BY page, id",
);

pub(crate) const COVERED: Part = (
    "sentence",
    // By (document, page, id) the rows come along the index; within a document that is as fixed an order as by id.
    "SELECT id, position, page, section, kind, text, regions, first, past, external_id FROM sentence
     WHERE document = ?1 ORDER BY page, id",
);

const SELECT: &str = "SELECT s.id, s.document, s.position, s.page, s.section, coalesce(x.path, ''), s.kind, s.text,
    s.regions, s.first, s.past, s.external_id, s.complete FROM sentence s LEFT JOIN section x ON x.id = s.section";

impl Reader<'_> {
    /// All sentences of a document, or of all documents, in reading order.
    pub fn sentences(&self, document: Option<DocumentId>) -> Result<Vec<Sentence>> {
        let mut all = Vec::new();
        self.each_sentence(document, |sentence| {
            all.push(sentence);
            Ok(())
        })?;
        Ok(all)
    }

    /// Passes the sentences of a document, or of all documents, to `f` one by one in reading order.
    ///
    /// # Errors
    /// Errors of the database, and what `f` returns.
    pub(crate) fn each_sentence(
        &self,
        document: Option<DocumentId>,
        mut f: impl FnMut(Sentence) -> Result<()>,
    ) -> Result<()> {
        // The sentences of a document have consecutive ids in reading order.
        let (first, last) = match document {
            None => (i64::MIN, i64::MAX),
            Some(id) => self.sentence_range(id)?,
        };
        let mut statement = self.connection.prepare_cached(&format!(
            "{SELECT} WHERE s.id BETWEEN ?1 AND ?2 ORDER BY s.id"
        ))?;
        let mut rows = statement.query([first, last])?;
        while let Some(row) = rows.next()? {
            f(sentence(row)?)?;
        }
        Ok(())
    }

    /// First and last id of a document's sentences; an empty range where it has none.
    pub(crate) fn sentence_range(&self, document: DocumentId) -> Result<(i64, i64)> {
        let mut statement = self.connection.prepare_cached(
            "SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM sentence WHERE document = ?1",
        )?;
        Ok(statement.query_row([document.0], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// The texts of the sentences from `first` to `last`, in reading order.
    pub fn texts_between(&self, first: SentenceId, last: SentenceId) -> Result<Vec<String>> {
        let sql = "SELECT text FROM sentence WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        all(self.connection, sql, [first.0, last.0], |row| {
            Ok(row.get(0)?)
        })
    }

    /// The documents in the order of their import, each with the id of its first sentence and the number of its
    /// sentences. The ids of a document's sentences are consecutive, in reading order.
    pub fn sentence_ranges(&self) -> Result<Vec<(DocumentId, SentenceId, u32)>> {
        let sql = "SELECT d.id, f.first_sentence, d.sentences FROM document d JOIN full_text_length f ON f.document = d.id
             ORDER BY d.id";
        all(self.connection, sql, [], |row| {
            Ok((
                DocumentId(row.get(0)?),
                SentenceId(row.get(1)?),
                row.get(2)?,
            ))
        })
    }

    /// The number of sentences of a document in the top-level section with this name.
    pub fn count_in_section(&self, document: DocumentId, path: &str) -> Result<u64> {
        let sql = "SELECT coalesce(sum(sentences), 0) FROM section WHERE document = ?1 AND parent IS NULL AND path = ?2";
        value(self.connection, sql, params![document.0, path])
    }

    /// The sentence with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn sentence(&self, id: SentenceId) -> Result<Sentence> {
        let sql = format!("{SELECT} WHERE s.id = ?1");
        one(self.connection, &sql, "sentence", id.0, sentence)
    }

    /// The sentences with these ids, in the order of the ids.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn sentences_by_ids(&self, ids: &[SentenceId]) -> Result<Vec<Sentence>> {
        ids.iter().map(|&id| self.sentence(id)).collect()
    }

    /// The sentences that begin on a page.
    pub(crate) fn sentences_of_page(
        &self,
        document: DocumentId,
        page: u32,
    ) -> Result<Vec<Sentence>> {
        let sql = format!("{SELECT} WHERE s.document = ?1 AND s.page = ?2 ORDER BY s.id");
        all(self.connection, &sql, params![document.0, page], sentence)
    }
}

/// Inserts the sentences and returns the id of the first; the others follow without a gap.
pub(crate) fn insert(
    writer: &Writer,
    document: DocumentId,
    sentences: &[ParsedSentence],
    sections: &[SectionId],
) -> Result<SentenceId> {
    let first: i64 = writer.connection.query_row(
        "SELECT coalesce(max(id), 0) + 1 FROM sentence",
        [],
        |row| row.get(0),
    )?;
    let mut statement = writer.connection.prepare_cached(
        "INSERT INTO sentence (id, document, position, page, section, kind, text, regions, first, past, external_id,
            complete)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for (position, s) in (0_i64..).zip(sentences) {
        statement.execute(params![
            first + position,
            document.0,
            position,
            s.page,
            s.section.and_then(|i| sections.get(i)).map(|id| id.0),
            s.kind.tag(),
            s.text,
            pack(&s.regions),
            s.start as i64,
            s.end as i64,
            s.external_id,
            s.complete
        ])?;
    }
    Ok(SentenceId(first))
}

pub(crate) fn sentence(row: &Row) -> Result<Sentence> {
    Ok(Sentence {
        id: SentenceId(row.get(0)?),
        document: DocumentId(row.get(1)?),
        position: row.get(2)?,
        page: row.get(3)?,
        section_id: row.get::<_, Option<i64>>(4)?.map(SectionId),
        section: row.get(5)?,
        kind: tag_in("sentence", row, 6, SentenceKind::from_tag)?,
        text: row.get(7)?,
        boxes: unpack(bytes_in("sentence", row, 8)?)?,
        start: row.get(9)?,
        end: row.get(10)?,
        external_id: row.get(11)?,
        complete: row.get(12)?,
    })
}

/// Bytes of one region: page, x0, y0, x1, y1, little-endian, four bytes each.
const REGION_BYTES: usize = 20;

fn pack(regions: &[Region]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(regions.len() * REGION_BYTES);
    for r in regions {
        bytes.extend_from_slice(&r.page.to_le_bytes());
        for value in [r.x0, r.y0, r.x1, r.y1] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
    bytes
}

pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<Region>> {
    if !bytes.len().is_multiple_of(REGION_BYTES) {
        return Err(unreadable("sentence", "the regions are cut"));
    }
    let word = |region: &[u8], i: usize| {
        [
            region[4 * i],
            region[4 * i + 1],
            region[4 * i + 2],
            region[4 * i + 3],
        ]
    };
    let region = |r: &[u8]| Region {
        page: u32::from_le_bytes(word(r, 0)),
        x0: f32::from_le_bytes(word(r, 1)),
        y0: f32::from_le_bytes(word(r, 2)),
        x1: f32::from_le_bytes(word(r, 3)),
        y1: f32::from_le_bytes(word(r, 4)),
    };
    Ok(bytes.chunks_exact(REGION_BYTES).map(region).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn regions_survive_packing() {
        let regions = vec![
            Region {
                page: 1,
                x0: 0.5,
                y0: -1.25,
                x1: 612.0,
                y1: 792.0,
            },
            Region {
                page: u32::MAX,
                x0: 0.0,
                y0: f32::MIN_POSITIVE,
                x1: 3.0,
                y1: 4.0,
            },
        ];
        assert_eq!(unpack(&pack(&regions)).unwrap(), regions);
        assert!(unpack(&pack(&regions)[1..]).is_err());
    }
}

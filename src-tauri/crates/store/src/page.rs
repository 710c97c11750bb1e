//! Pages: their size, their text in reading order, and how well the two readers agree.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, from_tag, not_found, text_in, to_json};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{PageMark, PageView, SentenceView};
use lexforge_domain::document::{ParsedPage, ReadEngine, RemovedLine};
use rusqlite::{OptionalExtension, params};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
        5,
        concat!(
            "CREATE TABLE page (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            number INTEGER NOT NULL,
            width REAL NOT NULL,
            height REAL NOT NULL,
            engine TEXT NOT NULL,
            agreement REAL,
            scanned INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (document, number)
        ) STRICT;",
            append_only!("page")
        ),
    ),
    Migration::new(21, "ALTER TABLE page ADD COLUMN differences TEXT;"),
    Migration::new(86, "ALTER TABLE page ADD COLUMN removed TEXT;"),
];

pub(crate) const COVERED_REMOVED: Part = (
    "page.removed",
    "SELECT number, removed FROM page WHERE document = ?1 AND removed IS NOT NULL ORDER BY number",
);

pub(crate) const COVERED_DIFFERENCES: Part = (
    "page.differences",
    "SELECT number, differences FROM page WHERE document = ?1 AND differences IS NOT NULL ORDER BY number",
);

pub(crate) const COVERED: Part = (
    "page",
    "SELECT number, width, height, engine, agreement, scanned, text FROM page WHERE document = ?1 ORDER BY number",
);

impl Reader<'_> {
    /// A page with its sentences and the terms in them; pages count from 1. References are not included. The caller
    /// adds them, because it knows the other documents.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn page(&self, document: DocumentId, number: u32) -> Result<PageView> {
        let found = self
            .connection
            .prepare_cached(
                "SELECT width, height, engine, agreement, scanned, text, differences FROM page
                 WHERE document = ?1 AND number = ?2",
            )?
            .query_row(params![document.0, number], |row| {
                Ok((
                    row.get::<_, f32>(0)?,
                    row.get::<_, f32>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, Option<f64>>(3)?,
                    row.get::<_, bool>(4)?,
                    row.get::<_, String>(5)?,
                    row.get::<_, Option<String>>(6)?,
                ))
            })
            .optional()?;
        let Some((width, height, engine, agreement, scanned, text, differences)) = found else {
            let id = format!("{number} of document {document}");
            return Err(not_found("page", id));
        };
        let mut terms = self.mentions_in(document, number)?;
        let sentences = self
            .sentences_of_page(document, number)?
            .into_iter()
            .map(|sentence| SentenceView {
                terms: terms.remove(&sentence.id).unwrap_or_default(),
                sentence,
                references: Vec::new(),
            })
            .collect();
        let engine = from_tag("page", &engine, ReadEngine::from_tag)?;
        let differences = differences.map_or(Ok(Vec::new()), |json| from_json("page", &json))?;
        // A page with an image is read on the image; only a text without one is laid out by these places.
        let offset = if width > 0.0 {
            0
        } else {
            self.page_offset(document, number)?
        };
        Ok(PageView {
            document,
            number,
            width,
            height,
            engine,
            agreement,
            scanned,
            text,
            offset,
            differences,
            sentences,
        })
    }

    /// Scalar values of the document's text before a page, form feeds between pages included.
    fn page_offset(&self, document: DocumentId, number: u32) -> Result<usize> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT text FROM page WHERE document = ?1 AND number < ?2")?;
        let mut rows = statement.query(params![document.0, number])?;
        let mut offset = 0;
        while let Some(row) = rows.next()? {
            offset += text_in("page", row, 0)?.chars().count() + 1;
        }
        Ok(offset)
    }

    /// How each page of a document was read, in order. The store does not judge which pages need checking.
    pub fn page_marks(&self, document: DocumentId) -> Result<Vec<PageMark>> {
        let sql = "SELECT number, engine, agreement, scanned FROM page WHERE document = ?1 ORDER BY number";
        all(self.connection, sql, [document.0], |row| {
            Ok(PageMark {
                number: row.get(0)?,
                engine: from_tag("page", &row.get::<_, String>(1)?, ReadEngine::from_tag)?,
                agreement: row.get(2)?,
                scanned: row.get(3)?,
                look: false,
            })
        })
    }

    /// The lines that were removed from a document's text, page by page. For documents that an older version read,
    /// there are no such lines.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn removed_lines(&self, document: DocumentId) -> Result<Vec<RemovedLine>> {
        let sql =
            "SELECT removed FROM page WHERE document = ?1 AND removed IS NOT NULL ORDER BY number";
        let pages: Vec<Vec<RemovedLine>> = all(self.connection, sql, [document.0], |row| {
            from_json("page", &row.get::<_, String>(0)?)
        })?;
        let lines: Vec<RemovedLine> = pages.into_iter().flatten().collect();
        if lines.is_empty() {
            self.document(document)?;
        }
        Ok(lines)
    }

    /// The document's text in reading order, pages separated by a form feed.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn document_text(&self, id: DocumentId) -> Result<String> {
        let sql = "SELECT text FROM page WHERE document = ?1 ORDER BY number";
        let pages: Vec<String> = all(self.connection, sql, [id.0], |row| Ok(row.get(0)?))?;
        if pages.is_empty() {
            self.document(id)?;
        }
        Ok(pages.join("\u{c}"))
    }
}

pub(crate) fn insert(writer: &Writer, document: DocumentId, pages: &[ParsedPage]) -> Result<()> {
    let mut statement = writer.connection.prepare_cached(
        "INSERT INTO page (document, number, width, height, engine, agreement, scanned, text, differences,
            removed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for page in pages {
        statement.execute(params![
            document.0,
            page.number,
            page.width,
            page.height,
            page.engine.tag(),
            page.agreement,
            page.scanned,
            page.text,
            (!page.differences.is_empty())
                .then(|| to_json("page", &page.differences))
                .transpose()?,
            (!page.removed.is_empty())
                .then(|| to_json("page", &page.removed))
                .transpose()?
        ])?;
    }
    Ok(())
}

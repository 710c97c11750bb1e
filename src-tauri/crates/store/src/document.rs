//! Documents: what came in, when, and how well it was read.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, from_tag, now, one, text_in, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use crate::{chunk, full_text, page, section, sentence};
use lexforge_domain::DocumentId;
use lexforge_domain::api::DocumentRow;
use lexforge_domain::document::{DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument};
use lexforge_domain::text::Language;
use rusqlite::{Row, params};
use sha2::{Digest, Sha256};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
        3,
        concat!(
            "CREATE TABLE document (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL UNIQUE,
            file TEXT NOT NULL,
            title TEXT NOT NULL,
            format TEXT NOT NULL,
            language TEXT NOT NULL,
            pages INTEGER NOT NULL,
            sentences INTEGER NOT NULL,
            scanned_pages INTEGER NOT NULL,
            hayro_pages INTEGER NOT NULL,
            pdf_extract_pages INTEGER NOT NULL,
            ocr_pages INTEGER NOT NULL,
            reader_agreement REAL,
            warnings TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            imported TEXT NOT NULL
        ) STRICT;",
            append_only!("document")
        ),
    ),
    Migration::new(20, "ALTER TABLE document ADD COLUMN about TEXT;"),
];

pub(crate) const COVERED_ABOUT: Part = (
    "document.about",
    "SELECT about FROM document WHERE id = ?1 AND about IS NOT NULL",
);

pub(crate) const COVERED: Part = (
    "document",
    "SELECT id, sha256, file, title, format, language, pages, sentences, scanned_pages, hayro_pages,
            pdf_extract_pages, ocr_pages, reader_agreement, warnings, bytes, imported
     FROM document WHERE id = ?1",
);

const COLUMNS: &str = "id, sha256, file, title, format, language, pages, sentences, scanned_pages, hayro_pages,
    pdf_extract_pages, ocr_pages, reader_agreement, warnings, bytes, imported,
    about, (SELECT predecessor FROM succession WHERE document = document.id ORDER BY id DESC LIMIT 1),
    (SELECT body FROM validity WHERE document = document.id ORDER BY id DESC LIMIT 1)";

impl Reader<'_> {
    /// The document whose file has this SHA-256 (in hexadecimal).
    pub fn document_by_hash(&self, sha256: &str) -> Result<Option<DocumentId>> {
        let sql = "SELECT id FROM document WHERE sha256 = ?1";
        first(self.connection, sql, [sha256], |row| {
            Ok(DocumentId(row.get(0)?))
        })
    }

    /// All documents in the order of their import.
    pub fn documents(&self) -> Result<Vec<DocumentRow>> {
        let sql = format!("SELECT {COLUMNS} FROM document ORDER BY id");
        all(self.connection, &sql, [], document)
    }

    /// The document with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn document(&self, id: DocumentId) -> Result<DocumentRow> {
        let sql = format!("SELECT {COLUMNS} FROM document WHERE id = ?1");
        one(self.connection, &sql, "document", id.0, document)
    }

    /// SHA-256 over the documents' hashes in ascending order, in hexadecimal. The same documents give the same hash, in
    /// whatever order they were imported.
    pub fn corpus_hash(&self) -> Result<String> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT sha256 FROM document ORDER BY sha256")?;
        let mut rows = statement.query([])?;
        let mut hash = Sha256::new();
        while let Some(row) = rows.next()? {
            hash.update(text_in("document", row, 0)?);
            hash.update(b"\n");
        }
        Ok(hex::encode(hash.finalize()))
    }
}

impl Writer<'_> {
    /// Stores a document with its bytes, pages, sections, sentences and their full-text index. If the same bytes are
    /// stored already (another process may have been quicker), nothing changes and that document's id is returned.
    ///
    /// # Errors
    /// `DiskFull` and errors of the database.
    pub fn insert_document(
        &mut self,
        parsed: &ParsedDocument,
        file: &str,
        bytes: &[u8],
    ) -> Result<DocumentId> {
        let sha256 = hex::encode(Sha256::digest(bytes));
        if let Some(id) = self.document_by_hash(&sha256)? {
            return Ok(id);
        }
        let id = DocumentId(
            self.connection
                .prepare_cached(
                    "INSERT INTO document (sha256, file, title, format, language, pages, sentences, scanned_pages,
                        hayro_pages, pdf_extract_pages, ocr_pages, reader_agreement, warnings, bytes, imported, about)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
                )?
                .insert(params![
                    sha256,
                    file,
                    parsed.title,
                    parsed.format.tag(),
                    parsed.language.tag(),
                    parsed.pages.len() as i64,
                    parsed.sentences.len() as i64,
                    parsed.scanned_pages,
                    parsed.engines.hayro,
                    parsed.engines.pdf_extract,
                    parsed.engines.ocr,
                    parsed.reader_agreement,
                    to_json("document", &parsed.warnings)?,
                    bytes.len() as i64,
                    now(),
                    (parsed.metadata != DocumentMetadata::default())
                        .then(|| to_json("document", &parsed.metadata))
                        .transpose()?
                ])?,
        );
        chunk::insert(self, id, bytes)?;
        page::insert(self, id, &parsed.pages)?;
        let sections = section::insert(self, id, parsed)?;
        let first = sentence::insert(self, id, &parsed.sentences, &sections)?;
        full_text::insert(self, id, first, &parsed.sentences)?;
        self.record("document.import", &Scope::Document(id))?;
        Ok(id)
    }
}

fn document(row: &Row) -> Result<DocumentRow> {
    Ok(DocumentRow {
        id: DocumentId(row.get(0)?),
        sha256: row.get(1)?,
        file: row.get(2)?,
        title: row.get(3)?,
        format: from_tag(
            "document",
            &row.get::<_, String>(4)?,
            DocumentFormat::from_tag,
        )?,
        language: Language::from_tag(&row.get::<_, String>(5)?),
        pages: row.get(6)?,
        sentences: row.get(7)?,
        scanned_pages: row.get(8)?,
        engines: EngineCounts {
            hayro: row.get(9)?,
            pdf_extract: row.get(10)?,
            ocr: row.get(11)?,
        },
        reader_agreement: row.get(12)?,
        warnings: from_json("document", &row.get::<_, String>(13)?)?,
        bytes: row.get(14)?,
        imported: row.get(15)?,
        metadata: row
            .get::<_, Option<String>>(16)?
            .map_or(Ok(DocumentMetadata::default()), |json| {
                from_json("document", &json)
            })?,
        predecessor: row.get::<_, Option<i64>>(17)?.map(DocumentId),
        validity: row
            .get::<_, Option<String>>(18)?
            .map(|json| from_json("validity", &json))
            .transpose()?,
    })
}

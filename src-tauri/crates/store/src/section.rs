//! The section tree of each document.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::all;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::document::{ParsedDocument, Section};
use lexforge_domain::{DocumentId, SectionId};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    6,
    concat!(
        "CREATE TABLE section (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            parent INTEGER REFERENCES section (id),
            level INTEGER NOT NULL,
            label TEXT NOT NULL,
            title TEXT NOT NULL,
            path TEXT NOT NULL,
            page INTEGER NOT NULL,
            sentences INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX section_of_document ON section (document, id);",
        append_only!("section")
    ),
)];

pub(crate) const COVERED: Part = (
    "section",
    "SELECT id, parent, level, label, title, path, page, sentences FROM section WHERE document = ?1 ORDER BY id",
);

impl Reader<'_> {
    /// The sections of a document in reading order.
    pub fn sections(&self, document: DocumentId) -> Result<Vec<Section>> {
        let sql = "SELECT id, parent, level, label, title, path, page, sentences FROM section
             WHERE document = ?1 ORDER BY id";
        all(self.connection, sql, [document.0], |row| {
            Ok(Section {
                id: SectionId(row.get(0)?),
                parent: row.get::<_, Option<i64>>(1)?.map(SectionId),
                level: row.get(2)?,
                label: row.get(3)?,
                title: row.get(4)?,
                path: row.get(5)?,
                page: row.get(6)?,
                sentences: row.get(7)?,
            })
        })
    }
}

/// Inserts the sections and returns their ids in the order of `parsed.sections`.
pub(crate) fn insert(
    writer: &Writer,
    document: DocumentId,
    parsed: &ParsedDocument,
) -> Result<Vec<SectionId>> {
    let counts = sentences_below(parsed);
    let mut ids: Vec<SectionId> = Vec::with_capacity(parsed.sections.len());
    let mut statement = writer.connection.prepare_cached(
        "INSERT INTO section (document, parent, level, label, title, path, page, sentences)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (section, count) in parsed.sections.iter().zip(counts) {
        let parent = section.parent.and_then(|p| ids.get(p)).map(|id| id.0);
        let id = statement.insert(params![
            document.0,
            parent,
            section.level,
            section.label,
            section.title,
            section.path,
            section.page,
            count
        ])?;
        ids.push(SectionId(id));
    }
    Ok(ids)
}

/// For each section the sentences that are in it and in the sections below it.
fn sentences_below(parsed: &ParsedDocument) -> Vec<u32> {
    let mut counts = vec![0; parsed.sections.len()];
    for section in parsed.sentences.iter().filter_map(|s| s.section) {
        if let Some(count) = counts.get_mut(section) {
            *count += 1;
        }
    }
    // Parents stand before their children: from the end, each count is complete when it is handed up.
    for (index, section) in parsed.sections.iter().enumerate().rev() {
        if let Some(parent) = section.parent.filter(|&p| p < index) {
            counts[parent] += counts[index];
        }
    }
    counts
}

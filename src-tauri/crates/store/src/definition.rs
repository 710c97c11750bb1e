//! Definitions: what each act says that a term means.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::all;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::TermDefinition;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    37,
    "CREATE TABLE definition (
        term INTEGER NOT NULL REFERENCES term (id),
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        document INTEGER NOT NULL REFERENCES document (id),
        text TEXT NOT NULL,
        PRIMARY KEY (term, sentence)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX definition_in ON definition (sentence);",
)];

pub(crate) const COVERED: Part = (
    "definition",
    "SELECT term, sentence, document, text FROM definition ORDER BY term, sentence",
);

/// A definition as extracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDefinition {
    /// The sentence with the definition.
    pub sentence: SentenceId,
    pub document: DocumentId,
    /// The definition's own words.
    pub text: String,
}

impl Reader<'_> {
    /// The definitions of a term, document by document in reading order. `text::wording::mark_differing` marks those
    /// that differ from the first.
    pub fn definitions_of(&self, term: TermId) -> Result<Vec<TermDefinition>> {
        let sql = "SELECT d.sentence, d.document, d.text FROM definition d JOIN sentence s ON s.id = d.sentence
             WHERE d.term = ?1 ORDER BY d.document, s.position";
        all(self.connection, sql, [term.0], |row| {
            let sentence = self.sentence(SentenceId(row.get(0)?))?;
            let document = self.document(DocumentId(row.get(1)?))?;
            Ok(TermDefinition::of(row.get(2)?, sentence, document))
        })
    }
}

/// Adds the definitions of terms, each with its term.
pub(crate) fn insert_all<'d>(
    writer: &Writer,
    definitions: impl IntoIterator<Item = (TermId, &'d NewDefinition)>,
) -> Result<()> {
    definitions
        .into_iter()
        .try_for_each(|(term, definition)| insert(writer, term, definition))
}

/// Adds a definition of a term; one that its sentence gives already stays.
pub(crate) fn insert(writer: &Writer, term: TermId, definition: &NewDefinition) -> Result<()> {
    let sql =
        "INSERT OR IGNORE INTO definition (term, sentence, document, text) VALUES (?1, ?2, ?3, ?4)";
    let (sentence, document) = (definition.sentence.0, definition.document.0);
    writer.connection.prepare_cached(sql)?.execute(params![
        term.0,
        sentence,
        document,
        definition.text
    ])?;
    Ok(())
}

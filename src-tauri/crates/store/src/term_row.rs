//! The row of a term in the database: its columns with the migration steps that made them, the columns that an audit
//! row covers, how a row is written and read, and which rows a new extraction keeps. To add a column, change only this
//! file.

use crate::cover::Part;
use crate::error::Result;
use crate::row::from_tag;
use crate::step::Migration;
use lexforge_domain::term::{FoundBy, ReviewStatus, Term};
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use rusqlite::{Row, Statement, named_params};

pub(crate) const MIGRATIONS: &[Migration] = &[MADE, CLASSED, NARROW];

const MADE: Migration = Migration::new(
    9,
    // AUTOINCREMENT: the id of a term that is gone is never given to another.
    "CREATE TABLE term (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        language TEXT NOT NULL,
        normal TEXT NOT NULL,
        text TEXT NOT NULL,
        class TEXT NOT NULL,
        status TEXT NOT NULL,
        score REAL NOT NULL,
        mentions INTEGER NOT NULL,
        definition TEXT,
        definition_sentence INTEGER REFERENCES sentence (id),
        definition_document INTEGER REFERENCES document (id),
        UNIQUE (language, normal)
    ) STRICT;
    CREATE INDEX term_by_score ON term (score DESC, id, class, status);",
);

/// Renames the column `class` to `found`, because its values say how a term was found. The new column `class` holds the
/// name of a class of the schema. SQLite changes the name in the index, too.
const CLASSED: Migration = Migration::new(
    28,
    "ALTER TABLE term RENAME COLUMN class TO found;
     ALTER TABLE term ADD COLUMN class TEXT NOT NULL DEFAULT '';",
);

/// The order of lists, with all that they are filtered by: no term is read to skip it.
const NARROW: Migration = Migration::new(
    35,
    "DROP INDEX term_by_score;
     CREATE INDEX term_by_score ON term (score DESC, id, found, class, language);",
);

pub(crate) const COVERED: Part = (
    "term",
    "SELECT id, language, normal, text, found, status, score, mentions, definition, definition_sentence,
            definition_document
     FROM term ORDER BY id",
);
/// Columns that later formats added, one part for each. If no row has a value in such a column, the part is not
/// included in the hash. So hashes that were made before the column existed are still right.
pub(crate) const LATER: &[Part] = &[(
    "term class",
    "SELECT id, class FROM term WHERE class <> '' ORDER BY id",
)];

/// A term as the reviewers left it: text and class as they settled them, else as extracted.
pub(crate) const SELECT: &str = "SELECT t.id AS id, coalesce(v.text, t.text) AS text, t.normal AS normal, t.found AS found,
    coalesce(v.class, t.class) AS class, coalesce(v.status, 'unreviewed') AS status, v.into_term AS into_term,
    t.score AS score, t.mentions AS mentions, t.definition AS definition,
    t.definition_sentence AS definition_sentence, t.definition_document AS definition_document, t.language AS language
    FROM term t LEFT JOIN verdict v ON v.kind = 'term' AND v.first = t.id AND v.second = 0";

/// The columns that a repeated extraction overwrites. Facts from persons and glossaries stay.
pub(crate) const EXTRACTED_AGAIN: &str = "ON CONFLICT (language, normal) DO UPDATE SET text = excluded.text,
    found = iif(found IN ('person', 'glossary'), found, excluded.found), score = excluded.score,
    mentions = excluded.mentions,
    definition = iif(found IN ('person', 'glossary'), coalesce(excluded.definition, definition), excluded.definition),
    definition_sentence = excluded.definition_sentence, definition_document = excluded.definition_document,
    class = iif(excluded.class <> '', excluded.class, class)";

/// The ids of the terms that no extraction takes away. A column that a person fills belongs in here.
pub(crate) const KEPT: &str = "SELECT id FROM term WHERE found IN ('person', 'glossary')
    UNION SELECT first FROM decision WHERE kind IN ('term', 'pair')
    UNION SELECT second FROM decision WHERE kind = 'pair'
    UNION SELECT term FROM glossary";

/// What writes a row, for [`insert`]; `rest` says what becomes of a term that is there already.
pub(crate) fn insertion(rest: &str) -> String {
    format!(
        "INSERT INTO term (id, language, normal, text, found, class, status, score, mentions, definition,
                           definition_sentence, definition_document)
         VALUES (:id, :language, :normal, :text, :found, :class, 'unreviewed', :score, :mentions, :definition,
                 :definition_sentence, :definition_document)
         {rest} RETURNING id"
    )
}

/// Stores a term as it was found, with [`insertion`]. The decisions of reviewers are stored elsewhere. If `id` is
/// `None`, the table assigns an id.
pub(crate) fn insert(
    statement: &mut Statement<'_>,
    id: Option<TermId>,
    term: &Term,
) -> Result<TermId> {
    let written = statement.query_row(
        named_params! {
            ":id": id.map(|id| id.0),
            ":language": term.language.tag(),
            ":normal": term.normal,
            ":text": term.text,
            ":found": term.found.tag(),
            ":class": term.class,
            ":score": term.score,
            ":mentions": term.mentions,
            ":definition": term.definition,
            ":definition_sentence": term.definition_sentence.map(|s| s.0),
            ":definition_document": term.definition_document.map(|d| d.0),
        },
        |row| row.get(0),
    )?;
    Ok(TermId(written))
}

/// A term from a row of [`SELECT`].
pub(crate) fn read(row: &Row) -> Result<Term> {
    Ok(Term {
        id: TermId(row.get("id")?),
        text: row.get("text")?,
        normal: row.get("normal")?,
        found: from_tag("term", &row.get::<_, String>("found")?, FoundBy::from_tag)?,
        class: row.get("class")?,
        merged_into: row.get::<_, Option<i64>>("into_term")?.map(TermId),
        status: from_tag(
            "term",
            &row.get::<_, String>("status")?,
            ReviewStatus::from_tag,
        )?,
        score: row.get("score")?,
        mentions: row.get("mentions")?,
        definition: row.get("definition")?,
        definition_sentence: row
            .get::<_, Option<i64>>("definition_sentence")?
            .map(SentenceId),
        definition_document: row
            .get::<_, Option<i64>>("definition_document")?
            .map(DocumentId),
        language: Language::from_tag(&row.get::<_, String>("language")?),
    })
}

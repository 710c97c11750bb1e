//! Facts about terms from imported glossaries, each with its file. An extraction never removes a term that a glossary
//! names.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, not_found};
use crate::scope::Scope;
use crate::step::Migration;
use crate::term_row;
use crate::writer::Writer;
use lexforge_domain::term::{FoundBy, Term, TermCandidate};
use lexforge_domain::text::Language;
use lexforge_domain::{SentenceId, TermId};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    40,
    "CREATE TABLE glossary (
        term INTEGER NOT NULL REFERENCES term (id),
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT NOT NULL,
        file TEXT NOT NULL,
        PRIMARY KEY (term, kind, value, source)
    ) STRICT, WITHOUT ROWID;",
)];

pub(crate) const COVERED: Part = (
    "glossary",
    "SELECT term, kind, value, source, file FROM glossary ORDER BY term, kind, value, source",
);

/// A fact about a term from a glossary.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlossaryFact {
    /// What kind of thing: a word of the caller's, for example `definition`.
    pub kind: String,
    /// What is said.
    pub value: String,
    /// The source that the glossary names; empty = none.
    pub source: String,
}

/// A term that a glossary brings or speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct GlossaryTerm {
    /// The term that is there; `None` = it is new.
    pub id: Option<TermId>,
    pub language: Language,
    /// Its normal form, which identifies it among the terms of its language.
    pub normal: String,
    /// How it is written.
    pub text: String,
    /// Its class, used if the term has none; empty = none.
    pub class: String,
    /// Its definition, used if the term has none.
    pub definition: Option<String>,
    /// Other names that are new.
    pub names: Vec<String>,
    /// Further facts about it.
    pub facts: Vec<GlossaryFact>,
}

impl Reader<'_> {
    /// All facts from imported glossaries, ordered by term.
    pub fn glossary(&self) -> Result<Vec<(TermId, GlossaryFact)>> {
        let sql =
            "SELECT term, kind, value, source FROM glossary ORDER BY term, kind, value, source";
        all(self.connection, sql, [], |row| {
            Ok((
                TermId(row.get(0)?),
                GlossaryFact {
                    kind: row.get(1)?,
                    value: row.get(2)?,
                    source: row.get(3)?,
                },
            ))
        })
    }
}

impl Writer<'_> {
    /// Imports a glossary: its terms (new ones as unreviewed) and their mentions in the corpus. `file` is the file's
    /// SHA-256. `mentions` are (index into `terms`, sentence, first scalar value, one past the last). Returns the
    /// terms' ids in the order of `terms`.
    ///
    /// # Errors
    /// `NotFound` if a mention names no term of the list; errors of the database.
    pub fn import_glossary(
        &mut self,
        file: &str,
        terms: &[GlossaryTerm],
        mentions: &[(usize, SentenceId, u32, u32)],
    ) -> Result<Vec<TermId>> {
        let mut ids = Vec::with_capacity(terms.len());
        for term in terms {
            let id = put(self, term)?;
            let mut say = self.connection.prepare_cached(
                "INSERT OR IGNORE INTO glossary (term, kind, value, source, file) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for fact in &term.facts {
                say.execute(params![id.0, fact.kind, fact.value, fact.source, file])?;
            }
            for name in &term.names {
                self.add_name(id, name, "glossary")?;
            }
            ids.push(id);
        }
        let place = |index: usize| {
            let missing = || not_found("term of the list at index", index);
            ids.get(index).copied().ok_or_else(missing)
        };
        let placed: Vec<(TermId, SentenceId, u32, u32)> = mentions
            .iter()
            .map(|&(index, sentence, start, end)| Ok((place(index)?, sentence, start, end)))
            .collect::<Result<_>>()?;
        crate::mention::insert(self, placed.into_iter())?;
        let mut count = self.connection.prepare_cached(
            "UPDATE term SET mentions = (SELECT count(*) FROM mention WHERE term = term.id) WHERE id = ?1",
        )?;
        // A term that a glossary alone brought ranks by how often it is mentioned.
        let mut rank = self.connection.prepare_cached(
            "UPDATE term SET score = mentions WHERE id = ?1 AND found = 'glossary'",
        )?;
        for id in &ids {
            count.execute([id.0])?;
            rank.execute([id.0])?;
        }
        drop((count, rank));
        self.record("glossary.import", &Scope::Terms)?;
        Ok(ids)
    }
}

fn put(writer: &Writer, term: &GlossaryTerm) -> Result<TermId> {
    if let Some(id) = term.id {
        writer
            .connection
            .prepare_cached(
                "UPDATE term SET class = iif(class = '', ?2, class), definition = coalesce(definition, ?3) WHERE id = ?1",
            )?
            .execute(params![id.0, term.class, term.definition])?;
        return Ok(id);
    }
    let candidate = TermCandidate {
        normal: term.normal.clone(),
        score: 0.0,
        count: 0,
        definition: term.definition.clone(),
        class: term.class.clone(),
        ..TermCandidate::new(&term.text, FoundBy::Glossary, term.language)
    };
    let mut statement = writer.connection.prepare_cached(&term_row::insertion(""))?;
    term_row::insert(&mut statement, None, &Term::proposed(&candidate))
}

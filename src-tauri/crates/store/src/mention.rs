//! Mentions: where a term is in a sentence.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, ids, limit, text_in, value};
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::TermContext;
use lexforge_domain::term::Mention;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use rusqlite::{Row, params};
use std::collections::{HashMap, HashSet};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    10,
    "CREATE TABLE mention (
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        first INTEGER NOT NULL,
        past INTEGER NOT NULL,
        term INTEGER NOT NULL REFERENCES term (id),
        PRIMARY KEY (sentence, first, past, term)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mention_of_term ON mention (term, sentence);",
)];

pub(crate) const COVERED: Part = (
    "mention",
    "SELECT sentence, first, past, term FROM mention ORDER BY sentence, first, past, term",
);

/// For each sentence the terms in it: term, first scalar value, one past the last.
pub type Marks = HashMap<SentenceId, Vec<(TermId, u32, u32)>>;

impl Reader<'_> {
    /// All mentions of terms, ordered by sentence and place.
    pub fn mentions(&self) -> Result<Vec<Mention>> {
        let sql =
            "SELECT sentence, first, past, term FROM mention ORDER BY sentence, first, past, term";
        all(self.connection, sql, [], |row| Ok(mention(row)?))
    }

    /// The first `most` mentions of a term in reading order (0 = all).
    pub fn mentions_of(&self, term: TermId, most: u64) -> Result<Vec<Mention>> {
        let sql = "SELECT sentence, first, past, term FROM mention WHERE term = ?1 ORDER BY sentence, first LIMIT ?2";
        let values = params![term.0, limit(most)];
        all(self.connection, sql, values, |row| Ok(mention(row)?))
    }

    /// The first `most` sentences that mention a term, each once, in reading order (0 = all).
    pub fn sentences_with(&self, term: TermId, most: u64) -> Result<Vec<SentenceId>> {
        let sql = format!(
            "SELECT DISTINCT sentence FROM mention WHERE term = ?1 ORDER BY sentence LIMIT {}",
            limit(most)
        );
        Ok(ids(self.connection, &sql, [term.0])?
            .into_iter()
            .map(SentenceId)
            .collect())
    }

    /// How many sentences mention a term.
    pub fn count_sentences_with(&self, term: TermId) -> Result<u64> {
        let sql = "SELECT count(DISTINCT sentence) FROM mention WHERE term = ?1";
        value(self.connection, sql, [term.0])
    }

    /// The mentions in a sentence, in the order of their places.
    pub fn mentions_in_sentence(&self, sentence: SentenceId) -> Result<Vec<Mention>> {
        let sql = "SELECT sentence, first, past, term FROM mention WHERE sentence = ?1 ORDER BY first, past, term";
        all(self.connection, sql, [sentence.0], |row| Ok(mention(row)?))
    }

    /// The first `most` sentences that mention a term, each once with its first mention (0 = all).
    pub fn contexts_of(&self, term: TermId, most: u64) -> Result<Vec<TermContext>> {
        // With `min`, SQLite takes the other columns from the row with the least value.
        let sql = "SELECT sentence, min(first), past, term FROM mention WHERE term = ?1
             GROUP BY sentence ORDER BY sentence LIMIT ?2";
        let values = params![term.0, limit(most)];
        let mentions = all(self.connection, sql, values, |row| Ok(mention(row)?))?;
        let mut titles: HashMap<DocumentId, String> = HashMap::new();
        let mut contexts = Vec::new();
        for mention in mentions {
            let sentence = self.sentence(mention.sentence)?;
            let document_title = match titles.get(&sentence.document) {
                Some(title) => title.clone(),
                None => {
                    let title = self.document(sentence.document)?.title;
                    titles.insert(sentence.document, title.clone());
                    title
                }
            };
            contexts.push(TermContext {
                sentence,
                document_title,
                start: mention.start,
                end: mention.end,
            });
        }
        Ok(contexts)
    }

    /// The spellings of a term in its first `most` mentions (0 = all), the most frequent first, with their counts.
    pub fn surface_forms(&self, term: TermId, most: u64) -> Result<Vec<(String, u32)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.first, m.past, s.text FROM mention m CROSS JOIN sentence s ON s.id = m.sentence
             WHERE m.term = ?1 LIMIT ?2",
        )?;
        let mut rows = statement.query(params![term.0, limit(most)])?;
        let mut counts: HashMap<String, u32> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (first, past): (usize, usize) = (row.get(0)?, row.get(1)?);
            let form: String = text_in("sentence", row, 2)?
                .chars()
                .skip(first)
                .take(past.saturating_sub(first))
                .collect();
            *counts.entry(form).or_default() += 1;
        }
        let mut forms: Vec<(String, u32)> = counts.into_iter().collect();
        forms.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(forms)
    }

    /// How many documents mention a term.
    pub fn documents_with(&self, term: TermId) -> Result<u32> {
        let sql = "SELECT count(DISTINCT s.document) FROM mention m CROSS JOIN sentence s ON s.id = m.sentence
             WHERE m.term = ?1";
        value(self.connection, sql, [term.0])
    }

    /// The terms that a document mentions.
    pub fn terms_in(&self, document: DocumentId) -> Result<HashSet<TermId>> {
        let sql = "SELECT DISTINCT term FROM mention WHERE sentence BETWEEN ?1 AND ?2";
        let (first, last) = self.sentence_range(document)?;
        Ok(ids(self.connection, sql, [first, last])?
            .into_iter()
            .map(TermId)
            .collect())
    }

    /// The terms in the sentences that begin on a page.
    pub(crate) fn mentions_in(&self, document: DocumentId, page: u32) -> Result<Marks> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.sentence, m.first, m.past, m.term FROM sentence s CROSS JOIN mention m ON m.sentence = s.id
             WHERE s.document = ?1 AND s.page = ?2 ORDER BY m.sentence, m.first, m.past, m.term",
        )?;
        let mut marks = Marks::new();
        for found in statement.query_map(params![document.0, page], mention)? {
            let m = found?;
            marks
                .entry(m.sentence)
                .or_default()
                .push((m.term, m.start, m.end));
        }
        Ok(marks)
    }
}

pub(crate) fn insert(
    writer: &Writer,
    mentions: impl Iterator<Item = (TermId, SentenceId, u32, u32)>,
) -> Result<()> {
    // A range may come twice if two entries of a list are one term.
    let mut statement = writer.connection.prepare_cached(
        "INSERT OR IGNORE INTO mention (sentence, first, past, term) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (term, sentence, start, end) in mentions {
        statement.execute(params![sentence.0, start, end, term.0])?;
    }
    Ok(())
}

fn mention(row: &Row) -> rusqlite::Result<Mention> {
    Ok(Mention {
        sentence: SentenceId(row.get(0)?),
        start: row.get(1)?,
        end: row.get(2)?,
        term: TermId(row.get(3)?),
    })
}

//! Terms: one row for all variants of a term in one language.

use crate::definition::{self, NewDefinition};
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{
    all, from_tag, ids, limit, not_found, offset, one, page_of, text_in, typed, value,
};
use crate::scope::Scope;
use crate::term_name;
use crate::term_row::{self, EXTRACTED_AGAIN, KEPT, SELECT};
use crate::writer::Writer;
use lexforge_domain::api::{Rows, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::term::{FoundBy, ReviewStatus, Term, TermCandidate};
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use rusqlite::{Params, named_params, params};
use std::collections::{HashMap, HashSet};

/// The fields by which a review queue orders and filters a term.
#[derive(Clone, Debug, PartialEq)]
pub struct TermRank {
    pub id: TermId,
    /// How it was found.
    pub found: FoundBy,
    /// The extractor's score.
    pub score: f64,
    /// How many mentions it has.
    pub mentions: u32,
    pub language: Language,
    /// Its class as reviewers decided it.
    pub class: String,
    /// The state of its review.
    pub status: ReviewStatus,
}

/// A term as extracted, with the place of its definition.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTerm {
    /// The term that the extractor proposes.
    pub candidate: TermCandidate,
    /// The sentence that defines it.
    pub definition_sentence: Option<SentenceId>,
    /// The document that defines it.
    pub definition_document: Option<DocumentId>,
    /// All its definitions, in reading order.
    pub definitions: Vec<NewDefinition>,
}

impl NewTerm {
    /// A term without a definition.
    pub fn of(candidate: TermCandidate) -> Self {
        Self {
            candidate,
            definition_sentence: None,
            definition_document: None,
            definitions: Vec::new(),
        }
    }
}

impl Reader<'_> {
    /// Terms that match a filter, best score first. If reviewers decided about the text, class or status of a term, the
    /// result has the values that they chose.
    pub fn terms(&self, filter: &TermFilter) -> Result<Rows<Term>> {
        let like = typed(filter.query.as_deref());
        let (found, language) = (
            filter.found.map(FoundBy::tag),
            filter.language.map(Language::tag),
        );
        let mut conditions = vec!["1"];
        if found.is_some() {
            conditions.push("found = :found");
        }
        if language.is_some() {
            conditions.push("language = :language");
        }
        if like.is_some() {
            conditions.push(
                "(text LIKE :like ESCAPE '\\' OR definition LIKE :like ESCAPE '\\'
                  OR id IN (SELECT first FROM verdict WHERE kind = 'term' AND text LIKE :like ESCAPE '\\'))",
            );
        }
        // Each parameter is named once more than the conditions need, so that one list of values fits all filters.
        let matching = format!(
            "FROM term WHERE {} AND (1 OR :found OR :language OR :like)",
            conditions.join(" AND ")
        );
        let values = named_params! {":found": found, ":language": language, ":like": like};
        let (skip, most) = (offset(filter.offset), limit(filter.limit));
        let reviewed = filter.status.is_some() || filter.class.is_some();
        let (ids, total) = if like.is_some() || reviewed {
            // The texts are read once, in the order of the table; what matches is sorted and cut here.
            let order = if like.is_some() { "+score" } else { "score" };
            let sql = format!("SELECT id, class {matching} ORDER BY {order} DESC, id");
            let ids = self.ids_as_settled(filter, &sql, values)?;
            let total = ids.len() as u64;
            (page_of(ids, filter.offset, filter.limit), total)
        } else {
            let sql = format!("SELECT count(*) {matching}");
            let total = value(self.connection, &sql, values)?;
            // Ids alone come from the narrow index: skipping to a late row reads no term.
            let sql =
                format!("SELECT id {matching} ORDER BY score DESC, id LIMIT {most} OFFSET {skip}");
            (ids(self.connection, &sql, values)?, total)
        };
        let rows = ids
            .into_iter()
            .map(|id| self.term(TermId(id)))
            .collect::<Result<_>>()?;
        Ok(Rows { rows, total })
    }

    /// The term with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn term(&self, id: TermId) -> Result<Term> {
        self.term_by(&format!("{SELECT} WHERE t.id = ?1"), id)
    }

    /// The term with this id as it was extracted, without the decisions about it.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn extracted_term(&self, id: TermId) -> Result<Term> {
        self.term_by(&format!("{SELECT} AND 0 WHERE t.id = ?1"), id)
    }

    fn term_by(&self, sql: &str, id: TermId) -> Result<Term> {
        one(self.connection, sql, "term", id.0, term_row::read)
    }
}

impl Reader<'_> {
    /// The ids of the terms that have the filter's status and class. `sql` is a query that gives the id and the class
    /// of each term to check. If reviewers decided about status or class, their decision counts.
    fn ids_as_settled(
        &self,
        filter: &TermFilter,
        sql: &str,
        values: impl Params,
    ) -> Result<Vec<i64>> {
        let states = self.term_states()?;
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(values)?;
        let mut ids = Vec::new();
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let state = states.get(&id);
            let status = state.map_or(ReviewStatus::Unreviewed, |s| s.0);
            let settled = state.and_then(|s| s.1.as_deref());
            let class = match settled {
                Some(class) => class,
                None => text_in("term", row, 1)?,
            };
            let wanted = filter.class.as_deref().is_none_or(|c| c == class);
            if wanted && filter.status.is_none_or(|s| s == status) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    /// The fields by which a review queue orders and filters terms, best score first.
    pub fn term_ranks(&self) -> Result<Vec<TermRank>> {
        let states = self.term_states()?;
        // In the order of the table, and sorted here: by the index each row would be looked up by itself.
        let mut statement = self.connection.prepare_cached(
            "SELECT id, found, score, mentions, language, class FROM term NOT INDEXED",
        )?;
        let mut rows = statement.query([])?;
        let mut ranks: Vec<TermRank> = Vec::new();
        while let Some(row) = rows.next()? {
            let text = |column| text_in("term", row, column);
            let id: i64 = row.get(0)?;
            let (status, settled) = states
                .get(&id)
                .cloned()
                .unwrap_or((ReviewStatus::Unreviewed, None));
            ranks.push(TermRank {
                id: TermId(id),
                found: from_tag("term", text(1)?, FoundBy::from_tag)?,
                score: row.get(2)?,
                mentions: row.get(3)?,
                language: Language::from_tag(text(4)?),
                class: settled.map_or_else(|| text(5).map(str::to_owned), Ok)?,
                status,
            });
        }
        ranks.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        Ok(ranks)
    }

    /// The terms that every extraction keeps: those that somebody decided about, that a person added, or that a
    /// glossary brought. They are given as they were extracted, without the reviewers' edits.
    pub fn kept_terms(&self) -> Result<Vec<NewTerm>> {
        // `SELECT` ends with the condition of its join. `AND 0` makes it false: no verdict is joined, and the columns
        // show what was extracted.
        let sql = format!("{SELECT} AND 0 WHERE t.id IN ({KEPT}) ORDER BY t.id");
        let mut kept = all(self.connection, &sql, [], |row| {
            let term = term_row::read(row)?;
            Ok(NewTerm {
                definition_sentence: term.definition_sentence,
                definition_document: term.definition_document,
                ..NewTerm::of(term.as_proposed())
            })
        })?;
        // Names from glossaries stay, whatever the documents contain.
        let mut names: HashMap<(String, String), Vec<String>> = HashMap::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT t.language, t.normal, n.name FROM term_name n JOIN term t ON t.id = n.term
             WHERE n.source = 'glossary' ORDER BY n.term, n.name",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            names
                .entry((row.get(0)?, row.get(1)?))
                .or_default()
                .push(row.get(2)?);
        }
        for term in &mut kept {
            let key = (
                term.candidate.language.tag().to_owned(),
                term.candidate.normal.clone(),
            );
            term.candidate.names = names.remove(&key).unwrap_or_default();
        }
        Ok(kept)
    }

    /// The text as it was extracted, for each term whose text reviewers changed.
    pub fn texts_before_review(&self) -> Result<HashMap<TermId, String>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT t.id, t.text FROM verdict v JOIN term t ON t.id = v.first
             WHERE v.kind = 'term' AND v.text IS NOT NULL",
        )?;
        let found = statement.query_map([], |row| Ok((TermId(row.get(0)?), row.get(1)?)))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}

impl Writer<'_> {
    /// Replaces all terms and mentions, and returns the terms' ids in the order of `terms`. A term that was stored
    /// before (same language and normal form) keeps its id. A term of [`Reader::kept_terms`] that is not in the list
    /// stays with its mentions, because somebody has decided about it while the list was being made. `mentions` are
    /// (index into `terms`, sentence, first scalar value, one past the last).
    ///
    /// # Errors
    /// `NotFound` if a mention names no term of the list; errors of the database.
    pub fn replace_terms(
        &mut self,
        terms: &[NewTerm],
        mentions: &[(usize, SentenceId, u32, u32)],
        policy: ReviewPolicy,
    ) -> Result<Vec<TermId>> {
        let mut counts = vec![0_u32; terms.len()];
        for &(index, ..) in mentions {
            *counts
                .get_mut(index)
                .ok_or_else(|| not_found("term of the list at index", index))? += 1;
        }
        crate::confusable::clear(self)?;
        let ids = upsert(self, terms, &counts)?;
        let decided = decided_meanwhile(self, &ids)?;
        delete_found(self, &decided)?;
        delete_others(self, &ids)?;
        let with_ids = || terms.iter().zip(&ids);
        let definitions =
            with_ids().flat_map(|(term, id)| term.definitions.iter().map(|found| (*id, found)));
        definition::insert_all(self, definitions)?;
        let names = with_ids()
            .flat_map(|(term, id)| term.candidate.names.iter().map(|name| (*id, name.as_str())));
        term_name::replace(self, names)?;
        let placed = mentions
            .iter()
            .map(|&(index, sentence, start, end)| (ids[index], sentence, start, end));
        crate::mention::insert(self, placed)?;
        let said = std::mem::take(&mut self.reason);
        self.reason = if said.is_empty() {
            format!("policy: {}", policy.label())
        } else {
            format!("{said}; policy: {}", policy.label())
        };
        let recorded = self.record("terms.extract", &Scope::Terms);
        self.reason = said;
        recorded?;
        Ok(ids)
    }
}

fn upsert(writer: &Writer, terms: &[NewTerm], counts: &[u32]) -> Result<Vec<TermId>> {
    let mut statement = writer
        .connection
        .prepare_cached(&term_row::insertion(EXTRACTED_AGAIN))?;
    let mut known: HashMap<(Language, &str), TermId> = HashMap::with_capacity(terms.len());
    let mut ids = Vec::with_capacity(terms.len());
    for (new, count) in terms.iter().zip(counts) {
        let c = &new.candidate;
        // Of two entries for one term the first stands; the mentions of both are its mentions.
        if let Some(&id) = known.get(&(c.language, c.normal.as_str())) {
            writer
                .connection
                .prepare_cached("UPDATE term SET mentions = mentions + ?2 WHERE id = ?1")?
                .execute(params![id.0, count])?;
            ids.push(id);
            continue;
        }
        let term = Term {
            mentions: *count,
            definition_sentence: new.definition_sentence,
            definition_document: new.definition_document,
            ..Term::proposed(c)
        };
        let id = term_row::insert(&mut statement, None, &term)?;
        known.insert((c.language, &c.normal), id);
        ids.push(id);
    }
    Ok(ids)
}

/// Terms that stay though they are not in the list.
fn decided_meanwhile(writer: &Writer, ids: &[TermId]) -> Result<Vec<i64>> {
    let listed: HashSet<i64> = ids.iter().map(|id| id.0).collect();
    let sql = format!("SELECT id FROM term WHERE id IN ({KEPT})");
    let mut kept = crate::row::ids(writer.connection, &sql, [])?;
    kept.retain(|id| !listed.contains(id));
    Ok(kept)
}

/// Removes the mentions and the definitions of all terms but these, and counts those of these.
fn delete_found(writer: &Writer, but: &[i64]) -> Result<()> {
    let condition = if but.is_empty() {
        // Without a condition a table is emptied at once.
        String::new()
    } else {
        let list: Vec<String> = but.iter().map(i64::to_string).collect();
        format!(" WHERE term NOT IN ({})", list.join(", "))
    };
    writer.connection.execute_batch(&format!(
        "DELETE FROM mention{condition}; DELETE FROM definition{condition};"
    ))?;
    let mut count = writer.connection.prepare_cached(
        "UPDATE term SET mentions = (SELECT COUNT(*) FROM mention WHERE term = ?1) WHERE id = ?1",
    )?;
    for id in but {
        count.execute([id])?;
    }
    Ok(())
}

fn delete_others(writer: &Writer, ids: &[TermId]) -> Result<()> {
    let kept: HashSet<i64> = ids.iter().map(|id| id.0).collect();
    let all = crate::row::ids(
        writer.connection,
        &format!("SELECT id FROM term WHERE id NOT IN ({KEPT})"),
        [],
    )?;
    let mut unname = writer
        .connection
        .prepare_cached("DELETE FROM term_name WHERE term = ?1")?;
    let mut delete = writer
        .connection
        .prepare_cached("DELETE FROM term WHERE id = ?1")?;
    for id in all.into_iter().filter(|id| !kept.contains(id)) {
        unname.execute([id])?;
        delete.execute([id])?;
    }
    Ok(())
}

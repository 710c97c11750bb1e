//! Questions that name a clause ("What does Article 17 say?"): that clause answers, whatever words are in it.

use super::Answering;
use super::find::{Found, Search, language_of};
use crate::corpus::Corpus;
use crate::workspace::Result;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_ingest::references;
use std::collections::HashSet;

/// Clauses of an article that is named that are put first, in reading order.
const MOST: usize = 8;
/// Score of a clause that is not named beside one that is.
const OF_THE_REST: f64 = 0.5;

impl Answering<'_> {
    /// Puts the clauses that the question names (by number or title) first. If several documents have such a clause,
    /// the document that fits the words of the question best comes first.
    pub(super) fn named_first(
        &self,
        search: &Search,
        question: &str,
        left_out: &HashSet<DocumentId>,
        found: &mut Found,
    ) -> Result<()> {
        let clauses = &search.clauses;
        let language = language_of(question, &clauses.documents);
        let named: Vec<_> = references::find(question, language)
            .into_iter()
            .filter(|reference| !reference.labels.is_empty())
            .collect();
        if named.is_empty() {
            return Ok(());
        }
        let index = Corpus::of(self.workspace).reference_index()?;
        let mut first: Vec<u32> = Vec::new();
        for place in 0..clauses.documents.len() {
            let document = &clauses.documents[place];
            if left_out.contains(&document.id) {
                continue;
            }
            // A reference is read as if the document's own first clause made it.
            let begin = clauses.document.iter().position(|of| *of as usize == place);
            let Some((from, _)) = begin.and_then(|c| clauses.map.sentences(c as u32)) else {
                continue;
            };
            let targets = named.iter().flat_map(|one| index.resolve(one, from));
            let targets: Vec<SentenceId> = targets.collect();
            first.extend(targets.into_iter().filter_map(|id| {
                let clause = clauses.map.clause(id)?;
                let of = clauses.document_of(clause)?;
                (!left_out.contains(&of.id)).then_some(clause)
            }));
        }
        first.sort_unstable();
        first.dedup();
        let mut all: Vec<u32> = Vec::new();
        for clause in first {
            all.extend(self.whole_article(clause, search)?);
        }
        all.dedup();
        if all.is_empty() {
            return Ok(());
        }
        // Among several documents the one that the words fit best; within it the order of reading.
        let rank = |clause: u32| {
            let document = clauses.document_of(clause).map(|d| d.id);
            let best = found
                .hits
                .iter()
                .position(|hit| clauses.document_of(hit.0).map(|d| d.id) == document);
            best.unwrap_or(usize::MAX)
        };
        all.sort_by_key(|clause| (rank(*clause), *clause));
        all.truncate(MOST);
        let rest = found
            .hits
            .iter()
            .filter(|hit| !all.contains(&hit.0))
            .map(|(clause, score)| (*clause, score * OF_THE_REST));
        found.hits = all
            .iter()
            .map(|clause| (*clause, 1.0))
            .chain(rest)
            .collect();
        found.features.certain = true;
        Ok(())
    }

    /// A clause and those that follow it in the same section: an article that is named is meant with its paragraphs.
    fn whole_article(&self, clause: u32, search: &Search) -> Result<Vec<u32>> {
        let section = |clause: u32| -> Result<Option<String>> {
            let Some((_, last)) = search.clauses.map.sentences(clause) else {
                return Ok(None);
            };
            // The last sentence is never the heading over the clause.
            let sentence = self.workspace.store.read(|r| r.sentence(last))?;
            Ok(Some(sentence.section))
        };
        let Some((from, _)) = search.clauses.map.sentences(clause) else {
            return Ok(Vec::new());
        };
        let whole = self.workspace.store.read(|r| r.sentence(from))?.section;
        let mut all = vec![clause];
        if whole.is_empty() {
            return Ok(all);
        }
        for next in clause + 1..clause + MOST as u32 {
            let within = section(next)?.is_some_and(|own| own.starts_with(&format!("{whole} › ")));
            if !within {
                break;
            }
            all.push(next);
        }
        Ok(all)
    }
}

//! Questions for what a term means: the clause that defines it answers, not the one that uses it most.

use super::Answering;
use super::clauses::Clauses;
use super::find::Found;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_ingest::definitions;
use lexforge_text::fold::letters;
use lexforge_text::{asked, is_han};

/// Clauses that are looked at for a definition.
const LOOKED_AT: usize = 80;
/// A longer phrase is no term.
const MOST_WORDS: usize = 6;

impl Answering<'_> {
    /// Puts the clauses that define the term of the question first.
    pub(super) fn definitions_first(
        &self,
        question: &str,
        clauses: &Clauses,
        wanted: impl Fn(u32) -> bool,
        found: &mut Found,
    ) -> Result<()> {
        let Some(named) = asked::meaning_of(question) else {
            return Ok(());
        };
        let term = letters(named);
        if term.is_empty() || term.split(' ').count() > MOST_WORDS {
            return Ok(());
        }
        // The term with the word that defines, so that what merely uses it often comes after.
        let sought = if named.chars().any(is_han) {
            format!("{named} 是指")
        } else {
            format!("{named} means")
        };
        let ranking = self
            .workspace
            .store
            .read(|r| r.rank_clauses(&sought, &clauses.map, wanted, LOOKED_AT))?;
        let mut defining = Vec::new();
        for clause in ranking.hits.iter().map(|hit| hit.clause) {
            let Some((from, to)) = clauses.map.sentences(clause) else {
                continue;
            };
            let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
            let sentences = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
            let language = clauses.document_of(clause).map(|d| d.language);
            let defines = sentences.iter().any(|sentence| {
                let text = sentence.complete.as_deref().unwrap_or(&sentence.text);
                let definitions = language.map(|language| definitions::find(text, language));
                definitions
                    .into_iter()
                    .flatten()
                    .any(|definition| letters(&definition.term) == term)
            });
            if defines {
                // It fits as well as anything can.
                defining.push((clause, 1.0));
            }
        }
        if defining.is_empty() {
            return Ok(());
        }
        let rest = found
            .hits
            .iter()
            .filter(|hit| defining.iter().all(|d| d.0 != hit.0))
            .map(|(clause, score)| (*clause, score * OF_THE_REST));
        found.hits = defining.iter().copied().chain(rest).collect();
        found.features.certain = true;
        Ok(())
    }
}

/// What does not define the term is not quoted beside what does.
const OF_THE_REST: f64 = 0.5;

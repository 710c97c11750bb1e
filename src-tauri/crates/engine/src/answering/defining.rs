//! Questions for what a term means: the clause that defines it answers, not the one that uses it most.

use super::Answering;
use super::clauses::Clauses;
use super::find::Found;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_ingest::definitions;
use lexforge_text::asked;
use lexforge_text::fold::letters;

/// Clauses that are looked at for a definition.
pub(super) const LOOKED_AT: usize = 60;

impl Answering<'_> {
    /// Puts the clauses that define the term of the question first.
    pub(super) fn definitions_first(
        &self,
        question: &str,
        clauses: &Clauses,
        found: &mut Found,
    ) -> Result<()> {
        let Some(term) = asked::meaning_of(question) else {
            return Ok(());
        };
        let term = letters(term);
        let mut defining = Vec::new();
        for (clause, score) in &found.hits {
            let Some((from, to)) = clauses.map.sentences(*clause) else {
                continue;
            };
            let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
            let sentences = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
            let language = clauses.document_of(*clause).map(|d| d.language);
            let defines = sentences.iter().any(|sentence| {
                let text = sentence.complete.as_deref().unwrap_or(&sentence.text);
                let definitions = language.map(|language| definitions::find(text, language));
                definitions
                    .into_iter()
                    .flatten()
                    .any(|definition| letters(&definition.term) == term)
            });
            if defines {
                defining.push((*clause, *score));
            }
        }
        if defining.is_empty() {
            return Ok(());
        }
        // What defines stands before what merely speaks of it, and fits as well as anything can.
        for hit in &mut defining {
            hit.1 = 1.0;
        }
        let rest = found
            .hits
            .iter()
            .filter(|hit| defining.iter().all(|d| d.0 != hit.0))
            .map(|(clause, score)| (*clause, score * OF_THE_REST));
        found.hits = defining.iter().copied().chain(rest).collect();
        found.features.defines = true;
        Ok(())
    }
}

/// What does not define the term is not quoted beside what does.
const OF_THE_REST: f64 = 0.5;

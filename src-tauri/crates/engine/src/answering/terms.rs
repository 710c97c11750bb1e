//! Terms of a question and of its answer, with what the acts say that they mean.

use super::Answering;
use super::force::InForce;
use crate::workspace::Result;
use lexforge_domain::TermId;
use lexforge_domain::api::{AnswerDefinition, AnswerTerm, Citation, TermFilter};
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_text::wording::mark_differing;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// Terms shown with an answer.
const MOST: usize = 4;

impl Answering<'_> {
    /// The names of the defined terms that are in a text.
    pub(super) fn term_names_in(&self, text: &str) -> Result<Vec<String>> {
        let text = format!(" {} ", lexforge_text::fold::letters(text));
        let known = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?;
        let named = known
            .rows
            .into_iter()
            .filter(is_shown)
            .filter(|term| contains(&text, &lexforge_text::fold::letters(&term.text)));
        Ok(named.map(|term| term.text).collect())
    }

    /// A hash of the names of the defined terms. Those that are found, merged or rejected change it.
    pub(super) fn hash_of_terms(&self) -> Result<String> {
        let known = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?;
        let shown = known.rows.into_iter().filter(is_shown);
        let mut names: Vec<String> = shown
            .map(|term| lexforge_text::fold::letters(&term.text))
            .collect();
        names.sort_unstable();
        let mut hash = Sha256::new();
        for name in names {
            hash.update(name);
            hash.update(b"\n");
        }
        Ok(hex::encode(hash.finalize()))
    }

    /// The defined terms of the question, followed by the defined terms of the cited clauses. Definitions of documents
    /// that are not in force on the day are left out, and so are rejected terms.
    pub(super) fn defined(
        &self,
        question: &str,
        citations: &[Citation],
        in_force: &InForce,
    ) -> Result<Vec<AnswerTerm>> {
        let asked = format!(" {} ", lexforge_text::fold::letters(question));
        let mut wanted: Vec<TermId> = Vec::new();
        self.workspace.store.read(|r| {
            let filter = TermFilter::default();
            let mut known: Vec<(usize, TermId)> = r
                .terms(&filter)?
                .rows
                .into_iter()
                .filter(is_shown)
                .filter(|term| contains(&asked, &lexforge_text::fold::letters(&term.text)))
                .map(|term| (term.text.chars().count(), term.id))
                .collect();
            // The longest first: "personal data breach" before "personal data".
            known.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            wanted.extend(known.into_iter().map(|(_, id)| id));
            for citation in citations {
                let mentions = r.mentions_in_sentence(citation.sentence)?;
                wanted.extend(mentions.into_iter().map(|mention| mention.term));
            }
            Ok(())
        })?;
        let mut seen = HashSet::new();
        wanted.retain(|id| seen.insert(*id));
        let mut found = Vec::new();
        for id in wanted {
            if found.len() == MOST {
                break;
            }
            found.extend(self.with_definitions(id, in_force)?);
        }
        Ok(found)
    }

    /// A term with its definitions. `None` if it has none in a document that is in force on the day, or was rejected.
    pub(super) fn with_definitions(
        &self,
        id: TermId,
        in_force: &InForce,
    ) -> Result<Option<AnswerTerm>> {
        let (term, mut definitions) = self
            .workspace
            .store
            .read(|r| Ok((r.term(id)?, r.definitions_of(id)?)))?;
        definitions.retain(|d| !in_force.left_out.contains(&d.document));
        if definitions.is_empty() || term.status == ReviewStatus::Rejected {
            return Ok(None);
        }
        let differ = mark_differing(&mut definitions);
        let definitions = definitions.into_iter().map(|d| AnswerDefinition {
            text: d.text,
            document: d.document,
            title: d.document_title,
            section: d.section,
            page: d.page,
            sentence: d.sentence,
            superseded_by: in_force.superseded_by.get(&d.document).copied(),
            out_of_force: in_force.out_of_force.get(&d.document).cloned(),
        });
        Ok(Some(AnswerTerm {
            id,
            name: term.text,
            differ,
            definitions: definitions.collect(),
            places: Vec::new(),
        }))
    }
}

/// Whether a term is one by itself that has a definition and was not rejected.
pub(super) fn is_shown(term: &Term) -> bool {
    term.definition.is_some() && term.merged_into.is_none() && term.status != ReviewStatus::Rejected
}

/// Whether a folded question has a folded term: as words of its own, or anywhere in a script without blanks.
fn contains(question: &str, term: &str) -> bool {
    if term.is_empty() {
        return false;
    }
    if term.chars().any(lexforge_text::is_unspaced) {
        return question.contains(term);
    }
    question.match_indices(term).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        edge(question[..at].chars().next_back()) && edge(question[at + term.len()..].chars().next())
    })
}

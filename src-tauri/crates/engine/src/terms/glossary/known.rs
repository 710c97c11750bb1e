//! The workspace's terms as entries of a glossary.

use super::facts::{BROADER, DEFINITION, RELATED, SOURCE};
use crate::review::Review;
use crate::terms::Terms;
use crate::workspace::Result;
use lexforge_domain::api::TermFilter;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::glossary::{GlossaryDefinition, GlossaryEntry};
use lexforge_domain::review::{Choice, Subject, SubjectKind, Verdict};
use lexforge_domain::term::Term;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, TermId};
use lexforge_store::GlossaryFact;
use std::collections::HashMap;

impl Terms<'_> {
    /// The facts about each term of the workspace, in the form of a glossary.
    pub(super) fn known_entries(&self) -> Result<HashMap<(Language, String), Known>> {
        let standing = Review::of(self.workspace)
            .joined_terms(ReviewPolicy::UnreviewedAutomatic)?
            .standing;
        Ok(self.workspace.store.read(|r| {
            let titles: HashMap<DocumentId, String> = r
                .documents()?
                .into_iter()
                .map(|d| (d.id, d.title))
                .collect();
            let all = r.terms(&TermFilter::default())?.rows;
            let text_of: HashMap<TermId, String> =
                all.iter().map(|t| (t.id, t.text.clone())).collect();
            let mut names = other_names(&all, &standing, r.term_names()?);
            let mut facts: HashMap<TermId, Vec<GlossaryFact>> = HashMap::new();
            for (id, fact) in r.glossary()? {
                facts.entry(id).or_default().push(fact);
            }
            let mut related = confused_with(r.verdicts(SubjectKind::Pair)?);
            let mut known = HashMap::with_capacity(all.len());
            for term in all {
                let mut entry = GlossaryEntry::new(term.text.clone(), term.language);
                entry.names = names.remove(&term.id).unwrap_or_default();
                entry.names.retain(|name| *name != term.text);
                entry.names.sort_unstable();
                entry.names.dedup();
                entry.class = term.class.clone();
                entry.status = Some(term.status);
                if term.definition_sentence.is_some() {
                    for definition in r.definitions_of(term.id)? {
                        let source = place_of(
                            &definition.document_title,
                            &definition.section,
                            definition.page,
                        );
                        entry.definitions.push(GlossaryDefinition {
                            text: definition.text,
                            source,
                        });
                    }
                }
                let facts = facts.remove(&term.id).unwrap_or_default();
                add_facts(&mut entry, &facts);
                if let Some(text) = &term.definition
                    && entry.definitions.iter().all(|d| d.text != *text)
                {
                    let source = term
                        .definition_document
                        .and_then(|id| titles.get(&id))
                        .cloned()
                        .unwrap_or_default();
                    entry.definitions.push(GlossaryDefinition {
                        text: text.clone(),
                        source,
                    });
                }
                for other in related.remove(&term.id).unwrap_or_default() {
                    entry.related.extend(text_of.get(&other).cloned());
                }
                entry.related.sort_unstable();
                entry.related.dedup();
                known.insert(
                    (term.language, term.normal.clone()),
                    Known { term, entry, facts },
                );
            }
            Ok(known)
        })?)
    }
}

/// The other names of each term: what was merged into it or stands for the same, and the names that were given to it.
fn other_names(
    all: &[Term],
    standing: &HashMap<TermId, TermId>,
    given: Vec<(TermId, String)>,
) -> HashMap<TermId, Vec<String>> {
    let mut names: HashMap<TermId, Vec<String>> = HashMap::new();
    for term in all {
        if let Some(into) = term
            .merged_into
            .or(standing.get(&term.id).copied())
            .filter(|into| *into != term.id)
        {
            names.entry(into).or_default().push(term.text.clone());
        }
    }
    for (id, name) in given {
        names.entry(id).or_default().push(name);
    }
    names
}

/// The terms with which each term was marked as easily confused.
fn confused_with(verdicts: Vec<(Subject, Verdict)>) -> HashMap<TermId, Vec<TermId>> {
    let mut related: HashMap<TermId, Vec<TermId>> = HashMap::new();
    for (subject, verdict) in verdicts {
        if let (Subject::Pair { a, b }, Some(Choice::Confusable)) = (subject, verdict.choice) {
            related.entry(a).or_default().push(b);
            related.entry(b).or_default().push(a);
        }
    }
    related
}

/// Adds what glossaries said of a term.
fn add_facts(entry: &mut GlossaryEntry, facts: &[GlossaryFact]) {
    for fact in facts {
        let GlossaryFact {
            kind,
            value,
            source,
        } = fact.clone();
        match kind.as_str() {
            DEFINITION => entry.definitions.push(GlossaryDefinition {
                text: value,
                source,
            }),
            SOURCE => entry.sources.push(value),
            RELATED => entry.related.push(value),
            BROADER => entry.broader.push(value),
            _ => {}
        }
    }
}

/// A term of the workspace, with the known facts about it.
pub(super) struct Known {
    pub(super) term: Term,
    pub(super) entry: GlossaryEntry,
    pub(super) facts: Vec<GlossaryFact>,
}

/// The place of a definition, as a reader looks it up.
fn place_of(title: &str, section: &str, page: u32) -> String {
    let page = if page > 0 {
        format!("p. {page}")
    } else {
        String::new()
    };
    let parts = [title, section, page.as_str()];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

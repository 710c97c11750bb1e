//! The clauses that a cited clause refers to. A rule that holds "subject to Article 9(2)" is only half read without it.

use super::Answering;
use super::clauses::Clauses;
use super::force::InForce;
use super::statements::cited;
use crate::corpus::Corpus;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Answer, Referred};
use lexforge_domain::document::Sentence;
use lexforge_domain::reference::CrossReference;
use lexforge_ingest::references::find;
use std::collections::HashSet;

impl Answering<'_> {
    /// The clauses and acts to which the quoted words of an answer refer, each once, in the order of the citations.
    /// Clauses that are cited themselves are left out, and so are documents that are not in force on the day. An act
    /// that the workspace does not have is listed without a place.
    pub(super) fn referred(
        &self,
        answer: &Answer,
        clauses: &Clauses,
        in_force: &InForce,
    ) -> Result<Vec<Referred>> {
        let support: HashSet<usize> = answer
            .statements
            .iter()
            .filter(|statement| statement.kept)
            .flat_map(|statement| statement.citations.iter().copied())
            .collect();
        let named: Vec<(usize, SentenceId, CrossReference)> = answer
            .citations
            .iter()
            .enumerate()
            .filter(|(at, _)| support.contains(at))
            .flat_map(|(at, citation)| {
                let found = find(&citation.quote, citation.language).into_iter();
                found.map(move |reference| (at, citation.sentence, reference))
            })
            .collect();
        // The index over all clauses takes time where the workspace is large.
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let index = Corpus::of(self.workspace).reference_index()?;
        let clause_of = |id: SentenceId| clauses.map.clause(id);
        let cited_clauses: HashSet<u32> = answer
            .citations
            .iter()
            .filter_map(|citation| clause_of(citation.sentence))
            .collect();
        let mut known: HashSet<SentenceId> = HashSet::new();
        let mut elsewhere: HashSet<String> = HashSet::new();
        let mut referred = Vec::new();
        for (from, sentence, reference) in named {
            let one = |place| Referred {
                from,
                text: reference.text.clone(),
                instrument: reference.instrument.clone(),
                place,
            };
            let targets = index.resolve(&reference, sentence);
            // "paragraph 3" that leads nowhere was read wrongly. An act by its name is one that nobody imported.
            if targets.is_empty()
                && reference.instrument.is_some()
                && elsewhere.insert(reference.text.clone())
            {
                referred.push(one(None));
            }
            let Some(first) = self.first_in_force(&targets, in_force)? else {
                continue;
            };
            let is_cited =
                clause_of(first.id).is_some_and(|clause| cited_clauses.contains(&clause));
            if is_cited || !known.insert(first.id) {
                continue;
            }
            let words = first.text.clone();
            if let Some(place) = cited(&[first], words, clauses, in_force) {
                referred.push(one(Some(place)));
            }
        }
        Ok(referred)
    }

    /// The first of these sentences whose document counts on the day: an act may be here in two versions.
    fn first_in_force(
        &self,
        targets: &[SentenceId],
        in_force: &InForce,
    ) -> Result<Option<Sentence>> {
        for target in targets {
            let sentence = self.workspace.store.read(|r| r.sentence(*target))?;
            if !in_force.left_out.contains(&sentence.document) {
                return Ok(Some(sentence));
            }
        }
        Ok(None)
    }
}

//! Finding terms: candidates by language, definitions by place, mentions by offset.

use crate::watcher::{cancelled, tell};
use crate::{Engine, Result, Watcher};
use lexforge_domain::api::{Stage, TermFilter, TermsReport};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::Sentence;
use lexforge_domain::term::FoundBy;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId, TermId};
use lexforge_ingest::mentions::MentionFinder;
use lexforge_ingest::{definitions, terms};
use lexforge_store::NewTerm;
use std::collections::{BTreeMap, HashMap};

/// Most terms of one language: enough for a shelf of regulations, few enough to be looked at.
const MOST_TERMS: usize = 20_000;
/// Fewest terms that are asked for, whatever the size of the corpus.
const LEAST_TERMS: usize = 150;

impl Engine {
    /// Find the corpus' terms and every mention of them. Replaces what was found before.
    ///
    /// # Errors
    /// When nothing was imported yet, or the workspace cannot be written.
    pub fn extract_terms(&self, watcher: &dyn Watcher) -> Result<TermsReport> {
        let policy = ReviewPolicy::UnreviewedAutomatic;
        let by_language = self.sentences_by_language()?;
        if by_language.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is nothing to find terms in.",
                "Import a document first: lexforge import WORKSPACE FILE.",
            ));
        }
        let mut found: Vec<NewTerm> = Vec::new();
        let mut mentions: Vec<(usize, SentenceId, u32, u32)> = Vec::new();
        for (language, sentences) in &by_language {
            if watcher.cancelled() {
                return Err(cancelled("The terms that were there are unchanged."));
            }
            tell(watcher, Stage::Terms, language.tag(), 0, sentences.len() as u64);
            let texts: Vec<(SentenceKind, &str)> = sentences.iter().map(|s| (s.kind, s.text.as_str())).collect();
            let limit = (sentences.len() / 3).clamp(LEAST_TERMS, MOST_TERMS);
            let candidates = terms::candidates(&texts, *language, limit);
            let defined_at = definition_places(sentences, *language);
            let first = found.len();
            for candidate in candidates {
                let place = (candidate.found == FoundBy::Defined)
                    .then(|| {
                        // The form that is shown ("business days") may differ from the one defined ("business day").
                        let shown = defined_at.get(&candidate.text.to_lowercase());
                        shown.or_else(|| defined_at.get(&candidate.normal.to_lowercase()))
                    })
                    .flatten();
                found.push(NewTerm {
                    definition_sentence: place.map(|p| p.0),
                    definition_document: place.map(|p| p.1),
                    candidate,
                });
            }
            // The finder works on ids; positions in `found` serve until the store has given real ones.
            let keyed: Vec<(TermId, &str)> = found[first..]
                .iter()
                .enumerate()
                .map(|(i, t)| (TermId((first + i) as i64), t.candidate.text.as_str()))
                .collect();
            let finder = MentionFinder::new(&keyed, *language);
            for (i, sentence) in sentences.iter().enumerate() {
                mentions.extend(
                    finder
                        .find(&sentence.text)
                        .into_iter()
                        .map(|(term, start, end)| (term.0 as usize, sentence.id, start, end)),
                );
                if i % 2048 == 0 {
                    tell(watcher, Stage::Terms, language.tag(), i as u64, sentences.len() as u64);
                }
            }
            tell(watcher, Stage::Terms, language.tag(), sentences.len() as u64, sentences.len() as u64);
        }
        let defined = found.iter().filter(|t| t.candidate.found == FoundBy::Defined).count() as u64;
        self.store.write(&self.actor, |w| w.replace_terms(&found, &mentions, policy))?;
        Ok(TermsReport { terms: found.len() as u64, defined, mentions: mentions.len() as u64, policy })
    }

    /// What an earlier extraction found.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn terms_report(&self) -> Result<TermsReport> {
        let defined = TermFilter { found: Some(FoundBy::Defined), limit: 1, ..TermFilter::default() };
        let (counts, defined, mentions) =
            self.store.read(|r| Ok((r.counts()?, r.terms(&defined)?.total, r.mentions()?.len() as u64)))?;
        let policy = ReviewPolicy::UnreviewedAutomatic;
        Ok(TermsReport { terms: counts.terms, defined, mentions, policy })
    }

    /// All sentences, grouped by the language of their document, in reading order.
    pub(crate) fn sentences_by_language(&self) -> Result<BTreeMap<Language, Vec<Sentence>>> {
        let (documents, sentences) = self.store.read(|r| Ok((r.documents()?, r.sentences(None)?)))?;
        let language: HashMap<DocumentId, Language> = documents.into_iter().map(|d| (d.id, d.language)).collect();
        let mut grouped: BTreeMap<Language, Vec<Sentence>> = BTreeMap::new();
        for sentence in sentences {
            let language = language.get(&sentence.document).copied().unwrap_or(Language::Other);
            grouped.entry(language).or_default().push(sentence);
        }
        Ok(grouped)
    }
}

/// Where each defined term is first defined, by its lower-case form.
fn definition_places(sentences: &[Sentence], language: Language) -> HashMap<String, (SentenceId, DocumentId)> {
    let mut places = HashMap::new();
    for sentence in sentences {
        if matches!(sentence.kind, SentenceKind::Heading | SentenceKind::TableCell) {
            continue;
        }
        for definition in definitions::find(&sentence.text, language) {
            for name in std::iter::once(&definition.term).chain(&definition.aliases) {
                places.entry(name.to_lowercase()).or_insert((sentence.id, sentence.document));
            }
        }
    }
    places
}

//! Term candidates of a corpus, without a language model: defined terms, abbreviations, and noun phrases ranked by
//! C-value (Frantzi, Ananiadou, Mima 2000).
//!
//! Similar terms are all kept ("supervisory authority", "lead supervisory authority"), because the purpose of the
//! product is to distinguish them.

mod abbreviations;
mod candidate;
mod chinese;
mod cvalue;
mod english;
mod korean;
pub(crate) mod lexicon;
mod named;
mod phrases;
mod segmenter;
mod tokens;
mod usage;

pub use abbreviations::{short_forms, spelt_out};

use lexforge_domain::extract::{Defined, Extraction, TermExtractor, TermSource};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};

/// Finds terms by counting: no language model, nothing random.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineExtractor;

impl TermExtractor for OfflineExtractor {
    fn describe(&self) -> String {
        "offline extractor (definitions, abbreviations and noun phrases by C-value; no language model)".to_owned()
    }

    fn extract(
        &mut self,
        sources: &[TermSource<'_>],
        defined: &[Defined],
        language: Language,
    ) -> Extraction {
        let sentences: Vec<(SentenceKind, &str)> =
            sources.iter().map(|s| (s.kind, s.text)).collect();
        Extraction {
            terms: candidates(&sentences, defined, language, most(sources.len())),
            ..Extraction::default()
        }
    }
}

/// The key under which the variants of a term are one: case and plural of the head for English.
pub fn key(term: &str, language: Language) -> String {
    match language {
        Language::Zh | Language::Ko => term.to_owned(),
        Language::En | Language::Other => english::key_of(term),
    }
}

/// Whether an English word, in lower case, is a verb in one of its usual forms.
pub fn is_verb(word: &str) -> bool {
    lexicon::VERB.contains(word)
}

/// Proposes terms for the sentences of all documents of one language, best first. `limit` is the largest number of
/// terms (0: all). If there are more, phrases are dropped before defined terms and abbreviations. `defined` holds the
/// terms that these sentences define.
pub fn candidates(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
    language: Language,
    limit: usize,
) -> Vec<TermCandidate> {
    let mut found = match language {
        Language::Zh => chinese::candidates(sentences, defined),
        Language::Ko => korean::candidates(sentences, defined),
        Language::En | Language::Other => english::candidates(sentences, defined),
    };
    found.sort_by(TermCandidate::best_first);
    if limit > 0 && found.len() > limit {
        let kept = found
            .iter()
            .filter(|c| c.found != FoundBy::Phrase)
            .count()
            .min(limit);
        let mut phrases = limit - kept;
        let mut others = kept;
        found.retain(|c| {
            let room = if c.found == FoundBy::Phrase {
                &mut phrases
            } else {
                &mut others
            };
            let keep = *room > 0;
            *room = room.saturating_sub(1);
            keep
        });
    }
    for candidate in &mut found {
        candidate.language = language;
    }
    found
}

/// Most terms of one language: enough for a shelf of regulations, few enough to be looked at.
const MOST_TERMS: usize = 20_000;
/// Fewest terms that are asked for, whatever the size of the corpus.
const LEAST_TERMS: usize = 150;

/// How many terms are asked for of so many sentences: one for three, within bounds.
pub fn most(sentences: usize) -> usize {
    (sentences / 3).clamp(LEAST_TERMS, MOST_TERMS)
}

#[cfg(test)]
mod tests;

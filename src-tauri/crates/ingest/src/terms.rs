//! Term candidates of a corpus, without a language model: defined terms, abbreviations, and noun phrases
//! ranked by C-value (Frantzi, Ananiadou, Mima 2000).
//!
//! Near terms are kept side by side ("supervisory authority", "lead supervisory authority"): telling them apart
//! is what the product is for.

mod abbreviations;
mod chinese;
mod cvalue;
mod english;
mod korean;
mod lexicon;
pub(crate) mod plural;
pub(crate) mod segmenter;
mod tokens;
mod usage;

use crate::definitions;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::HashMap;

/// Proposes at most `limit` terms (0: all) for the sentences of all documents of one language, best first.
/// Defined terms and abbreviations are kept before phrases where the limit bites.
pub fn candidates(sentences: &[(SentenceKind, &str)], language: Language, limit: usize) -> Vec<TermCandidate> {
    let mut found = match language {
        Language::Zh => chinese::candidates(sentences),
        Language::Ko => korean::candidates(sentences),
        Language::En | Language::Other => english::candidates(sentences),
    };
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.normal.cmp(&b.normal)));
    if limit > 0 && found.len() > limit {
        let kept = found.iter().filter(|c| c.found != FoundBy::Phrase).count().min(limit);
        let mut phrases = limit - kept;
        let mut others = kept;
        found.retain(|c| {
            let room = if c.found == FoundBy::Phrase { &mut phrases } else { &mut others };
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

/// Whether a sentence of this kind is running text that terms are counted in.
fn is_text(kind: SentenceKind) -> bool {
    !matches!(kind, SentenceKind::Heading | SentenceKind::TableCell)
}

/// The first definition of each term (by `key`) in the running text: (term as written, definition).
fn defined(
    sentences: &[(SentenceKind, &str)],
    language: Language,
    key: impl Fn(&str) -> String,
) -> HashMap<String, (String, String)> {
    let mut defined = HashMap::new();
    for (_, text) in sentences.iter().filter(|(kind, _)| *kind != SentenceKind::Heading) {
        for definition in definitions::find(text, language) {
            for name in std::iter::once(definition.term).chain(definition.aliases) {
                let normal = key(&name);
                if !normal.is_empty() {
                    defined.entry(normal).or_insert((name, definition.definition.clone()));
                }
            }
        }
    }
    defined
}

#[cfg(test)]
mod tests;

//! Chinese: how a sentence is cleaned and taken apart, and which terms stand for each other.

pub(crate) mod addressee;
pub(crate) mod clean;
pub(crate) mod kinds;
pub(crate) mod lexicon;
pub(crate) mod parse;

use crate::clause::{Clause, Fitted, Grammar};
use crate::reasons::SkipReason;
use rand_chacha::ChaCha8Rng;

/// The grammar of Chinese.
pub(crate) struct Chinese;

impl Grammar for Chinese {
    fn cleaned(
        &self,
        text: &str,
        lead_in: Option<&str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<String, SkipReason> {
        clean::sentence(text, lead_in, rng)
    }

    fn longest(&self) -> usize {
        clean::SHOWN
    }

    fn clause(&self, sentence: &str) -> Option<Clause> {
        parse::clause(sentence)
    }

    fn definition(&self, sentence: &str) -> Option<(String, String)> {
        parse::definition(sentence)
    }

    fn is_agent(&self, subject: &str) -> bool {
        parse::is_agent(subject)
    }

    fn is_noun(&self, term: &str) -> bool {
        kinds::is_noun(term)
    }

    fn interchangeable(&self, a: &str, b: &str) -> bool {
        let institution = |name: &str| [1, 3, 4].contains(&kinds::rank(name));
        let alike = kinds::rank(a) == kinds::rank(b) || institution(a) && institution(b);
        kinds::is_noun(b) && alike && !a.contains(['和', '、']) && !b.contains(['和', '、'])
    }

    fn may_include(&self, a: &str, b: &str) -> bool {
        kinds::may_include(a, b)
    }

    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)> {
        if term.is_empty() {
            return Vec::new();
        }
        // "被保险人" is no mention of "保险人".
        let inside_word = |at: usize| text[..at].ends_with(['被', '非', '副', '原', '再']);
        text.match_indices(term)
            .filter(|(at, _)| !inside_word(*at))
            .map(|(at, found)| (at, at + found.len()))
            .collect()
    }

    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
        let sentence = format!("{}{term}{}", text.get(..mention.0)?, text.get(mention.1..)?);
        Some(Fitted {
            term: term.to_owned(),
            sentence,
        })
    }

    fn of_one_kind(&self, term: &str, other: &str) -> bool {
        kinds::of_one_kind(term, other)
    }
}

//! English: how a sentence is cleaned and taken apart, and which terms stand for each other.

pub(crate) mod addressee;
pub(crate) mod agreement;
pub(crate) mod clean;
pub(crate) mod kinds;
pub(crate) mod lexicon;
pub(crate) mod parse;
pub(crate) mod terms;

use crate::clause::{Clause, Fitted, Grammar};
use crate::reasons::SkipReason;
use rand_chacha::ChaCha8Rng;

/// The grammar of English.
pub(crate) struct English;

impl Grammar for English {
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
        agreement::number(a) == agreement::number(b) && kinds::could_act(a, b)
    }

    fn may_include(&self, a: &str, b: &str) -> bool {
        kinds::may_include(a, b)
    }

    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)> {
        terms::mentions(text, term)
    }

    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
        terms::fit(text, mention, term)
    }

    fn of_one_kind(&self, term: &str, other: &str) -> bool {
        kinds::of_one_kind(term, other)
    }
}

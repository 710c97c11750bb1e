//! Chinese: how a rule is taken apart, changed and asked about.

mod clean;
mod edits;
mod lexicon;
mod parse;
mod questions;

use crate::anchor::Anchor;
use crate::clause::{Ask, Clause, Fitted, Grammar, Parsed, Variant};
use crate::reasons::SkipReason;
use lexforge_domain::text::SentenceKind;
use rand_chacha::ChaCha8Rng;

/// The grammar of Chinese.
pub(crate) struct Chinese;

impl Grammar for Chinese {
    fn sentence(
        &self,
        text: &str,
        kind: Option<SentenceKind>,
        lead_in: Option<&str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<String, SkipReason> {
        clean::sentence(text, kind, lead_in, rng)
    }

    fn clause(&self, sentence: &str) -> Option<Clause> {
        parse::clause(sentence)
    }

    fn definition(&self, sentence: &str) -> Option<(String, String)> {
        parse::definition(sentence)
    }

    fn define(&self, term: &str, meaning: &str) -> String {
        format!("{term}系指{meaning}。")
    }

    fn render(&self, lead: &str, subject: &str, modal: &str, predicate: &str) -> String {
        format!("{lead}{subject}{modal}{predicate}。")
    }

    fn same_force(&self, clause: &Clause, _subject: &str) -> String {
        edits::same_force(&clause.modal)
    }

    fn rewordings(&self, sentence: &Parsed) -> Vec<Variant> {
        edits::rewordings(sentence)
    }

    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
        edits::edits(sentence, terms, rng)
    }

    fn is_actor(&self, clause: &Clause) -> bool {
        parse::is_agent(&clause.subject)
    }

    fn interchangeable(&self, _a: &Clause, _b: &Clause) -> bool {
        true
    }

    fn topics(&self, anchor: &Anchor<'_>, sentence: &Parsed) -> Vec<String> {
        questions::topics(anchor, sentence)
    }

    fn question(
        &self,
        ask: Ask,
        sentence: &Parsed,
        topics: &[String],
        heading: &str,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        questions::question(ask, sentence, topics, heading, rng)
    }

    fn mentions(&self, text: &str, term: &str) -> Vec<(usize, usize)> {
        if term.is_empty() {
            return Vec::new();
        }
        // "被保险人" is no mention of "保险人".
        let inside_word = |at: usize| text[..at].ends_with(['被', '非', '副', '原', '再']);
        text.match_indices(term).filter(|(at, _)| !inside_word(*at)).map(|(at, found)| (at, at + found.len())).collect()
    }

    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
        let sentence = format!("{}{term}{}", text.get(..mention.0)?, text.get(mention.1..)?);
        Some(Fitted { term: term.to_owned(), sentence })
    }

    fn term_question(
        &self,
        sentence: &Parsed,
        mention: (usize, usize),
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        questions::term_question(sentence, mention, rng)
    }
}

//! English: how a rule is taken apart, changed and asked about.

mod agreement;
mod clean;
mod edits;
mod lexicon;
mod parse;
mod questions;
mod terms;

use crate::anchor::Anchor;
use crate::clause::{Ask, Clause, Fitted, Grammar, Parsed, Variant};
use crate::reasons::SkipReason;
use lexforge_domain::text::SentenceKind;
use rand_chacha::ChaCha8Rng;

/// The grammar of English.
pub(crate) struct English;

impl Grammar for English {
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
        format!("“{term}” denotes {meaning}.")
    }

    fn render(&self, lead: &str, subject: &str, modal: &str, predicate: &str) -> String {
        parse::render(lead, subject, modal, predicate)
    }

    fn same_force(&self, clause: &Clause, subject: &str) -> String {
        edits::same_force(clause, subject)
    }

    fn rewordings(&self, sentence: &Parsed) -> Vec<Variant> {
        edits::rewordings(sentence)
    }

    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
        edits::edits(sentence, terms, rng)
    }

    fn is_actor(&self, clause: &Clause) -> bool {
        parse::is_actor(clause)
    }

    fn interchangeable(&self, a: &Clause, b: &Clause) -> bool {
        agreement::number(&a.subject) == agreement::number(&b.subject)
    }

    fn topics(&self, anchor: &Anchor<'_>, sentence: &Parsed) -> Vec<String> {
        terms::topics(anchor, sentence)
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
        terms::mentions(text, term)
    }

    fn fit(&self, text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
        terms::fit(text, mention, term)
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

/// A heading as a question quotes it: no label, no shouting, no full stop; none where nothing is left.
fn clean_heading(heading: &str) -> Option<String> {
    let tidied = crate::words::tidy(heading);
    let heading =
        tidied.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | ';' | '–' | '—' | '-' | '›'));
    let letters = heading.chars().filter(|c| c.is_alphabetic()).count();
    let shouting = letters > 4 && heading.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    let said = if shouting { agreement::capital(&heading.to_lowercase()) } else { heading.to_owned() };
    let plain = said.to_lowercase();
    let empty = ["guidance", "general", "introduction", "application", "rules", "other", "scope", "definitions"]
        .contains(&plain.as_str());
    (letters > 4 && crate::words::length(&said) <= 90 && !empty && !said.contains(['“', '”'])).then_some(said)
}

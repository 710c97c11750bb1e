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

/// Headings that name nothing.
const EMPTY_HEADINGS: &[&str] = &[
    "guidance",
    "general",
    "introduction",
    "application",
    "rules",
    "other",
    "scope",
    "definitions",
    "definition",
    "interpretation",
    "general provisions",
    "final provisions",
    "annex",
    "appendix",
    "schedule",
    "table of contents",
    "general requirements",
    "purpose",
    "background",
    "overview",
    "summary",
];

/// A heading as a question quotes it: no label, no shouting, no full stop; none where nothing is left.
fn clean_heading(heading: &str) -> Option<String> {
    let tidied = crate::words::tidy(heading);
    let labels = ["Article", "Section", "Chapter", "Part", "Rule", "Annex", "Title", "Recital"];
    let mut parts: Vec<&str> = tidied.split(' ').collect();
    // "Article 32 Security of processing", "4.2.1. Groups": the label goes, what it names stays.
    while parts.first().is_some_and(|p| {
        labels.contains(p)
            && parts.get(1).is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit() || "IVX".contains(c)))
            || p.starts_with(|c: char| c.is_ascii_digit() || c == '(' || c == '-' || c == '–' || c == '—')
            || p.chars().all(|c| "IVX.".contains(c))
    }) {
        parts.remove(0);
    }
    let bare = parts.join(" ");
    let heading =
        bare.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | ';' | '–' | '—' | '-' | '›'));
    let letters = heading.chars().filter(|c| c.is_alphabetic()).count();
    let shouting = letters > 4 && heading.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    let said = if shouting { agreement::capital(&heading.to_lowercase()) } else { heading.to_owned() };
    let empty = EMPTY_HEADINGS.contains(&said.to_lowercase().as_str());
    (letters > 4 && crate::words::length(&said) <= 90 && !empty && !said.contains(['“', '”'])).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::clean_heading;

    #[test]
    fn headings_lose_their_label() {
        let check =
            |heading, expected: Option<&str>| assert_eq!(clean_heading(heading).as_deref(), expected, "{heading}");
        check("Article 32 Security of processing", Some("Security of processing"));
        check("4.2.1. Groups and branches", Some("Groups and branches"));
        check("GENERAL COMPLIANCE REQUIREMENTS", Some("General compliance requirements"));
        check("Article 32", None);
        check("2.Guidance", None);
        check("Definitions", None);
    }
}

//! Chinese: how a rule is taken apart, changed and asked about.

mod clean;
mod edits;
mod figures;
mod lexicon;
mod parse;
mod questions;
mod stems;

use crate::clause::{Ask, Clause, Duty, FigureStem, Fitted, Grammar, Parsed, Variant};
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

    fn rewordings(&self, sentence: &Parsed) -> Vec<Variant> {
        edits::rewordings(sentence)
    }

    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
        edits::edits(sentence, terms, rng)
    }

    fn is_actor(&self, clause: &Clause) -> bool {
        parse::is_agent(&clause.subject)
    }

    fn is_agent(&self, subject: &str) -> bool {
        parse::is_agent(subject)
    }

    fn interchangeable(&self, _a: &str, _b: &str) -> bool {
        true
    }

    fn with_actor(&self, subject: &str, mention: &str, other: &str) -> Option<String> {
        (subject == mention).then(|| other.to_owned())
    }

    fn who(&self, clause: &Clause) -> Option<String> {
        stems::who(clause)
    }

    fn actor(&self, clause: &Clause, subject: &str) -> Option<String> {
        stems::actor(clause, subject)
    }

    fn case(&self, lead: &str) -> Option<String> {
        stems::case(lead)
    }

    fn in_which_case(&self, clause: &Clause) -> Option<String> {
        stems::in_which_case(clause)
    }

    fn conditional(&self, clause: &Clause, case: &str) -> Option<String> {
        stems::conditional(clause, case)
    }

    fn statuses(&self, clause: &Clause) -> Option<(String, Vec<(Duty, String)>)> {
        stems::statuses(clause)
    }

    fn doing(&self, clause: &Clause, predicate: &str) -> Option<String> {
        stems::doing(clause, predicate)
    }

    fn figures(&self, sentence: &Parsed) -> Vec<FigureStem> {
        figures::stems(sentence)
    }

    fn placed(&self, question: &str, heading: &str, title: &str) -> String {
        stems::placed(question, heading, title)
    }

    fn question(&self, ask: Ask, sentence: &Parsed) -> Option<String> {
        questions::question(ask, sentence)
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

    fn stands_free(&self, text: &str, mention: (usize, usize)) -> bool {
        parse::stands_free(text, mention)
    }

    fn of_one_kind(&self, term: &str, other: &str) -> bool {
        let alike = parse::is_agent(term) || term.chars().next_back() == other.chars().next_back();
        alike && parse::is_noun(term) && parse::is_noun(other)
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

//! English: how a rule is taken apart, changed and asked about.

mod agreement;
mod clean;
mod edits;
mod figures;
mod kinds;
pub(crate) mod lexicon;
mod parse;
mod place;
mod questions;
mod receipts;
mod rules;
mod stems;
mod terms;
mod verbs;

use crate::clause::{Asked, Clause, Duty, FigureStem, Fitted, Grammar, Item, Parsed, Part, Place, Receipt, Variant};
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

    fn longest(&self) -> usize {
        clean::SHOWN
    }

    fn clause(&self, sentence: &str) -> Option<Clause> {
        parse::clause(sentence)
    }

    fn definition(&self, sentence: &str) -> Option<(String, String)> {
        parse::definition(sentence)
    }

    fn define(&self, term: &str, meaning: &str, usual: bool) -> String {
        format!("“{term}” {} {meaning}.", if usual { "means" } else { "denotes" })
    }

    fn reworded(&self, text: &str) -> Vec<String> {
        edits::reworded(text)
    }

    fn edits(&self, sentence: &Parsed, terms: &[(String, Vec<String>)], rng: &mut ChaCha8Rng) -> Vec<Variant> {
        edits::edits(sentence, terms, rng)
    }

    fn is_actor(&self, clause: &Clause) -> bool {
        parse::is_actor(clause)
    }

    fn is_agent(&self, subject: &str) -> bool {
        parse::is_agent(subject)
    }

    fn interchangeable(&self, a: &str, b: &str) -> bool {
        stems::interchangeable(a, b)
    }

    fn with_actor(&self, subject: &str, mention: &str, other: &str) -> Option<String> {
        stems::with_actor(subject, mention, other)
    }

    fn who(&self, clause: &Clause) -> Option<String> {
        questions::who(clause)
    }

    fn actor(&self, clause: &Clause, subject: &str) -> Option<String> {
        stems::actor(clause, subject)
    }

    fn receipt(&self, clause: &Clause) -> Option<Receipt> {
        receipts::receipt(clause)
    }

    fn case(&self, clause: &Clause) -> Option<(Clause, String)> {
        stems::cased(clause)
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

    fn figures(&self, sentence: &Parsed) -> Vec<FigureStem> {
        figures::stems(sentence)
    }

    fn placed(&self, question: &str, place: &Place<'_>, hidden: &str) -> Option<String> {
        place::placed(question, place, hidden)
    }

    fn lays_down(&self, sentence: &Parsed, place: &Place<'_>) -> bool {
        rules::lays_down(sentence, place)
    }

    fn has_label(&self, place: &Place<'_>) -> bool {
        place::has_label(place)
    }

    fn what_means(&self, term: &str) -> String {
        format!("What does the term “{term}” mean?")
    }

    fn modals(&self, clause: &Clause, duty: Duty, brief: bool) -> Option<[String; 2]> {
        stems::modals(clause, duty, brief)
    }

    fn other_duties(&self, clause: &Clause) -> Vec<Duty> {
        stems::other_duties(clause)
    }

    fn rule(&self, lead: &str, subject: &str, modal: &str, predicate: &str) -> String {
        parse::render(lead, subject, modal, predicate)
    }

    fn wording(&self, clause: &Clause, open: &[Part], topic: Option<&str>, touched: &[&str]) -> Option<Asked> {
        questions::wording(clause, open, topic, touched)
    }

    fn item(&self, lead_in: &str, text: &str) -> Option<Item> {
        clean::item(lead_in, text)
    }

    fn which_item(&self, lead: &str) -> String {
        format!("Which of these stands in the list that begins “{lead} …”?")
    }

    fn laid_down(&self, topic: Option<&str>) -> String {
        format!("What is laid down{}?", topic.map(|t| format!(" as regards {t}")).unwrap_or_default())
    }

    fn topic(&self, text: &str, mention: (usize, usize)) -> Option<String> {
        terms::topic(text, mention)
    }

    fn is_noun(&self, term: &str) -> bool {
        kinds::is_noun(term)
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

    fn stands_free(&self, text: &str, mention: (usize, usize)) -> bool {
        terms::stands_free(text, mention)
    }

    fn of_one_kind(&self, term: &str, other: &str) -> bool {
        kinds::of_one_kind(term, other)
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
    let empty = lexicon::EMPTY_HEADINGS.contains(&said.to_lowercase().as_str());
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

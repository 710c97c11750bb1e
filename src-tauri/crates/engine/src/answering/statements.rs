//! An answer without a language model: the clauses that answer, in the regulator's own words, each with its place.

use super::Answering;
use super::clauses::Clauses;
use super::force::InForce;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Citation, Clause, Statement, Unsupported};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_ingest::addressed;
use lexforge_store::{marks, words};
use lexforge_text::addresses::{addresses, outside_addresses};
use lexforge_text::{asked, is_han, rights, written_out};
use std::collections::HashSet;

/// Clauses that an answer quotes at most.
const MOST_STATEMENTS: usize = 3;
/// A clause is quoted if its score is at least this share of the best.
const NEAR_THE_BEST: f64 = 0.75;
/// This takes the place of [`NEAR_THE_BEST`] for a short question, which usually asks for one thing. Of 60 short
/// questions whose answer is quoted with [`NEAR_THE_BEST`], 57 keep their answer with this value. On average only 1.7
/// clauses are quoted instead of 2.4.
const NEAR_THE_BEST_IN_SHORT: f64 = 0.9;
/// A question with at most this many different words is short. Words that a search ignores are not counted. Everyday
/// questions have a median of four words. Questions of ObliQA have a median of fifteen, and one in a hundred of them is
/// short.
const SHORT: usize = 8;

/// The sentences of a clause that an answer quotes, or that a model is given to answer from.
pub(super) struct Quote {
    /// The sentences, in their order.
    pub sentences: Vec<Sentence>,
    /// The index of the first sentence of the clause itself. The sentences before it are only quoted to make it
    /// understandable.
    pub own: usize,
}

/// The statements and citations of an answer.
#[derive(Default)]
pub(super) struct Said {
    pub statements: Vec<Statement>,
    /// What they cite.
    pub citations: Vec<Citation>,
}

/// The clauses that an answer to a question quotes, of those that were found, best first.
pub(super) fn quoted(question: &str, hits: &[(u32, f64)]) -> impl Iterator<Item = u32> {
    let best = hits.first().map_or(0.0, |hit| hit.1);
    let near = match is_short(question) {
        true => NEAR_THE_BEST_IN_SHORT,
        false => NEAR_THE_BEST,
    };
    // Each clause that grants a right is an answer of its own, and none of them is better than the others.
    let most = match rights::asked_of(question) {
        Some(_) => hits.iter().filter(|hit| hit.1 >= best).count(),
        None => 0,
    };
    hits.iter()
        .filter(move |hit| hit.1 >= near * best)
        .map(|hit| hit.0)
        .take(most.max(MOST_STATEMENTS))
}

/// The clauses that score nearly as well as the best one.
fn near_the_best(hits: &[(u32, f64)]) -> &[(u32, f64)] {
    let best = hits.first().map_or(0.0, |hit| hit.1);
    let near = hits.iter().take_while(|hit| hit.1 >= NEAR_THE_BEST * best);
    &hits[..near.count()]
}

/// Whether a text is only a web address, as in some footnotes. An address may contain the words of the question, but it
/// answers nothing.
fn is_bare_address(text: &str) -> bool {
    let has_letters = |part: &&str| part.chars().any(char::is_alphabetic);
    !addresses(text).is_empty() && !outside_addresses(text).iter().any(has_letters)
}

/// Whether a text only writes out an abbreviation, while the question contains a word that is not in the text. Such a
/// question asks for more than the name of the thing: "Who chairs the Port Committee?"
fn is_only_the_name(question: &str, text: &str) -> bool {
    if !written_out::is_written_out(text) || asked::meaning_of(question).is_some() {
        return false;
    }
    let named: HashSet<String> = words(text).into_iter().collect();
    let subject = asked::subject(question);
    let own = subject
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .filter(|word| !asked::helps_to_ask(word));
    own.flat_map(words).any(|word| !named.contains(&word))
}

/// Whether this is a short question. A question that is only a term does not count as short, because the user may want
/// rules as well as the definition. A Chinese question does not count as short either: it is compared by pairs of
/// characters, and these are not words that could be counted.
fn is_short(question: &str) -> bool {
    if asked::looked_up(question).is_some() || question.chars().any(is_han) {
        return false;
    }
    let subject: HashSet<String> = words(&asked::subject(question)).into_iter().collect();
    subject.len() <= SHORT
}

impl Answering<'_> {
    /// The statements of the best clauses.
    pub(super) fn said(
        &self,
        question: &str,
        hits: &[(u32, f64)],
        clauses: &Clauses,
        in_force: &InForce,
    ) -> Result<Said> {
        let mut said = Said::default();
        let mut told: HashSet<String> = HashSet::new();
        let mut told_sentences: HashSet<SentenceId> = HashSet::new();
        let quote = |clause| -> Result<Option<Quote>> {
            let quote = self.quote_in_context(question, clause, clauses)?;
            Ok(quote.and_then(Quote::without_orders))
        };
        // A clause that only gives orders to a language model is not used to judge the clauses after it.
        let mut hits = hits;
        while let Some((first, rest)) = hits.split_first() {
            if quote(first.0)?.is_some() {
                break;
            }
            hits = rest;
        }
        let first: Vec<u32> = quoted(question, hits).collect();
        let mut holding = self.that_hold(question, first.clone(), clauses)?;
        if holding.is_empty() {
            let near = near_the_best(hits);
            holding.extend(self.further_down(question, near, clauses)?);
        }
        let holding = self.how_often_first(question, holding, near_the_best(hits), clauses)?;
        let holding = self.that_lay_the_duty(question, holding, hits, clauses)?;
        let holding = self.that_forbid(question, holding, near_the_best(hits), clauses)?;
        let both = (holding, first.as_slice());
        let holding = self.that_state_the_sanction(question, both, hits, clauses)?;
        for clause in self.with_exception(holding, clauses)? {
            let Some(quote) = quote(clause)? else {
                continue;
            };
            let text = quote.text();
            if is_bare_address(&text) || is_only_the_name(question, &text) {
                continue;
            }
            // The same words in two acts, or in two versions, are said once.
            if !told.insert(lexforge_text::fold::letters(&text)) {
                continue;
            }
            // An item is not repeated if its whole list was quoted already.
            let is_new = |s: &Sentence| !told_sentences.contains(&s.id);
            if !quote.sentences.iter().any(is_new) {
                continue;
            }
            let Some(citation) = quote.citation(clauses, in_force) else {
                continue;
            };
            told_sentences.extend(quote.sentences.iter().map(|s| s.id));
            let kept = citation.quote.contains(&text) || text == citation.quote;
            said.statements.push(Statement {
                marks: marks(question, &text),
                text,
                citations: vec![said.citations.len()],
                kept,
                reason: (!kept).then_some(Unsupported::NotQuoted),
            });
            said.citations.push(citation);
        }
        Ok(said)
    }

    /// The clauses as they are shown under an answer.
    pub(super) fn shown(
        &self,
        question: &str,
        hits: &[(u32, f64)],
        clauses: &Clauses,
        in_force: &InForce,
    ) -> Result<Vec<Clause>> {
        let mut shown = Vec::with_capacity(hits.len());
        for (clause, score) in hits {
            let Some(quote) = self.quote(question, *clause, clauses)? else {
                continue;
            };
            if let Some(place) = quote.citation(clauses, in_force) {
                let text = quote.text();
                shown.push(Clause {
                    marks: marks(question, &text),
                    text,
                    place,
                    score: *score,
                    lacks: Vec::new(),
                });
            }
        }
        Ok(shown)
    }
}

impl Quote {
    /// The words, as they stand.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (at, sentence) in self.sentences.iter().enumerate() {
            text.push_str(self.before(at));
            text.push_str(&sentence.text);
        }
        text
    }

    /// Drops the sentences that give orders to a language model, because they are not an answer of the regulator.
    /// `None` if no sentence of the clause itself is left.
    fn without_orders(mut self) -> Option<Self> {
        let said = |s: &Sentence| !addressed::to_a_model(&s.text);
        let before = self.sentences.iter().take(self.own);
        self.own = before.filter(|s| said(s)).count();
        self.sentences.retain(said);
        (self.own < self.sentences.len()).then_some(self)
    }

    /// The text to put before the sentence at this place, to separate it from the sentence before it: a blank, or
    /// nothing in a script without blanks. In such a script a row of a table gets a line of its own; otherwise its last
    /// cell and the first cell of the next row would look like one word.
    pub(super) fn before(&self, at: usize) -> &'static str {
        let before = at.checked_sub(1);
        let Some(both) = before.and_then(|before| self.sentences.get(before..=at)) else {
            return "";
        };
        let first = self.sentences.first().and_then(|s| s.text.chars().next());
        if !first.is_some_and(is_han) {
            " "
        } else if both.iter().any(|s| s.kind == SentenceKind::TableCell) {
            "\n"
        } else {
            ""
        }
    }

    /// The places of all quoted sentences.
    fn citation(&self, clauses: &Clauses, in_force: &InForce) -> Option<Citation> {
        let own = self.sentences.get(self.own)?;
        let citation = cited(&self.sentences, self.text(), clauses, in_force)?;
        Some(Citation {
            page: own.page,
            section: own.section.clone(),
            sentence: own.id,
            external_id: own.external_id.clone(),
            ..citation
        })
    }
}

/// The places of these sentences, which are a part of `quote`.
pub(super) fn cited(
    sentences: &[Sentence],
    quote: String,
    clauses: &Clauses,
    in_force: &InForce,
) -> Option<Citation> {
    let first = sentences.first()?;
    let document = clauses.row(first.document)?;
    Some(Citation {
        document: document.id,
        title: document.title.clone(),
        language: document.language,
        page: first.page,
        section: first.section.clone(),
        boxes: sentences.iter().flat_map(|s| s.boxes.clone()).collect(),
        quote,
        sentence: first.id,
        external_id: first.external_id.clone(),
        superseded_by: in_force.superseded_by.get(&document.id).copied(),
        out_of_force: in_force.out_of_force.get(&document.id).cloned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;

    #[test]
    fn a_row_of_a_table_has_a_line_of_its_own_where_words_have_no_blanks_between_them() {
        use SentenceKind::{Rule, TableCell};
        for (sentences, expected) in [
            (
                &[
                    (Rule, "保存期限如下："),
                    (TableCell, "材料\t期限"),
                    (TableCell, "录音\t6个月"),
                    (Rule, "期满销毁。"),
                    (Rule, "销毁应当登记。"),
                ][..],
                "保存期限如下：\n材料\t期限\n录音\t6个月\n期满销毁。销毁应当登记。",
            ),
            (
                &[(Rule, "Kept for:"), (TableCell, "Logs\t5 years")],
                "Kept for: Logs\t5 years",
            ),
            (&[(TableCell, "录音\t6个月")], "录音\t6个月"),
            (&[], ""),
        ] {
            let sentence = |(kind, text): &(SentenceKind, &str)| {
                Sentence::alone(SentenceId(1), DocumentId(1), *kind, text)
            };
            let quote = Quote {
                sentences: sentences.iter().map(sentence).collect(),
                own: 0,
            };
            assert_eq!(quote.text(), expected);
        }
    }

    #[test]
    fn a_bare_address_says_nothing() {
        for (text, bare) in [
            ("9 https://harbour.example.org/rules-on-the-dues", true),
            ("See https://harbour.example.org/rules-on-the-dues.", false),
            ("Dues are paid.", false),
            ("500\t200", false),
            ("停泊费由船长缴。", false),
        ] {
            assert_eq!(is_bare_address(text), bare, "{text}");
        }
    }

    #[test]
    fn a_name_answers_no_question_that_asks_more() {
        let entry = "PCHD\tPort Committee on Harbour Dues";
        for (question, text, only) in [
            ("Who chairs the Port Committee?", entry, true),
            ("What does PCHD stand for?", entry, false),
            ("What is the PCHD?", entry, false),
            ("Who is the Port Committee?", entry, false),
            ("harbour dues", entry, false),
            (
                "Who chairs the Port Committee?",
                "The Port Committee elects its chair.",
                false,
            ),
        ] {
            assert_eq!(is_only_the_name(question, text), only, "{question} {text}");
        }
    }

    #[test]
    fn a_short_question_is_answered_by_fewer_clauses() {
        let hits = [(4, 0.9), (7, 0.83), (2, 0.75), (9, 0.7), (1, 0.5)];
        let told = |question| quoted(question, &hits).collect::<Vec<u32>>();
        assert_eq!(told("Who audits the harbour office?"), [4, 7]);
        let long = "Which records of moorings, pilots, dues, fines, cargo, fuel, waste and accidents does the harbour office \
                    keep for inspectors?";
        assert_eq!(told(long), [4, 7, 2]);
        // A term that is looked up, and a question without blanks.
        assert_eq!(told("mooring fee"), [4, 7, 2]);
        assert_eq!(told("港口办公室由谁审计？"), [4, 7, 2]);
        assert!(quoted("Who?", &[]).next().is_none());
    }
}

//! Finds clauses that answer a question but are not among the first clauses found. The clauses that fit best may
//! contain the words of a question and still not say what it asks: when something is needed, by when it is done, or who
//! must do it.

use super::Answering;
use super::clauses::Clauses;
use super::duties::Duty;
use super::own_words::{own_words, share_in};
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_text::expected::{self, Beside};
use lexforge_text::{duty, is_han, permits, when};
use std::collections::HashSet;

/// The sentence that answers must contain at least this share of the question's own words. A sentence with a smaller
/// share is about something else.
const OF_THE_QUESTION: f64 = 0.5;
/// The same for a sentence with a figure that is put before better clauses which say it in words.
const OF_THE_QUESTION_FOR_A_FIGURE: f64 = 0.66;

impl Answering<'_> {
    /// The first clause of `hits` that says what an English question asks: when something is needed, how long, how
    /// often or how much. `None` where none says it, or where the question asks for something else.
    pub(super) fn further_down(
        &self,
        question: &str,
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Option<u32>> {
        let figure = figure_of(question);
        if figure.is_none() && when::needed(question).is_none() {
            return Ok(None);
        }
        let own = own_words(question);
        for (clause, _) in hits {
            if self.that_hold(question, vec![*clause], clauses)?.is_empty() {
                continue;
            }
            let Some(figure) = figure else {
                return Ok(Some(*clause));
            };
            let quote = self.quote_in_context(question, *clause, clauses)?;
            if quote.is_some_and(|quote| tells_figure(figure, &own, &quote.sentences)) {
                return Ok(Some(*clause));
            }
        }
        Ok(None)
    }

    /// The clauses of `told`. If an English question asks how often, and `told` says it only in words such as "regularly",
    /// a clause of `near` comes first that tells it by a figure.
    pub(super) fn how_often_first(
        &self,
        question: &str,
        told: Vec<u32>,
        near: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let figure = figure_of(question).filter(|figure| *figure == Beside::Frequency);
        let Some(figure) = figure.filter(|_| !told.is_empty()) else {
            return Ok(told);
        };
        let own = own_words(question);
        let tells = |clause: u32, least: f64| -> Result<bool> {
            let quote = self.quote_in_context(question, clause, clauses)?;
            let tells = |s: &Sentence| figure.is_in(&s.text) && share_in(&own, s) >= least;
            Ok(quote.is_some_and(|quote| quote.sentences.iter().any(tells)))
        };
        for clause in &told {
            if tells(*clause, 0.0)? {
                return Ok(told);
            }
        }
        for (clause, _) in near {
            let is_new = !told.contains(clause) && !clauses.beside.contains(clause);
            if is_new
                && tells(*clause, OF_THE_QUESTION_FOR_A_FIGURE)?
                && !self.that_hold(question, vec![*clause], clauses)?.is_empty()
            {
                return Ok(std::iter::once(*clause).chain(told).collect());
            }
        }
        Ok(told)
    }

    /// The clauses that answer an English question about a duty (who must do something, or to whom it must be done),
    /// best first. The result is the first of these that exists:
    ///
    /// 1. The clauses of `told` that impose this duty. If the question asks who has the duty, they are followed by
    ///    those that impose another duty. All other clauses are left out.
    /// 2. The first clause of `hits` that imposes the duty in one sentence with all of the question's own words.
    /// 3. `told` without the clauses that only lift the duty ("need not report"). If the question asks for something
    ///    else, `told` as it is.
    pub(super) fn that_lay_the_duty(
        &self,
        question: &str,
        told: Vec<u32>,
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let Some(duty) = Duty::asked_of(question).filter(|_| !told.is_empty()) else {
            return Ok(told);
        };
        let own = own_words(question);
        let (mut laying, mut demanding, mut lifting) = (Vec::new(), Vec::new(), HashSet::new());
        for clause in &told {
            let Some(quote) = self.quote_in_context(question, *clause, clauses)? else {
                continue;
            };
            if duty.is_only_lifted(&quote.sentences) {
                lifting.insert(*clause);
            } else if duty.is_in(&own, &quote.sentences, OF_THE_QUESTION) {
                laying.push(*clause);
            } else if matches!(duty, Duty::LaidOn(_)) && demands_of_it(&own, &quote.sentences) {
                demanding.push(*clause);
            }
        }
        if !laying.is_empty() {
            laying.extend(demanding);
            return Ok(laying);
        }
        for (clause, _) in hits.iter().filter(|hit| !lifting.contains(&hit.0)) {
            let quote = self.quote_in_context(question, *clause, clauses)?;
            if quote.is_some_and(|quote| duty.is_in(&own, &quote.sentences, 1.0)) {
                return Ok(vec![*clause]);
            }
        }
        let left = told.into_iter().filter(|clause| !lifting.contains(clause));
        Ok(left.collect())
    }

    /// The clauses that answer an English question about what is forbidden: the clauses of `told` that forbid it, best
    /// first. If there are none, the first clause of `hits` that forbids it in one sentence with all of the question's
    /// own words. If there is no such clause either, or the question asks for something else, `told` is returned as it
    /// is.
    pub(super) fn that_forbid(
        &self,
        question: &str,
        told: Vec<u32>,
        hits: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        if told.is_empty()
            || question.chars().any(is_han)
            || !permits::asks_what_is_forbidden(question)
        {
            return Ok(told);
        }
        let own = own_words(question);
        let forbids = |clause: u32, share: f64| -> Result<bool> {
            let quote = self.quote_in_context(question, clause, clauses)?;
            Ok(quote.is_some_and(|quote| forbids_it(&own, &quote.sentences, share)))
        };
        let mut forbidding = Vec::new();
        for clause in &told {
            if forbids(*clause, OF_THE_QUESTION)? {
                forbidding.push(*clause);
            }
        }
        if !forbidding.is_empty() {
            return Ok(forbidding);
        }
        for (clause, _) in hits {
            if forbids(*clause, 1.0)? {
                return Ok(vec![*clause]);
            }
        }
        Ok(told)
    }
}

/// The figure that an English question asks for with words that ask for nothing else: "how long", "how much".
fn figure_of(question: &str) -> Option<Beside> {
    let by_figure = expected::asks_for_a_figure(question);
    expected::beside(question).filter(|_| by_figure && !question.chars().any(is_han))
}

/// Whether one of the sentences tells such a figure and is about what is asked.
fn tells_figure(figure: Beside, own: &HashSet<String>, sentences: &[Sentence]) -> bool {
    sentences
        .iter()
        .any(|s| figure.is_in(&s.text) && share_in(own, s) >= OF_THE_QUESTION)
}

/// Whether one of the sentences demands something and is about what is asked.
fn demands_of_it(own: &HashSet<String>, sentences: &[Sentence]) -> bool {
    sentences
        .iter()
        .any(|s| duty::demands(&s.text) && share_in(own, s) >= OF_THE_QUESTION)
}

/// Whether one of the sentences forbids something and has this share of the question's own words.
fn forbids_it(own: &HashSet<String>, sentences: &[Sentence], share: f64) -> bool {
    sentences
        .iter()
        .any(|s| permits::forbids(&s.text) && share_in(own, s) >= share)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;
    use lexforge_domain::text::SentenceKind;

    fn rules(texts: &[&str]) -> Vec<Sentence> {
        let of = |text: &&str| sentence(SentenceKind::Rule, text);
        texts.iter().map(of).collect()
    }

    #[test]
    fn a_figure_is_told_by_a_sentence_about_what_is_asked() {
        for (question, text, told) in [
            (
                "How many days do we have to file a berth report?",
                "Berth reports are filed within 15 days.",
                true,
            ),
            (
                "How many days do we have to file a berth report?",
                "A barge is painted within 15 days.",
                false,
            ),
            (
                "How often must the hydrants be checked?",
                "The hydrants are verified at least quarterly.",
                true,
            ),
            (
                "How often must the hydrants be checked?",
                "The hydrants are verified by a pilot.",
                false,
            ),
        ] {
            let figure = figure_of(question).unwrap();
            let found = tells_figure(figure, &own_words(question), &rules(&[text]));
            assert_eq!(found, told, "{question} {text}");
        }
        assert_eq!(figure_of("Who files a report?"), None);
    }

    #[test]
    fn what_is_forbidden_is_said_by_a_sentence_that_forbids_it() {
        let own = own_words("Which wardens may not check the hydrants?");
        for (text, forbidden) in [
            ("A warden shall not verify the hydrants.", true),
            ("The wardens of a port check the hydrants.", false),
            ("A pilot shall not moor.", false),
        ] {
            let found = forbids_it(&own, &rules(&[text]), OF_THE_QUESTION);
            assert_eq!(found, forbidden, "{text}");
        }
    }
}

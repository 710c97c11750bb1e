//! Finds clauses that answer a question but are not among the first clauses found. The clauses that fit best may
//! contain the words of a question and still not say what it asks: when something is needed, by when it is done, or who
//! must do it.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_store::{formal, stands_instead, words};
use lexforge_text::expected::{self, Beside};
use lexforge_text::{asked, duty, is_han, permits, when};
use std::collections::HashSet;

/// The sentence that answers must contain at least this share of the question's own words. A sentence with a smaller
/// share is about something else.
const OF_THE_QUESTION: f64 = 0.5;

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

    /// The clauses that answer an English question about a duty (who must do something, or to whom it must be done),
    /// best first. The result is the first of these that exists:
    ///
    /// 1. The clauses of `told` that impose this duty. If the question asks who has the duty, they are followed by
    ///    those that impose another duty. All other clauses are left out.
    /// 2. The first clause of `hits` that imposes the duty in one sentence with all of the question's own words.
    /// 3. `told` as it is. This is also the result if the question asks for something else.
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
        let (mut laying, mut demanding) = (Vec::new(), Vec::new());
        for clause in &told {
            let Some(quote) = self.quote_in_context(question, *clause, clauses)? else {
                continue;
            };
            if duty.is_in(&own, &quote.sentences, OF_THE_QUESTION) {
                laying.push(*clause);
            } else if matches!(duty, Duty::LaidOn(_)) && demands_of_it(&own, &quote.sentences) {
                demanding.push(*clause);
            }
        }
        if !laying.is_empty() {
            laying.extend(demanding);
            return Ok(laying);
        }
        for (clause, _) in hits {
            let quote = self.quote_in_context(question, *clause, clauses)?;
            if quote.is_some_and(|quote| duty.is_in(&own, &quote.sentences, 1.0)) {
                return Ok(vec![*clause]);
            }
        }
        Ok(told)
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

/// The duty that a question asks about, by its verb.
enum Duty {
    /// Who has it: "Who must appoint a warden?"
    LaidOn(String),
    /// With whom it is done: "Who must be told of a wreck?"
    DoneTo(String),
}

impl Duty {
    /// The duty that an English question asks about. `None` where it asks for something else.
    fn asked_of(question: &str) -> Option<Self> {
        let laid = duty::asked_of(question).map(Self::LaidOn);
        laid.or_else(|| duty::done_to_whom(question).map(Self::DoneTo))
    }

    /// Whether one of the sentences imposes the duty and has this share of the question's own words.
    fn is_in(&self, own: &HashSet<String>, sentences: &[Sentence], share: f64) -> bool {
        let imposes = |sentence: &str| match self {
            Self::LaidOn(verb) => duty::is_laid(sentence, |word| is_form_of(verb, word)),
            Self::DoneTo(verb) => duty::is_demanded(sentence, |word| is_form_of(verb, word)),
        };
        sentences
            .iter()
            .any(|s| imposes(&s.text) && share_in(own, s) >= share)
    }
}

/// The figure that an English question asks for with words that ask for nothing else: "how long", "how much".
fn figure_of(question: &str) -> Option<Beside> {
    let by_figure = expected::asks_for_a_figure(question);
    expected::beside(question).filter(|_| by_figure && !question.chars().any(is_han))
}

/// The words of a question that say what it is about.
pub(super) fn own_words(question: &str) -> HashSet<String> {
    let subject = asked::subject(question);
    let parts = subject.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    parts
        .filter(|word| !asked::helps_to_ask(word))
        .flat_map(words)
        .collect()
}

/// The share of these words that a sentence contains, either directly or as the word that rules use instead.
fn share_in(own: &HashSet<String>, sentence: &Sentence) -> f64 {
    share_of(own, &sentence.text)
}

/// The share of these words that a text contains, in the same way.
pub(super) fn share_of(own: &HashSet<String>, text: &str) -> f64 {
    let has: HashSet<String> = words(text).into_iter().collect();
    let stands =
        |word: &&String| has.contains(*word) || stands_instead(word, |other| has.contains(other));
    own.iter().filter(stands).count() as f64 / own.len().max(1) as f64
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

/// Whether a word is a form of a verb, or of a verb that rules use instead of it.
fn is_form_of(verb: &str, word: &str) -> bool {
    let asked = words(verb);
    let stands =
        |one: &String| asked.contains(one) || asked.iter().any(|a| formal(a).contains(one));
    words(word).iter().any(stands)
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

    /// Whether the duty that a question asks for is in each text, by half of the question's words and by all of them.
    fn check_duty(question: &str, texts: &[(&str, bool, bool)]) {
        let duty = Duty::asked_of(question).unwrap();
        for (text, half, whole) in texts {
            let found = |share| duty.is_in(&own_words(question), &rules(&[*text]), share);
            assert_eq!(
                (found(OF_THE_QUESTION), found(1.0)),
                (*half, *whole),
                "{text}"
            );
        }
    }

    #[test]
    fn who_must_be_told_is_said_by_a_sentence_that_demands_it() {
        let question = "Who has to be told when a wreck is found?";
        let told = [
            (
                "The rule requires that the board be notified of each wreck found.",
                true,
                true,
            ),
            ("The board must be notified of a wreck.", true, false),
            ("The board must be notified of a fee.", false, false),
            ("A master who found a wreck is free of fees.", false, false),
        ];
        check_duty(question, &told);
    }

    #[test]
    fn a_duty_is_laid_by_a_sentence_that_has_the_verb() {
        let question = "Who must appoint a quay warden?";
        let laid = [
            ("Each quay shall designate a warden.", true, true),
            ("Each port shall designate a warden.", true, false),
            ("Several quays may appoint one warden.", false, false),
            ("A quay shall hear the warden.", false, false),
        ];
        check_duty(question, &laid);
    }
}

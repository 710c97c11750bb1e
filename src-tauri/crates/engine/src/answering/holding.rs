//! Among clauses that fit a question about equally well, prefers those that hold the kind of thing that it asks for: a
//! time, an amount, or a permission.

use super::Answering;
use super::clauses::{Clauses, RECITALS, is_listed, leads_in};
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::{formal, words};
use lexforge_text::expected::{self, Beside, Expected};
use lexforge_text::{asked, everyday, is_han, money, permits, when};
use std::collections::HashSet;

/// The sentence with the figure must contain at least this share of the words that the quote shares with the question.
/// If it contains fewer, its figure is about something else.
const OF_THE_QUOTE: f64 = 0.5;
/// A sentence that says when something is needed must contain at least this share of the words that name it. A sentence
/// with fewer says what else is needed or done.
const OF_THE_NEEDED: f64 = 0.5;

impl Answering<'_> {
    /// The clauses, best first, but clauses that hold what the question asks for come before the others. If the best
    /// clause holds it, the others are left out, because they add no answer. If the question asks how long, how often
    /// or how much, clauses that cannot say this are left out.
    pub(super) fn that_hold(
        &self,
        question: &str,
        told: Vec<u32>,
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        let wanted = Wanted::of(question).filter(|_| !question.chars().any(is_han));
        let Some(wanted) = wanted else {
            return Ok(told);
        };
        let (mut telling, mut held) = (Vec::new(), Vec::new());
        for clause in told {
            let Some(quote) = self.quote_in_context(question, clause, clauses)? else {
                continue;
            };
            let text = quote.text();
            // If some texts can say it, the texts that cannot say it answer nothing.
            if wanted.may_be_told_in(question, &text)
                && wanted.is_told_of_it(question, &quote.sentences)
            {
                telling.push(clause);
                held.push(match wanted.is_in(&text) {
                    false => Holds::Nothing,
                    true if is_recital(&quote.sentences) => Holds::AsRecital,
                    true => Holds::AsRule,
                });
            }
        }
        Ok(in_order(telling, &held))
    }
}

/// The kind of thing that a clause, or a sentence beside another, should hold.
pub(super) enum Wanted {
    Figure(Beside),
    Permission,
}

impl Wanted {
    pub(super) fn of(question: &str) -> Option<Self> {
        let figure = expected::beside(question).map(Self::Figure);
        figure.or_else(|| permits::asks_whether(question).then_some(Self::Permission))
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Figure(figure) => figure.is_in(text),
            Self::Permission => permits::binds(text),
        }
    }

    /// Whether a text may answer a question that asks for this kind of thing. "When is it needed?" can also be answered
    /// by a condition ("if …"). Conditions have no fixed words, so they cannot be recognised.
    fn may_be_told_in(&self, question: &str, text: &str) -> bool {
        let by_figure = matches!(
            expected::of_question(question),
            Some(Expected::Amount | Expected::Time)
        );
        match self {
            Self::Figure(Beside::Amount) if !money::is_of_the_sum(question, text) => false,
            Self::Figure(Beside::Time) if when::asks_how_long(question) => {
                when::tells_how_long(text)
            }
            Self::Figure(figure) if by_figure => {
                figure.may_be_told_in(text) && has_what_is_counted(question, text)
            }
            Self::Figure(_) if when::asks_when_it_is_done(question) => when::tells_when(text),
            Self::Figure(_) => {
                when::needed(question).is_none_or(|needed| tells_the_need(&needed, text))
            }
            Self::Permission => true,
        }
    }
}

impl Wanted {
    /// Whether one of the sentences that may say how long, how often or how much is about the thing that the question
    /// asks about.
    fn is_told_of_it(&self, question: &str, sentences: &[Sentence]) -> bool {
        let by_figure = matches!(
            expected::of_question(question),
            Some(Expected::Amount | Expected::Time)
        );
        let Self::Figure(figure) = self else {
            return true;
        };
        let tells = |text: &str| match figure {
            Beside::Time if when::asks_how_long(question) => when::tells_how_long(text),
            _ => figure.may_be_told_in(text),
        };
        if !by_figure || sentences.iter().any(|s| s.kind == SentenceKind::TableCell) {
            return true;
        }
        let subject: HashSet<String> = words(&asked::subject(question)).into_iter().collect();
        let done: Vec<String> = when::done_so_long(question)
            .iter()
            .flat_map(|word| words(word))
            .collect();
        let of_all = shared(&subject, sentences.iter());
        sentences.iter().enumerate().any(|(at, sentence)| {
            if !tells(&sentence.text) {
                return false;
            }
            let read_with = sentences[..at]
                .iter()
                .enumerate()
                .filter(|(before, other)| {
                    leads_in(other) || (before + 1 == at && goes_on(&sentence.text))
                })
                .map(|(_, other)| other);
            // A sentence that introduces a list and holds the figure counts: "A fine of up to 5 euros is due for: (a)
            // …"
            let led_in = sentences[at + 1..]
                .iter()
                .filter(|other| leads_in(sentence) && is_listed(other));
            let own: Vec<&Sentence> = read_with.chain([sentence]).chain(led_in).collect();
            let is_done = done.is_empty() || {
                let has = own_words(own.iter().copied());
                let stands = |word: &String| {
                    has.contains(word) || formal(word).iter().any(|other| has.contains(other))
                };
                done.iter().any(stands)
            };
            is_done && shared(&subject, own.iter().copied()) >= OF_THE_QUOTE * of_all
        })
    }
}

/// How many words of a question sentences have, or have a word of rules in the place of.
fn shared<'s>(subject: &HashSet<String>, sentences: impl Iterator<Item = &'s Sentence>) -> f64 {
    standing(subject, &own_words(sentences))
}

/// How many words of a question are among these words, or have a word of rules in their place there.
fn standing(subject: &HashSet<String>, own: &HashSet<String>) -> f64 {
    let stands =
        |word: &&String| own.contains(*word) || formal(word).iter().any(|w| own.contains(w));
    subject.iter().filter(stands).count() as f64
}

/// Whether a text says when that is needed which a question names. The sentence that says it must name it, too.
fn tells_the_need(needed: &str, text: &str) -> bool {
    let named: HashSet<String> = words(needed).into_iter().collect();
    let least = OF_THE_NEEDED * named.len() as f64;
    when::needs_told(text).iter().any(|said| {
        let own: HashSet<String> = words(said).into_iter().collect();
        standing(&named, &own) >= least
    })
}

fn own_words<'s>(sentences: impl Iterator<Item = &'s Sentence>) -> HashSet<String> {
    sentences.flat_map(|s| words(&s.text)).collect()
}

/// Whether a sentence goes on about what the one before it speaks of: "The report is due …", "It is kept …".
fn goes_on(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).next();
    let begins = [
        "The", "This", "That", "These", "Those", "Such", "It", "They",
    ];
    first.is_some_and(|first| begins.contains(&first)) || asked::points_back(text)
}

/// Whether a text speaks of the things whose number is asked for, by their name or by the word that rules use instead.
fn has_what_is_counted(question: &str, text: &str) -> bool {
    let Some(counted) = expected::counted(question) else {
        return true;
    };
    let own = words(text);
    let swaps = everyday::swaps();
    let others = swaps.filter(|(forms, _)| forms.contains(&counted.as_str()));
    let mut names = words(&counted);
    names.extend(
        others
            .flat_map(|(_, others)| others)
            .flat_map(|other| words(other)),
    );
    names.is_empty() || names.iter().any(|name| own.contains(name))
}

fn is_recital(sentences: &[Sentence]) -> bool {
    let first = sentences.first();
    first.is_some_and(|sentence| sentence.section.starts_with(RECITALS))
}

/// How a clause holds what is asked for. A rule comes before a recital with the same content, because recitals do not
/// bind.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    AsRule,
    AsRecital,
    Nothing,
}

/// Puts the clauses that hold it first. If the first clause holds it, only such clauses stay.
fn in_order(told: Vec<u32>, held: &[Holds]) -> Vec<u32> {
    let those = |wanted: Holds| {
        let of = told.iter().zip(held);
        of.filter(move |(_, held)| **held == wanted)
            .map(|(clause, _)| *clause)
    };
    let holding = those(Holds::AsRule).chain(those(Holds::AsRecital));
    match held.first() {
        Some(Holds::AsRule | Holds::AsRecital) => holding.collect(),
        _ => holding.chain(those(Holds::Nothing)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;

    #[test]
    fn what_holds_what_is_asked_for_comes_first_and_stands_alone() {
        use Holds::{AsRecital, AsRule, Nothing};
        let order = |held: [Holds; 3]| in_order(vec![4, 7, 2], &held);
        assert_eq!(order([AsRule, Nothing, AsRule]), [4, 2]);
        assert_eq!(order([AsRule, Nothing, Nothing]), [4]);
        assert_eq!(order([Nothing, AsRule, Nothing]), [7, 4, 2]);
        assert_eq!(order([Nothing; 3]), [4, 7, 2]);
        assert_eq!(order([AsRecital, AsRule, Nothing]), [7, 4]);
        assert_eq!(order([AsRecital, Nothing, Nothing]), [4]);
        assert_eq!(order([Nothing, AsRecital, AsRule]), [2, 7, 4]);
    }

    #[test]
    fn what_cannot_tell_a_figure_answers_no_question_for_it() {
        let told = |question, text| {
            let wanted = Wanted::of(question);
            wanted.is_none_or(|wanted| wanted.may_be_told_in(question, text))
        };
        for (question, text, so) in [
            (
                "How long is a log kept?",
                "A log is kept by its master.",
                false,
            ),
            ("How long is a log kept?", "It is kept for 5 years.", true),
            (
                "How long is a log kept?",
                "It is kept until the vessel is sold.",
                true,
            ),
            // In which case it is kept is not how long.
            (
                "How long is a log kept?",
                "It is kept when a vessel was damaged.",
                false,
            ),
            ("How often is a log read?", "It is read once a year.", true),
            (
                "How much is paid for a log?",
                "A log has a red cover.",
                false,
            ),
            (
                "How much is paid for a log?",
                "A log is free of charge.",
                true,
            ),
            (
                "How many pilots has a port?",
                "A port is open for 12 hours.",
                false,
            ),
            (
                "How many pilots has a port?",
                "A port has two pilots.",
                true,
            ),
            (
                "How many jobs has a pilot?",
                "A pilot has three tasks.",
                true,
            ),
            ("When is a log needed?", "A log is needed in fog.", true),
            (
                "When is a log needed?",
                "No log is needed on a barge.",
                false,
            ),
            // Beside it stands a duty, but for something else.
            (
                "When is a log of a berth required?",
                "A list tells on which barge no log of a berth is required. The office shall publish such lists.",
                false,
            ),
            (
                "When is a log of a berth required?",
                "Each office shall: (a) file the requirement for a log of a berth;",
                false,
            ),
            (
                "When is a log of a berth required?",
                "Each master shall: (a) keep a log of a berth where it is red;",
                true,
            ),
            (
                "When is it necessary to tell a pilot?",
                "Pilots are paid. Where there is fog, a master shall notify a pilot.",
                true,
            ),
            (
                "When is it necessary to tell a pilot?",
                "Where there is fog, a master shall ring a bell.",
                false,
            ),
            (
                "When must a log be filed?",
                "A log is filed with the port.",
                false,
            ),
            (
                "When must a log be filed?",
                "A log is filed within 5 days.",
                true,
            ),
            (
                "When must a log be filed?",
                "A log is filed if a vessel sinks.",
                true,
            ),
            ("Who keeps a log?", "A log has a red cover.", true),
        ] {
            assert_eq!(told(question, text), so, "{question}: {text}");
        }
    }

    #[test]
    fn a_figure_of_something_else_answers_no_question_for_it() {
        let told = |question: &str, texts: &[&str]| {
            let of = |text: &&str| sentence(SentenceKind::Rule, text);
            let sentences: Vec<Sentence> = texts.iter().map(of).collect();
            Wanted::of(question).is_none_or(|wanted| wanted.is_told_of_it(question, &sentences))
        };
        for (question, texts, so) in [
            (
                "How long is a log of a berth kept?",
                ["A log of a berth is kept for 5 years.", "A fee is due."].as_slice(),
                true,
            ),
            // The sentence with the figure goes on about it.
            (
                "How long is a log of a berth kept?",
                &[
                    "A master keeps a log of a berth.",
                    "It is kept for 5 years.",
                ],
                true,
            ),
            (
                "How long is a log of a berth kept?",
                &["A log of a berth is kept.", "Lamps burn for 5 hours."],
                false,
            ),
            // Something else is done with it.
            (
                "How long must a log be kept?",
                &["A log must be shown within 5 days."],
                false,
            ),
            (
                "How long must a log be stored?",
                &["A log must be retained for 5 days."],
                true,
            ),
            (
                "How long can a fee be postponed?",
                &["The office may extend a fee by 5 days."],
                true,
            ),
            // This sentence introduces what the question asks for.
            (
                "What is the maximum fine for a late log of a berth?",
                &[
                    "A fine of up to 5 euros is due for:",
                    "• a late log of a berth;",
                ],
                true,
            ),
            // Led in.
            (
                "How long is a log of a berth kept?",
                &["A log of a berth is kept:", "for 5 years, where it is red;"],
                true,
            ),
            ("Who keeps a log?", &["Lamps burn for 5 hours."], true),
        ] {
            assert_eq!(told(question, texts), so, "{question}: {texts:?}");
        }
    }

    #[test]
    fn a_question_wants_a_figure_or_a_permission() {
        let holds = |question, text| Wanted::of(question).map(|wanted| wanted.is_in(text));
        let rule = "A master shall report within 10 days.";
        assert_eq!(holds("How long has a master to report?", rule), Some(true));
        assert_eq!(
            holds("How long has a master to report?", "He reports."),
            Some(false)
        );
        assert_eq!(holds("May a master report late?", rule), Some(true));
        assert_eq!(
            holds("May a master report late?", "A log is a book."),
            Some(false)
        );
        assert_eq!(holds("Who reports?", rule), None);
    }
}

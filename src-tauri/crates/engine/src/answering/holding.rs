//! Among clauses that fit a question about equally well, prefers those that hold the kind of thing that it asks for: a
//! time, an amount, or a permission.

use super::Answering;
use super::clauses::{Clauses, RECITALS, is_listed, leads_in};
use super::short_names::named;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::{stands_instead, words};
use lexforge_text::expected::{self, Beside};
use lexforge_text::{asked, everyday, how_much, is_han, money, permits, when};
use std::collections::HashSet;

/// The sentence with the figure must contain at least this share of the words that the quote shares with the question.
/// If the share is smaller, its figure is about something else.
const OF_THE_QUOTE: f64 = 0.5;
/// A sentence that says when something is needed must contain at least this share of the words that name the needed
/// thing. A sentence with a smaller share is about another thing.
const OF_THE_NEEDED: f64 = 0.5;

impl Answering<'_> {
    /// The clauses, best first, but clauses that hold what the question asks for come before the others. If the best
    /// clause holds it, the others are left out, because they add no answer. If the question asks how long, how often
    /// or how much, clauses that cannot say this are left out. In Chinese only figures are looked at.
    pub(super) fn that_hold(
        &self,
        question: &str,
        told: Vec<u32>,
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        if question.chars().any(is_han) {
            return self.that_tell_the_figure(question, told, clauses);
        }
        let Some(wanted) = Wanted::of(question) else {
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
                && self.speaks_of_what_is_measured(question, clause, &quote.sentences, clauses)?
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

    /// The clauses for a Chinese question. If it asks for a figure and for nothing else, and a clause contains one,
    /// the clauses without a figure are left out, because they add no answer. If the question asks for a day, a clause
    /// with a date comes first.
    fn that_tell_the_figure(
        &self,
        question: &str,
        told: Vec<u32>,
        clauses: &Clauses,
    ) -> Result<Vec<u32>> {
        if !asks_only_for_a_figure(question) {
            return Ok(told);
        }
        let mut tells = Vec::with_capacity(told.len());
        let mut is_soon = false;
        let mut with_the_day = HashSet::new();
        let name = expected::name_of_the_figure(question);
        let mut of_another_figure = HashSet::new();
        for clause in &told {
            let quote = self.quote_in_context(question, *clause, clauses)?;
            let text = quote.map_or_else(String::new, |quote| quote.text());
            let is_told = !text.is_empty() && expected::is_told(question, &text);
            if name.is_some_and(|name| !expected::is_of_its_name(name, &text)) {
                of_another_figure.insert(*clause);
            }
            // The best clause may answer without a figure: "in good time".
            is_soon |= tells.is_empty() && !is_told && expected::tells_how_soon(question, &text);
            tells.push(is_told);
            if expected::tells_the_day(question, &text) {
                with_the_day.insert(*clause);
            }
        }
        let mut told = match is_soon {
            true => told,
            false => those_that_tell(told, &tells),
        };
        // The day that is asked for comes before a number of months.
        told.sort_by_key(|clause| !with_the_day.contains(clause));
        // Years that are no term of office tell none.
        told.retain(|clause| !of_another_figure.contains(clause));
        Ok(told)
    }

    /// Whether a clause, or a heading above it, mentions the thing whose time, cost or bound a question asks for. For
    /// "How many days of leave does a master get?" this is leave; for "How much does an inspection cost a master?" it
    /// is an inspection; for "What is the minimum capital of a port?" it is capital. The other words of such a question
    /// ("days", "cost", "master") may also occur together in a clause about something else.
    fn speaks_of_what_is_measured(
        &self,
        question: &str,
        clause: u32,
        sentences: &[Sentence],
        clauses: &Clauses,
    ) -> Result<bool> {
        let thing = expected::measured(question)
            .or_else(|| expected::bounded(question))
            .or_else(|| expected::kept(question))
            .or_else(|| money::priced(question));
        let Some(thing) = thing else {
            return Ok(true);
        };
        let Some((from, to)) = clauses.map.sentences(clause) else {
            return Ok(false);
        };
        // The heading of a clause is not quoted.
        let store = &self.workspace.store;
        let mut texts = store.read(|r| r.texts_between(from, to))?;
        texts.extend(clauses.document_of(clause).map(named));
        for sentence in sentences {
            texts.extend([sentence.text.clone(), sentence.section.clone()]);
        }
        Ok(speak_of(&thing, &texts))
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

    /// Whether a text may answer a question that asks for this kind of thing. "When is it needed?" can also be
    /// answered by a condition ("if …"). Conditions have no fixed words and cannot be recognised. Instead, a sentence
    /// of the text must name what is needed.
    fn may_be_told_in(&self, question: &str, text: &str) -> bool {
        let by_figure = expected::asks_for_a_figure(question);
        match self {
            Self::Figure(Beside::Amount) if !money::is_of_the_sum(question, text) => false,
            Self::Figure(Beside::Time) if asks_for_a_length(question) => when::tells_how_long(text),
            Self::Figure(figure) if by_figure => {
                may_tell(*figure, question, text) && has_what_is_counted(question, text)
            }
            Self::Figure(_) if permits::asks_when_it_may_be_done(question) => {
                permits::tells_when_it_may_be_done(question, text)
            }
            Self::Figure(_) if when::asks_when_it_is_done(question) => {
                when::tells_when(&without_its_own_doing(question, text))
            }
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
        let by_figure = expected::asks_for_a_figure(question);
        let Self::Figure(figure) = self else {
            return true;
        };
        let tells = |text: &str| match figure {
            Beside::Time if asks_for_a_length(question) => when::tells_how_long(text),
            _ => may_tell(*figure, question, text),
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
                    has.contains(word) || stands_instead(word, |other| has.contains(other))
                };
                done.iter().any(stands)
            };
            is_done && shared(&subject, own.iter().copied()) >= OF_THE_QUOTE * of_all
        })
    }
}

/// Whether a text can tell a figure of this kind that a question asks for.
fn may_tell(figure: Beside, question: &str, text: &str) -> bool {
    match figure {
        Beside::Amount => how_much::may_be_told_in(question, text),
        Beside::Frequency => {
            let text = without_its_own_doing(question, text);
            figure.may_be_told_in(&when::without_deadlines(&text))
        }
        Beside::Time | Beside::Extent => figure.may_be_told_in(text),
    }
}

/// Whether only a length of time answers: "once a year" does not answer "How many hours of training does a pilot need?"
fn asks_for_a_length(question: &str) -> bool {
    when::asks_how_long(question) || expected::measured(question).is_some()
}

/// The text without the "when" of clauses that only repeat the action of the question. "When checking a log, the master
/// …" does not say how often a log is checked.
fn without_its_own_doing(question: &str, text: &str) -> String {
    let asked: HashSet<String> = words(question).into_iter().collect();
    let parts: Vec<&str> = text.split(' ').collect();
    let is_doing = |part: &&str| {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        word.ends_with("ing") && words(word).iter().any(|one| asked.contains(one))
    };
    let mut kept = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        // The number of a paragraph may stand directly before a word: `4When`.
        let word = part.trim_start_matches(|c: char| !c.is_alphabetic());
        let is_left_out =
            word.eq_ignore_ascii_case("when") && parts.get(at + 1).is_some_and(is_doing);
        if !is_left_out {
            kept.push(*part);
        }
    }
    kept.join(" ")
}

/// Whether texts contain a word, or the word that rules use instead of it.
fn speak_of(thing: &str, texts: &[String]) -> bool {
    let named: HashSet<String> = words(thing).into_iter().collect();
    let own: HashSet<String> = texts.iter().flat_map(|text| words(text)).collect();
    named.is_empty() || standing(&named, &own) > 0.0
}

/// How many words of a question sentences have, or have a word of rules instead.
fn shared<'s>(subject: &HashSet<String>, sentences: impl Iterator<Item = &'s Sentence>) -> f64 {
    standing(subject, &own_words(sentences))
}

/// How many words of a question are among these words, or have a word of rules in their place there.
fn standing(subject: &HashSet<String>, own: &HashSet<String>) -> f64 {
    let stands = |word: &&String| own.contains(*word) || stands_instead(word, |w| own.contains(w));
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

/// Whether a Chinese question asks for an amount or a time. One in several parts may ask for more than that.
fn asks_only_for_a_figure(question: &str) -> bool {
    let by_figure = expected::asks_for_a_figure(question);
    let parts = question.split(['，', ',', '；', ';']);
    let asking = parts.filter(|part| asked::has_word_that_asks(part)).count();
    by_figure && asking <= 1 && !question.contains('和')
}

/// The clauses that tell a figure, if some do; otherwise all.
fn those_that_tell(told: Vec<u32>, tells: &[bool]) -> Vec<u32> {
    if !tells.contains(&true) {
        return told;
    }
    let of = told.into_iter().zip(tells);
    of.filter(|(_, tells)| **tells)
        .map(|(clause, _)| clause)
        .collect()
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
mod tests;

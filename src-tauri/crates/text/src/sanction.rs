//! Questions for the sanction of a breach ("What is the fine for a late report?"), and texts that state a sanction.

mod withdrawn;

use crate::asked;
use crate::expected::{self, Expected};
use crate::how_much;
use crate::lists::Word;
use crate::sanction_han;
use crate::script::is_han;
use crate::word_lists;
use std::collections::HashSet;

word_lists! {
    /// English words by which rules state a sanction.
    ENGLISH: HashSet<Word> = "english/sanctions.txt";
    /// How English words begin by which a question names a breach.
    BREACHES: Vec<Word> = "english/breaches.txt";
}

/// What a question for a sanction asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanction {
    /// Any sanction: "Which penalties apply to …?"
    Any,
    /// A sum: "How much is the fine for …?"
    Sum,
    /// What follows from something: "What are the consequences of …?" This may be a sanction or something else.
    Consequence,
}

impl Sanction {
    /// Whether a text can tell the sanction that a question asks for.
    pub fn may_be_told_in(self, question: &str, text: &str) -> bool {
        let is_told = |question: &str| match question.chars().any(is_han) {
            true => expected::is_told(question, text),
            false => how_much::may_be_told_in(question, text),
        };
        is_stated(text) && (self != Self::Sum || is_told(question))
    }
}

/// The sanction that a question asks for. `None` if it asks for something else, such as how a sanction is decided.
pub fn asked_for(question: &str) -> Option<Sanction> {
    // "What is a fine?" asks what the word means.
    let names_it = |term: &str| sanction_han::is_name(term) || NAMES.contains(&term);
    if asked::meaning_of(question).is_some_and(|term| names_it(&term.to_lowercase())) {
        return None;
    }
    if question.chars().any(is_han) {
        let is_sum = || expected::of_question(question) == Some(Expected::Amount);
        return match sanction_han::is_asked_for(question) {
            true if is_sum() => Some(Sanction::Sum),
            true => Some(Sanction::Any),
            false => sanction_han::asks_what_follows(question).then_some(Sanction::Consequence),
        };
    }
    let words = lower_words(question);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [first, rest @ ..] = words.as_slice() else {
        return None;
    };
    // "Penalties or other consequences" may be told by either.
    let asks_for_both = rest.iter().any(|word| CONSEQUENCES.contains(word));
    let by_what = |words: &[&str]| names(words, &NAMES) || names(words, &CONSEQUENCES);
    let by_figure = || expected::of_question(question) == Some(Expected::Amount);
    if asks_what_happens(&words) && is_of_a_clear_breach(rest) {
        return Some(Sanction::Consequence);
    }
    let found = match *first {
        "what" | "which" if by_what(rest) => match by_figure() {
            true => Sanction::Sum,
            false => Sanction::Any,
        },
        "is" | "are" if rest.first() == Some(&"there") && by_what(rest) => Sanction::Any,
        "how" => match rest {
            [much, rest @ ..] if MUCH.contains(much) && (names(rest, &NAMES) || is_done(rest)) => {
                Sanction::Sum
            }
            [helping, ..] if HELPING.contains(helping) && is_done(rest) => Sanction::Any,
            _ => return None,
        },
        helping if HELPING.contains(&helping) && is_done(rest) => Sanction::Any,
        _ => return None,
    };
    Some(if asks_for_both {
        Sanction::Consequence
    } else {
        found
    })
}

/// Whether a question is about the breach of a rule: "failing to report", 未按规定报告.
pub fn is_of_a_breach(question: &str) -> bool {
    let is_named = |word: &String| {
        DENIES.contains(&word.as_str()) || BREACHES.iter().any(|begin| word.starts_with(begin))
    };
    lower_words(question).iter().any(is_named) || sanction_han::is_of_a_breach(question)
}

/// Whether a text says that what follows or stands before is a breach: "infringements of the following provisions",
/// "a person who contravenes Article 5", 违反本办法第五条规定的.
pub fn names_a_breach(text: &str) -> bool {
    let is_named = |word: &String| BREACHES.iter().any(|begin| word.starts_with(begin));
    let words = lower_words(text);
    let is_denied = words
        .windows(2)
        .any(|pair| matches!(pair[0].as_str(), "non" | "not") && pair[1].starts_with("compl"));
    is_denied || words.iter().any(is_named) || sanction_han::names_a_breach(text)
}

/// Whether a text states a sanction.
pub fn is_stated(text: &str) -> bool {
    sanction_han::is_stated(text)
        || withdrawn::is_stated(text)
        || lower_words(text)
            .iter()
            .any(|word| ENGLISH.contains(word.as_str()))
}

/// The question without the words for the sanction and for the breach. What is left says which rule is meant.
pub fn without_it(question: &str) -> String {
    if question.chars().any(is_han) {
        return sanction_han::without_it(question);
    }
    let is_left_out = |part: &&str| {
        lower_words(part).iter().any(|word| {
            let word = word.as_str();
            NAMES.contains(&word)
                || CONSEQUENCES.contains(&word)
                || ENGLISH.contains(word)
                || SAY_NO_MORE.contains(&word)
                || BREACHES.iter().any(|begin| word.starts_with(begin))
        })
    };
    let kept: Vec<&str> = question
        .split(' ')
        .filter(|part| !is_left_out(part))
        .collect();
    kept.join(" ")
}

/// English words by which a question asks for a sanction.
const NAMES: [&str; 8] = [
    "penalty",
    "penalties",
    "fine",
    "fines",
    "sanction",
    "sanctions",
    "punishment",
    "punishments",
];
/// English words by which a question asks what follows from something.
const CONSEQUENCES: [&str; 2] = ["consequence", "consequences"];
/// Words that may stand before such a word: "is the maximum administrative fine".
const BEFORE: [&str; 34] = [
    "is",
    "are",
    "was",
    "were",
    "s",
    "can",
    "may",
    "could",
    "will",
    "would",
    "be",
    "there",
    "the",
    "a",
    "an",
    "any",
    "possible",
    "maximum",
    "minimum",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "administrative",
    "civil",
    "criminal",
    "monetary",
    "financial",
    "regulatory",
    "disciplinary",
    "legal",
    "money",
    "usual",
    "other",
];
/// Words that may stand behind it. "Penalty notice" and "sanctions list" are other things.
const BEHIND: [&str; 41] = [
    "for",
    "of",
    "if",
    "when",
    "under",
    "on",
    "in",
    "against",
    "to",
    "that",
    "which",
    "where",
    "at",
    "with",
    "as",
    "is",
    "are",
    "apply",
    "applies",
    "applied",
    "applicable",
    "can",
    "may",
    "could",
    "will",
    "would",
    "does",
    "do",
    "must",
    "follow",
    "follows",
    "face",
    "faces",
    "threaten",
    "there",
    "and",
    "or",
    "imposed",
    "the",
    "a",
    "be",
];
/// Words behind "how" that ask for a sum.
const MUCH: [&str; 4] = ["much", "high", "large", "big"];
/// Verbs that begin a question to which the answer is yes or no.
const HELPING: [&str; 8] = ["is", "are", "can", "could", "may", "will", "would", "does"];
/// What is done to somebody who breaks a rule.
const DONE: [&str; 6] = [
    "fined",
    "punished",
    "penalised",
    "penalized",
    "sanctioned",
    "imprisoned",
];
/// Words that may stand behind that: "fined for a late report".
const BEHIND_DONE: [&str; 16] = [
    "for", "if", "when", "by", "under", "with", "at", "because", "and", "or", "in", "after",
    "where", "as", "without", "that",
];
/// Words before or behind "breach" that make an event of it.
const EVENTS: [&str; 5] = ["data", "security", "privacy", "cyber", "cybersecurity"];
/// Words that begin a side clause: "May a pilot who was fined moor?"
const SIDE: [&str; 10] = [
    "who", "which", "that", "if", "when", "where", "because", "although", "after", "whose",
];
/// Words by which a question denies that something is done.
const DENIES: [&str; 12] = [
    "not", "no", "non", "without", "never", "don", "doesn", "didn", "late", "missing", "lacking",
    "wrongly",
];
/// Words that say nothing of the rule that is meant.
const SAY_NO_MORE: [&str; 8] = [
    "apply",
    "applies",
    "applied",
    "applicable",
    "imposed",
    "impose",
    "non",
    "compliance",
];

/// Whether words that follow "what" or "how much" name one of these things: "is the maximum fine for a late report".
fn names(words: &[&str], things: &[&str]) -> bool {
    let before = words
        .iter()
        .take_while(|word| BEFORE.contains(word))
        .count();
    let rest = &words[before..];
    match rest {
        [thing] => things.contains(thing),
        [thing, behind, ..] => things.contains(thing) && BEHIND.contains(behind),
        [] => false,
    }
}

/// Whether words ask what follows from something: "what happens if", "what will happen to", "what if".
fn asks_what_happens(words: &[&str]) -> bool {
    match words {
        ["what", "happens", behind, ..]
        | [
            "what",
            "will" | "would" | "can" | "could" | "may",
            "happen",
            behind,
            ..,
        ] => {
            matches!(*behind, "if" | "when" | "to")
        }
        ["what", "if", ..] => true,
        _ => false,
    }
}

/// Whether a question says that a rule is broken. A customer who brings no paper breaks none, nor does one who fails an
/// exam or refuses to pay. A data breach is an event that has its own rules.
fn is_of_a_clear_breach(words: &[&str]) -> bool {
    let mut fails = words.iter().enumerate();
    let fails = fails.find(|(_, word)| word.starts_with("fail"));
    match fails {
        Some((at, _)) => words.get(at + 1) == Some(&"to"),
        None => {
            let own = words.iter().enumerate().filter(|(at, word)| {
                !(word.starts_with("refus") || word.starts_with("breach") && is_event(words, *at))
            });
            let own: Vec<&str> = own.map(|(_, word)| *word).collect();
            names_a_breach(&own.join(" ")) || own.contains(&"late")
        }
    }
}

/// Whether the breach at this place is an event and no breach of a rule: "a data breach", "a breach of security".
fn is_event(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|word| EVENTS.contains(word))
        || (words.get(at + 1) == Some(&"of")
            && words.get(at + 2).is_some_and(|word| EVENTS.contains(word)))
}

/// Whether words that follow "can" say that somebody is fined, in the main clause.
fn is_done(words: &[&str]) -> bool {
    let main = words.iter().take_while(|word| !SIDE.contains(word)).count();
    (0..main).any(|at| {
        // "A fined bank" is a kind of bank.
        let behind = words.get(at + 1);
        DONE.contains(&words[at]) && behind.is_none_or(|word| BEHIND_DONE.contains(word))
    })
}

fn lower_words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests;

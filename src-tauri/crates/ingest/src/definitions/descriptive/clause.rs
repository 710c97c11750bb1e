//! Where a clause begins in a sentence, and the name that it begins with.

use super::lists::{ADVERB, NEVER, PREPOSITION, VERB, is_copula, joins};
use super::tokens::Token;
use std::ops::Range;

/// What comes before a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing: the clause begins the sentence.
    Nothing,
    /// A mark, a conjunction, or "recall that".
    Break,
    /// A phrase that ends with a comma: "In accounting, …".
    Phrase,
}

/// Words to the comma of a phrase before a clause.
const LONGEST_PHRASE: usize = 22;
/// Words of the longest name.
const LONGEST_NAME: usize = 7;

/// The word at a place; empty beyond the end.
pub(super) fn word<'t>(tokens: &'t [Token<'_>], at: usize) -> &'t str {
    tokens.get(at).map_or("", |t| &t.word)
}

/// Whether a mark parts clauses that do not belong to each other.
pub(super) fn parts(mark: &str) -> bool {
    matches!(mark, ";" | ":" | "—" | "–")
}

/// The places where a clause may begin.
pub(super) fn beginnings(tokens: &[Token<'_>]) -> Vec<(usize, After)> {
    let mut found: Vec<(usize, After)> = Vec::new();
    let mut add = |at: usize, after: After| {
        if at < tokens.len() && found.iter().all(|f| f.0 != at) {
            found.push((at, after));
        }
    };
    let marks = (0..tokens.len()).filter(|&k| parts(word(tokens, k)));
    for begin in std::iter::once(0).chain(marks.map(|k| k + 1)) {
        add(
            begin,
            if begin == 0 {
                After::Nothing
            } else {
                After::Break
            },
        );
        let first = word(tokens, begin);
        let introduces = PREPOSITION.contains(first)
            || first.ends_with("ly")
            || matches!(
                first,
                "when" | "if" | "while" | "although" | "because" | "since" | "whereas" | "to"
            );
        for k in begin..(begin + LONGEST_PHRASE).min(tokens.len()) {
            let here = word(tokens, k);
            if parts(here) {
                break;
            }
            if here == "," && (introduces || k - begin <= 2) {
                add(k + 1, After::Phrase);
            }
            if here == "that" && k > begin && reports(word(tokens, k - 1)) {
                add(k + 1, After::Break);
            }
            let joined = matches!(
                word(tokens, k + 1),
                "and" | "but" | "while" | "whereas" | "so" | "because" | "although" | "or"
            );
            if here == "," && joined {
                add(k + 2, After::Break);
            }
        }
        if matches!(
            first,
            "while"
                | "whereas"
                | "although"
                | "because"
                | "since"
                | "and"
                | "but"
                | "so"
                | "if"
                | "yet"
                | "when"
                | "thus"
                | "hence"
                | "therefore"
                | "similarly"
        ) {
            add(begin + 1, After::Break);
        }
    }
    found
}

/// Whether "that" after this verb begins a statement: "recall that …".
fn reports(verb: &str) -> bool {
    matches!(
        verb,
        "recall"
            | "note"
            | "remember"
            | "see"
            | "means"
            | "say"
            | "mean"
            | "noted"
            | "found"
            | "assume"
            | "suggests"
            | "states"
            | "shows"
            | "know"
            | "understand"
            | "said"
    )
}

/// A name at the beginning of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// The article before it; "term" where the text says "the term …"; empty if there is none.
    pub(super) article: &'static str,
    /// Its tokens.
    pub(super) name: Range<usize>,
    /// The first token after it and what is added to it in brackets or between commas.
    pub(super) next: usize,
}

/// The name at `at`, if one stands there and a verb could follow.
pub(super) fn subject(tokens: &[Token<'_>], at: usize) -> Option<Subject> {
    let (article, first) = match word(tokens, at) {
        "the" if is_word_for_word(word(tokens, at + 1)) => ("term", at + 2),
        "term" | "word" => return None,
        "a" => ("a", at + 1),
        "an" => ("an", at + 1),
        "the" => ("the", at + 1),
        _ => ("", at),
    };
    let mut end = first;
    while let Some(token) = tokens.get(end) {
        let here = &*token.word;
        if !token.is_word()
            || NEVER.contains(here)
            || is_copula(here)
            || VERB.contains(here)
            || (ADVERB.contains(here) && end > first)
        {
            break;
        }
        end += 1;
        if end - first > LONGEST_NAME {
            return None;
        }
    }
    if end <= first {
        return None;
    }
    let mut next = end;
    if word(tokens, next) == "(" {
        next = bracket_end(tokens, next)?;
    }
    if word(tokens, next) == "," {
        next = aside_end(tokens, next)?;
    }
    let (begins, ends) = (word(tokens, first), word(tokens, end - 1));
    let adverb = ends.ends_with("ly")
        && !matches!(
            ends,
            "family" | "assembly" | "anomaly" | "supply" | "monopoly"
        );
    let number = begins
        .chars()
        .all(|c| c.is_ascii_digit() || ".,%".contains(c));
    let letters = (first..end).all(|k| word(tokens, k).chars().count() < 2);
    let spoilt = PREPOSITION.contains(begins)
        || joins(begins)
        || PREPOSITION.contains(ends)
        || joins(ends)
        || adverb
        || number
        || letters;
    (!spoilt).then_some(Subject {
        article,
        name: first..end,
        next,
    })
}

fn is_word_for_word(word: &str) -> bool {
    matches!(
        word,
        "term" | "word" | "concept" | "expression" | "phrase" | "notion"
    )
}

/// The token after a bracket of a few words that opens at `open`.
fn bracket_end(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let close = (open..tokens.len().min(open + 10)).find(|&k| word(tokens, k) == ")")?;
    Some(close + 1)
}

/// The token after another name between commas: ", also known as …,".
fn aside_end(tokens: &[Token<'_>], comma: usize) -> Option<usize> {
    let adds = matches!(
        word(tokens, comma + 1),
        "or" | "also"
            | "sometimes"
            | "commonly"
            | "often"
            | "called"
            | "known"
            | "referred"
            | "abbreviated"
            | "on"
            | "for"
            | "in"
            | "usually"
    );
    let close = (comma + 1..tokens.len().min(comma + 11)).find(|&k| word(tokens, k) == ",")?;
    adds.then_some(close + 1)
}

/// The end of the clause that goes on at `from`: a semicolon or the end of the sentence.
pub(super) fn end_of_clause(tokens: &[Token<'_>], from: usize) -> usize {
    (from..tokens.len())
        .find(|&k| word(tokens, k) == ";")
        .unwrap_or(tokens.len())
}

/// Whether one of the tokens is written with a capital, the first of a sentence apart.
pub(super) fn has_capital(tokens: &[Token<'_>], range: Range<usize>) -> bool {
    range
        .filter(|k| *k > 0)
        .any(|k| tokens.get(k).is_some_and(|t| t.capital))
}

//! Descriptions of what an act did: "the Harbour Act of 1871, which created …". The name of an act is written with
//! capitals, so the other forms of definitions do not find it.

use super::clause::{end_of_clause, word};
use super::lists::{ADVERB, INSTRUMENT, PREPOSITION, PROVIDES, is_article};
use super::reading::Reading;
use super::tokens::Token;
use std::ops::Range;

/// Words of the longest name.
const LONGEST: usize = 12;
/// Words and marks of the shortest account of what it does.
const LEAST: usize = 5;

pub(super) fn find(tokens: &[Token<'_>]) -> Vec<Reading> {
    (0..tokens.len())
        .filter(|&k| tokens[k].capital && INSTRUMENT.contains(word(tokens, k)))
        .filter_map(|k| act(tokens, k))
        .collect()
}

/// What an act does whose kind ("Act", "Treaty") is at `kind`.
fn act(tokens: &[Token<'_>], kind: usize) -> Option<Reading> {
    let start = name_start(tokens, kind);
    let mut end = kind + 1;
    let after = tokens.get(end + 1);
    if word(tokens, end) == "of" && after.is_some_and(|t| t.capital || is_year(&t.word)) {
        end = capitals_end(tokens, end + 1).max(end + 2);
    }
    // "The Act" alone is no name.
    (end - start >= 2).then_some(())?;
    let next = after_brackets(tokens, end)?;
    let told = word(tokens, next) == "," && word(tokens, next + 1) == "which";
    let from = past_adverbs(tokens, next + 2);
    (told && PROVIDES.contains(word(tokens, from))).then_some(())?;
    reading(tokens, start..end, from)
}

fn reading(tokens: &[Token<'_>], term: Range<usize>, from: usize) -> Option<Reading> {
    let end = end_of_clause(tokens, from);
    let introduces = (from..end.min(from + LEAST)).any(|k| word(tokens, k) == ":");
    (end >= from + LEAST && !introduces).then_some(Reading {
        term,
        wording: from..end,
        plain: false,
    })
}

/// Where the capitals before a place begin; small words within a name belong to it.
fn name_start(tokens: &[Token<'_>], at: usize) -> usize {
    let (mut start, mut k) = (at, at);
    while k > 0 && at - k < LONGEST {
        k -= 1;
        let token = &tokens[k];
        let whole = token.is_word() && !is_article(&token.word);
        if whole && token.capital && !is_lead(tokens, k) {
            start = k;
        } else if !is_small(&token.word) && !is_year(&token.word) {
            break;
        }
    }
    start
}

/// A capitalised first word that is no part of a name: "In", "Under".
fn is_lead(tokens: &[Token<'_>], at: usize) -> bool {
    at == 0 && PREPOSITION.contains(word(tokens, at))
}

fn capitals_end(tokens: &[Token<'_>], from: usize) -> usize {
    let (mut end, mut k) = (from, from);
    while k < tokens.len().min(from + LONGEST) {
        if tokens[k].is_word() && (tokens[k].capital || is_year(word(tokens, k))) {
            end = k + 1;
        } else if !is_small(word(tokens, k)) {
            break;
        }
        k += 1;
    }
    end
}

fn is_small(word: &str) -> bool {
    matches!(word, "of" | "and" | "for" | "to" | "the")
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.starts_with(['1', '2']) && word.chars().all(|c| c.is_ascii_digit())
}

/// The token after brackets and "in 1871" behind a name.
fn after_brackets(tokens: &[Token<'_>], mut at: usize) -> Option<usize> {
    if word(tokens, at) == "(" {
        at = 1 + (at..tokens.len().min(at + 10)).find(|&k| word(tokens, k) == ")")?;
    }
    if word(tokens, at) == "in" && is_year(word(tokens, at + 1)) {
        at += 2;
    }
    Some(at)
}

fn past_adverbs(tokens: &[Token<'_>], mut at: usize) -> usize {
    while ADVERB.contains(word(tokens, at)) || word(tokens, at).ends_with("ly") {
        at += 1;
    }
    at
}

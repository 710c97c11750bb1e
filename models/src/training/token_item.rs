//! Items of the token stage from a question, the right sentence and wrong terms.

use crate::Result;
use crate::architectures::continuations::common_beginning;
use crate::decoding::language::{Exchange, Language};
use crate::losses::token_loss::{TokenItem, Wrong};
use crate::texts::mentions::{Replaced, mentions, replaced};
use std::ops::Range;

/// A question with the sentence that answers it, before it is tokens.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The text that the model reads before the sentence, as [`Language::prompt`] gives it.
    pub prompt: &'a str,
    /// The sentence that answers the question; the right term is in it.
    pub sentence: &'a str,
    /// The right term.
    pub term: &'a str,
    /// The wrong ones.
    pub wrong: &'a [&'a str],
}

/// Why an item, or one of its wrong terms, is left out. It is counted and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dropped {
    /// The right term does not occur by itself in the sentence.
    NoMention,
    /// No wrong term can be put in its place.
    NoWrongTerm,
    /// The wrong term cannot replace the right one: it is the same term, or the words around it cannot be adapted.
    WrongTerm,
}

/// An item, with what was left out of it; or nothing, and why.
#[derive(Debug)]
pub struct Made {
    /// The item.
    pub item: Option<TokenItem>,
    /// The wrong terms that were left out.
    pub dropped: Vec<Dropped>,
}

impl Draft<'_> {
    /// Makes the item. Every sentence is encoded as a whole after the question, since separate pieces could give other
    /// tokens. The tokens of the term are found by the places of its letters.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn item(&self, language: &Language) -> Result<Made> {
        let all: Vec<&str> = self.wrong.iter().copied().chain([self.term]).collect();
        let mut dropped = Vec::new();
        let Some(first) = mentions(self.sentence, self.term, &all).into_iter().next() else {
            return Ok(Made {
                item: None,
                dropped: vec![Dropped::NoMention],
            });
        };
        let right = language.exchange_after(self.prompt, self.sentence)?;
        let mut wrong: Vec<(Exchange, Range<usize>)> = Vec::with_capacity(self.wrong.len());
        for &term in self.wrong {
            let other =
                replaced(self.sentence, self.term, term, &all).filter(|r| r.text != self.sentence);
            let encoded = match other {
                Some(Replaced { text, first }) => {
                    Some((language.exchange_after(self.prompt, &text)?, first))
                }
                None => None,
            };
            match encoded {
                Some((exchange, first)) if diverges(&right.ids, &exchange.ids).is_some() => {
                    wrong.push((exchange, first));
                }
                _ => dropped.push(Dropped::WrongTerm),
            }
        }
        if wrong.is_empty() {
            dropped.push(Dropped::NoWrongTerm);
            return Ok(Made {
                item: None,
                dropped,
            });
        }
        // From here on the candidates may differ: all of them are scored from the same token.
        let texts: Vec<&[u32]> = [&right.ids]
            .into_iter()
            .chain(wrong.iter().map(|(e, _)| &e.ids))
            .map(Vec::as_slice)
            .collect();
        let spoken = [(&right, &first)]
            .into_iter()
            .chain(wrong.iter().map(|(e, first)| (e, first)));
        let terms: Vec<Range<usize>> = spoken
            .map(|(exchange, first)| term_tokens(exchange, first))
            .collect();
        let start = terms
            .iter()
            .map(|term| term.start)
            .chain([common_beginning(&texts)])
            .min()
            .unwrap_or(0)
            .max(1);
        let divergences: Vec<usize> = wrong
            .iter()
            .map(|(exchange, _)| diverges(&right.ids, &exchange.ids).unwrap_or(0))
            .collect();
        // To the one token after the term, and to where the sentences differ, should that come later.
        let scored = |term: &Range<usize>, differs: usize, length: usize| {
            start..(term.end.max(differs) + 1).min(length)
        };
        let latest = divergences.iter().copied().max().unwrap_or(0);
        let item = TokenItem {
            answer: right.answer,
            scored: scored(&terms[0], latest, right.ids.len()),
            wrong: wrong
                .iter()
                .zip(&terms[1..])
                .zip(&divergences)
                .map(|(((exchange, _), term), &divergence)| Wrong {
                    divergence,
                    term_end: term.end,
                    scored: scored(term, divergence, exchange.ids.len()),
                    ids: exchange.ids.clone(),
                })
                .collect(),
            ids: right.ids,
        };
        Ok(Made {
            item: Some(item),
            dropped,
        })
    }
}

/// The first token that differs, where both texts have one there and something comes before it.
fn diverges(right: &[u32], wrong: &[u32]) -> Option<usize> {
    let shared = common_beginning(&[right, wrong]);
    (shared > 0 && shared < right.len().min(wrong.len())).then_some(shared)
}

/// The tokens of a term that is at these bytes of the answer.
fn term_tokens(exchange: &Exchange, bytes: &Range<usize>) -> Range<usize> {
    let (start, end) = (
        bytes.start + exchange.prompt_bytes,
        bytes.end + exchange.prompt_bytes,
    );
    let first = exchange
        .spans
        .iter()
        .position(|span| span.end > start)
        .unwrap_or(exchange.spans.len());
    let last = exchange
        .spans
        .iter()
        .rposition(|span| span.start < end && span.end > start);
    first..last.map_or(first, |last| last + 1)
}

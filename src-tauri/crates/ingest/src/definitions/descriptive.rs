//! Definitions in running text: sentences that say what something is, but not in the usual legal form.
//!
//! Examples: "Liquidity risk is the risk that …", "Money that is owed is called debt", "leases, which are contracts
//! that …". The product has no part-of-speech tagger. A sentence is read as words and punctuation, and a phrase counts
//! only if the words around it fit. The subject must be a name and not a pronoun. The predicate must name a kind of
//! thing (see `kind`) and not give a judgement. Each form of definition has a minimum score, which was chosen so that
//! most of what is found is a definition.

mod clause;
mod copula;
mod following;
mod instruments;
mod kind;
mod lists;
mod naming;
mod reading;
mod tokens;
mod verbs;

use super::found::Found;
use reading::Reading;
use std::ops::Range;
use tokens::Token;

/// The definitions in running text, in byte offsets. A stretch of words is in one of them at most.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for sentence in tokens::sentences(text) {
        if sentence.len() < SHORTEST {
            continue;
        }
        let readings = copula::find(&sentence)
            .into_iter()
            .chain(naming::find(&sentence))
            .chain(verbs::find(&sentence))
            .chain(following::find(&sentence))
            .chain(instruments::find(&sentence));
        for reading in
            readings.filter(|r| (r.plain || !is_in_duty(&sentence, r)) && describes(&sentence, r))
        {
            if let Some(one) = placed(text, &sentence, &reading)
                && !found.iter().any(|f| f.start < one.end && one.start < f.end)
            {
                found.push(one);
            }
        }
    }
    found
}

/// Whether the definition is part of a duty: "Firms shall keep a file, which is a record that …" says what to do and
/// not what a file is. A duty after the definition does not matter: "Fixed costs, which are costs that stay, must be
/// shown."
fn is_in_duty(sentence: &[Token<'_>], reading: &Reading) -> bool {
    let mark = |k: &usize| &*sentence[*k].word == ",";
    let said = reading.wording.clone().take_while(|k| !mark(k));
    let before = 0..reading.term.end.max(reading.wording.start);
    before
        .chain(said)
        .any(|k| matches!(&*sentence[k].word, "shall" | "must" | "should"))
}

/// Whether a reading (a possible definition in a sentence) describes a named thing. The result is false if there is no
/// description, as in "is used in …", or no name, as in "please refer to …".
fn describes(sentence: &[Token<'_>], reading: &Reading) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |t| &*t.word);
    let (term, said) = (word(reading.term.start), word(reading.wording.start));
    let after = word(reading.wording.start + 1);
    // "is hauling a rope" tells what is done, "means hauling a rope" explains.
    let explained = reading.wording.start > 0 && word(reading.wording.start - 1) == "means";
    let verb = !explained
        && (said.ends_with("ing") || said.ends_with("ed"))
        && matches!(after, "a" | "an" | "the");
    !(verb
        || matches!(term, "please" | "upon" | "inter")
        || matches!(
            said,
            "in" | "throughout"
                | "under"
                | "above"
                | "below"
                | "within"
                | "on"
                | "at"
                | "and"
                | "or"
                | "not"
                | "be"
                | ","
        ))
}

/// Words and marks of the shortest sentence that can define.
const SHORTEST: usize = 6;

fn placed(text: &str, sentence: &[Token<'_>], reading: &Reading) -> Option<Found> {
    let bytes = |range: &Range<usize>| {
        let last = sentence.get(range.end.checked_sub(1)?)?;
        Some(sentence.get(range.start)?.start..last.end)
    };
    let (term, wording) = (bytes(&reading.term)?, bytes(&reading.wording)?);
    let mut found = Found::at(text, &text[term.clone()], term.start, wording.clone())?;
    // What is said may come first: "money that is owed is called debt".
    found.start = term.start.min(wording.start);
    found.end = term.end.max(found.end);
    found.descriptive = true;
    Some(found)
}

#[cfg(test)]
mod tests;

//! What a term on its card can be confused with.

use super::super::order::compares;
use lexforge_domain::TermId;
use lexforge_domain::api::{Confusable, ReviewPlan, TermContext};
use lexforge_domain::review::{Choice, Person, Subject};
use lexforge_domain::term::Term;
use lexforge_store::Reader;
use std::collections::HashMap;

/// Confusable terms that a card shows.
pub(super) const CONFUSABLES: usize = 12;

/// The nearest other terms by the graph's vectors, as far as these say anything of the two languages.
pub(super) fn similar(r: &Reader, term: &Term) -> lexforge_store::Result<Vec<TermId>> {
    let compares = compares(r)?;
    let mut near = Vec::new();
    for (other, _) in r.similar_to(term.id)? {
        if near.len() < CONFUSABLES && compares(term.language, r.term(other)?.language) {
            near.push(other);
        }
    }
    Ok(near)
}

pub(super) fn confusable(
    r: &Reader,
    term: &Term,
    other: TermId,
    me: &Person,
    plan: &ReviewPlan,
) -> lexforge_store::Result<Confusable> {
    let subject = Subject::pair(term.id, other);
    let found = r.confusable(term.id, other)?;
    let cosine = match found.and_then(|pair| pair.cosine) {
        None => r
            .similar_to(term.id)?
            .into_iter()
            .find(|(id, _)| *id == other)
            .map(|(_, cosine)| cosine),
        known => known,
    };
    let other = r.term(other)?;
    let mine = r.own_choice(me.id, subject)?.map(|own| own.choice);
    let held = plan.blind && mine.is_none_or(|choice| choice == Choice::Skip);
    Ok(Confusable {
        cosine,
        spelling: found.map_or_else(|| likeness(&term.text, &other.text), |pair| pair.spelling),
        context: first_context(r, other.id)?,
        mine,
        settled: if held {
            None
        } else {
            r.verdict(subject)?.choice
        },
        term: other,
    })
}

pub(super) fn first_context(
    r: &Reader,
    term: TermId,
) -> lexforge_store::Result<Option<TermContext>> {
    Ok(r.contexts_of(term, 1)?.into_iter().next())
}

/// Likeness of two spellings, 0 to 1: Dice's coefficient over the bigrams of their characters, case folded.
fn likeness(one: &str, other: &str) -> f32 {
    let bigrams = |text: &str| {
        let chars: Vec<char> = text.to_lowercase().chars().collect();
        let mut counts: HashMap<(char, char), i32> = HashMap::new();
        for pair in chars.windows(2) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
        (counts, chars.len().saturating_sub(1))
    };
    if one.to_lowercase() == other.to_lowercase() {
        return 1.0;
    }
    let ((a, n), (b, m)) = (bigrams(one), bigrams(other));
    let shared: i32 = a
        .iter()
        .map(|(pair, count)| b.get(pair).copied().unwrap_or(0).min(*count))
        .sum();
    if n + m == 0 {
        0.0
    } else {
        (2 * shared) as f32 / (n + m) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_compared() {
        for (one, other, expected) in [
            ("Bank", "bank", 1.0),
            ("bank", "banks", 6.0 / 7.0),
            ("资本", "资金", 0.0),
            ("a", "b", 0.0),
        ] {
            assert!(
                (likeness(one, other) - expected).abs() < 1e-6,
                "{one} {other}: {}",
                likeness(one, other)
            );
        }
    }
}

//! Minimal edits: one thing in a sentence is changed, so that it says something else.
//!
//! There is a function for each kind of edit: number, modal, actor, negation and condition. They use only a sentence
//! and the patterns of its language, and do not depend on the questions that are made from the edits.

use super::patterns::{Edit, Patterns, Variant};
use crate::clause::Clause;
use crate::words::content;
use lexforge_text::is_han;
use lexforge_text::lists::{Pair, Word};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;

/// One smaller and one larger figure for each figure of a text.
pub(crate) fn number(p: &Patterns, text: &str, rng: &mut ChaCha8Rng) -> Vec<Variant> {
    let mut found = Vec::new();
    for figure in (p.figures)(text) {
        let (start, end) = (figure.start, figure.end);
        let (Some(before), Some(old), Some(after)) =
            (text.get(..start), text.get(start..end), text.get(end..))
        else {
            continue;
        };
        for new in figure
            .below
            .choose(rng)
            .into_iter()
            .chain(figure.above.choose(rng))
        {
            found.push(variant(
                format!("{before}{new}{after}"),
                Edit::Number,
                old,
                new,
            ));
        }
    }
    found
}

/// The rule with each other force that reads.
pub(crate) fn modal(p: &Patterns, clause: &Clause) -> Vec<(Clause, Variant)> {
    let with = |duty| {
        let [modal, _] = (p.modals)(clause, duty)?;
        let to = Clause {
            duty,
            modal,
            ..clause.clone()
        };
        let text = whole(p, &to);
        let variant = variant(text, Edit::Modal, &clause.modal, &to.modal);
        Some((to, variant))
    };
    (p.other_duties)(clause)
        .into_iter()
        .filter_map(with)
        .collect()
}

/// The rule with somebody else as the one who acts.
pub(crate) fn actor(p: &Patterns, clause: &Clause, subject: &str) -> (Clause, Variant) {
    let to = Clause {
        subject: subject.to_owned(),
        ..clause.clone()
    };
    let variant = variant(whole(p, &to), Edit::Actor, &clause.subject, subject);
    (to, variant)
}

/// The sentence with a word turned into its opposite.
pub(crate) fn negation(p: &Patterns, text: &str) -> Vec<Variant> {
    let words = (p.words)();
    let both = words
        .opposites
        .iter()
        .flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    turned(
        p,
        text,
        words.negated.iter().copied().chain(both).collect(),
        Edit::Negation,
    )
}

/// The sentence with a condition turned round.
pub(crate) fn condition(p: &Patterns, text: &str) -> Vec<Variant> {
    turned(p, text, (p.words)().conditions.to_vec(), Edit::Condition)
}

/// The rule with something else done.
pub(crate) fn action(p: &Patterns, clause: &Clause) -> Vec<Variant> {
    let with = |(predicate, removed, added)| {
        let to = Clause {
            predicate,
            ..clause.clone()
        };
        variant(whole(p, &to), Edit::Action, removed, added)
    };
    (p.verbs)(clause).into_iter().map(with).collect()
}

/// The sentence with a similar term in the place of one of its terms; `terms` = (mention, similar terms).
pub(crate) fn term(p: &Patterns, text: &str, terms: &[(String, Vec<String>)]) -> Vec<Variant> {
    let said = content(text);
    let fits = |mention: &str, other: &str| {
        content(other).iter().any(|w| !said.contains(w))
            && p.grammar.of_one_kind(mention, other)
            && (!p.grammar.is_agent(mention) || p.grammar.interchangeable(mention, other))
    };
    let mut found = Vec::new();
    for (mention, similar) in terms
        .iter()
        .filter(|(mention, _)| (p.replaceable)(text, mention))
    {
        for other in similar.iter().filter(|other| fits(mention, other)) {
            let new = (p.replaced)(text, mention, other);
            found.extend(new.map(|new| variant(new, Edit::Term, mention, other)));
        }
    }
    found
}

/// All edits of a sentence but those of who acts and with which force.
pub(crate) fn all(
    p: &Patterns,
    text: &str,
    terms: &[(String, Vec<String>)],
    rng: &mut ChaCha8Rng,
) -> Vec<Variant> {
    let mut found = number(p, text, rng);
    found.extend(
        p.grammar
            .clause(text)
            .iter()
            .flat_map(|clause| action(p, clause)),
    );
    found.extend(negation(p, text));
    found.extend(condition(p, text));
    found.extend(term(p, text, terms));
    found.retain(|v| v.text != text);
    found
}

/// A text in slightly other words of the same sense, one rewording at a time.
pub(crate) fn reworded(p: &Patterns, text: &str) -> Vec<String> {
    let same = (p.words)().same.iter();
    same.filter_map(|pair| reworded_by(p, text, pair)).collect()
}

/// A text with this one rewording; `None` if the rewording does not fit into the text.
pub(crate) fn reworded_by(p: &Patterns, text: &str, (from, to): &Pair) -> Option<String> {
    let at = (p.find)(text, from)?;
    let new = (p.put)(text, from, to).filter(|_| reads(p, text, at, from))?;
    let mut chars = new.chars();
    // A predicate begins in lower case.
    Some(if text.starts_with(char::is_lowercase) {
        chars.next()?.to_lowercase().chain(chars).collect()
    } else {
        new
    })
}

fn variant(text: String, edit: Edit, removed: &str, added: &str) -> Variant {
    Variant {
        text,
        edit,
        removed: removed.to_owned(),
        added: added.to_owned(),
    }
}

fn whole(p: &Patterns, clause: &Clause) -> String {
    (p.rule)(
        &clause.lead,
        &clause.subject,
        &clause.modal,
        &clause.predicate,
    )
}

/// The sentence with each of the words turned that reads when it is turned; the longer phrase goes before its part.
fn turned(p: &Patterns, text: &str, mut pairs: Vec<Pair>, edit: Edit) -> Vec<Variant> {
    pairs.sort_by_key(|(from, _)| Reverse(from.len()));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for (from, to) in pairs {
        let Some(at) = (p.find)(text, from) else {
            continue;
        };
        let span = (at, at + from.len());
        if taken
            .iter()
            .any(|t| span.0 < t.1 && t.0 < span.1 && *t != span)
        {
            continue;
        }
        taken.push(span);
        let rest = [text.get(..span.0), text.get(span.1..)];
        // "over the short-term and long-term": nothing is changed where both are said.
        let both = rest
            .iter()
            .flatten()
            .any(|part| (p.find)(part, to).is_some());
        // "no assessment is not required": a second negation turns the first one round.
        let denied = |word| spaced(rest[0].unwrap_or_default()).contains(word);
        let twice = to.contains("not") && [" no ", " not ", " neither "].into_iter().any(denied);
        if !both && !twice && reads(p, text, at, from) {
            found.extend((p.put)(text, from, to).map(|new| variant(new, edit, from, to)));
        }
    }
    found
}

/// Whether the word `from` at the place `at` may be changed. A list of exceptions says where a word must stay. In this
/// list, `before` and `after` are followed by the neighbouring words, and `with` by a word anywhere in the text. `*`
/// means any word.
fn reads(p: &Patterns, text: &str, at: usize, from: &str) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at + from.len()..)) else {
        return false;
    };
    let (before, after) = (
        before.trim_end_matches([' ', ',']),
        after.trim_start_matches([' ', ',']),
    );
    let all = spaced(text);
    let stands = |exception: &Word| {
        let (place, what) = exception.split_once(' ').unwrap_or_default();
        match place {
            "after" => before.ends_with(what),
            "before" => after.starts_with(what),
            _ if what.chars().any(is_han) => text.contains(what),
            _ => all.contains(&format!(" {what} ")),
        }
    };
    let known = |words: &[Word]| words.contains(&from) || words.contains(&"*");
    !(p.words)()
        .unless
        .iter()
        .any(|(words, exceptions)| known(words) && exceptions.iter().any(stands))
}

/// A text in lower case with spaces around it, so that whole words can be looked for.
fn spaced(text: &str) -> String {
    format!(" {} ", text.to_lowercase())
}

//! The four texts that are compared, and how alike their clauses are by pairs of characters.

use crate::keeps::chinese::{Clause, Text};
use crate::keeps::lexicon::Mark;
use std::collections::HashSet;

/// Share of pairs from which a clause speaks of the same as another.
pub(super) const SAME: f64 = 0.5;

pub(super) struct Texts {
    pub(super) anchor: Text,
    pub(super) answer: Text,
    pub(super) asked: Text,
    pub(super) place: Text,
}

pub(super) fn share(of: &[[char; 2]], known: &HashSet<[char; 2]>) -> f64 {
    if of.is_empty() {
        return 0.0;
    }
    of.iter().filter(|pair| known.contains(*pair)).count() as f64 / of.len() as f64
}

/// The clause of a text that speaks of the same as another, if one does.
pub(super) fn nearest<'a>(text: &'a Text, clause: &Clause) -> Option<&'a Clause> {
    let own = clause.pairs();
    let likeness = |other: &Clause| share(&own, &other.pairs().into_iter().collect());
    let best = text
        .clauses
        .iter()
        .map(|other| (likeness(other), other))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness >= SAME)
        .map(|(_, other)| other)
}

pub(super) fn denials(text: &Text) -> usize {
    text.marks()
        .filter(|(mark, _)| mark.denies() || *mark == Mark::Except)
        .count()
}

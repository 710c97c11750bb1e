//! Conditions and exceptions in Chinese: clauses that say in which case a rule holds.

use super::texts::{SAME, Texts, share};
use crate::keeps::binding::{Binding, Difference};
use crate::keeps::chinese::{Clause, Piece, Text};
use crate::keeps::lexicon::Mark;
use std::collections::HashSet;

/// The role of a clause in the rule.
#[derive(Clone, Copy, PartialEq)]
enum Case {
    /// In which case the rule holds.
    Condition,
    /// In which case it does not.
    Exception,
}

fn cases(text: &Text) -> Vec<(Case, &Clause)> {
    let forbids = text.has(Mark::MustNot);
    let case = |clause: &Clause| {
        let first = clause.pieces.first();
        if clause.has(Mark::Except)
            || forbids
                && matches!(first, Some(Piece::Mark(Mark::Not, _)))
                && clause.force().is_none()
        {
            return Some(Case::Exception);
        }
        // A clause with a force is a rule of its own.
        if clause.force().is_some() {
            return None;
        }
        let ends = matches!(clause.pieces.last(), Some(Piece::Char('的')));
        let opens = matches!(first, Some(Piece::Mark(Mark::If, _)));
        (ends || opens).then_some(Case::Condition)
    };
    text.clauses
        .iter()
        .filter_map(|clause| Some((case(clause)?, clause)))
        .collect()
}

pub(super) fn conditions(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (cases(&texts.anchor), cases(&texts.answer));
    let answer = texts.answer.pairs();
    let heard: HashSet<[char; 2]> = answer.union(&texts.asked.pairs()).copied().collect();
    let given: HashSet<[char; 2]> = texts
        .anchor
        .pairs()
        .union(&texts.place.pairs())
        .copied()
        .chain(texts.asked.pairs())
        .collect();
    let excepts =
        |cases: &[(Case, &Clause)]| cases.iter().any(|(case, _)| *case == Case::Exception);
    let mut rest: Vec<[char; 2]> = Vec::new();
    for clause in texts
        .anchor
        .clauses
        .iter()
        .filter(|clause| !known.iter().any(|(_, c)| c == clause))
    {
        rest.extend(clause.pairs());
    }
    let rules = share(&rest, &answer) >= SAME;
    for (case, clause) in &known {
        let own = clause.pairs();
        if own.is_empty() {
            continue;
        }
        // An exception whose case the answer names must be one there too.
        let turned = *case == Case::Exception
            && clause.has(Mark::Except)
            && share(&own, &answer) >= SAME
            && !texts.answer.has(Mark::Except)
            && !texts.answer.has(Mark::Only)
            && !texts.answer.has(Mark::Not);
        if rules && (turned || share(&own, &heard) < SAME) {
            found.push(Difference::new(Binding::Condition, clause.plain(), ""));
        }
    }
    for (case, clause) in &said {
        let foreign = share(&clause.pairs(), &given) < SAME && !clause.pairs().is_empty();
        let added = *case == Case::Exception
            && clause.has(Mark::Except)
            && !excepts(&known)
            && !texts.anchor.has(Mark::Not);
        if added || foreign {
            found.push(Difference::new(Binding::Condition, "", clause.plain()));
        }
    }
    if (excepts(&known) || texts.anchor.has(Mark::If)) && !texts.anchor.has(Mark::Inclusive) {
        for (_, said) in texts
            .answer
            .marks()
            .filter(|(mark, _)| *mark == Mark::Inclusive)
        {
            found.push(Difference::new(Binding::Condition, "", said));
        }
    }
}

//! Modals and negations in Chinese: what obliges, allows, forbids, frees or denies.

use super::texts::{SAME, Texts, denials, nearest, share};
use crate::keeps::binding::{Binding, Difference};
use crate::keeps::chinese::{Piece, Text, pairs, plain};
use crate::keeps::lexicon::Mark;

pub(super) fn forces(texts: &Texts, found: &mut Vec<Difference>) {
    let known: Vec<(Mark, &str)> = texts
        .anchor
        .marks()
        .filter(|(mark, _)| mark.is_force())
        .collect();
    let has = |mark: Mark| known.iter().any(|(m, _)| *m == mark);
    for clause in &texts.answer.clauses {
        for (mark, said) in clause.marks().filter(|(mark, _)| mark.is_force()) {
            let of_clause: Vec<(Mark, &str)> = nearest(&texts.anchor, clause)
                .map(|c| c.marks().filter(|(mark, _)| mark.is_force()).collect())
                .unwrap_or_default();
            let fits = if of_clause.is_empty() {
                has(mark)
            } else {
                of_clause.iter().any(|(m, _)| *m == mark)
            };
            let in_other_words = match mark {
                Mark::Must => known.is_empty(),
                Mark::MustNot | Mark::NeedNot if known.is_empty() => texts.anchor.has(Mark::Not),
                Mark::May => {
                    has(Mark::MustNot) && texts.answer.has(Mark::Only) && denials(&texts.anchor) > 1
                }
                Mark::MustNot => {
                    has(Mark::May) && texts.anchor.has(Mark::Only) && denials(&texts.answer) > 1
                }
                _ => false,
            };
            if fits || in_other_words {
                continue;
            }
            let of = of_clause.first().or(known.first());
            let kind = match of {
                Some((of, _)) if of.denies() == mark.denies() => Binding::Modal,
                None if !mark.denies() => Binding::Modal,
                _ => Binding::Negation,
            };
            found.push(Difference::new(
                kind,
                of.map_or("", |(_, said)| *said),
                said,
            ));
        }
    }
    let silent = !texts
        .answer
        .marks()
        .any(|(mark, _)| mark.is_force() || mark.denies());
    for clause in texts.anchor.clauses.iter().filter(|_| silent) {
        let Some(at) = clause.force() else { continue };
        let Piece::Mark(mark, said) = &clause.pieces[at] else {
            continue;
        };
        let behind = pairs(&plain(&clause.pieces[at + 1..]));
        if *mark != Mark::Must
            && share(&behind, &texts.answer.pairs()) >= SAME
            && !texts.answer.has(Mark::Only)
        {
            let kind = if mark.denies() {
                Binding::Negation
            } else {
                Binding::Modal
            };
            found.push(Difference::new(kind, *said, ""));
        }
    }
}

/// The two plain characters behind each negation.
fn denied(text: &Text) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for clause in &text.clauses {
        for (at, piece) in clause.pieces.iter().enumerate() {
            if let Piece::Mark(Mark::Not | Mark::Without, said) = piece {
                let behind: String = plain(&clause.pieces[at + 1..]).chars().take(2).collect();
                found.push((*said, behind));
            }
        }
    }
    found
}

pub(super) fn negations(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (denied(&texts.anchor), denied(&texts.answer));
    let (plain_anchor, plain_answer) = (texts.anchor.plain(), texts.answer.plain());
    let more = denials(&texts.answer) > denials(&texts.anchor);
    for (words, behind) in &said {
        let same = known.iter().any(|(_, b)| b == behind);
        let excepted =
            texts.anchor.has(Mark::Except) && denials(&texts.answer) <= denials(&texts.anchor);
        let turned = !behind.is_empty() && plain_anchor.contains(behind.as_str()) && !excepted;
        if !same && (turned || more) {
            found.push(Difference::new(
                Binding::Negation,
                "",
                format!("{words}{behind}"),
            ));
        }
    }
    for (words, behind) in &known {
        let kept = said.iter().any(|(_, b)| b == behind);
        let fewer = denials(&texts.answer) < denials(&texts.anchor);
        // 只有经批准才可以 is 未经批准不得.
        let only = texts.answer.has(Mark::Only) && texts.answer.has(Mark::May);
        if !kept
            && fewer
            && !only
            && behind.chars().count() == 2
            && plain_answer.contains(behind.as_str())
        {
            found.push(Difference::new(
                Binding::Negation,
                format!("{words}{behind}"),
                "",
            ));
        }
    }
}

//! How many and how often in Chinese: all, some, only, one, each period, "or" for "and".

use super::texts::{SAME, Texts, share};
use crate::keeps::binding::{Binding, Difference};
use crate::keeps::chinese::{Clause, Piece, Text, plain};
use crate::keeps::lexicon::Mark;
use std::collections::HashSet;

pub(super) fn quantifiers(texts: &Texts, found: &mut Vec<Difference>) {
    let has = |mark: Mark| texts.anchor.has(mark);
    // These say only that there are several.
    let weak = |said: &str| matches!(said, "均" | "都" | "完全");
    for (mark, said) in texts.answer.marks() {
        let added = match mark {
            Mark::All => !weak(said) && !has(Mark::All) && !has(Mark::Each),
            Mark::Some => !has(Mark::Some),
            Mark::Only => !has(Mark::Only) && !has(Mark::Except) && !has(Mark::Not),
            Mark::One => !has(Mark::One) && (has(Mark::All) || has(Mark::Each)),
            m if m.is_period() => !period(&texts.anchor, m),
            _ => false,
        };
        if added {
            let kind = |m: Mark| {
                m.is_period() == mark.is_period()
                    && (m.is_period()
                        || matches!(
                            m,
                            Mark::All | Mark::Each | Mark::Some | Mark::Only | Mark::One
                        ))
            };
            let known = texts
                .anchor
                .marks()
                .find(|(m, _)| kind(*m))
                .map_or("", |(_, said)| said);
            found.push(Difference::new(Binding::Quantifier, known, said));
        }
    }
    let joined = |text: &Text, mark: Mark| -> HashSet<String> {
        let around = |clause: &Clause, at: usize| {
            let before: String = plain(&clause.pieces[..at]).chars().rev().take(2).collect();
            let after: String = plain(&clause.pieces[at + 1..]).chars().take(2).collect();
            format!("{before}|{after}")
        };
        let marks = text.clauses.iter().flat_map(|clause| {
            let at = clause
                .pieces
                .iter()
                .enumerate()
                .filter(|(_, p)| matches!(p, Piece::Mark(m, _) if *m == mark));
            at.map(move |(at, _)| around(clause, at))
                .collect::<Vec<_>>()
        });
        marks.collect()
    };
    if joined(&texts.answer, Mark::Or)
        .intersection(&joined(&texts.anchor, Mark::And))
        .next()
        .is_some()
    {
        found.push(Difference::new(Binding::Quantifier, "和", "或"));
    }
    let only = texts.anchor.marks().find(|(mark, _)| *mark == Mark::Only);
    if let Some((_, said)) = only {
        let kept = [Mark::Only, Mark::Except, Mark::MustNot, Mark::Not]
            .into_iter()
            .any(|mark| texts.answer.has(mark));
        let clause = texts
            .anchor
            .clauses
            .iter()
            .find(|clause| clause.has(Mark::Only));
        let same =
            clause.is_some_and(|clause| share(&clause.pairs(), &texts.answer.pairs()) >= SAME);
        if !kept && same && !texts.asked.has(Mark::Only) {
            found.push(Difference::new(Binding::Quantifier, said, ""));
        }
    }
}

fn period(text: &Text, mark: Mark) -> bool {
    text.has(mark)
        || text
            .facts()
            .iter()
            .any(|f| (f.value.as_str(), f.unit.as_str()) == mark.as_figure())
}

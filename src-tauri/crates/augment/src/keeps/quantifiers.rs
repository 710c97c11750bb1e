//! All, some, only; how often; both or either.

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::lexicon::Mark;
use super::token::Token;

/// Adds what is not the same.
pub(super) fn compare(texts: &Texts, found: &mut Vec<Difference>) {
    let has = |mark| texts.anchor.has(mark);
    for (at, mark, said) in texts.answer.marks() {
        let added = match mark {
            Mark::All => !has(Mark::All) && !has(Mark::Each),
            Mark::Some => !has(Mark::Some),
            Mark::Only => !has(Mark::Only) && !has(Mark::Except) && !has(Mark::Without),
            Mark::One => !has(Mark::One) && (has(Mark::All) || has(Mark::Each)),
            m if m.is_period() => !period(&texts.anchor, m),
            Mark::Or => joined(&texts.answer, at).is_some_and(|pair| {
                joins(&texts.anchor, Mark::And, pair) && !joins(&texts.anchor, Mark::Or, pair)
            }),
            _ => false,
        };
        if added {
            let known = texts
                .anchor
                .marks()
                .find(|(_, m, _)| same_kind(*m, mark))
                .map_or("", |(_, _, said)| said);
            found.push(Difference::new(Binding::Quantifier, known, said));
        }
    }
    let only = texts
        .anchor
        .marks()
        .filter(|(_, mark, _)| *mark == Mark::Only);
    for (at, _, said) in only {
        let kept = texts.answer.has(Mark::Only)
            || texts.answer.has(Mark::Except)
            || texts.answer.has(Mark::MustNot)
            || texts.asked.has(Mark::Only);
        if !kept
            && texts
                .anchor
                .governed(at)
                .is_some_and(|word| texts.answer.has_stem(word))
        {
            found.push(Difference::new(Binding::Quantifier, said, ""));
        }
    }
}

fn same_kind(a: Mark, b: Mark) -> bool {
    let kind = |m: Mark| match m {
        m if m.is_period() => 1,
        Mark::All | Mark::Each | Mark::Some | Mark::Only | Mark::One => 2,
        Mark::And | Mark::Or => 3,
        _ => 0,
    };
    kind(a) == kind(b)
}

/// Whether a text says so often, as a word or as a figure.
fn period(text: &Text, mark: Mark) -> bool {
    text.has(mark)
        || text
            .facts()
            .iter()
            .any(|f| (f.value.as_str(), f.unit.as_str()) == mark.as_figure())
}

/// The words on both sides of a joining word.
fn joined(text: &Text, at: usize) -> Option<(&str, &str)> {
    let before = text.tokens.get(..at)?.iter().rev().find_map(Token::stem)?;
    let after = text.tokens.get(at + 1..)?.iter().find_map(Token::stem)?;
    Some((before, after))
}

fn joins(text: &Text, mark: Mark, pair: (&str, &str)) -> bool {
    text.marks()
        .any(|(at, m, _)| m == mark && joined(text, at) == Some(pair))
}

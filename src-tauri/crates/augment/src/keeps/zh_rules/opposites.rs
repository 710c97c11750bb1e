//! Chinese words that say the contrary, and bounds and times that were turned round.

use super::texts::Texts;
use crate::keeps::binding::{Binding, Compared, Difference};
use crate::keeps::lexicon::{Mark, chinese_opposites};

/// Words that say the contrary, or the other side of a contract: one stands there more often, the other less.
pub(super) fn opposites(compared: &Compared<'_>, found: &mut Vec<Difference>) {
    let count = |text: &str, word: &str| text.matches(word).count();
    for (word, sides) in chinese_opposites() {
        if count(compared.answer, word) <= count(compared.anchor, word) {
            continue;
        }
        for (own, other) in sides {
            let gone = other.iter().find(|o| {
                !word.contains(**o)
                    && !o.contains(word)
                    && count(compared.answer, o) < count(compared.anchor, o)
            });
            let Some(gone) = gone else { continue };
            if !own
                .iter()
                .any(|o| *o != word && count(compared.anchor, o) > count(compared.answer, o))
            {
                found.push(Difference::new(Binding::Negation, *gone, word));
            }
        }
    }
}

pub(super) fn directions(texts: &Texts, found: &mut Vec<Difference>) {
    let has = |mark: Mark| texts.anchor.has(mark);
    let bound = |mark: Mark| {
        texts
            .answer
            .facts()
            .iter()
            .any(|fact| fact.bound == Some(mark))
    };
    for (mark, said) in texts.answer.marks() {
        if bound(mark) {
            continue;
        }
        let (turned, other) = match mark {
            Mark::Before => (!has(Mark::Before) && has(Mark::After), Mark::After),
            Mark::After => (!has(Mark::After) && has(Mark::Before), Mark::Before),
            Mark::More => (
                !has(Mark::More) && (has(Mark::Less) || has(Mark::AtMost)),
                Mark::Less,
            ),
            Mark::Less => (
                !has(Mark::Less) && (has(Mark::More) || has(Mark::AtLeast)),
                Mark::More,
            ),
            Mark::AtLeast => (
                !has(Mark::AtLeast) && (has(Mark::AtMost) || has(Mark::Less)),
                Mark::AtMost,
            ),
            Mark::AtMost => (
                !has(Mark::AtMost) && (has(Mark::AtLeast) || has(Mark::More)),
                Mark::AtLeast,
            ),
            _ => continue,
        };
        if turned {
            let known = texts
                .anchor
                .marks()
                .find(|(m, _)| *m == other)
                .map_or("", |(_, said)| said);
            found.push(Difference::new(Binding::Direction, known, said));
        }
    }
}

//! Modals and negations: what obliges, allows, forbids, frees or denies, and the word that it governs.

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::lexicon::Mark;

/// Adds what is not the same.
pub(super) fn compare(texts: &Texts, found: &mut Vec<Difference>) {
    changed(texts, found);
    dropped(texts, found);
    negations(texts, found);
}

fn forces(text: &Text) -> Vec<(Mark, &str, Option<&str>)> {
    text.marks()
        .filter(|(_, m, _)| m.is_force())
        .map(|(at, m, said)| (m, said, text.governed(at)))
        .collect()
}

/// Whether two forces say opposite things, and not only more or less.
fn deny(a: Mark, b: Mark) -> bool {
    a.denies() != b.denies()
}

fn changed(texts: &Texts, found: &mut Vec<Difference>) {
    let known = forces(&texts.anchor);
    for (mark, said, word) in forces(&texts.answer) {
        let of_word: Vec<&(Mark, &str, Option<&str>)> = known
            .iter()
            .filter(|(_, _, w)| w.is_some() && *w == word)
            .collect();
        let has = |mark: Mark| known.iter().any(|(m, _, _)| *m == mark);
        let stands = if of_word.is_empty() {
            has(mark)
        } else {
            of_word.iter().any(|(m, _, _)| *m == mark)
        };
        let same_in_other_words = match mark {
            // Rules state duties in the present tense too.
            Mark::Must => known.is_empty(),
            Mark::MustNot | Mark::NeedNot if known.is_empty() => {
                texts.anchor.marks().any(|(_, m, _)| m.denies())
            }
            // "May pay only if" is "may not pay unless".
            Mark::May => {
                has(Mark::MustNot)
                    && (texts.anchor.has(Mark::Except) || texts.anchor.has(Mark::Without))
                    && texts.answer.has(Mark::Only)
            }
            Mark::MustNot => {
                has(Mark::May)
                    && texts.anchor.has(Mark::Only)
                    && (texts.answer.has(Mark::Except) || texts.answer.has(Mark::Without))
            }
            _ => false,
        };
        if stands || same_in_other_words {
            continue;
        }
        let nearest = of_word.first().copied().or(known.first());
        let kind = match nearest {
            Some((of, _, _)) if !deny(*of, mark) => Binding::Modal,
            None if !mark.denies() => Binding::Modal,
            _ => Binding::Negation,
        };
        found.push(Difference::new(
            kind,
            nearest.map_or("", |(_, said, _)| said),
            said,
        ));
    }
}

/// Finds words of the rule that forbid, exempt, allow or advise, if the answer left out the word but kept its verb. A
/// word for a duty ("shall") may be left out, because a duty can also be stated in the present tense.
fn dropped(texts: &Texts, found: &mut Vec<Difference>) {
    let said = forces(&texts.answer);
    for (mark, words, word) in forces(&texts.anchor) {
        let Some(word) = word.filter(|_| mark != Mark::Must) else {
            continue;
        };
        let denied = mark.denies() && texts.answer.marks().any(|(_, m, _)| m.denies());
        if !denied
            && said.is_empty()
            && texts.answer.has_stem(word)
            && !texts.answer.has(Mark::Only)
        {
            let kind = if mark.denies() {
                Binding::Negation
            } else {
                Binding::Modal
            };
            found.push(Difference::new(kind, words, ""));
        }
    }
}

/// Negations other than forces, with the word that each governs.
fn plain(text: &Text) -> Vec<(&str, Option<&str>)> {
    let plain = |m: &Mark| matches!(m, Mark::Not | Mark::Without);
    text.marks()
        .filter(|(_, m, _)| plain(m))
        .map(|(at, _, said)| (said, text.governed(at)))
        .collect()
}

fn negations(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (plain(&texts.anchor), plain(&texts.answer));
    let denied = |text: &Text, word: &str| {
        text.marks()
            .any(|(at, m, _)| (m.denies() || m == Mark::Except) && text.governed(at) == Some(word))
    };
    let count = |text: &Text| {
        text.marks()
            .filter(|(_, m, _)| m.denies() || *m == Mark::Except)
            .count()
    };
    for (words, word) in &said {
        // "Without the bank's prior approval" is "without the prior approval of the bank".
        if *words == "without"
            && texts.anchor.has(Mark::Without)
            && count(&texts.answer) <= count(&texts.anchor)
        {
            continue;
        }
        let added = match word {
            Some(word) if texts.anchor.has_stem(word) => !denied(&texts.anchor, word),
            _ => count(&texts.answer) > count(&texts.anchor),
        };
        if added && count(&texts.answer) >= count(&texts.anchor).max(1) && !if_not(texts) {
            found.push(Difference::new(Binding::Negation, "", *words));
        }
    }
    for (words, word) in &known {
        let Some(word) = word else { continue };
        if *words == "without" && only_with(texts) {
            continue;
        }
        if texts.answer.has_stem(word)
            && !denied(&texts.answer, word)
            && count(&texts.answer) < count(&texts.anchor)
        {
            found.push(Difference::new(Binding::Negation, *words, ""));
        }
    }
}

/// "May pay only with the approval" is "may not pay without the approval".
pub(super) fn only_with(texts: &Texts) -> bool {
    texts.answer.has(Mark::Only) && texts.answer.has(Mark::May) && texts.anchor.has(Mark::MustNot)
}

/// "If it does not agree" is "unless it agrees".
fn if_not(texts: &Texts) -> bool {
    texts.anchor.has(Mark::Except)
        && !texts.answer.has(Mark::Except)
        && (texts.answer.has(Mark::If) || texts.answer.has(Mark::When))
}

//! The comparison in Chinese: by clauses and pairs of characters, since nothing parts its words.

use super::binding::{Binding, Compared, Difference};
use super::chinese::{Clause, Piece, Text, pairs, plain};
use super::fact::Figures;
use super::figures;
use super::lexicon::{Mark, chinese_opposites};
use std::collections::HashSet;

/// Share of pairs from which a clause speaks of the same as another.
const SAME: f64 = 0.5;

struct Texts {
    anchor: Text,
    answer: Text,
    asked: Text,
    place: Text,
}

/// Adds what is not the same.
pub(super) fn compare(compared: &Compared<'_>, found: &mut Vec<Difference>) {
    let texts = Texts {
        anchor: Text::read(compared.anchor),
        answer: Text::read(compared.answer),
        asked: Text::read(compared.asked),
        place: Text::read(compared.place),
    };
    figures::compare(
        &Figures {
            anchor: texts.anchor.facts(),
            answer: texts.answer.facts(),
            place: texts.place.facts(),
            periods: texts
                .anchor
                .marks()
                .map(|(mark, _)| mark)
                .filter(|mark| mark.is_period())
                .collect(),
        },
        found,
    );
    forces(&texts, found);
    negations(&texts, found);
    opposites(compared, found);
    directions(&texts, found);
    quantifiers(&texts, found);
    conditions(&texts, found);
    actors(&texts, found);
}

fn share(of: &[[char; 2]], known: &HashSet<[char; 2]>) -> f64 {
    if of.is_empty() {
        return 0.0;
    }
    of.iter().filter(|pair| known.contains(*pair)).count() as f64 / of.len() as f64
}

/// The clause of a text that speaks of the same as another, if one does.
fn nearest<'a>(text: &'a Text, clause: &Clause) -> Option<&'a Clause> {
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

fn denials(text: &Text) -> usize {
    text.marks()
        .filter(|(mark, _)| mark.denies() || *mark == Mark::Except)
        .count()
}

fn forces(texts: &Texts, found: &mut Vec<Difference>) {
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

fn negations(texts: &Texts, found: &mut Vec<Difference>) {
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

/// Words that say the contrary, or the other side of a contract: one stands there more often, the other less.
fn opposites(compared: &Compared<'_>, found: &mut Vec<Difference>) {
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

fn directions(texts: &Texts, found: &mut Vec<Difference>) {
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

fn quantifiers(texts: &Texts, found: &mut Vec<Difference>) {
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
    let figure = match mark {
        Mark::Year => ("12", "month"),
        Mark::HalfYear => ("6", "month"),
        Mark::Quarter => ("3", "month"),
        Mark::Month => ("1", "month"),
        Mark::Week => ("7", "day"),
        Mark::Day => ("1", "day"),
        _ => ("1", "hour"),
    };
    text.has(mark)
        || text
            .facts()
            .iter()
            .any(|f| (f.value.as_str(), f.unit.as_str()) == figure)
}

/// What a clause is to the rule.
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

fn conditions(texts: &Texts, found: &mut Vec<Difference>) {
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

/// Words behind which no name of who acts goes on.
const ENDS: &[char] = &[
    '于', '在', '自', '对', '向', '将', '按', '依', '根', '从', '给', '把', '就', '以', '经', '由',
    '被', '凭', '因', '为',
];

/// The name with which characters begin.
fn name(text: &str) -> String {
    text.chars().take_while(|c| !ENDS.contains(c)).collect()
}

/// Who acts: behind 由, else what stands before the force or at the beginning of the clause before it.
fn agent(text: &Text) -> Option<String> {
    let at = text
        .clauses
        .iter()
        .position(|clause| clause.force().is_some())?;
    let clause = &text.clauses[at];
    let by = clause
        .pieces
        .iter()
        .position(|piece| *piece == Piece::Char('由'));
    if let Some(by) = by {
        let name = name(&plain(&clause.pieces[by + 1..]));
        return (name.chars().count() > 1).then_some(name);
    }
    let force = clause.force()?;
    // A mark before the force ends the name, but for one that joins or counts.
    let until = clause.pieces[..force].iter().position(|piece| {
        matches!(piece, Piece::Mark(m, _) if !matches!(m, Mark::And | Mark::Or | Mark::All | Mark::Each | Mark::Only | Mark::Some))
    });
    let own = name(&plain(&clause.pieces[..until.unwrap_or(force)]));
    if own.chars().count() > 1 {
        return Some(own);
    }
    let before = text.clauses[..at]
        .iter()
        .rev()
        .find(|c| !c.has(Mark::Except) && !matches!(c.pieces.first(), Some(Piece::Mark(..))))?;
    let name = name(&before.plain());
    (name.chars().count() > 1).then_some(name)
}

/// Those towards whom something is done: behind 向, 对 and 给.
fn receivers(text: &Text) -> Vec<String> {
    let mut found = Vec::new();
    for clause in &text.clauses {
        for (at, piece) in clause.pieces.iter().enumerate() {
            if matches!(piece, Piece::Char('向' | '给')) {
                let name: String = plain(&clause.pieces[at + 1..]).chars().take(2).collect();
                found.push(name);
            }
        }
    }
    found.retain(|name| name.chars().count() == 2);
    found
}

fn actors(texts: &Texts, found: &mut Vec<Difference>) {
    let (anchor, answer) = (texts.anchor.plain(), texts.answer.plain());
    let (known, said) = (receivers(&texts.anchor), receivers(&texts.answer));
    if let (Some(of), Some(who)) = (agent(&texts.anchor), agent(&texts.answer)) {
        let own: HashSet<[char; 2]> = pairs(&of).into_iter().collect();
        let apart = !pairs(&who).iter().any(|pair| own.contains(pair))
            && !who.starts_with(['其', '该', '本']);
        let head: String = who.chars().take(2).collect();
        let of_head: String = of.chars().take(2).collect();
        let foreign = share(&pairs(&who), &pairs(&anchor).into_iter().collect()) < SAME;
        let became_receiver = said.contains(&of_head) || known.contains(&head);
        let by = ["由", "被", "从", "受", "经"]
            .iter()
            .any(|by| answer.contains(&format!("{by}{of_head}")));
        // The thing may come first where nobody is named.
        if apart && !by && (foreign || became_receiver) {
            found.push(Difference::new(Binding::Actor, of, who));
        }
    }
    if let Some(receiver) = said.iter().find(|name| !known.contains(name))
        && let Some(of) = known.first()
        && (agent(&texts.anchor).is_some_and(|agent| agent.starts_with(receiver.as_str()))
            || !anchor.contains(receiver.as_str()))
    {
        found.push(Difference::new(
            Binding::Actor,
            of.as_str(),
            receiver.as_str(),
        ));
    }
}

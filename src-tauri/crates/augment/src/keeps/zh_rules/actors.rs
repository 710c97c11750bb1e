//! The actors in a Chinese rule, and the receivers of their actions.

use super::texts::{SAME, Texts, share};
use crate::keeps::binding::{Binding, Difference};
use crate::keeps::chinese::{Piece, Text, pairs, plain};
use crate::keeps::lexicon::Mark;
use std::collections::HashSet;

/// Words behind which no name of who acts goes on.
const ENDS: &[char] = &[
    '于', '在', '自', '对', '向', '将', '按', '依', '根', '从', '给', '把', '就', '以', '经', '由',
    '被', '凭', '因', '为',
];

/// The name with which characters begin.
fn name(text: &str) -> String {
    text.chars().take_while(|c| !ENDS.contains(c)).collect()
}

/// The actor: the noun after 由, or else the one before the force or at the beginning of the clause before it.
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

/// The receivers of an action: the nouns after 向, 对 and 给.
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

pub(super) fn actors(texts: &Texts, found: &mut Vec<Difference>) {
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
        // If no actor is named, the object of the action may come first.
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

//! Actors: the subject of a force, or the noun after "by" in the passive.

use super::binding::{Binding, Difference};
use super::english::{Text, Texts};
use super::token::Token;

/// A rule's verb with who does it and what stands before it in the passive.
struct Act<'a> {
    verb: &'a str,
    /// The main words of the actors. Empty if no actor is named.
    agents: Vec<&'a str>,
    /// In the passive: the main nouns of the things to which it is done.
    patients: Vec<&'a str>,
}

/// Words behind which a noun phrase is only told more closely.
const CLOSER: &[&str] = &[
    "of", "which", "that", "who", "whose", "whom", "in", "with", "for", "on", "to", "from", "by",
    "as", "under", "at", "referred", "where", "within", "between", "through", "holding", "having",
];

/// The heads of a noun phrase: its words before anything that describes it more closely.
fn heads(tokens: &[Token]) -> Vec<&str> {
    let closer = |t: &Token| match t {
        Token::Little(w) | Token::Word(w, _) => CLOSER.contains(&w.as_str()),
        Token::Mark(mark, _) => {
            *mark != super::lexicon::Mark::And
                && *mark != super::lexicon::Mark::Or
                && !quantifies(*mark)
        }
        _ => false,
    };
    let mut found = Vec::new();
    for token in tokens.iter().take_while(|t| !closer(t)) {
        match token {
            // "By the authority every two years".
            Token::Fact(_) if !found.is_empty() => break,
            Token::Mark(mark, _) if quantifies(*mark) && !found.is_empty() => break,
            _ => found.extend(token.stem()),
        }
    }
    found
}

fn quantifies(mark: super::lexicon::Mark) -> bool {
    use super::lexicon::Mark as M;
    matches!(mark, M::All | M::Each | M::Some | M::Only | M::One)
}

/// Words with which a part of a sentence begins that is no subject.
fn is_aside(tokens: &[Token]) -> bool {
    const ASIDE: &[&str] = &[
        "in", "for", "on", "at", "by", "from", "to", "under", "with", "of", "as", "if", "until",
        "during",
    ];
    match tokens.first() {
        Some(Token::Little(w) | Token::Word(w, _)) => ASIDE.contains(&w.as_str()),
        Some(Token::Mark(mark, _)) => !quantifies(*mark),
        Some(Token::Fact(_)) => false,
        _ => true,
    }
}

fn acts(text: &Text) -> Vec<Act<'_>> {
    let mut found = Vec::new();
    for (at, _, _) in text.marks().filter(|(_, mark, _)| mark.is_force()) {
        let Some(verb) = text.governed(at) else {
            continue;
        };
        let start = text.tokens[..at]
            .iter()
            .rposition(|t| matches!(t, Token::Break(';' | '.' | ':')))
            .map_or(0, |i| i + 1);
        let parts: Vec<&[Token]> = text.tokens[start..at]
            .split(|t| matches!(t, Token::Break(_)))
            .collect();
        let subject = parts
            .iter()
            .rev()
            .find(|part| !part.is_empty() && !is_aside(part));
        let subject = subject.map(|part| heads(part)).unwrap_or_default();
        let passive = text
            .tokens
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .take_while(|t| t.stem().is_none())
            .any(|t| matches!(t, Token::Little(w) if w == "be" || w == "been"));
        if passive {
            let rest = &text.tokens[at + 1..];
            let end = rest
                .iter()
                .position(|t| matches!(t, Token::Break(_)))
                .unwrap_or(rest.len());
            let by = rest[..end]
                .iter()
                .position(|t| matches!(t, Token::Little(w) if w == "by"));
            let agents = by.map(|by| heads(&rest[by + 1..end])).unwrap_or_default();
            found.push(Act {
                verb,
                agents,
                patients: subject,
            });
        } else {
            found.push(Act {
                verb,
                agents: subject,
                patients: Vec::new(),
            });
        }
    }
    found
}

/// Actions and their actors in clauses without a force: "caused by the insurer".
fn done_by(text: &Text) -> Vec<(&str, &str)> {
    let by = text
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| matches!(t, Token::Little(w) if w == "by"));
    by.filter_map(|(at, _)| {
        let verb = text.tokens[..at].iter().rev().find_map(Token::stem)?;
        let who = heads(
            text.tokens
                .get(at + 1..)?
                .split(|t| matches!(t, Token::Break(_)))
                .next()?,
        )
        .into_iter()
        .last()?;
        Some((verb, who))
    })
    .collect()
}

/// Adds who acts in the answer and not in the rule.
pub(super) fn compare(texts: &Texts, found: &mut Vec<Difference>) {
    let (known, said) = (acts(&texts.anchor), acts(&texts.answer));
    for act in &said {
        let same = |k: &Act<'_>| {
            k.verb == act.verb && k.agents == act.agents && k.patients == act.patients
        };
        if known.iter().any(same) {
            continue;
        }
        let Some(of) = known
            .iter()
            .find(|k| k.verb == act.verb && (!k.agents.is_empty() || !k.patients.is_empty()))
        else {
            continue;
        };
        let shares = |a: &[&str], b: &[&str]| a.iter().any(|word| b.contains(word));
        // Of those who act the last word is the head: "bank customers" are no banks.
        let same_head = shares(&act.agents, &of.agents)
            && act
                .agents
                .last()
                .is_some_and(|head| of.agents.contains(head));
        let both_named = !act.agents.is_empty() && !of.agents.is_empty();
        let others = both_named && !same_head;
        let swapped = of.agents.is_empty()
            && act
                .agents
                .last()
                .is_some_and(|head| of.patients.contains(head))
            || !act.patients.is_empty()
                && act
                    .patients
                    .last()
                    .is_some_and(|head| of.agents.last() == Some(head))
                && act.agents.last() != of.agents.last();
        if others || swapped {
            let whose = if of.agents.is_empty() {
                &of.patients
            } else {
                &of.agents
            };
            let who = if act.agents.is_empty() {
                &act.patients
            } else {
                &act.agents
            };
            found.push(Difference::new(
                Binding::Actor,
                whose.join(" "),
                who.join(" "),
            ));
        }
    }
    let known = done_by(&texts.anchor);
    for (verb, who) in done_by(&texts.answer) {
        if let Some((_, of)) = known.iter().find(|(v, _)| *v == verb)
            && !known.iter().any(|(v, w)| *v == verb && *w == who)
        {
            found.push(Difference::new(Binding::Actor, *of, who));
        }
    }
}

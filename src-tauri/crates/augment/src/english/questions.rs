//! English questions.

use super::agreement::{capital, uncapital};
use super::{edits, lexicon, parse};
use crate::clause::{Ask, Clause, Duty, Parsed};
use crate::words::length;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Longest condition that a question repeats, in scalar values.
const LONGEST_CONDITION: usize = 170;
/// Longest predicate that a question repeats, in words.
const LONGEST_PREDICATE: usize = 24;

/// The question for a sentence, or none where the sentence lacks what it needs.
pub(super) fn question(ask: Ask, sentence: &Parsed) -> Option<String> {
    match (ask, &sentence.clause) {
        (Ask::Meaning, _) => {
            let (term, _) = sentence.definition.as_ref()?;
            Some(format!("What does the term “{term}” mean?"))
        }
        (Ask::Do, Some(clause)) => what_to_do(clause),
        (Ask::Do, None) => None,
    }
}

pub(super) fn inverted(duty: Duty) -> &'static str {
    match duty {
        Duty::Must | Duty::MustNot => "must",
        Duty::May => "may",
        Duty::Should => "should",
    }
}

pub(super) fn negation(clause: &Clause) -> &'static str {
    if clause.duty == Duty::MustNot { " not" } else { "" }
}

/// "Where X, who must do Y?"
pub(super) fn who(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    let modal = inverted(clause.duty);
    let not = negation(clause);
    if clause.lead.is_empty() {
        return Some(format!("Who {modal}{not} {does}?"));
    }
    Some(format!("{}, who {modal}{not} {does}?", capital(&condition(&clause.lead)?)))
}

/// "Where X, what must Y do?": only a case places a duty among the others of its subject.
fn what_to_do(clause: &Clause) -> Option<String> {
    let subject = named_subject(clause)?;
    let case = condition(&clause.lead)?;
    let (modal, not) = (inverted(clause.duty), negation(clause));
    let asked = if parse::is_actor(clause) {
        format!("what {modal} {subject}{not} do?")
    } else {
        format!("what applies to {subject}?")
    };
    Some(capital(&format!("{case}, {asked}")))
}

/// The condition as it stands inside a sentence; none where there is none or it says nothing.
pub(super) fn condition(lead: &str) -> Option<String> {
    let case = lead.trim_end_matches([',', ' ']);
    let lower = case.to_lowercase();
    let empty = lexicon::EMPTY_LEADS.iter().any(|l| lower.starts_with(l));
    let pointing = ["in such", "in that", "in this", "for this", "for that", "to that end", "in these", "in those"]
        .iter()
        .any(|p| lower.starts_with(p))
        || lower.contains(" paragraph ") && length(case) < 60;
    (!case.is_empty() && !empty && !pointing && length(case) <= LONGEST_CONDITION).then(|| uncapital(case))
}

/// The subject as a question names it: without "referred to in paragraph 1".
fn named_subject(clause: &Clause) -> Option<String> {
    let cut = [
        " referred to",
        " mentioned in",
        " under paragraph",
        " pursuant to",
        " provided for in",
        " set out in",
        " laid down in",
        " specified in",
    ]
    .iter()
    .filter_map(|p| clause.subject.find(p))
    .min()
    .unwrap_or(clause.subject.len());
    let subject = clause.subject[..cut].trim();
    let lower = subject.to_lowercase();
    let pointing =
        ["this ", "that ", "these ", "those ", "such ", "paragraph", "point ", "article ", "its ", "their ", "his "]
            .iter()
            .any(|p| lower.starts_with(p))
            || [" this ", " that ", " these ", " those ", " paragraph"].iter().any(|p| lower.contains(p));
    (!subject.is_empty() && !pointing && subject.split_whitespace().count() <= 12).then(|| subject.to_owned())
}

/// A predicate that is repeated to its end: nothing that follows could limit it.
pub(super) fn whole(predicate: &str) -> Option<String> {
    let does = short(predicate)?;
    let rest = predicate.get(does.len()..)?;
    let limits = [
        " unless",
        " except",
        " if ",
        " where ",
        " provided",
        " without prejudice",
        " only",
        " when",
        ", unless",
        ", except",
        ", provided",
        ", where",
        ", if",
    ];
    (!limits.iter().any(|l| rest.contains(l)) && !does.starts_with("only")).then_some(does)
}

/// The first part of a predicate, short enough to be asked with.
pub(super) fn short(predicate: &str) -> Option<String> {
    if predicate.starts_with(',') {
        return None;
    }
    let cuts = [
        ", ",
        "; ",
        ": ",
        " unless ",
        " where ",
        " in accordance with ",
        " pursuant to ",
        " referred to ",
        " without prejudice",
        " provided that ",
        " except ",
        " if ",
        " when ",
        " in order to ",
        " so that ",
        " whether ",
    ];
    let cut = cuts.iter().filter_map(|c| predicate.find(c)).filter(|c| *c > 0).min().unwrap_or(predicate.len());
    let part = predicate[..cut].trim();
    let tokens: Vec<&str> = part.split_whitespace().collect();
    let open_end = tokens.last().is_some_and(|w| crate::words::is_stop(&w.to_lowercase()));
    let verb_only = tokens.len() < 4;
    let balanced = part.matches('(').count() == part.matches(')').count()
        && part.matches('“').count() == part.matches('”').count();
    // An enumeration that was cut in the middle would read as if it were the whole.
    let listed = predicate[cut..].starts_with(", ")
        && edits::find_word(&predicate[cut..], "and").is_some_and(|a| a < 60)
        && !predicate[cut..].contains(", which")
        && !predicate[cut..].contains(", including");
    (!open_end && !verb_only && balanced && !listed && tokens.len() <= LONGEST_PREDICATE).then(|| part.to_owned())
}

/// A question whose answer is the term at `mention`, with a sentence that says it whole.
pub(super) fn term_question(
    sentence: &Parsed,
    mention: (usize, usize),
    rng: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let (start, end) = mention;
    let text = &sentence.text;
    let surface = text.get(start..end)?;
    if let Some((term, meaning)) = &sentence.definition
        && term.eq_ignore_ascii_case(surface)
    {
        let question = format!("Which term means {}?", meaning.trim_end_matches('.'));
        return Some((question, format!("“{surface}” means {meaning}.")));
    }
    if let Some(clause) = &sentence.clause
        && parse::is_actor(clause)
        && rng.random_bool(0.6)
        && let Some((question, rephrased)) = subject_question(clause, surface)
    {
        return Some((question, rephrased));
    }
    let before = text[..start].strip_suffix("an ").map(|b| format!("{b}a(n) "));
    let before = before.or_else(|| text[..start].strip_suffix(" a ").map(|b| format!("{b} a(n) ")));
    let before = before.or_else(|| (&text[..start] == "A ").then(|| "A(n) ".to_owned()));
    let before = before.or_else(|| (&text[..start] == "An ").then(|| "A(n) ".to_owned()));
    let gap = format!("{}____{}", before.unwrap_or_else(|| text[..start].to_owned()), &text[end..]);
    Some((format!("Which term completes the rule “{}”?", gap.trim_end_matches('.')), text.clone()))
}

/// "Who must do Y?" where the term is the whole subject.
fn subject_question(clause: &Clause, surface: &str) -> Option<(String, String)> {
    let bare = ["the ", "a ", "an ", "each ", "every ", "any "]
        .iter()
        .find_map(|d| clause.subject.strip_prefix(d))
        .unwrap_or(&clause.subject);
    if !bare.eq_ignore_ascii_case(surface) {
        return None;
    }
    let question = who(clause)?;
    let does = short(&clause.predicate)?;
    let lead = condition(&clause.lead).map(|c| format!("{},", capital(&c))).unwrap_or_default();
    Some((question, parse::render(&lead, &clause.subject, &clause.modal, &does)))
}

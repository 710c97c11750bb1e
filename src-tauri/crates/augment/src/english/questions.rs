//! English questions.

use super::agreement::{capital, uncapital};
use super::{edits, lexicon, parse};
use crate::clause::{Asked, Clause, Duty, Parsed, Part};
use crate::words::{contains_words, length};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Longest condition that a question repeats, in scalar values.
const LONGEST_CONDITION: usize = 170;
/// Longest predicate that a question repeats, in words.
const LONGEST_PREDICATE: usize = 24;

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

/// "Where X, what must Y do as regards Z?", for statements that differ in the `open` parts, in the words `touched`.
pub(super) fn wording(clause: &Clause, open: &[Part], topic: Option<&str>, touched: &[&str]) -> Option<Asked> {
    let (modal, not) = (inverted(clause.duty), negation(clause));
    let case = condition(&clause.lead).filter(|_| !open.contains(&Part::Lead));
    let says_lead = case.is_some();
    let as_regards = topic.map(|t| format!(" as regards {t}")).unwrap_or_default();
    let subject = named_subject(clause).filter(|_| !open.contains(&Part::Subject));
    let asked = match subject {
        Some(subject) if parse::is_actor(clause) && !open.contains(&Part::Modal) => {
            let does = verb(clause)
                .filter(|v| topic.is_none_or(|t| !t.contains(' ')) && !touched.iter().any(|t| contains_words(t, v)))
                .unwrap_or("do");
            format!("what {modal} {subject}{not} {does}{as_regards}?")
        }
        Some(subject) if topic.is_none() || parse::is_actor(clause) => {
            format!("what rule applies to {subject}{as_regards}?")
        }
        _ => format!("what is laid down{as_regards}?"),
    };
    let question = case.map_or(asked.clone(), |case| format!("{case}, {asked}"));
    Some(Asked { question: capital(&question), says_lead })
}

/// The verb of a predicate that has its object right behind it: "what must the bank keep?"
fn verb(clause: &Clause) -> Option<&str> {
    let mut words = clause.predicate.split(' ');
    let (verb, next) = (words.next()?, words.next()?);
    let light = ["take", "make", "have", "give", "do", "carry", "act", "be", "pay", "put", "set", "bear"];
    let object = [
        "the",
        "a",
        "an",
        "any",
        "all",
        "its",
        "their",
        "each",
        "every",
        "that",
        "whether",
        "appropriate",
        "adequate",
        "sufficient",
        "records",
        "information",
    ];
    let plain = verb.len() > 2 && verb.chars().all(char::is_lowercase) && !verb.ends_with("ly");
    (plain && !light.contains(&verb) && object.contains(&next)).then_some(verb)
}

/// The condition as it stands inside a sentence; none where there is none or it says nothing.
pub(super) fn condition(lead: &str) -> Option<String> {
    let case = lead.trim_end_matches([',', ' ']);
    let lower = case.to_lowercase();
    let empty = lexicon::EMPTY_LEADS.iter().any(|l| lower.starts_with(l));
    let pointing = ["in such", "in that", "in this", "for this", "for that", "to that end", "in these", "in those"]
        .iter()
        .any(|p| lower.starts_with(p))
        || lower.contains(" paragraph ") && length(case) < 60
        || case.split_whitespace().count() < 4;
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
    let half = does.contains("either ") && !does.contains(" or ");
    (!limits.iter().any(|l| rest.contains(l)) && !does.starts_with("only") && !half).then_some(does)
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
    // "ensure that the imposition": what is said of it stands behind the cut.
    let unsaid = cut < predicate.len()
        && part.rsplit_once(" that ").is_some_and(|(_, rest)| {
            !rest
                .split(' ')
                .any(|w| ["is", "are", "has", "have", "can", "may", "does", "do", "will", "shall", "must"].contains(&w))
        });
    let balanced = part.matches('(').count() == part.matches(')').count()
        && part.matches('“').count() == part.matches('”').count();
    // An enumeration that was cut in the middle would read as if it were the whole.
    let linked = ["and", "or"].iter().any(|w| edits::find_word(&predicate[cut..], w).is_some_and(|a| a < 90));
    let listed = predicate[cut..].starts_with(", ")
        && linked
        && !predicate[cut..].contains(", which")
        && !predicate[cut..].contains(", including");
    (!open_end && !verb_only && !unsaid && balanced && !listed && tokens.len() <= LONGEST_PREDICATE)
        .then(|| part.to_owned())
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

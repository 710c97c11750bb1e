//! English questions.

use super::agreement::{capital, uncapital};
use super::{clean_heading, edits, lexicon, parse};
use crate::clause::{Ask, Clause, Duty, Parsed};
use crate::words::{contains_words, length};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Longest condition that a question repeats, in scalar values.
const LONGEST_CONDITION: usize = 170;
/// Longest predicate that a question repeats, in words.
const LONGEST_PREDICATE: usize = 24;

/// The question for a sentence, or none where the sentence lacks what it needs.
pub(super) fn question(
    ask: Ask,
    sentence: &Parsed,
    topics: &[String],
    heading: &str,
    rng: &mut ChaCha8Rng,
) -> Option<String> {
    let heading = clean_heading(heading);
    match (ask, &sentence.clause) {
        (Ask::Meaning, _) => {
            let (term, _) = sentence.definition.as_ref()?;
            Some(format!("What does the term “{term}” mean?"))
        }
        (Ask::Statement, _) | (_, None) => statement(ask, topics, heading.as_deref(), rng),
        (Ask::Who, Some(clause)) => who(clause),
        (Ask::Condition, Some(clause)) => in_which_case(clause),
        (_, Some(clause)) => about(ask, clause, topics, heading.as_deref(), rng),
    }
}

fn inverted(duty: Duty) -> &'static str {
    match duty {
        Duty::Must | Duty::MustNot => "must",
        Duty::May => "may",
        Duty::Should => "should",
    }
}

fn negation(clause: &Clause) -> &'static str {
    if clause.duty == Duty::MustNot { " not" } else { "" }
}

/// "Where X, who must do Y?"
fn who(clause: &Clause) -> Option<String> {
    let does = short(&clause.predicate)?;
    let modal = inverted(clause.duty);
    let who = "who";
    let question = match condition(clause) {
        Some(case) => format!("{}, {who} {modal}{} {does}?", capital(&case), negation(clause)),
        None => format!("{} {modal}{} {does}?", capital(who), negation(clause)),
    };
    Some(question)
}

/// "In which case must X do Y?"
fn in_which_case(clause: &Clause) -> Option<String> {
    condition(clause)?;
    let does = short(&clause.predicate)?;
    Some(format!("In which case {} {}{} {does}?", inverted(clause.duty), clause.subject, negation(clause)))
}

/// What somebody must do, which rule applies, which limit.
fn about(ask: Ask, clause: &Clause, topics: &[String], heading: Option<&str>, rng: &mut ChaCha8Rng) -> Option<String> {
    let subject = named_subject(clause)?;
    let case = condition(clause);
    let mut own = topics.iter().filter(|t| {
        let inside = contains_words(&subject, t) || contains_words(t, &subject);
        !inside && !case.as_ref().is_some_and(|c| contains_words(c, t)) && t.split_whitespace().count() <= 8
    });
    // Without a heading or a condition one topic places a question among too many rules.
    let topic = match (own.next(), heading.is_some() || case.is_some()) {
        (Some(one), true) => Some(one.clone()),
        (Some(one), false) => own.next().map(|other| format!("{one} and {other}")),
        (None, _) => None,
    };
    let link = ["with regard to", "as regards", "in relation to"][rng.random_range(0..3)];
    let regard = topic.map(|t| format!("{link} {t}"));
    // One phrase that says what it is about; the condition says it best.
    let detail = match (&case, &regard) {
        (Some(case), Some(regard)) if length(case) < 60 => format!("{regard} {case}"),
        (Some(case), _) => case.clone(),
        (None, Some(regard)) => regard.clone(),
        (None, None) => return None,
    };
    let under = heading.map(|h| format!("Under the rules on “{h}”, "));
    let actor = parse::is_agent(&subject) && !parse::is_passive(&clause.predicate);
    let (modal, not) = (inverted(clause.duty), negation(clause));
    let body = match ask {
        Ask::Do if actor => format!("what {modal} {subject}{not} do {detail}?"),
        Ask::TimeLimit => format!("what time limit applies to {subject} {detail}?"),
        Ask::Limit => format!("what figure applies to {subject} {detail}?"),
        _ if actor => format!("what rule applies to {subject} {detail}?"),
        _ => format!("what do the rules provide on {subject} {detail}?"),
    };
    // The heading helps where the condition does not already place the question.
    Some(match under {
        Some(under) if case.is_none() && !body.contains("the rules") => format!("{under}{body}"),
        _ => capital(&body),
    })
}

fn statement(ask: Ask, topics: &[String], heading: Option<&str>, rng: &mut ChaCha8Rng) -> Option<String> {
    let own: Vec<&String> = topics.iter().filter(|t| t.split_whitespace().count() <= 7).take(2).collect();
    let on = heading.map_or_else(|| "the rules".to_owned(), |h| format!("the rules on “{h}”"));
    let said = match (ask, own.as_slice()) {
        (Ask::TimeLimit, [a, ..]) => format!("What time limit do {on} set with regard to {a}?"),
        (Ask::Limit, [a, ..]) => format!("What figure do {on} give with regard to {a}?"),
        (_, [a, b]) => {
            let link = ["in connection with", "in relation to"][rng.random_range(0..2)];
            format!("What do {on} say about {a} {link} {b}?")
        }
        (_, [a]) if heading.is_some() => format!("What do {on} say about {a}?"),
        _ => return None,
    };
    Some(said)
}

/// The condition as it stands inside a sentence; none where there is none or it says nothing.
fn condition(clause: &Clause) -> Option<String> {
    let case = clause.lead.trim_end_matches([',', ' ']);
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

/// The first part of a predicate, short enough to be asked with.
fn short(predicate: &str) -> Option<String> {
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
    let lead = condition(clause).map(|c| format!("{},", capital(&c))).unwrap_or_default();
    Some((question, parse::render(&lead, &clause.subject, &clause.modal, &does)))
}

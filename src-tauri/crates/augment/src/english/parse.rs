//! A rule taken apart: condition, subject, modal, predicate.

use super::agreement::{capital, uncapital};
use super::lexicon;
use crate::clause::{Clause, Duty};
use lexforge_text::plural;
use regex::Regex;
use std::sync::LazyLock;

/// Modals, the longer before the shorter.
const MODALS: &[(&str, Duty)] = &[
    ("shall not", Duty::MustNot),
    ("must not", Duty::MustNot),
    ("may not", Duty::MustNot),
    ("should not", Duty::MustNot),
    ("is not permitted to", Duty::MustNot),
    ("are not permitted to", Duty::MustNot),
    ("is required to", Duty::Must),
    ("are required to", Duty::Must),
    ("is permitted to", Duty::May),
    ("are permitted to", Duty::May),
    ("is entitled to", Duty::May),
    ("are entitled to", Duty::May),
    ("shall", Duty::Must),
    ("must", Duty::Must),
    ("should", Duty::Should),
    ("may", Duty::May),
];

static MODAL: LazyLock<Regex> = LazyLock::new(|| {
    let names: Vec<&str> = MODALS.iter().map(|m| m.0).collect();
    Regex::new(&format!(r" ({})\b,? ?", names.join("|"))).expect("a constant pattern")
});

static DEFINES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?:For the purposes? of (?:this|these|the) [A-Za-z]+(?: [A-Za-z0-9.]+)?,? )?(?:[Tt]he (?:term|expression) |[Aa]n? |[Tt]he )?["“‘']?([^"”’“‘':;,]{2,60}?)["”’']?,? (?:means|refers to|shall mean|denotes|is defined as),? (.{12,})\.$"#)
        .expect("a constant pattern")
});

/// Words that a simple subject does not contain.
const NOT_IN_SUBJECT: &[&str] = &[
    "that", "which", "who", "whom", "whose", "where", "if", "when", "unless", "because",
];
/// Most words of a subject.
const LONGEST_SUBJECT: usize = 14;
/// Most words of a subject that a clause describes more closely.
const LONGEST_DESCRIBED: usize = 22;
/// Most scalar values of a condition.
const LONGEST_LEAD: usize = 220;

/// The parts of a sentence whose main clause has a modal and a simple subject.
pub(crate) fn clause(sentence: &str) -> Option<Clause> {
    let body = sentence.strip_suffix('.')?;
    let first = body.split_whitespace().next()?.to_lowercase();
    let opens_condition = lexicon::CONDITION_OPENINGS.contains(&first.as_str())
        || lexicon::EMPTY_LEADS
            .iter()
            .any(|l| body.to_lowercase().starts_with(l));
    if !opens_condition {
        return split(body).map(|(subject, modal, predicate, duty)| Clause {
            lead: String::new(),
            subject: uncapital(&subject),
            duty,
            modal,
            predicate,
        });
    }
    for (comma, _) in body.match_indices(", ") {
        let lead = &body[..=comma];
        if lead.chars().count() > LONGEST_LEAD {
            return None;
        }
        let Some((subject, modal, predicate, duty)) = split(&body[comma + 2..]) else {
            continue;
        };
        let opening = subject
            .split_whitespace()
            .next()
            .unwrap_or("")
            .to_lowercase();
        if lexicon::NOT_FIRST.contains(&opening.as_str())
            || lead.matches('(').count() != lead.matches(')').count()
        {
            continue;
        }
        return Some(Clause {
            lead: lead.to_owned(),
            subject,
            duty,
            modal,
            predicate,
        });
    }
    None
}

/// Subject, modal, predicate and duty of a main clause.
fn split(main: &str) -> Option<(String, String, String, Duty)> {
    let found = MODAL.captures(main)?;
    let whole = found.get(0)?;
    let modal = found.get(1)?.as_str();
    let subject = main[..whole.start()].trim();
    let rest = &main[found.get(1)?.end()..];
    let tokens: Vec<String> = subject.split_whitespace().map(str::to_lowercase).collect();
    // "A firm that holds a licence must …": somebody who acts, and which one of them, with one modal in all.
    let which = tokens
        .iter()
        .position(|t| ["that", "which", "who"].contains(&t.as_str()))
        .filter(|at| {
            let head = subject
                .split_whitespace()
                .take(*at)
                .collect::<Vec<_>>()
                .join(" ");
            // "any person who may be affected": the modal is that of the clause.
            *at > 1
                && tokens.len() > at + 2
                && tokens.len() <= LONGEST_DESCRIBED
                && is_agent(&head)
                && !MODAL.is_match(rest)
        });
    let simple = which.unwrap_or(tokens.len());
    let bad = subject.is_empty()
        || subject.contains([',', ';', ':', '('])
        || simple > LONGEST_SUBJECT
        || tokens
            .iter()
            .take(simple)
            .any(|t| NOT_IN_SUBJECT.contains(&t.as_str()))
        || matches!(
            tokens.first().map(String::as_str),
            Some("it" | "they" | "this" | "there" | "nothing" | "he" | "these")
        )
        || subject.contains("referred to") && tokens.len() > 9;
    let duty = MODALS.iter().find(|m| m.0 == modal)?.1;
    let predicate = rest.trim_start();
    if bad || predicate.split_whitespace().count() < 2 || predicate.starts_with("also be") {
        return None;
    }
    let negative_subject = matches!(
        tokens.first().map(String::as_str),
        Some("no" | "neither" | "nor")
    );
    // "The interaction may increase the risk" allows nothing.
    let possible = duty == Duty::May && !is_agent(subject) && !is_passive(predicate);
    if negative_subject || possible {
        return None;
    }
    Some((
        subject.to_owned(),
        modal.to_owned(),
        predicate.to_owned(),
        duty,
    ))
}

/// The sentence from its parts.
pub(crate) fn render(lead: &str, subject: &str, modal: &str, predicate: &str) -> String {
    let gap = if predicate.starts_with(',') { "" } else { " " };
    let main = format!("{subject} {modal}{gap}{predicate}.");
    if lead.is_empty() {
        capital(&main)
    } else {
        capital(&format!("{lead} {main}"))
    }
}

/// (term, meaning) of "'X' means Y."
pub(crate) fn definition(sentence: &str) -> Option<(String, String)> {
    let found = DEFINES.captures(sentence)?;
    let term = found.get(1)?.as_str().trim();
    let words = term.split_whitespace().count();
    let lower = term.to_lowercase();
    if words > 7
        || lower.contains(" by")
        || ["this", "it", "that", "which"].contains(&lower.as_str())
    {
        return None;
    }
    let meaning = found.get(2)?.as_str().trim();
    let undefined = [
        "has the meaning",
        "the meaning",
        "that",
        "to ",
        "either ",
        "the means the",
    ]
    .iter()
    .any(|p| meaning.starts_with(p));
    (!undefined).then(|| (term.to_owned(), meaning.to_owned()))
}

/// Whether a list item is a sentence of its own.
pub(crate) fn is_complete(item: &str) -> bool {
    item.chars().next().is_some_and(char::is_uppercase)
        && MODAL.is_match(item)
        && item.trim_end().ends_with(['.', ';'])
}

/// Without an opening that says nothing about the case ("Without prejudice to Article 5, …").
pub(crate) fn without_empty_lead(body: &str) -> String {
    let lower = body.to_lowercase();
    if lexicon::EMPTY_LEADS.iter().any(|l| lower.starts_with(l))
        && let Some(parts) = clause(&format!("{body}."))
        && !parts.lead.is_empty()
    {
        return render("", &parts.subject, &parts.modal, &parts.predicate)
            .trim_end_matches('.')
            .to_owned();
    }
    body.to_owned()
}

/// Whether the subject is somebody who acts, and the predicate says that he acts.
pub(crate) fn is_actor(clause: &Clause) -> bool {
    if is_passive(&clause.predicate) || clause.subject.contains("referred to") {
        return false;
    }
    is_agent(&clause.subject)
}

/// Whether a noun phrase names somebody who acts.
pub(crate) fn is_agent(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let tokens: Vec<&str> = lower.split_whitespace().collect();
    let stop = tokens
        .iter()
        .skip(1)
        .position(|t| {
            [
                "of", "for", "in", "to", "with", "under", "against", "between", "acting", "or",
                "and", "by", "on", "as", "that", "which", "who",
            ]
            .contains(t)
        })
        .map_or(tokens.len(), |p| p + 1);
    // "The Union or the Member State law" is nobody who acts.
    let last = tokens
        .last()
        .map_or("", |t| t.trim_matches(|c: char| !c.is_alphanumeric()));
    if [
        "law",
        "laws",
        "rules",
        "legislation",
        "regulation",
        "regulations",
        "act",
        "acts",
    ]
    .contains(&last)
    {
        return false;
    }
    let Some(head) = tokens.get(stop.wrapping_sub(1)) else {
        return false;
    };
    let head = head.trim_matches(|c: char| !c.is_alphanumeric());
    let head = head
        .strip_suffix("’s")
        .or_else(|| head.strip_suffix("'s"))
        .unwrap_or(head);
    let one = plural::singular(head);
    if lexicon::NO_ACTORS.contains(&head) || lexicon::NO_ACTORS.contains(&one.as_str()) {
        return false;
    }
    // "risk management" is what somebody does, "senior management" who does it.
    let manages = stop.checked_sub(2).and_then(|at| tokens.get(at));
    if head == "management"
        && manages
            .is_some_and(|w| !["senior", "executive", "top", "the", "its", "their"].contains(w))
    {
        return false;
    }
    // "relevant and reasoned objection": two adjectives of one noun.
    let joined = tokens.get(stop).is_some_and(|t| ["and", "or"].contains(t));
    if joined && !acts(last) {
        return false;
    }
    acts(head)
}

/// Whether a word names somebody who acts.
fn acts(head: &str) -> bool {
    let one = plural::singular(head);
    lexicon::ACTORS.contains(&head)
        || ["er", "or", "ee", "ist", "ant", "man"]
            .iter()
            .any(|e| one.ends_with(e) && one.len() > e.len() + 2)
}

/// Whether a word is one of the verbs of rules, in its plain form.
pub(crate) fn is_verb(word: &str) -> bool {
    lexicon::VERBS
        .iter()
        .any(|(forms, _)| forms.first() == Some(&word))
}

/// Whether the predicate is passive or a state, so that nobody "does" it.
pub(crate) fn is_passive(predicate: &str) -> bool {
    let first = predicate
        .split_whitespace()
        .map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()))
        .find(|w| {
            ![
                "also",
                "at",
                "least",
                "always",
                "only",
                "therefore",
                "not",
                "then",
                "normally",
            ]
            .contains(w)
        })
        .unwrap_or("");
    [
        "be", "have", "apply", "include", "contain", "mean", "remain", "become", "consist",
        "exceed", "cease", "comprise",
    ]
    .contains(&first)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

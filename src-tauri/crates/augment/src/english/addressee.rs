//! Whom an English rule binds.

use super::lexicon;
use super::parse::is_agent;
use crate::whom::{Addressee, Surroundings};
use regex::Regex;
use std::sync::LazyLock;

/// What obliges.
static DUTY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:shall|must|should|is required to|are required to)\b")
        .expect("a constant pattern")
});
/// The actor in a passive.
static DONE_BY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:not )?(?:also |always )?be\b[^,;:]*?\bby ([^,;:.]+)")
        .expect("a constant pattern")
});
/// How far "the tasks of the board of the authority" is followed from noun to noun.
const DEPTH: usize = 3;
/// Words that stand for whoever was named before.
const PRONOUNS: [&str; 4] = ["it", "they", "he", "she"];
/// Words that refer to the sentence before.
const POINTERS: [&str; 5] = ["those", "these", "that", "this", "such"];
/// Words between a thing and the one that it belongs to: "the tasks of the authority".
const WHOSE: [&str; 4] = ["of", "for", "between", "by"];

/// The kind of actor that a noun phrase names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Public,
    /// Something that belongs to a public body.
    OfPublic,
    Other,
    Nobody,
}

/// Whom a rule binds.
pub(crate) fn of(rule: &str, around: &Surroundings<'_>) -> Addressee {
    let Some((subject, predicate)) = parts(rule) else {
        return Addressee::Nobody;
    };
    let words = words(&subject);
    if words.first().is_some_and(|first| is_in(&PRONOUNS, first)) {
        return around.before.unwrap_or(Addressee::Nobody);
    }
    let board = around.public_board;
    match named(&words, board, DEPTH) {
        Named::Public | Named::OfPublic => return Addressee::Public,
        Named::Other => return Addressee::Other,
        Named::Nobody => {}
    }
    let by = DONE_BY.captures(predicate);
    if let Some(by) = by.as_ref().and_then(|found| found.get(1)) {
        match named(&self::words(by.as_str()), board, DEPTH) {
            Named::Public | Named::OfPublic => return Addressee::Public,
            Named::Other => return Addressee::Other,
            Named::Nobody => {}
        }
    }
    let public = |heading: &&str| {
        let lower = heading.to_lowercase();
        lexicon::PUBLIC_HEADINGS.iter().any(|h| lower.contains(h))
            || matches!(
                named(&self::words(&heading.replace(',', " and ")), board, DEPTH),
                Named::Public | Named::OfPublic
            )
    };
    // "Those rules" are those of whom the sentence before binds.
    let points_back = words.first().is_some_and(|first| is_in(&POINTERS, first))
        && around.before == Some(Addressee::Public);
    if points_back || around.headings.iter().any(public) {
        Addressee::Public
    } else {
        Addressee::Nobody
    }
}

/// Whether a sentence names a board that is a public body.
pub(crate) fn names_public_board(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    lexicon::PUBLIC_BOARDS
        .iter()
        .any(|name| lower.contains(name))
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && !"-’'".contains(c))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The subject of the main clause, and what stands behind its modal.
fn parts(rule: &str) -> Option<(String, &str)> {
    let rule = without_label(rule);
    let modal = DUTY.find(rule)?;
    let chunks: Vec<&str> = rule[..modal.start()]
        .split(',')
        .map(str::trim)
        .filter(|chunk| !words(chunk).is_empty())
        .collect();
    let predicate = rule[modal.end()..].trim_start();
    let (first, others) = chunks.split_first()?;
    let subject = if opens(first) {
        after_lead(first, others)
    } else {
        before_modal(first, others)
    };
    Some((subject, predicate))
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word.to_lowercase().as_str())
}

fn first_word(chunk: &str) -> &str {
    words(chunk).first().copied().unwrap_or_default()
}

/// Whether a part opens a condition or another part before the subject.
fn opens(chunk: &str) -> bool {
    let first = first_word(chunk);
    is_in(&lexicon::CONDITION_OPENINGS, first) || is_in(&lexicon::LEAD_OPENINGS, first)
}

fn joins(chunk: &str) -> bool {
    is_in(&["and", "or"], first_word(chunk))
}

fn describes(chunk: &str) -> bool {
    opens(chunk) || is_in(&lexicon::ENDS_A_SUBJECT, first_word(chunk))
}

/// The subject, with the further subjects that are joined to it: "The bank, the fund and, where there is one, their
/// agent".
fn before_modal(first: &str, others: &[&str]) -> String {
    let mut subject = first.to_owned();
    for chunk in others {
        let joined = words(chunk);
        let bare = joined.len() == 1 || joined.get(1).is_some_and(|second| opens(second));
        if joins(chunk) && !bare {
            subject = format!("{subject} {chunk}");
        } else if !joins(chunk) && !describes(chunk) {
            subject = format!("{subject} and {chunk}");
        }
    }
    subject
}

/// The subject behind a lead: the last part that does not describe one.
fn after_lead(lead: &str, others: &[&str]) -> String {
    let mut end = others.len();
    while end > 1 && describes(others[end - 1]) {
        end -= 1;
    }
    let Some(mut at) = end.checked_sub(1) else {
        // "In such cases the bank shall": no comma says where the subject begins.
        let words = words(lead);
        let begins = |word: &str| is_in(&["the", "each"], word) || is_in(&PRONOUNS, word);
        let from = words.iter().rposition(|word| begins(word));
        return from.map_or_else(String::new, |from| words[from..].join(" "));
    };
    let mut subject = others[at].to_owned();
    while at > 0 && joins(&subject) {
        at -= 1;
        subject = format!("{} {subject}", others[at]);
    }
    subject
}

/// Without the number or the mark before it.
fn without_label(text: &str) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..3 {
        let Some((label, after)) = rest.split_once(' ') else {
            break;
        };
        let inner = label.trim_matches(['(', ')', '.', '•', '–', '—', '-']);
        let marked = inner.len() < label.len() && inner.chars().count() <= 4;
        let is_label = inner.chars().all(|c| c.is_ascii_digit())
            || inner.chars().all(|c| c.is_ascii_lowercase());
        if !(marked && is_label) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// What a noun phrase names; `depth` nouns behind each other are followed.
fn named(phrase: &[&str], board: bool, depth: usize) -> Named {
    let end = phrase
        .iter()
        .position(|word| is_in(&lexicon::ENDS_A_SUBJECT, word));
    let (head, rest) = phrase.split_at(end.unwrap_or(phrase.len()));
    let mut found: Vec<Named> = Vec::new();
    let mut parts_of_bodies = true;
    for part in head.split(|word| is_in(&["and", "or"], word)) {
        let from = part
            .iter()
            .position(|word| !is_in(&lexicon::DETERMINERS, word));
        let mut part = &part[from.unwrap_or(part.len())..];
        // "The firms involved": what describes a noun from behind is no noun.
        while let [before @ .., last] = part
            && !before.is_empty()
            && last.ends_with("ed")
        {
            part = before;
        }
        let Some(last) = part.last() else { continue };
        let is_part = is_in(&lexicon::PARTS_OF_BODIES, last);
        parts_of_bodies &= is_part;
        found.push(if is_public(part, board) {
            Named::Public
        } else if is_part || is_agent(&part.join(" ")) {
            Named::Other
        } else {
            Named::Nobody
        });
    }
    let whose = |links: &[&str]| match rest.split_first() {
        Some((link, whose)) if depth > 0 && is_in(links, link) => {
            Some(named(whose, board, depth - 1))
        }
        _ => None,
    };
    let public = [Some(Named::Public), Some(Named::OfPublic)];
    let of = |kind: Named| found.contains(&kind);
    if found.is_empty() {
        Named::Nobody
    } else if !of(Named::Other) && of(Named::Nobody) {
        // "The tasks of the authority".
        if public.contains(&whose(&WHOSE)) {
            Named::OfPublic
        } else {
            Named::Nobody
        }
    } else if !of(Named::Other) {
        Named::Public
    } else if parts_of_bodies {
        // "The members" are those of whatever the sentence or its headings name.
        match whose(&["of"]) {
            None => Named::Nobody,
            whose if public.contains(&whose) => Named::Public,
            Some(_) => Named::Other,
        }
    } else {
        Named::Other
    }
}

/// Whether a name is that of a public body.
fn is_public(name: &[&str], board: bool) -> bool {
    let lower = name.join(" ").to_lowercase();
    let ends_in = |list: &[&str]| {
        list.iter().any(|entry| {
            let before = lower.strip_suffix(*entry);
            before.is_some_and(|before| before.is_empty() || before.ends_with(' '))
        })
    };
    let is_one_of = |list: &[&str]| list.contains(&lower.as_str());
    let capital = name
        .last()
        .is_some_and(|last| last.starts_with(char::is_uppercase));
    ends_in(&lexicon::PUBLIC_BODIES)
        || ends_in(&lexicon::PUBLIC_BOARDS)
        || capital && is_one_of(&lexicon::PUBLIC_ALONE)
        || capital && board && is_one_of(&lexicon::BOARD_WORDS)
}

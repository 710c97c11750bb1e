//! What can stand as the subject of an English definition: which words make a term, and which only a clause.

use crate::terms::lexicon::FUNCTION;
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words that no unquoted term contains.
    NEVER: HashSet<Word> = "english/subject_never.txt";
    /// Words that name no kind of thing at the beginning of a predicate.
    VAGUE: HashSet<Word> = "english/subject_vague.txt";
}

/// What quotation marks hold is a term and not a quotation: few words, no sentence.
pub(super) fn is_term(term: &str) -> bool {
    let words = term.split_whitespace().count();
    (1..=20).contains(&words)
        && !names_reference(term)
        && has_content(term)
        && term.chars().any(char::is_alphabetic)
        && !term.contains([';', '?', '!'])
}

/// "References to X shall be construed as references to Y" defines no term; "reference rate means …" does.
fn names_reference(term: &str) -> bool {
    let mut words = term.split_whitespace().map(str::to_lowercase);
    let first = words.next();
    let second = words.next();
    matches!(first.as_deref(), Some("reference" | "references"))
        && matches!(second.as_deref(), None | Some("to" | "in" | "is" | "are"))
}

/// Whether a term says more than function words do: "the" would be mentioned in every sentence. "IT" is a name.
fn has_content(term: &str) -> bool {
    term.split_whitespace().any(|word| {
        let capitals = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
        capitals || !FUNCTION.contains(word.to_lowercase().as_str())
    })
}

/// Whether a word joins the parts of a name and does not begin or end one.
pub(super) fn joins(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "or"
            | "of"
            | "the"
            | "to"
            | "in"
            | "for"
            | "with"
            | "on"
            | "by"
            | "from"
            | "at"
            | "as"
    )
}

pub(super) fn is_bare_term(term: &str, most: usize) -> bool {
    let words: Vec<&str> = term.split_whitespace().collect();
    !words.is_empty()
        && words.len() <= most
        && !names_reference(term)
        && has_content(term)
        && !words
            .iter()
            .any(|w| NEVER.contains(w.to_lowercase().as_str()))
        && !words.first().is_some_and(|w| joins(w))
        && !words.last().is_some_and(|w| joins(w))
        && !words
            .last()
            .is_some_and(|w| w.ends_with("ly") || w.ends_with("’s"))
        && term.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !words.first().is_some_and(|w| {
            matches!(
                w.to_lowercase().as_str(),
                "in" | "on"
                    | "at"
                    | "by"
                    | "with"
                    | "during"
                    | "under"
                    | "after"
                    | "before"
                    | "for"
                    | "from"
                    | "through"
                    | "within"
                    | "among"
                    | "between"
                    | "without"
                    | "unlike"
                    | "like"
                    | "instead"
                    | "according"
            )
        })
}

/// Whether a sentence defines its subject: "Operational risk is the risk of …", "A swap is a contract that …". The
/// subject must have no "the". The predicate must name a kind and what distinguishes the term from others of that kind.
pub(super) fn is_genus(subject: &str, predicate: &str) -> bool {
    let first = subject.split_whitespace().next().unwrap_or_default();
    if matches!(first, "The" | "the") {
        return false;
    }
    let sentence = predicate
        .split(['.', ';', ':', '\n'])
        .next()
        .unwrap_or_default();
    let words: Vec<&str> = sentence.split_whitespace().take(9).collect();
    let kind: Vec<&str> = words.iter().take(2).copied().collect();
    !kind
        .iter()
        .any(|w| VAGUE.contains(w.to_lowercase().trim_matches(',')))
        && words.iter().skip(1).any(|w| {
            matches!(
                *w,
                "that"
                    | "which"
                    | "who"
                    | "whose"
                    | "where"
                    | "whereby"
                    | "of"
                    | "used"
                    | "designed"
                    | "for"
                    | "by"
                    | "in"
                    | "issued"
                    | "resulting"
                    | "arising"
                    | "between"
                    | "caused"
                    | "to"
            )
        })
        && sentence.split_whitespace().count() >= 6
}

pub(super) fn without_article(term: &str) -> &str {
    ["The ", "the ", "A ", "An ", "a ", "an "]
        .iter()
        .find_map(|a| term.strip_prefix(a))
        .unwrap_or(term)
}

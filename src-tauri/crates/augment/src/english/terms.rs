//! Terms in English sentences: where they stand, what fits in their place, what a question can name.

use super::agreement::{self, article, capital};
use crate::anchor::Anchor;
use crate::clause::{Fitted, Parsed};
use crate::words::{is_stop, length, singular};

/// Words with their byte ranges.
fn tokens(text: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            found.push((from, at, singular(&text[from..at].to_lowercase())));
        }
    }
    found
}

/// Byte ranges of the mentions of a term; plural and capitals do not matter.
pub(super) fn mentions(text: &str, term: &str) -> Vec<(usize, usize)> {
    let words = tokens(text);
    let wanted: Vec<String> = tokens(term).into_iter().map(|t| t.2).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    words
        .windows(wanted.len())
        .filter(|w| w.iter().zip(&wanted).all(|(a, b)| a.2 == *b))
        .filter(|w| w.windows(2).all(|p| matches!(&text[p[0].1..p[1].0], " " | "-" | "/" | "’" | "'" | " & ")))
        .filter_map(|w| Some((w.first()?.0, w.last()?.1)))
        .filter(|(start, end)| !text[..*start].ends_with('-') && !text[*end..].starts_with('-'))
        .collect()
}

/// The term in the number and capital that its place asks for, and the sentence with it.
pub(super) fn fit(text: &str, mention: (usize, usize), term: &str) -> Option<Fitted> {
    let (start, end) = mention;
    let surface = text.get(start..end)?;
    let head = surface.split_whitespace().last()?;
    let before = &text[..start];
    let singular_asked = ["a ", "an ", "each ", "every ", "A ", "An ", "Each ", "Every "]
        .iter()
        .any(|d| before == *d || before.ends_with(&format!(" {d}")));
    let mut fitted = if singular_asked {
        agreement::singular(term)
    } else if agreement::is_plural(head) {
        agreement::plural(term)
    } else {
        agreement::singular(term)
    };
    if start == 0 || before.ends_with(['“', '‘', '"']) && before.chars().count() == 1 {
        fitted = capital(&fitted);
    }
    let mut before = before.to_owned();
    for (written, rest) in [(" a ", 1), (" an ", 1), ("A ", 0), ("An ", 0)] {
        let whole_start = rest == 0;
        if (whole_start && before == written) || (!whole_start && before.ends_with(written)) {
            before.truncate(before.len() - written.len());
            let repaired = if whole_start { capital(article(&fitted)) } else { format!(" {}", article(&fitted)) };
            before.push_str(&repaired);
            before.push(' ');
            break;
        }
    }
    let sentence = format!("{before}{fitted}{}", &text[end..]);
    Some(Fitted { term: fitted, sentence })
}

/// Every mention of `surface` replaced by another term, in the form that each place asks for.
pub(super) fn replace_all(text: &str, surface: &str, other: &str) -> Option<String> {
    let mut result = text.to_owned();
    let count = mentions(text, surface).len();
    if count == 0 || !mentions(text, other).is_empty() {
        return None;
    }
    for _ in 0..count {
        let place = mentions(&result, surface).into_iter().next()?;
        result = fit(&result, place, other)?.sentence;
    }
    Some(result)
}

/// Words with which a phrase would point to another sentence.
const POINTING: &[&str] = &[
    "paragraph",
    "article",
    "point",
    "subparagraph",
    "section",
    "rule",
    "chapter",
    "this",
    "that",
    "these",
    "those",
    "such",
    "said",
    "following",
    "above",
    "below",
    "case",
    "cases",
    "regulation",
    "provision",
    "part",
    "purpose",
    "purposes",
    "order",
    "basis",
    "extent",
    "event",
    "respect",
    "accordance",
    "relation",
    "addition",
    "particular",
    "time",
    "end",
    "one",
    "number",
    "means",
    "way",
    "manner",
    "thing",
];

/// Verbs that an extractor of noun phrases takes for nouns now and then.
const VERBS: &[&str] = &[
    "ensure",
    "demonstrate",
    "provide",
    "take",
    "obtain",
    "establish",
    "maintain",
    "make",
    "consider",
    "adopt",
    "implement",
    "comply",
    "carry",
    "apply",
    "include",
    "require",
    "identify",
    "assess",
    "review",
    "report",
    "notify",
    "process",
    "exercise",
    "monitor",
    "verify",
    "request",
    "submit",
    "document",
    "contact",
    "approve",
    "determine",
];

/// Phrases of the sentence that a question can be about: terms with their determiner first, longer ones before
/// shorter ones, then short noun phrases of the sentence's own.
pub(super) fn topics(anchor: &Anchor<'_>, sentence: &Parsed) -> Vec<String> {
    let text = &sentence.text;
    let mut found: Vec<(usize, usize)> = anchor.terms.iter().flat_map(|t| mentions(text, t.text)).collect();
    found.sort_by_key(|(start, end)| (std::cmp::Reverse(end - start), *start));
    let mut phrases: Vec<String> = Vec::new();
    for (start, end) in found.into_iter().chain(noun_phrases(text)) {
        let phrase = with_determiner(text, start, end);
        let bare = text[start..end].to_lowercase();
        let pointing = bare.split(|c: char| !c.is_alphanumeric()).any(|w| POINTING.contains(&w));
        let seen = phrases.iter().any(|p| p.to_lowercase().contains(&bare));
        // "to demonstrate compliance": a verb, not a thing.
        let verbal = VERBS.iter().any(|v| bare.starts_with(v) && bare[v.len()..].starts_with([' ', 's']) || bare == *v)
            && ["to ", "shall ", "must ", "may ", "should ", "and ", "or ", "not "]
                .iter()
                .any(|w| text[..start].ends_with(w));
        if length(&bare) > 3 && !pointing && !verbal && !seen && bare.split_whitespace().count() <= 6 {
            phrases.push(phrase);
        }
    }
    phrases
}

/// The phrase with "the", "a", "any" and their kind before it, and with the adjectives in between.
fn with_determiner(text: &str, start: usize, end: usize) -> String {
    let before: Vec<&str> = text[..start].split(' ').collect();
    let phrase = &text[start..end];
    let word = |back: usize| before.len().checked_sub(1 + back).and_then(|i| before.get(i)).map(|w| w.to_lowercase());
    let determiners = ["the", "a", "an", "any", "each", "every", "all"];
    let is_determiner = |w: &String| determiners.contains(&w.as_str());
    if word(1).as_ref().is_some_and(is_determiner) {
        return format!("{} {phrase}", word(1).unwrap_or_default());
    }
    // One adjective between determiner and term: "the competent supervisory authority".
    let adjective = word(1).filter(|w| !is_stop(w) && w.chars().all(char::is_alphabetic));
    if let (Some(_), Some(determiner)) = (adjective, word(2).filter(is_determiner))
        && let Some(original) = before.len().checked_sub(2).and_then(|i| before.get(i))
    {
        return format!("{determiner} {original} {phrase}");
    }
    if start == 0 { agreement::uncapital(phrase) } else { phrase.to_owned() }
}

/// Runs of two or three content words after a determiner.
fn noun_phrases(text: &str) -> Vec<(usize, usize)> {
    let words = tokens(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !["the", "a", "an", "any", "each"].contains(&word.2.as_str()) {
            continue;
        }
        let run: Vec<&(usize, usize, String)> = words[at + 1..]
            .iter()
            .scan(word.1, |last, w| {
                let joined = matches!(&text[*last..w.0], " " | "-");
                *last = w.1;
                (joined && !is_stop(&w.2) && w.2.chars().all(char::is_alphabetic)).then_some(w)
            })
            .take(4)
            .collect();
        // Four words in a row are as likely a phrase with its verb; "-ed" and "-ing" at the end are verbs.
        let verbal = run.last().is_some_and(|w| w.2.ends_with("ed") || w.2.ends_with("ing") || w.2.ends_with("ly"));
        if (2..=3).contains(&run.len())
            && !verbal
            && let (Some(first), Some(last)) = (run.first(), run.last())
        {
            found.push((first.0, last.1));
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn mentions_at_word_boundaries() {
        let check = |text: &str, term: &str, expected: &[&str]| {
            let found: Vec<&str> = mentions(text, term).iter().map(|(a, b)| &text[*a..*b]).collect();
            assert_eq!(found, expected);
        };
        check(
            "Supervisory authorities and the supervisory authority.",
            "supervisory authority",
            &["Supervisory authorities", "supervisory authority"],
        );
        check("A sub-processor is no processor.", "processor", &["processor"]);
        check("The data, subject to review, is kept.", "data subject", &[]);
    }

    #[test]
    fn other_terms_are_fitted_in() {
        let check = |text: &str, term: &str, other: &str, expected: &str| {
            let place = mentions(text, term)[0];
            assert_eq!(fit(text, place, other).unwrap().sentence, expected);
        };
        check("A controller must act.", "controller", "undertaking", "An undertaking must act.");
        check(
            "The bank informs data subjects.",
            "data subject",
            "supervisory authority",
            "The bank informs supervisory authorities.",
        );
        check("Controllers must act.", "controller", "processor", "Processors must act.");
        check("Send it to an authority.", "authority", "bank", "Send it to a bank.");
    }

    #[test]
    fn nothing_is_replaced_by_what_is_there() {
        assert_eq!(replace_all("The controller informs the processor.", "controller", "processor"), None);
        assert_eq!(
            replace_all("The controller informs a controller.", "controller", "auditor").unwrap(),
            "The auditor informs an auditor."
        );
    }
}

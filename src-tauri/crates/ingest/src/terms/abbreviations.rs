//! Abbreviations with their long forms: "anti-money laundering (AML)", "EBA (European Banking Authority)".
//!
//! Short forms in brackets after the long form are found by the method of Schwartz and Hearst (2003). The letters of
//! the short form are searched from right to left in the words before it; its first letter must begin a word.

use regex::Regex;
use std::sync::LazyLock;

static SHORT_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\(\s*(?:the\s+)?[“"‘']?([A-Z][A-Za-z0-9&/.-]{0,8}[A-Z0-9]s?|[A-Z]{2,10}s?)[”"’']?\s*(?:\)|[,;])"#)
        .expect("a constant pattern")
});

/// Letters of a short form that is before its long form.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=8;
/// The text between a short form and the long form after it.
const BETWEEN: [&str; 9] = [
    " (",
    "\t",
    ": ",
    " – ",
    " — ",
    " - ",
    " means ",
    " stands for ",
    " is short for ",
];
/// Words of a long form that need no letter in the short form.
const SMALL: [&str; 10] = ["of", "the", "and", "for", "in", "on", "to", "a", "an", "or"];

/// The short forms that a text declares, with their long forms. The short form is in brackets after the long form, or
/// before it, as in "SAR (suspicious activity report)" and in the rows of a list of abbreviations.
pub fn short_forms(text: &str) -> Vec<(String, String)> {
    let mut pairs = find(text);
    pairs.extend(find_before(text));
    pairs
}

/// The short forms that are before their long forms.
fn find_before(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut past = 0;
    for (at, _) in text.match_indices(|c: char| c.is_ascii_uppercase()) {
        let before = text[..at].chars().next_back();
        if at < past || before.is_some_and(|c| c.is_alphanumeric() || c == '-') {
            continue;
        }
        let rest = &text[at..];
        let length = rest
            .find(|c: char| !c.is_ascii_uppercase())
            .unwrap_or(rest.len());
        past = at + length;
        if !LETTERS.contains(&length) {
            continue;
        }
        let (short, rest) = rest.split_at(length);
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let rest = rest.trim_start_matches(['”', '’', '"', '\'']);
        let Some(rest) = BETWEEN.iter().find_map(|sign| rest.strip_prefix(*sign)) else {
            continue;
        };
        let rest = rest.trim_start_matches(['“', '‘', '"', '\'', ' ']);
        let articles = ["the ", "The ", "a ", "A ", "an ", "An "];
        let rest = articles
            .iter()
            .find_map(|article| rest.strip_prefix(*article))
            .unwrap_or(rest);
        pairs.extend(spelt_out(rest, short).map(|long| (short.to_owned(), long.to_owned())));
    }
    pairs
}

/// The words with which a text begins, whose first letters are those of a short form.
pub fn spelt_out<'t>(text: &'t str, short: &str) -> Option<&'t str> {
    let mut letters = short.chars().map(|c| c.to_ascii_lowercase()).peekable();
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let first = bare.chars().next()?.to_ascii_lowercase();
        if letters.peek() == Some(&first) {
            letters.next();
        } else if !SMALL.contains(&bare) || at == 0 {
            return None;
        }
        if letters.peek().is_none() {
            return text.get(..at + bare.len());
        }
        at += word.len();
        // A long form continues only across blanks and hyphens.
        if !word[bare.len()..].starts_with([' ', '-', '‑']) {
            return None;
        }
    }
    None
}

/// (short form, long form) pairs of a text, in order.
pub(crate) fn find(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    if !text.contains('(') {
        return pairs;
    }
    for captures in SHORT_IN_BRACKETS.captures_iter(text) {
        let (Some(whole), Some(short)) = (captures.get(0), captures.get(1)) else {
            continue;
        };
        let short = short
            .as_str()
            .strip_suffix('s')
            .filter(|s| s.ends_with(char::is_uppercase))
            .unwrap_or(short.as_str());
        if short.chars().filter(|c| c.is_uppercase()).count() < 2 {
            continue;
        }
        if let Some(long) = long_form(&text[..whole.start()], short) {
            pairs.push((short.to_owned(), long));
        }
    }
    pairs
}

/// The long form at the end of `before`.
fn long_form(before: &str, short: &str) -> Option<String> {
    let clause = before
        .rsplit(['.', ';', ':', '(', ')', '“', '”', '‘', '\n'])
        .next()?
        .trim_end();
    let letters: Vec<char> = short
        .chars()
        .filter(|c| c.is_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // At most so many words as Schwartz and Hearst allow.
    let most = (letters.len() + 5).min(letters.len() * 2);
    let words: Vec<&str> = clause.split_whitespace().collect();
    let window = words[words.len().saturating_sub(most)..].join(" ");
    let chars: Vec<char> = window.chars().collect();
    let mut at = chars.len();
    for (i, letter) in letters.iter().enumerate().rev() {
        loop {
            at = at.checked_sub(1)?;
            let begins = at == 0 || !chars[at - 1].is_alphanumeric();
            if chars[at].to_ascii_lowercase() == *letter && (i > 0 || begins) {
                break;
            }
        }
    }
    // A footnote's number may be written on to the last word.
    let long: String = chars[at..]
        .iter()
        .collect::<String>()
        .trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace())
        .to_owned();
    let count = long.split_whitespace().count();
    let plausible = count >= 2 || (count == 1 && long.contains('-'));
    let first = long.split_whitespace().next()?.to_lowercase();
    let function = matches!(
        first.as_str(),
        "of" | "the"
            | "a"
            | "an"
            | "and"
            | "or"
            | "in"
            | "for"
            | "to"
            | "by"
            | "on"
            | "as"
            | "at"
            | "is"
            | "are"
    );
    let circular = long
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| w == short);
    (plausible
        && !function
        && !circular
        && long.chars().count() > short.chars().count()
        && !long.contains([',', '/']))
    .then_some(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = find(text);
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|(s, l)| (s.as_str(), l.as_str()))
                .collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check(
            "rules on anti-money laundering (AML) apply",
            &[("AML", "anti-money laundering")],
        );
        check(
            "the European Banking Authority (‘EBA’) and the Single Resolution Board (the “SRB”)",
            &[
                ("EBA", "European Banking Authority"),
                ("SRB", "Single Resolution Board"),
            ],
        );
        check(
            "interest rate risk in the banking book (IRRBB), which",
            &[("IRRBB", "interest rate risk in the banking book")],
        );
        check(
            "suspicious activity reports (SARs)",
            &[("SAR", "suspicious activity reports")],
        );
        check("Regulation (EU) 2016/679 and Decision (EC)", &[]);
        check(
            "the EU CRR Regulation (EU), collective investment undertaking53 (CIU)",
            &[("CIU", "collective investment undertaking")],
        );
        check("see Annex II (A) and (B)", &[]);
    }

    #[test]
    fn short_forms_stand_before_or_behind_their_long_forms() {
        for (text, expected) in [
            (
                "Each HSO (harbour safety officer) is appointed.",
                Some(("HSO", "harbour safety officer")),
            ),
            (
                "NMP\tnight mooring permit",
                Some(("NMP", "night mooring permit")),
            ),
            (
                "‘RTO’ means the recovery time objective.",
                Some(("RTO", "recovery time objective")),
            ),
            (
                "IRRBB – Interest Rate Risk in the Banking Book",
                Some(("IRRBB", "Interest Rate Risk in the Banking Book")),
            ),
            (
                "EIC: examiner-in-charge, who signs",
                Some(("EIC", "examiner-in-charge")),
            ),
            (
                "night mooring permits (NMPs)",
                Some(("NMP", "night mooring permits")),
            ),
            ("HSO (see Article 3)", None),
            ("HSO: the harbour office", None),
            ("HSO: harbour, safety, officer", None),
            ("The HSO means well.", None),
            ("A (anchor) is red.", None),
        ] {
            let found = short_forms(text);
            let found = found.first().map(|(s, l)| (s.as_str(), l.as_str()));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

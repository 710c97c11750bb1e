//! Abbreviations with their long forms: "anti-money laundering (AML)", "EBA (European Banking Authority)".
//!
//! After Schwartz and Hearst (2003): the letters of the abbreviation are searched from right to left in the words
//! before it; the first letter must be at the beginning of a word.

use regex::Regex;
use std::sync::LazyLock;

static SHORT_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\(\s*(?:the\s+)?[“"‘']?([A-Z][A-Za-z0-9&/.-]{0,8}[A-Z0-9]s?|[A-Z]{2,10}s?)[”"’']?\s*(?:\)|[,;])"#)
        .expect("a constant pattern")
});

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
}

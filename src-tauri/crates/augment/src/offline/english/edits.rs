//! Minimal edits of an English sentence: figures, words and terms.

use crate::english::{agreement, kinds, lexicon, parse, terms};
use crate::offline::patterns::Figure;
use crate::words::{content, is_stop};
use lexforge_text::numerals;
use lexforge_text::plural::singular;
use lexforge_text::words;
use regex::Regex;
use std::sync::LazyLock;

/// How a number, what stands before its unit, and a unit of time are written, as parts of larger patterns.
const NUMBER: &str = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty|forty-five|sixty|ninety";
const FILLER: &str = r"(?: business| working| calendar| consecutive| full| financial)?[ -]";
const UNIT: &str = "hour|day|week|month|year";

/// A length of time, as a part of a larger pattern.
pub(super) fn span() -> String {
    format!(r"(?:{NUMBER}){FILLER}(?:{UNIT})s?\b")
}

/// Finds a length of time, a share or an amount. The groups of a match are, in this order: for a length of time, the
/// number, the words between, and the unit; for a share, the whole number and the rest; for an amount, the currency,
/// the first digit and the rest.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    let share = r"(\d{1,2})((?:\.\d+)?(?: ?%| per cent\b| percent\b))";
    let amount = r"((?:USD|EUR|GBP|AED|CHF|US\$|\$|€|£) ?)(\d)([\d ,.]*\d)";
    let span = format!(r"({NUMBER})({FILLER})({UNIT})s?\b");
    Regex::new(&format!(r"(?i)\b{span}|\b{share}|{amount}")).expect("a constant pattern")
});

/// Amounts that rules use, by unit.
fn usual(unit: &str) -> &'static [u32] {
    match unit {
        "hour" => &[12, 24, 36, 48, 72, 96],
        "day" => &[1, 2, 3, 5, 7, 10, 14, 15, 20, 30, 45, 60, 90, 120, 180],
        "week" => &[1, 2, 3, 4, 6, 8, 12],
        "month" => &[1, 2, 3, 4, 6, 9, 12, 18, 24],
        "year" => &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15],
        "digit" => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        _ => &[
            1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95,
        ],
    }
}

/// The figures of a text with others of their kind.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let figure = |hit: regex::Captures<'_>| {
        let whole = hit.get(0)?;
        let part = |at: usize| hit.get(at).map_or("", |part| part.as_str());
        let (number, unit) = match (part(1), part(4), part(7)) {
            (span, "", "") => (span, part(3)),
            ("", share, "") => (share, "%"),
            (_, _, digit) => (digit, "digit"),
        };
        let value = count(number)?;
        // "three months’ notice": one month has another ending.
        let bound = text.get(whole.end()..)?.starts_with(['’', '\'']) || part(2).ends_with('-');
        let said = |other: u32| {
            let new = written_like(other, number)?;
            let plural = if other == 1 || part(2).ends_with('-') {
                ""
            } else {
                "s"
            };
            Some(match unit {
                "%" => format!("{new}{}", part(5)),
                "digit" => format!("{}{new}{}", part(6), part(8)),
                unit => format!("{new}{}{unit}{plural}", part(2)),
            })
        };
        let near = |other: &&u32| **other != value && **other * 5 >= value && **other <= value * 5;
        let fits = |other: &&u32| near(other) && !(bound && (**other == 1) != (value == 1));
        let of = |smaller: bool| -> Vec<String> {
            let all = usual(&unit.to_lowercase()).iter().filter(fits);
            all.filter(|other| (**other < value) == smaller)
                .filter_map(|other| said(*other))
                .collect()
        };
        Some(Figure {
            start: whole.start(),
            end: whole.end(),
            below: of(true),
            above: of(false),
        })
    };
    FIGURE.captures_iter(text).filter_map(figure).collect()
}

fn count(written: &str) -> Option<u32> {
    written
        .parse()
        .ok()
        .or_else(|| numerals::english(&written.to_lowercase()))
}

/// A number in figures or in a word, as the other one is written.
fn written_like(value: u32, model: &str) -> Option<String> {
    if model.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(value.to_string());
    }
    let word = numerals::write::english(value)?;
    Some(if model.starts_with(char::is_uppercase) {
        agreement::capital(&word)
    } else {
        word
    })
}

/// Byte offset of a word or phrase in the text, whatever the case of its first letter, at word boundaries.
pub(super) fn find_word(text: &str, phrase: &str) -> Option<usize> {
    let bound = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    let capital = agreement::capital(phrase);
    let mut from = 0;
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let at = [rest.find(phrase), rest.find(&capital)]
            .into_iter()
            .flatten()
            .min()?
            + from;
        let end = at + phrase.len();
        // A capital inside the sentence belongs to a name.
        let named = at > 0 && text[at..].starts_with(&capital) && capital != phrase;
        if bound(text[..at].chars().next_back()) && bound(text[end..].chars().next()) && !named {
            return Some(at);
        }
        from = end;
    }
    None
}

/// The first occurrence of a phrase replaced, capital and "a/an" before it repaired.
pub(super) fn swap(text: &str, from: &str, to: &str) -> Option<String> {
    let at = find_word(text, from)?;
    // "aware at most of the identity": only a figure has a least and a most.
    if ["at least", "at most"].contains(&from) && !starts_with_figure(text.get(at + from.len()..)?)
    {
        return None;
    }
    let new = if at == 0 {
        agreement::capital(to)
    } else {
        to.to_owned()
    };
    let mut head = text[..at].to_owned();
    for (article, other) in [
        (" a ", " an "),
        (" an ", " a "),
        ("A ", "An "),
        ("An ", "A "),
    ] {
        let wrong = article.trim().to_lowercase() != agreement::article(to);
        if head.ends_with(article) && wrong && (at > 3 || head == article) {
            head.truncate(head.len() - article.len());
            head.push_str(other);
            break;
        }
    }
    Some(format!("{head}{new}{}", &text[at + from.len()..]))
}

fn starts_with_figure(text: &str) -> bool {
    let first = text.trim_start().split(' ').next().unwrap_or("");
    first.contains(|c: char| c.is_ascii_digit())
        || count(first).is_some()
        || lexicon::HOW_OFTEN.contains(&first)
}

/// Whether a term may be replaced by another. Each mention of it must be a complete phrase. It must not be in a row of
/// names, or be followed by a further description. No later words may refer back to it.
pub(super) fn replaceable(text: &str, mention: &str) -> bool {
    let all = terms::mentions(text, mention);
    kinds::is_noun(mention)
        && !taken_up(text, mention)
        && all.iter().all(|m| {
            terms::stands_free(text, *m) && terms::begins(text, *m) && !in_a_row(text, mention, *m)
        })
}

/// Whether a mention is in a row of names, or is followed by a further description. Then a term in its place would have
/// to fit the row or the description as well.
fn in_a_row(text: &str, mention: &str, at: (usize, usize)) -> bool {
    let (Some(before), Some(after)) = (text.get(..at.0), text.get(at.1..)) else {
        return true;
    };
    let links = [" and ", " or "];
    let bare = ["the ", "a ", "an ", "each ", "any "]
        .iter()
        .find_map(|d| before.strip_suffix(d))
        .unwrap_or(before);
    // "assets and liabilities of the book": the second of two bare names.
    let paired = if parse::is_agent(mention) {
        links
            .iter()
            .any(|l| bare.ends_with(l) || after.starts_with(l))
    } else {
        links.iter().any(|l| before.ends_with(l))
    };
    let rest = after.trim_start_matches([',', ' ']);
    let described = ["whose ", "who ", "whom ", "which "]
        .iter()
        .any(|w| rest.starts_with(w));
    paired || before.ends_with(", ") && after.starts_with(", ") || described
}

/// Whether a later part of the text refers back to a word of a mention ("for such marketing"). If this word were
/// replaced, the later part would refer to nothing.
fn taken_up(text: &str, mention: &str) -> bool {
    let said = content(mention);
    words(text).windows(2).any(|pair| {
        matches!(pair, [points, noun] if ["such", "that", "those", "these", "this"].contains(&points.as_str())
            && said.contains(&singular(noun)))
    })
}

/// The phrase at `mention` with the determiner that it needs.
pub(super) fn topic(text: &str, mention: (usize, usize)) -> Option<String> {
    let (surface, before) = (text.get(mention.0..mention.1)?, text.get(..mention.0)?);
    if !terms::stands_free(text, mention) {
        return None;
    }
    let last = before
        .split_whitespace()
        .next_back()
        .unwrap_or("")
        .to_lowercase();
    let noun = surface.split(' ').next_back().unwrap_or("");
    let plural = agreement::is_plural(noun);
    match last.as_str() {
        "the" | "a" | "an" | "each" | "every" => Some(format!("{last} {surface}")),
        "its" | "their" | "any" | "all" => plural.then(|| surface.to_owned()),
        other => {
            let free = plural || agreement::is_uncounted(noun) || agreement::stands_alone(noun);
            (free && (other.is_empty() || is_stop(other))).then(|| surface.to_owned())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn figures_stay_in_their_form() {
        let check = |text: &str, expected: &[&str]| {
            let all = figures(text);
            let shown: Vec<&str> = all.iter().map(|f| &text[f.start..f.end]).collect();
            assert_eq!(shown, expected, "{text}");
            all
        };
        let all = check(
            "The bank shall reply within thirty days and pay 25 % of USD 10,000.",
            &["thirty days", "25 %", "USD 10,000"],
        );
        assert_eq!(
            all[0].below,
            [
                "seven days",
                "ten days",
                "fourteen days",
                "fifteen days",
                "twenty days"
            ]
        );
        assert!(all[1].above.iter().all(|a| a.ends_with(" %")));
        assert!(
            all[2]
                .above
                .iter()
                .all(|a| a.starts_with("USD ") && a.ends_with("0,000"))
        );
        let one = check(
            "The bank shall reply within 2 days of the request.",
            &["2 days"],
        );
        assert_eq!(one[0].below, ["1 day"]);
        check("The 30-day period ends at noon.", &["30-day"]);
    }

    #[test]
    fn articles_follow_the_new_word() {
        assert_eq!(
            swap("It has an appropriate policy.", "appropriate", "suitable").unwrap(),
            "It has a suitable policy."
        );
        assert_eq!(
            swap("It is a direct loss.", "direct", "indirect").unwrap(),
            "It is an indirect loss."
        );
    }

    #[test]
    fn names_are_no_words() {
        assert_eq!(find_word("The bank of May may pay.", "may"), Some(16));
        assert_eq!(find_word("An All Share fund.", "all"), None);
        assert_eq!(find_word("the short-term rate", "term"), None);
    }
}

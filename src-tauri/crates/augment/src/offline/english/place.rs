//! The place of an English rule, as a question names it: article, act and heading.

use crate::english::agreement::{capital, uncapital};
use crate::english::lexicon::{ACT_KINDS, EMPTY_HEADINGS};
use crate::offline::patterns::Place;
use crate::words::{contains_words, length};
use lexforge_text::fold::tidy;
use regex::Regex;
use std::sync::LazyLock;

/// Longest title that a question quotes, in scalar values.
const LONGEST_TITLE: usize = 80;
/// Longest heading that a question quotes, in scalar values.
const LONGEST_HEADING: usize = 70;

/// A part of a path that a citation begins with.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(Article|Rule|Paragraph|Regulation|Section|Clause|Guideline|Principle) (\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,3})*)\.?$",
    )
    .expect("a constant pattern")
});
/// "15.11.1": a numbered paragraph.
static DOTTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\d{1,3}(?:\.\d{1,3}){1,4}[A-Z]?$").expect("a constant pattern"));
/// "7", "(a)": a part below an article.
static BELOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\(?(\d{1,2}|[a-z]{1,2}|[ivx]{1,5}|[A-Z])\)?\.?$").expect("a constant pattern")
});
/// "Regulation (EU) 2016/679".
static ACT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:commission |council )?(?:delegated |implementing )?(regulation|directive|decision) \((EU|EC|EEC)\) (?:No )?(\d{1,4}/\d{1,4})")
        .expect("a constant pattern")
});

/// "Article 42(7)", "Recital 84", "paragraph 15.11.1(j)"; `None` if the path names no such place.
fn label(section: &str) -> Option<String> {
    let parts: Vec<&str> = section.split(" › ").map(str::trim).collect();
    if parts.first() == Some(&"Recitals") {
        let number = BELOW_NUMBER.captures(parts.get(1)?)?;
        return Some(format!("Recital {}", &number[1]));
    }
    // "2 › Guidance › 26": what stands beside the rules of a part.
    if let Some(at) = parts.iter().rposition(|p| *p == "Guidance")
        && let Some(of) = parts.get(..at).filter(|of| !of.is_empty())
    {
        let number = parts
            .get(at + 1)
            .map(|n| format!(" {n}"))
            .unwrap_or_default();
        let of = label(&of.join(" › ")).unwrap_or_else(|| format!("part {}", of.join(".")));
        return Some(format!("guidance{number} on {of}"));
    }
    // The deepest of them: guidelines number their paragraphs below the article of the act that they stand on.
    let Some(at) = parts
        .iter()
        .rposition(|p| NAMED.is_match(p) || DOTTED.is_match(p))
    else {
        // "Reporting requirements › 3": a numbered paragraph under a heading.
        let (number, above) = parts.split_last()?;
        let headed = above.last().is_some_and(|a| {
            a.contains(' ') || a.chars().filter(|c| c.is_alphabetic()).count() > 3
        });
        return (headed && BELOW_NUMBER.is_match(number))
            .then(|| format!("paragraph {}", number.trim_matches(['(', ')', '.'])));
    };
    let part = parts.get(at)?.trim_end_matches('.');
    let mut said = if let Some(number) = part.strip_prefix("Paragraph ") {
        format!("paragraph {number}")
    } else if NAMED.is_match(part) {
        part.to_owned()
    } else {
        format!("paragraph {part}")
    };
    for part in parts.iter().skip(at + 1) {
        let Some(found) = BELOW.captures(part) else {
            break;
        };
        let part = format!("({})", &found[1]);
        // "(a) › (a)" does not show which of the two lists contains the other.
        if said.ends_with(&part) {
            break;
        }
        said.push_str(&part);
    }
    Some(said)
}

static BELOW_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\(?(\d{1,3})\)?\.?$").expect("a constant pattern"));

/// "the General Data Protection Regulation", "Regulation (EU) 2016/679", "“Code of Conduct”".
fn act(title: &str) -> Option<String> {
    let title = tidy(title);
    if let Some((_, short)) = title.strip_suffix(')').and_then(|t| t.rsplit_once('(')) {
        let words = short.split(' ').count();
        let kind = short.rsplit(' ').next().unwrap_or("");
        if (2..=8).contains(&words)
            && ACT_KINDS.contains(&kind)
            && short.starts_with(char::is_uppercase)
        {
            return Some(format!("the {short}"));
        }
    }
    if let Some(found) = ACT.captures(&title) {
        let kind = capital(&found[1].to_lowercase());
        return Some(format!(
            "{kind} ({}) {}",
            &found[2].to_uppercase(),
            &found[3]
        ));
    }
    let named = title.contains(' ') && !title.contains(['.', '_', '“', '”']);
    named.then(|| format!("“{}”", cut(&title)))
}

/// As much of a long title as a question quotes, up to the end of a phrase.
fn cut(title: &str) -> String {
    if length(title) <= LONGEST_TITLE {
        return title.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    for word in title.split(' ') {
        if kept.len() > 3 && length(&kept.join(" ")) + length(word) > LONGEST_TITLE {
            break;
        }
        kept.push(word);
    }
    while kept
        .last()
        .is_some_and(|w| crate::words::is_stop(&w.to_lowercase()) || w.ends_with("ing"))
    {
        kept.pop();
    }
    format!("{} …", kept.join(" ").trim_end_matches([',', ';', ':']))
}

/// "Under Article 42(7) of the Act (“Certification”), who must do it?", without what names what is asked for.
pub(super) fn placed(question: &str, place: &Place<'_>, hidden: &str) -> Option<String> {
    let shown = |text: &String| hidden.is_empty() || !contains_words(text, hidden);
    let label = label(place.section);
    let act = act(place.title).filter(shown);
    let heading = clean_heading(place.heading).filter(|h| {
        shown(h)
            && length(h) <= LONGEST_HEADING
            && h != "Recitals"
            && !place.title.contains(h.as_str())
    });
    let question = uncapital(question);
    let of = act.as_ref().map(|a| format!(" of {a}")).unwrap_or_default();
    Some(match (label, heading, act) {
        (Some(label), _, _) if label.starts_with("Recital") => {
            format!("According to {label}{of}, {question}")
        }
        (Some(label), Some(heading), _) => format!("Under {label}{of} (“{heading}”), {question}"),
        (Some(label), None, _) => format!("Under {label}{of}, {question}"),
        (None, Some(heading), _) => format!("Under the rules{of} on “{heading}”, {question}"),
        (None, None, Some(act)) => format!("Under {act}, {question}"),
        (None, None, None) => capital(&question),
    })
}

/// A heading as a question quotes it: without label, all-capitals and full stop. `None` if no text is left.
fn clean_heading(heading: &str) -> Option<String> {
    let tidied = tidy(heading);
    let labels = [
        "Article", "Section", "Chapter", "Part", "Rule", "Annex", "Title", "Recital",
    ];
    let mut parts: Vec<&str> = tidied.split(' ').collect();
    // "Article 32 Security of processing", "4.2.1. Groups": the label goes, what it names stays.
    while parts.first().is_some_and(|p| {
        labels.contains(p)
            && parts
                .get(1)
                .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit() || "IVX".contains(c)))
            || p.starts_with(|c: char| {
                c.is_ascii_digit() || c == '(' || c == '-' || c == '–' || c == '—'
            })
            || p.chars().all(|c| "IVX.".contains(c))
    }) {
        parts.remove(0);
    }
    let bare = parts.join(" ");
    let heading = bare.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ':' | ';' | '–' | '—' | '-' | '›')
    });
    let letters = heading.chars().filter(|c| c.is_alphabetic()).count();
    let shouting = letters > 4
        && heading
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(char::is_uppercase);
    let said = if shouting {
        capital(&heading.to_lowercase())
    } else {
        heading.to_owned()
    };
    let empty = EMPTY_HEADINGS.contains(&said.to_lowercase().as_str());
    (letters > 4 && length(&said) <= 90 && !empty && !said.contains(['“', '”'])).then_some(said)
}

/// Whether a question can name the place by its number.
pub(super) fn has_label(place: &Place<'_>) -> bool {
    label(place.section).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_as_lawyers_cite_it() {
        let check = |section, heading, title, hidden, expected: &str| {
            let place = Place {
                section,
                heading,
                above: &[],
                title,
            };
            assert_eq!(
                placed("Who must do it?", &place, hidden).as_deref(),
                Some(expected)
            );
        };
        let act =
            "REGULATION (EU) 2031/12 of 3 May 2031 on the storage of goods (Warehouse Regulation)";
        check(
            "CHAPTER IV › Section 5 › Article 42 › 7",
            "Receipts",
            act,
            "",
            "Under Article 42(7) of the Warehouse Regulation (“Receipts”), who must do it?",
        );
        check(
            "Recitals › (84)",
            "Recitals",
            act,
            "",
            "According to Recital 84 of the Warehouse Regulation, who must do it?",
        );
        check(
            "15 › 15.11 › 15.11.1 › (j)",
            "SAFE CUSTODY",
            "SAFE_VER3",
            "",
            "Under paragraph 15.11.1(j) (“Safe custody”), who must do it?",
        );
        check(
            "Article 84 › 4.5 › 4.5.1 › (b)",
            "Perimeter",
            "Report 12",
            "",
            "Under paragraph 4.5.1(b) of “Report 12” (“Perimeter”), who must do it?",
        );
        check(
            "Paragraph 118 › (a)",
            "",
            "",
            "",
            "Under paragraph 118(a), who must do it?",
        );
        check(
            "8.1.2 › Guidance › 2",
            "",
            "",
            "",
            "Under guidance 2 on paragraph 8.1.2, who must do it?",
        );
        check(
            "",
            "Claims",
            "",
            "",
            "Under the rules on “Claims”, who must do it?",
        );
        check("", "The broker", "Brokers Act", "broker", "Who must do it?");
        check(
            "",
            "",
            "Regulation (EU) 2031/12 of 3 May",
            "",
            "Under Regulation (EU) 2031/12, who must do it?",
        );
    }

    #[test]
    fn headings_lose_their_label() {
        let check = |heading, expected: Option<&str>| {
            assert_eq!(clean_heading(heading).as_deref(), expected, "{heading}")
        };
        check(
            "Article 32 Security of processing",
            Some("Security of processing"),
        );
        check("4.2.1. Groups and branches", Some("Groups and branches"));
        check(
            "GENERAL COMPLIANCE REQUIREMENTS",
            Some("General compliance requirements"),
        );
        check("Article 32", None);
        check("2.Guidance", None);
        check("Definitions", None);
    }
}

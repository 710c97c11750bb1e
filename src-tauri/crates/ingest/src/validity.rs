//! Finds out what a sentence says about how long an act is in force. This act may be the one that contains the sentence
//! ("This Regulation shall apply until 31 December 2027"), or another act that it repeals ("Directive 95/46/EC is
//! repealed with effect from 25 May 2018"). Only plain statements about a whole act are read. A sentence that repeals a
//! single article says nothing about the whole act.

mod chinese;
mod english;
mod term;

pub use term::{Ends, Term};

use lexforge_domain::text::Language;
use regex::Regex;
use std::sync::LazyLock;
use term::pattern;

/// What a sentence says about how long acts are in force. `before` is the sentence before it in the document; it shows
/// what the word "It" refers to. If the sentence repeals several acts together, [`Term::of`] holds all of their names
/// as one text. The caller searches this text for the names of known acts.
#[must_use]
pub fn find(text: &str, before: Option<&str>, language: Language) -> Vec<Term> {
    match language {
        Language::Zh => chinese::find(text),
        Language::En => english::find(text, before),
        Language::Ko | Language::Other => Vec::new(),
    }
}

/// Whether the words that name repealed acts name this one: by its number, or by its whole title.
#[must_use]
pub fn names(words: &str, title: &str, number: Option<&str>) -> bool {
    let words = one_line(words);
    let title = one_line(title.trim_matches(['《', '》']));
    // What an act is about may name other acts by their numbers.
    let without_subject = words.split(" on the ").next().unwrap_or_default();
    // A title that stands in brackets is whole. Elsewhere one word stands in other names by chance.
    let is_titled = match words.contains('《') {
        true => !title.is_empty() && words.contains(&format!("《{title}》")),
        false if !title.contains(' ') => false,
        false if is_open(&title) => is_titled(&words, &title, &OPEN_TAIL),
        false if title.contains(" on the ") => is_titled(&words, &title, &TAIL),
        false => is_titled(without_subject, &title, &TAIL),
    };
    is_titled || number.is_some_and(|number| is_numbered(without_subject, &one_line(number)))
}

/// Whether a title may be only the beginning of a longer title: `Act on the Fees of Ports` may be the beginning of `Act
/// on the Fees of Ports and Piers`. `Harbour Dues Act 1987` is complete.
fn is_open(title: &str) -> bool {
    !DATED.is_match(title) && (SUBJECT.is_match(title) || !KIND_AT_END.is_match(title))
}

/// Whether the words contain a title as a complete name, and not as a part of a longer name. For example, `Insurance
/// Companies Act 1982` does not name `Companies Act 1982`, and `Data Protection Act` does not name `Data Protection`.
fn is_titled(words: &str, title: &str, behind: &Regex) -> bool {
    let (text, title) = (words.to_ascii_lowercase(), title.to_ascii_lowercase());
    text.match_indices(&title)
        .map(|(at, found)| (&words[..at], &words[at + found.len()..]))
        .any(|(head, tail)| HEAD.is_match(head) && behind.is_match(tail))
}

/// Whether an act is named by its number.
fn is_numbered(words: &str, number: &str) -> bool {
    // `Regulation (EU) No 575/2013` is also cited without `No`. For other titles such digits may be part of another
    // number: `EBA/GL/2017/11`.
    if UNION.is_match(number)
        && let Some(figures) = NUMBER.find(number)
    {
        let kind = kind(number);
        return places(words, figures.as_str()).any(|at| {
            let head = &words[..at];
            is_listed(head) && (kind.is_none() || kind == self::kind(head))
        });
    }
    let letters = number.chars().filter(|c| c.is_alphabetic()).count();
    letters > 2
        && number.contains(|c: char| c.is_ascii_digit())
        && places(words, number).any(|at| words[..at].ends_with('(') || is_listed(&words[..at]))
}

/// The last kind of act that stands before a number.
fn kind(head: &str) -> Option<String> {
    let kind = KIND.find_iter(head).last()?.as_str().to_lowercase();
    Some(kind.trim_end_matches('s').to_owned())
}

/// Whether a number after the words `head` belongs to an act in a list of acts. The result is false if the number is
/// inside the name of another act: `Regulation on measures in Regulation …`.
fn is_listed(head: &str) -> bool {
    let item = BETWEEN.split(head).last().unwrap_or_default();
    !INNER
        .find_iter(item)
        .any(|word| !LINKS.contains(&word.as_str()))
}

/// The number of an act of the European Union: `95/46/EC`, `575/2013`.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{1,4}/\d{1,4}(?:/[A-Z]{2,5})?\b"));
/// The number is one of the European Union.
static UNION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\((?:EU|EC|EEC|EU, Euratom|EC, Euratom|Euratom)\)|\d/(?:EU|EC|EEC|Euratom|JHA)\b")
});
static KIND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:Regulation|Directive|Decision|Recommendation|Guideline|Circular|Order|Act|Instrument|Notice|Policy|Rule)s?\b|S\.I\.",
    )
});
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r",| and | or "));
/// A word within a name.
static INNER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[a-z]{2,}\b"));
/// Words before a number that are no part of another name.
const LINKS: [&str; 14] = [
    "the",
    "both",
    "also",
    "no",
    "nos",
    "and",
    "or",
    "guidelines",
    "rules",
    "circular",
    "policy",
    "order",
    "notice",
    "regulation",
];
/// What may stand before a whole title: the beginning, or another name and a joint.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\(?\w{1,3}[.)] )?(?:[A-Z][a-z]+(?: [a-z]+)*, (?:the|both) |The |the |Both |both |Both the )?[“‘]?$|(?:\d\)?|\b(?:Act|Acts|Code|Law|Order|Ordinance|Rules|Regulations?|Directive|Decision|Circular|Policy|Guidelines|Notice|Standard|Instrument|Procedures?|Statement|Handbook))[”’]?(?:, and|, or|,| and| or) (?:the )?[“‘]?$",
    )
});
/// What may stand behind a whole title.
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[”’]?(?:$|,| and | or | \([^)]*\)(?:$|,| and | or )|,? (?:of|dated) \d{1,2} [A-Z]|,? (?:made|adopted|issued) )",
    )
});

/// A title that ends with its year or a number, or with a short name in brackets.
static DATED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:\d|\))$"));
/// A title that begins with the kind of act and goes on with what it is about.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)^(?:\w+ )?{KINDS} (?:on|of|for|about|concerning|regarding|relating|governing)\b"
    ))
});
/// A title that ends with the kind of act.
static KIND_AT_END: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)\b{KINDS}$")));
/// The kinds of acts that titles name.
const KINDS: &str = "(?:Acts?|Codes?|Laws?|Orders?|Ordinances?|Rules?|Regulations?|Directives?|Decisions?|Circulars?|Policy|Policies|Guidelines?|Notices?|Standards?|Instruments?|Procedures?|Statements?|Handbooks?)";
/// What may follow a title if the title ends there. It is used for titles that might continue with "on …" or "and …".
/// Allowed are: nothing, a closing quotation mark, the date of the act, or something that certainly is the name of
/// another act.
static OPEN_TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:[”’](?:$|,| and | or | \()|$| \([^)]*\)$|,? (?:of|dated) \d{{1,2}} [A-Z]|,? (?:made|adopted|issued) (?:on|by|in) |(?:, and|, or|,| and| or) (?:(?:the )?{KINDS} (?:\(|Nos? |\d|on )|the (?:[A-Z][\w’-]* ){{1,6}}?{KINDS}(?: \d{{4}})?(?:$|,| and | or )))"
    ))
});

/// Each run of blanks one blank.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Where a name stands in a text, not as a part of a longer word or number.
fn places(text: &str, name: &str) -> impl Iterator<Item = usize> {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '/' || c == '-';
    let (lower, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    let found: Vec<usize> = lower
        .match_indices(&name)
        .filter(|(at, found)| {
            let before = lower[..*at].chars().next_back();
            let after = lower[at + found.len()..].chars().next();
            !before.is_some_and(joins) && !after.is_some_and(joins)
        })
        .map(|(at, _)| at)
        .collect();
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_named_by_its_number_or_its_whole_title() {
        const FEES: &str = "Act on the Fees of Ports";
        let directive = "Directive 95/46/EC";
        for (words, title, number, named) in [
            (
                "Directive 95/46/EC",
                "Data protection",
                Some(directive),
                true,
            ),
            (
                "Directives 93/6/EEC and 95/46/EC",
                "Data protection",
                Some(directive),
                true,
            ),
            (
                "Regulation (EU) 575/2013",
                "CRR",
                Some("Regulation (EU) No 575/2013"),
                true,
            ),
            (
                "Directive 1995/46/EC",
                "Data protection",
                Some(directive),
                false,
            ),
            (
                "Regulation (EU) 575/20131",
                "CRR",
                Some("Regulation (EU) No 575/2013"),
                false,
            ),
            (
                "The Harbour  Dues Act 1987",
                "Harbour Dues Act 1987",
                None,
                true,
            ),
            (
                "The Harbour Dues Act 1988",
                "Harbour Dues Act 1987",
                None,
                false,
            ),
            ("The rules", "Rules", None, false),
            // A title within another one.
            (
                "The Data Protection Act 1998",
                "Data Protection",
                None,
                false,
            ),
            (
                "The Insurance Companies Act 1982",
                "Companies Act 1982",
                None,
                false,
            ),
            (
                "The Agriculture, Fisheries and Food Act",
                "Fisheries and Food Act",
                None,
                false,
            ),
            (
                "The Data protection policy for branches",
                "Data protection policy",
                None,
                false,
            ),
            (
                "The Pilotage Act 1990 and Companies Act 1982",
                "Companies Act 1982",
                None,
                true,
            ),
            (
                "The Pilotage Rules and the Companies Act 1982",
                "Companies Act 1982",
                None,
                true,
            ),
            (
                "Accordingly, the Companies Act 1982 (Act 5)",
                "Companies Act 1982",
                None,
                true,
            ),
            (
                "1. The Data Protection Policy",
                "Data protection policy",
                None,
                true,
            ),
            // Bare figures stand for acts of the European Union alone.
            (
                "Regulation (EU) 2017/11",
                "Governance",
                Some("EBA/GL/2017/11"),
                false,
            ),
            (
                "The Guidelines (EBA/GL/2017/11)",
                "Governance",
                Some("EBA/GL/2017/11"),
                true,
            ),
            (
                "Guidelines EBA/GL/2017/11",
                "Governance",
                Some("EBA/GL/2017/11"),
                true,
            ),
            (
                "Guidelines EBA/GL/2017/11-2",
                "Governance",
                Some("EBA/GL/2017/11"),
                false,
            ),
            (
                "Guidelines EBA/GL/2017/11",
                "Governance",
                Some("Regulation (EU) 2017/11"),
                false,
            ),
            (
                "Decision (EU) No 11/2014",
                "Governance",
                Some("Regulation (EU) No 11/2014"),
                false,
            ),
            (
                "Regulation (EU) 680/2014 on measures in Regulation (EU) 575/2013",
                "CRR",
                Some("Regulation (EU) No 575/2013"),
                false,
            ),
            (
                "Council Regulations (EC) No 1/2003 and No 575/2013",
                "CRR",
                Some("Regulation (EU) No 575/2013"),
                true,
            ),
            // A title with what the act is about may go on.
            ("The Act on the Fees of Ports", FEES, None, true),
            ("the Act on the  fees of ports", FEES, None, true),
            ("The Act on the Fees of Ports (AFP)", FEES, None, true),
            (
                "The “Act on the Fees of Ports” and the rules",
                FEES,
                None,
                true,
            ),
            (
                "The Act on the Fees of Ports of 3 March 1987",
                FEES,
                None,
                true,
            ),
            (
                "The Act on the Fees of Ports and the Pilotage Act 1990",
                FEES,
                None,
                true,
            ),
            (
                "The Act on the Fees of Ports and Regulation (EU) 2017/352",
                FEES,
                None,
                true,
            ),
            (
                "The Pilotage Act 1990 and the Act on the Fees of Ports",
                FEES,
                None,
                true,
            ),
            ("The Act on the Fees of Ports and Piers", FEES, None, false),
            (
                "The Act on the Fees of Ports, Piers and Locks",
                FEES,
                None,
                false,
            ),
            (
                "The Act on the Fees of Ports and the Pilotage of Ships",
                FEES,
                None,
                false,
            ),
            (
                "The Act on the Fees of Ports and Regulation of Pilots",
                FEES,
                None,
                false,
            ),
            ("The Act on the Fees of Ports for Tugs", FEES, None, false),
            ("The Act on the Fees of Ports …", FEES, None, false),
            ("The Act on the Fees", FEES, None, false),
            ("The Decree on the Fees of Ports", FEES, None, false),
            ("The Harbour Act on the Fees of Ports", FEES, None, false),
            (
                "The Decision on the Act on the Fees of Ports",
                FEES,
                None,
                false,
            ),
            (
                "The Regulation on harbour dues and pilotage",
                "Regulation on harbour dues",
                None,
                false,
            ),
            (
                "The Regulation on harbour dues on the river",
                "Regulation on harbour dues",
                None,
                false,
            ),
            (
                "The Harbour Dues Act 1987 on the dues of ships",
                "Harbour Dues Act 1987",
                None,
                true,
            ),
            (
                "The Act on the Fees of Ports 1987 and the rules",
                "Act on the Fees of Ports 1987",
                None,
                true,
            ),
            ("The Act on the Fees of Ports 1987", FEES, None, false),
            // What an act is about names others.
            (
                "The Decision on the end of Regulation (EU) 2/2014 and Regulation (EU) No 575/2013",
                "CRR",
                Some("Regulation (EU) No 575/2013"),
                false,
            ),
            (
                "Directive 95/46/EC on the protection of individuals",
                "Data protection",
                Some(directive),
                true,
            ),
            ("《港口收费办法》", "港口收费办法", None, true),
            ("《港口收费管理办法》", "港口收费办法", None, false),
            ("《西港口收费办法》", "港口收费办法", None, false),
            ("《公司法》", "公司法", None, true),
        ] {
            assert_eq!(names(words, title, number), named, "{words} {title}");
        }
    }
}

//! Names of instruments as laws cite them: `Regulation (EU) No 575/2013`, `FSMR`, `the Insolvency Regulations 2015`.

use lexforge_text::fold::spaced;
use regex::Regex;
use std::sync::LazyLock;

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// Instruments of the European Union by their number.
const UNION: &str = r"(?:(?:Council|Commission|Delegated|Implementing|Framework|Parliament)\s+)*(?:Regulation|Directive|Decision|Recommendation)s?\s*(?:\((?:EU|EC|EEC|Euratom|CFSP|EU,\s*Euratom|EC,\s*Euratom)\)\s*)?(?:No\.?\s*)?\d{1,4}/\d{1,4}(?:/[A-Z]{2,8})*";
/// Laws and decisions by number and year.
const NUMBERED: &str = r"(?:[A-Z][A-Za-z.]*\s+){0,5}(?:Law|Decision|Resolution|Decree|Order|Act|Notice|Circular|Instruction|Ordinance)\s+(?:No\.?|Nr\.?|Number)\s*\(?\d{1,4}(?:/\w{1,4})?\)?(?:\s+of\s+(?:the\s+year\s+)?\d{4})?";
/// Words that end the name of an instrument.
const KIND: &str = r"(?:Acts?|Laws?|Regulations?|Rules|Rulebook|Code|Directive|Ordinance|Order|Treaty|Charter|Convention|Constitution|Guidelines?|Guidance|Standards?|Framework|Manual|Handbook|Agreement|Protocol|Statute|Bylaws|Decree|Accord|Principles|Policy|Policies)";
/// A capitalised word within a name, with the small words that join such words.
const WORD: &str =
    r"[A-Z][a-z][A-Za-z’'-]*(?:\s+(?:of|and|for|on|the|to|in|&|the\s+Laws\s+of)){0,2}";

/// An instrument at the beginning of what follows "of", "in", "under".
static INSTRUMENT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"^(?:(?P<own>(?:this|these)\s+{KIND}(?-u:\b))|(?:(?:the|that|those|an?|its|said|such)\s+)*(?P<union>{UNION})|(?:the\s+)?(?P<numbered>{NUMBERED})|(?P<last>(?:that|those|the\s+said|such)\s+{KIND}(?-u:\b))|(?:the\s+)?(?P<code>\d{{1,3}}\s+(?:U\.?\s?S\.?\s?C\.?(?:\s?A\.)?|C\.?F\.?R\.?))|(?:the\s+)?(?P<named>(?:[A-Z]{{2,6}}\s+)?(?:{WORD}\s+){{1,9}}?{KIND}(?:\s+(?:of\s+)?\d{{4}}(?-u:\b))?(?:\s*\([A-Z][A-Za-z&]{{1,9}}\))?)|(?:the\s+)?(?P<short>[A-Z][A-Za-z]{{0,3}}[A-Z][A-Z&]{{0,6}}(?:\s+(?:II|III|IV)(?-u:\b))?)(?:\s+(?:Rulebook|Rules|Regulations?|Module|Sourcebook)(?-u:\b))?|(?P<the>the\s+{KIND}(?-u:\b)))"
    ))
});
/// An instrument that is cited as a whole and can be identified by its number or year.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"(?-u:\b)(?:(?P<union>{UNION})|(?P<numbered>{NUMBERED})|(?P<named>(?:[A-Z]{{2,6}}\s+)?(?:{WORD}\s+){{1,9}}?(?:Act|Law|Regulations?|Rules|Code|Ordinance|Order)\s+(?:of\s+)?(?:19|20)\d{{2}}(?-u:\b)))"
    ))
});
/// A short name directly before a clause: `COBS Rule 17.1.3`, `MiFID II Article 5`.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?:^|[\s(\[“‘'/])(?P<short>[A-Z][A-Za-z]{0,3}[A-Z][A-Z&]{0,6}(?:\s+(?:II|III|IV))?)\)?\s+$",
    )
});

/// Capitals that name no instrument.
const NO_INSTRUMENT: &[&str] = &[
    "AND", "OR", "THE", "OF", "IN", "TO", "BY", "FOR", "UNDER", "WITH", "SEE", "EU", "UK", "US",
    "USA", "UAE", "UN", "EEA", "EEC", "PDF", "VER", "CEO", "CFO", "PART", "RULE", "RULES", "APP",
    "ANNEX", "SECTION", "ARTICLE", "CHAPTER", "GUIDANCE", "USD", "EUR", "GBP", "CNY", "RMB", "AED",
    "JPY", "CHF", "HKD", "SGD", "KRW", "INR", "AUD", "CAD", "NOTE", "NO", "IF", "II", "III", "IV",
    "VI", "VII", "VIII", "IX", "XI", "AM", "PM", "GMT", "UTC",
];

/// Whether capitals may be the short name of an instrument.
pub(crate) fn is_short_name(word: &str) -> bool {
    let base = word.split_whitespace().next().unwrap_or_default();
    (2..=10).contains(&base.len()) && !NO_INSTRUMENT.contains(&base)
}

/// The text at a place where an act is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cited {
    /// "this Regulation": the document itself.
    Own,
    /// "that Regulation": the one that was named last.
    Last,
    Named(String),
}

/// The instrument at the beginning of `text`, with its length in bytes.
pub fn at(text: &str) -> Option<(Cited, usize)> {
    let mut reach = text.len().min(160);
    while !text.is_char_boundary(reach) {
        reach -= 1;
    }
    let text = &text[..reach];
    let captures = INSTRUMENT.captures(text)?;
    let whole = captures.get(0)?;
    if captures.name("own").is_some() {
        return Some((Cited::Own, whole.end()));
    }
    if captures.name("last").is_some() {
        return Some((Cited::Last, whole.end()));
    }
    let name = ["union", "numbered", "code", "named", "short", "the"]
        .iter()
        .find_map(|n| captures.name(n))?;
    if captures.name("short").is_some() && !is_short_name(name.as_str()) {
        return None;
    }
    Some((Cited::Named(spaced(name.as_str())), whole.end()))
}

/// The short name that ends `before`, with its length in bytes up to the end of `before`.
pub fn before(before: &str) -> Option<(String, usize)> {
    let mut from = before.len().saturating_sub(16);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let captures = BEFORE.captures(&before[from..])?;
    let short = captures.name("short")?;
    is_short_name(short.as_str())
        .then(|| (spaced(short.as_str()), before.len() - from - short.start()))
}

/// Instruments cited as a whole: (first byte, one past the last, name).
pub fn alone(text: &str) -> Vec<(usize, usize, String)> {
    // Each of these forms contains a number. Most texts contain none, so they are skipped early.
    let bytes = text.as_bytes();
    let slash = || {
        bytes
            .windows(3)
            .any(|w| w[1] == b'/' && w[0].is_ascii_digit() && w[2].is_ascii_digit())
    };
    let year = || bytes.windows(3).any(|w| w == b" 19" || w == b" 20");
    if !(text.contains(" No")
        || text.contains(" Nr")
        || text.contains("Number")
        || slash()
        || year())
    {
        return Vec::new();
    }
    let found = ALONE.captures_iter(text);
    found
        .filter_map(|captures| {
            let name = ["union", "numbered", "named"]
                .iter()
                .find_map(|n| captures.name(n))?;
            let start = name.start() + leading(name.as_str());
            Some((start, name.end(), spaced(&text[start..name.end()])))
        })
        .collect()
}

/// Words at the beginning of a sentence that are no part of a name.
fn leading(name: &str) -> usize {
    let mut at = 0;
    while let Some(word) = name[at..].split_whitespace().next() {
        if ![
            "The", "In", "Under", "See", "An", "A", "Of", "By", "To", "For", "If", "Where", "This",
            "That", "Each", "Any",
        ]
        .contains(&word)
        {
            break;
        }
        at += name[at..].find(word).unwrap_or(0) + word.len();
        at += name[at..].len() - name[at..].trim_start().len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instruments_are_read_to_their_end() {
        for (text, expected, rest) in [
            (
                "Regulation (EU) No 575/2013 of the",
                "Regulation (EU) No 575/2013",
                " of the",
            ),
            (
                "the Insolvency Regulations 2015; or",
                "Insolvency Regulations 2015",
                "; or",
            ),
            ("FSMR and the Rules", "FSMR", " and the Rules"),
            ("the FSMR.", "FSMR", "."),
            (
                "Directive 2013/36/EU, which",
                "Directive 2013/36/EU",
                ", which",
            ),
            (
                "the Bank for Example Act 1999 applies",
                "Bank for Example Act 1999",
                " applies",
            ),
            (
                "Cabinet Decision No. (74) of 2020 and",
                "Cabinet Decision No. (74) of 2020",
                " and",
            ),
            ("the Act may", "the Act", " may"),
            ("MiFID II as", "MiFID II", " as"),
        ] {
            let (cited, length) = at(text).unwrap_or((Cited::Own, 0));
            assert_eq!(
                (cited, &text[length..]),
                (Cited::Named(expected.to_owned()), rest),
                "{text}"
            );
        }
        assert_eq!(at("this Regulation shall").map(|c| c.0), Some(Cited::Own));
        assert_eq!(at("that Directive shall").map(|c| c.0), Some(Cited::Last));
        assert_eq!(at("the bank"), None);
        assert_eq!(before("see COBS "), Some(("COBS".to_owned(), 5)));
        assert_eq!(before("with the "), None);
        let names: Vec<String> = alone("The Companies Act 2006 and Directive 2014/65/EU.")
            .into_iter()
            .map(|a| a.2)
            .collect();
        assert_eq!(names, ["Companies Act 2006", "Directive 2014/65/EU"]);
    }
}

//! Reads facts about guidelines, handbooks, rules and statutes in English: numbers in the authorities' own series, and
//! names and dates on a line of their own.

use super::authorities::{Authority, ENGLISH, named};
use super::dates::{english, english_line, has_one_of, pattern};
use super::ends::Ends;
use lexforge_domain::document::DocumentMetadata;
use regex::Regex;
use std::sync::LazyLock;

/// Lines of the first page in which a document names itself.
const COVER: usize = 40;

/// A number that stands on a line of its own, and whose it is.
struct Series {
    /// Any such line has one of these. Looking for them costs less than the pattern, which few documents need.
    signs: &'static [&'static str],
    pattern: LazyLock<Regex>,
    whose: &'static str,
}

/// A row of [`SERIES`]; the pattern is compiled when a line has one of the signs.
macro_rules! series {
    ($signs:expr, $pattern:expr, $whose:expr) => {
        Series {
            signs: &$signs,
            pattern: LazyLock::new(|| pattern($pattern)),
            whose: $whose,
        }
    };
}

static SERIES: [Series; 11] = [
    series!(["EBA/"], r"^(EBA/[A-Za-z]{2,4}/\d{4}/\d{2,3})$", "EBA"),
    series!(["ESMA"], r"^(ESMA\d{2,3}-\d{2,10}-\d{1,6})$", "ESMA"),
    series!(
        ["EIOPA-"],
        r"^(EIOPA-[A-Za-z]{2,4}-\d{2}[-/]\d{2,4})$",
        "EIOPA"
    ),
    series!(["OCC "], r"^(OCC (?:Bulletin )?\d{4}-\d{1,3})$", "OCC"),
    series!(["FIL-"], r"^(FIL-\d{1,3}-\d{4})$", "FDIC"),
    series!(
        ["SR", "CA"],
        r"^((?:SR|CA)(?: [Ll]etter)? \d{2}-\d{1,2})$",
        "Board of Governors of the Federal Reserve System"
    ),
    series!(
        [" CFR "],
        r"^(\d{1,2} CFR (?:[Pp]arts? )?\d{1,4}(?:\.\d+)?)$",
        ""
    ),
    series!(
        ["SS", "PS", "CP"],
        r"^(?:Supervisory Statement|Policy Statement|Consultation Paper|Statement of Policy)?(?: ?\| ?)?((?:SS|PS|CP)\d{1,2}/\d{2})$",
        "PRA"
    ),
    series!(["FG", "GC"], r"^((?:FG|GC)\d{2}/\d{1,2})$", "FCA"),
    series!(
        ["CHAPTER", "c."],
        r"^((?:19|20)\d{2} (?:CHAPTER|c\.) \d{1,3})$",
        ""
    ),
    series!(
        [" No. "],
        r"^((?:19|20)\d{2} No\. \d{1,4})(?: \(.*\))?$",
        ""
    ),
];
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:document )?(version|release|revision|edition) (?:no\. ?)?(\d+(?:\.\d+){0,2})\b[,:;]?(.*)$",
    )
});
static IN_FORCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:coming into (?:force|operation)|effective(?: date)?|in force from|applies from)\b[\s:.\-–—]*(.+)$",
    )
});
static MADE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^made\b[\s:.\-–—]*(.+)$"));

/// The facts that an English document states about itself.
pub fn about(ends: &Ends) -> DocumentMetadata {
    let mut out = DocumentMetadata::default();
    let cover: Vec<&str> = ends.first.iter().take(COVER).map(String::as_str).collect();
    let mut authority: Option<&Authority> = None;
    for line in &cover {
        for series in &SERIES {
            if out.identifier.is_none()
                && series.signs.iter().any(|sign| line.contains(sign))
                && let Some(c) = series.pattern.captures(line)
            {
                out.identifier = Some(identifier(&c[1], &mut out.jurisdiction));
                authority = named(series.whose);
            }
        }
        if has_one_of(line, ["version", "release", "revision", "edition"])
            && let Some(c) = VERSION.captures(line)
        {
            // The newest version stands last, with its date.
            let word = c[1].to_lowercase();
            let word = word[..1].to_uppercase() + &word[1..];
            out.version = Some(format!("{word} {}", &c[2]));
            if let Some(date) = english_line(c[3].trim()) {
                out.date = Some(date);
            }
        }
        if has_one_of(line, ["force", "operation", "effective", "applies"])
            && let Some(c) = IN_FORCE.captures(line)
        {
            out.effective = out
                .effective
                .take()
                .or_else(|| english(&c[1]).map(|d| d.0).filter(|d| d.len() == 10));
        }
        if has_one_of(line, ["made"])
            && let Some(c) = MADE.captures(line)
            && let Some(date) = english_line(c[1].trim())
        {
            out.date = Some(date);
        }
    }
    if out.date.is_none() {
        out.date = cover.iter().take(15).find_map(|line| english_line(line));
    }
    let authority = authority.or_else(|| issuer(ends, &cover));
    if let Some(authority) = authority {
        out.issuer = Some(authority.name.to_owned());
        if !authority.jurisdiction.is_empty() {
            out.jurisdiction = Some(authority.jurisdiction.to_owned());
        }
    }
    out
}

/// A number in the form in which it is cited; the jurisdiction that it shows is stored as well.
fn identifier(number: &str, jurisdiction: &mut Option<String>) -> String {
    if number.contains("CFR") {
        *jurisdiction = Some("US".to_owned());
    }
    if let Some((year, chapter)) = number
        .split_once(" CHAPTER ")
        .or_else(|| number.split_once(" c. "))
    {
        *jurisdiction = Some("UK".to_owned());
        return format!("{year} c. {chapter}");
    }
    if let Some((year, instrument)) = number.split_once(" No. ") {
        *jurisdiction = Some("UK".to_owned());
        return format!("S.I. {year}/{instrument}");
    }
    number.to_owned()
}

/// The authority whose name stands on a line of its own, in a running head or foot, or at the head of the title.
fn issuer(ends: &Ends, cover: &[&str]) -> Option<&'static Authority> {
    if let Some(found) = cover.iter().take(15).find_map(|line| named(line)) {
        return Some(found);
    }
    // Two of the authorities' own series are known by their name alone.
    let series = |l: &str| match l.replace('’', "'").as_str() {
        "Comptroller's Handbook" => named("OCC"),
        "ECB-PUBLIC" => named("ECB"),
        _ => None,
    };
    if let Some(found) = cover.iter().take(6).find_map(|line| series(line)) {
        return Some(found);
    }
    let running = ends.running.iter().find_map(|line| {
        ENGLISH.iter().find(|a| {
            line.to_lowercase().contains(&a.name.to_lowercase()) && line.chars().count() < 120
        })
    });
    let first = ends.title.split_whitespace().next().and_then(|word| {
        ENGLISH
            .iter()
            .find(|a| a.short.len() > 2 && a.short == word)
    });
    running.or(first)
}

//! Dates as documents print them, to `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.

use lexforge_text::calendar::MONTHS;
use regex::Regex;
use std::sync::LazyLock;

/// A month by its name.
const MONTH: &str =
    "(January|February|March|April|May|June|July|August|September|October|November|December)";

/// A constant pattern.
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern")
}

static DAY_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b(\d{{1,2}})(?:st|nd|rd|th)? {MONTH},? (\d{{4}})\b"
    ))
});
static MONTH_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b{MONTH} (\d{{1,2}})(?:st|nd|rd|th)?, (\d{{4}})\b"
    ))
});
static MONTH_ONLY: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i)\b{MONTH},? (\d{{4}})\b")));
static CHINESE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"));

/// The first date in an English text, with its range of bytes.
pub fn english(text: &str) -> Option<(String, std::ops::Range<usize>)> {
    let number = |m: Option<regex::Match>| m.and_then(|m| m.as_str().parse::<u32>().ok());
    let name = |m: Option<regex::Match>| {
        let lower = m?.as_str().to_lowercase();
        MONTHS
            .iter()
            .position(|n| *n == lower)
            .map(|p| p as u32 + 1)
    };
    let mut found: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    if !may_name_month(text) {
        return None;
    }
    if let Some(c) = DAY_FIRST.captures(text)
        && let (Some(day), Some(month), Some(year), Some(all)) =
            (number(c.get(1)), name(c.get(2)), number(c.get(3)), c.get(0))
    {
        found.extend(date(year, month, Some(day)).map(|d| (d, all.range())));
    }
    if let Some(c) = MONTH_FIRST.captures(text)
        && let (Some(month), Some(day), Some(year), Some(all)) =
            (name(c.get(1)), number(c.get(2)), number(c.get(3)), c.get(0))
    {
        found.extend(date(year, month, Some(day)).map(|d| (d, all.range())));
    }
    if found.is_empty()
        && let Some(c) = MONTH_ONLY.captures(text)
        && let (Some(month), Some(year), Some(all)) = (name(c.get(1)), number(c.get(2)), c.get(0))
    {
        found.extend(date(year, month, None).map(|d| (d, all.range())));
    }
    found.into_iter().min_by_key(|(_, range)| range.start)
}

/// Whether a text has the letters of a month's name. This costs less than the patterns, and most texts have none.
fn may_name_month(text: &str) -> bool {
    has_one_of(text, MONTHS)
}

/// Whether a text has one of some words of small letters in any case, as patterns do that ignore the case. Two letters
/// beyond ASCII count as the s and the k there; a text with one of them is left to the pattern.
pub(super) fn has_one_of<const N: usize>(text: &str, words: [&str; N]) -> bool {
    let lower = text.to_ascii_lowercase();
    text.contains(['ſ', '\u{212A}']) || words.iter().any(|word| lower.contains(word))
}

/// The date that a line consists of.
pub(crate) fn english_line(line: &str) -> Option<String> {
    let (date, range) = english(line)?;
    let rest = format!("{}{}", &line[..range.start], &line[range.end..]);
    let rest = rest.to_lowercase();
    let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
    [
        "",
        "date",
        "dated",
        "issued",
        "published",
        "date issued",
        "published on",
        "issued on",
        "publication date",
        "of",
    ]
    .contains(&rest)
    .then_some(date)
}

/// The first date in a Chinese text.
pub fn chinese(text: &str) -> Option<String> {
    let c = CHINESE.captures(text)?;
    let number = |i: usize| c.get(i).and_then(|m| m.as_str().parse::<u32>().ok());
    date(number(1)?, number(2)?, number(3))
}

/// The date that a value consists of, as people and programs write it; `None` where it could be read in two ways.
pub fn day(value: &str) -> Option<String> {
    if let Some(date) = chinese(value) {
        return Some(date);
    }
    let parts: Vec<&str> = value
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    let number = |part: &str| -> Option<u32> {
        let figures = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let ending = &part[figures.len()..];
        let known = ["", "st", "nd", "rd", "th"].contains(&ending);
        known.then(|| figures.parse().ok())?
    };
    let month = |part: &str| -> Option<u32> {
        let lower = part.to_lowercase();
        let place = MONTHS
            .iter()
            .position(|name| lower.len() >= 3 && name.starts_with(&lower))?;
        u32::try_from(place + 1).ok()
    };
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit());
    match parts.as_slice() {
        [year] if is_year(year) => {
            let year = number(year).filter(|year| (1900..2100).contains(year))?;
            Some(format!("{year:04}"))
        }
        [year, of] if is_year(year) => date(number(year)?, number(of)?, None),
        [of, year] if is_year(year) => date(number(year)?, month(of)?, None),
        [a, b, year] if is_year(year) => match (month(a), month(b)) {
            (Some(of), None) => date(number(year)?, of, Some(number(b)?)),
            (None, Some(of)) => date(number(year)?, of, Some(number(a)?)),
            _ => None,
        },
        // With a time behind the day: "2024-03-05T08:00:00Z".
        [year, of, day, ..] if is_year(year) => {
            let day = day.split('T').next().unwrap_or_default();
            date(number(year)?, number(of)?, Some(number(day)?))
        }
        _ => None,
    }
}

/// A date that the calendar has and that a regulation can bear.
pub fn date(year: u32, month: u32, day: Option<u32>) -> Option<String> {
    let sensible = (1900..2100).contains(&year) && (1..=12).contains(&month);
    match day {
        Some(day) if sensible && (1..=31).contains(&day) => {
            Some(format!("{year:04}-{month:02}-{day:02}"))
        }
        None if sensible => Some(format!("{year:04}-{month:02}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_date_or_none() {
        for (value, expected) in [
            ("2024-03-05", Some("2024-03-05")),
            ("2024/3/5", Some("2024-03-05")),
            ("2024-03-05T08:00:00Z", Some("2024-03-05")),
            ("2024-03", Some("2024-03")),
            ("2024", Some("2024")),
            ("Jun 1 2018", Some("2018-06-01")),
            ("1st June, 2018", Some("2018-06-01")),
            ("Sept 2018", Some("2018-09")),
            ("2024年3月5日", Some("2024-03-05")),
            ("03/04/2024", None),
            ("2024-13-05", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(day(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn dates_are_read_in_their_languages() {
        for (text, expected) in [
            ("of 27 April 2016", Some("2016-04-27")),
            ("September 30, 2019", Some("2019-09-30")),
            ("Version 1.1, September 2019", Some("2019-09")),
            ("31st January 2020", Some("2020-01-31")),
            ("45 May 2020", Some("2020-05")),
            ("May 3000", None),
        ] {
            assert_eq!(english(text).map(|d| d.0).as_deref(), expected, "{text}");
        }
        assert_eq!(english_line("19 July 2018").as_deref(), Some("2018-07-19"));
        assert_eq!(
            english_line("Issued: August 30, 2022").as_deref(),
            Some("2022-08-30")
        );
        assert_eq!(
            english_line("as announced on 6 February 2017 in the invitation"),
            None
        );
        assert_eq!(
            chinese("（2023年10月26日公布").as_deref(),
            Some("2023-10-26")
        );
    }
}

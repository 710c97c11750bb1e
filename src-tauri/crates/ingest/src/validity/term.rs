//! What is said of how long an act is in force, and the days of it.

use regex::Regex;

/// What a sentence says about how long an act is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The act; `None` = the one in which the sentence stands.
    pub of: Option<String>,
    /// How it ends.
    pub ends: Ends,
}

/// How an act ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The last day on which it is in force, `YYYY-MM-DD`.
    Until(String),
    /// It is repealed: the first day without it, where the sentence names one.
    Repealed(Option<String>),
}

/// A day, if the calendar has it.
pub(super) fn day(year: &str, month: u32, day: &str) -> Option<String> {
    let (year, day): (u32, u32) = (year.parse().ok()?, day.parse().ok()?);
    let last = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let exists = (1000..=9999).contains(&year) && (1..=last).contains(&day);
    exists.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The day before one that [`day`] gave.
pub(super) fn day_before(of: &str) -> Option<String> {
    let mut parts = of.split('-');
    let year: u32 = parts.next()?.parse().ok()?;
    let month: u32 = parts.next()?.parse().ok()?;
    let on: u32 = parts.next()?.parse().ok()?;
    if on > 1 {
        return day(&year.to_string(), month, &(on - 1).to_string());
    }
    let (year, month) = match month {
        1 => (year - 1, 12),
        month => (year, month - 1),
    };
    (28..=31)
        .rev()
        .find_map(|last| day(&year.to_string(), month, &last.to_string()))
}

/// A pattern that is known to be one.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are fixed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_before_is_in_the_calendar() {
        for (of, before) in [
            ("2027-01-01", "2026-12-31"),
            ("2024-03-01", "2024-02-29"),
            ("2023-03-01", "2023-02-28"),
            ("2023-05-17", "2023-05-16"),
        ] {
            assert_eq!(day_before(of).as_deref(), Some(before));
        }
        for (year, month, on) in [
            ("2023", 2, "29"),
            ("2023", 4, "31"),
            ("2023", 13, "1"),
            ("2023", 1, "0"),
        ] {
            assert_eq!(day(year, month, on), None, "{year} {month} {on}");
        }
    }
}

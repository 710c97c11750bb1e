//! Names of the English calendar, and dates in words.

/// The months, in lower case. (The fifth is a verb as well.)
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The days of the week, in lower case.
pub const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Whether a text consists only of a date in words (`2 August 2007`, `August 2007`). The label of a page may follow
/// (`August 2, 2007 A-42`).
pub fn is_date(text: &str) -> bool {
    let mut words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|w| !w.is_empty())
        .collect();
    if words.len() > 2 && words.last().is_some_and(|w| is_page_label(w)) {
        words.pop();
    }
    let month = |w: &str| MONTHS.contains(&w.to_lowercase().as_str());
    let year = |w: &str| w.len() == 4 && is_number(w);
    let day = |w: &str| w.len() <= 2 && is_number(w);
    let count = |test: &dyn Fn(&str) -> bool| words.iter().filter(|w| test(w)).count();
    let (months, years, days) = (count(&month), count(&year), count(&day));
    months == 1 && years == 1 && days <= 1 && months + years + days == words.len()
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// `A-42`, `12-3`.
fn is_page_label(word: &str) -> bool {
    word.split_once('-').is_some_and(|(part, page)| {
        let short = part.len() <= 2 && page.len() <= 3;
        let named = part.chars().all(|c| c.is_ascii_alphanumeric());
        short && named && !part.is_empty() && !page.is_empty() && is_number(page)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_nothing_else() {
        for (text, expected) in [
            ("August 2, 2007", true),
            ("2 August 2007", true),
            ("FEBRUARY 2017", true),
            ("August 2, 2007 A-42", true),
            ("August", false),
            ("2007", false),
            ("March 2024 report", false),
            ("Report of 2 August 2007", false),
            ("May 2007 to June 2008", false),
            ("", false),
        ] {
            assert_eq!(is_date(text), expected, "{text}");
        }
    }
}

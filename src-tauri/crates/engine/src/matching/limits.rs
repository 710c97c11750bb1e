//! The limits that a rule sets, and how often a text says something is done.

use lexforge_text::lists::Word;
use lexforge_text::{numerals, word_lists};

word_lists! {
    /// Beginnings of the units in which a rule sets a limit.
    UNITS: Vec<Word> = "limit_units.txt";
    /// Words by which a text says how often something is done.
    OFTEN: Vec<Word> = "how_often.txt";
}

/// Whether a text has a figure, in digits or in words: "within three days". "One" alone is more often a pronoun.
pub(super) fn has_figure(text: &str) -> bool {
    let mut parts = text.split(|c: char| !c.is_alphanumeric());
    parts.any(|part| {
        let digits = !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
        digits || numerals::english(&part.to_lowercase()).is_some_and(|value| value > 1)
    })
}

/// The limit in a rule as it is written: "72 hours"; empty if it has none.
pub(super) fn limit_figures(text: &str) -> String {
    let parts: Vec<&str> = text.split_whitespace().collect();
    for pair in parts.windows(2) {
        let figure = pair[0].trim_matches(|c: char| !c.is_ascii_digit());
        let unit = pair[1].to_lowercase();
        if !figure.is_empty()
            && pair[0]
                .chars()
                .all(|c| c.is_ascii_digit() || ",.()".contains(c))
            && UNITS.iter().any(|known| unit.starts_with(known))
        {
            return format!("{figure} {}", pair[1].trim_end_matches(['.', ',', ';']));
        }
    }
    String::new()
}

/// Whether a condition says how often: "once a year".
pub(super) fn says_once(condition: &str) -> bool {
    condition.to_lowercase().starts_with("once ") && says_how_often(condition)
}

pub(super) fn says_how_often(text: &str) -> bool {
    let lower = text.to_lowercase();
    OFTEN.iter().any(|word| lower.contains(word))
}

//! What a whole English rule is put in other words by: the place of its condition, and how its figures are written.

use crate::clause::Clause;
use crate::english::parse;
use lexforge_text::numerals;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Words that open a condition which may stand behind its rule as well.
const CONDITIONS: [&str; 8] = [
    "where", "if", "when", "unless", "once", "before", "after", "whenever",
];
/// Most words of a rule that its condition may stand behind: further away it would be read with something else.
const LONGEST: usize = 30;

/// "The keeper shall notify the office where a breach occurs." of "Where a breach occurs, the keeper shall …".
pub(super) fn lead_behind(clause: &Clause) -> Option<String> {
    let lead = clause.lead.trim_end().strip_suffix(',')?;
    let opening = lead.split(' ').next()?;
    let main = parse::render("", &clause.subject, &clause.modal, &clause.predicate);
    let fits = CONDITIONS.contains(&opening.to_lowercase().as_str())
        && main.split_whitespace().count() <= LONGEST
        && !main.contains([';', ':', '('])
        // "… by the date on which": what follows would belong to it.
        && ![" which ", " that ", " where ", " if ", " when "].iter().any(|w| main.contains(w));
    if !fits {
        return None;
    }
    let lead = format!("{}{}", opening.to_lowercase(), lead.get(opening.len()..)?);
    Some(format!("{} {lead}.", main.strip_suffix('.')?))
}

/// A length of time in figures or in a word, a share with its sign or in words.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    let unit = r"((?: business| working| calendar| consecutive)? (?:hour|day|week|month|year)s?\b)";
    let share = r"(?: per cent\b| percent\b| ?%)";
    Regex::new(&format!(
        r"\b(?:(\d{{1,2}}|[a-z]+(?:-[a-z]+)?){unit}|(\d{{1,2}}(?:\.\d+)?|[a-z]+(?:-[a-z]+)?)({share}))"
    ))
    .expect("a constant pattern")
});

/// The text with its lengths of time and its shares written the other way: in figures if they were in words, and in
/// words if they were in figures.
pub(super) fn figures_otherwise(text: &str) -> Option<String> {
    let digits = |written: &str| written.starts_with(|c: char| c.is_ascii_digit());
    let otherwise = |found: &Captures<'_>| -> Option<String> {
        let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
        let (number, unit, amount, share) = (part(1), part(2), part(3), part(4));
        if !unit.is_empty() {
            return Some(if digits(number) {
                format!("{}{unit}", numerals::write::english(number.parse().ok()?)?)
            } else {
                format!("{}{unit}", numerals::english(number)?)
            });
        }
        Some(match (digits(amount), share.trim()) {
            (true, "%") => format!("{amount} per cent"),
            (true, _) => format!("{amount}%"),
            (false, _) => format!("{}%", numerals::english(amount)?),
        })
    };
    let new = FIGURE.replace_all(text, |found: &Captures<'_>| {
        otherwise(found).unwrap_or_else(|| found[0].to_owned())
    });
    (new != text).then(|| new.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_go_both_ways_and_other_words_stay() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(figures_otherwise(text).as_deref(), expected, "{text}");
        };
        check("within 72 hours", Some("within seventy-two hours"));
        check("within thirty working days", Some("within 30 working days"));
        check("at least 8 % of it", Some("at least 8 per cent of it"));
        check("at least eight per cent", Some("at least 8%"));
        check("for several years, each of all days", None);
        check("for 250 days", None);
    }
}

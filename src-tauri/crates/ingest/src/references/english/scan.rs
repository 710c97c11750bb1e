//! A text while it is searched for references, and what a reference is made of.

use crate::references::labels;
use lexforge_domain::reference::CrossReference;
use regex::Regex;

pub(super) fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) found: Vec<CrossReference>,
    /// The instrument that was named last.
    pub(super) last: Option<String>,
}

/// A level, as a reference names it.
pub(super) struct Kind {
    /// The word before a number in a label; `None` for paragraphs and points.
    pub(super) level: Option<&'static str>,
    pub(super) plural: bool,
    /// `§`: its numbers may hold hyphens.
    pub(super) sign: bool,
    /// Whether its numbers may be letters, as for annexes, schedules and parts.
    pub(super) lettered: bool,
}

impl Kind {
    pub(super) fn of(word: &str) -> Self {
        let lower = word.to_lowercase();
        let near = [
            "para", "subpara", "sub-para", "point", "item", "subsec", "sub-sec",
        ]
        .iter()
        .any(|w| lower.starts_with(w))
            || word == "clause"
            || word == "clauses";
        let level = if near { None } else { labels::level(word) };
        let lettered = matches!(
            level,
            Some(
                "annex"
                    | "appendix"
                    | "schedule"
                    | "part"
                    | "section"
                    | "chapter"
                    | "title"
                    | "subpart"
            )
        );
        let plural =
            lower.ends_with('s') && lower != "annex" || lower == "appendices" || word == "§§";
        Self {
            level,
            plural: plural && lower != "§",
            sign: word.starts_with('§'),
            lettered,
        }
    }
}

/// One number of a list.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) labels: Vec<String>,
    pub(super) through: Option<Vec<String>>,
}

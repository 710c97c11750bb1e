//! What a sentence says about how long an act is in force: its own ("This Regulation shall apply until 31 December
//! 2027"), or another one that it repeals ("Directive 95/46/EC is repealed with effect from 25 May 2018"). Only plain
//! statements about a whole act are read; what repeals a single article says nothing of the act.

mod chinese;
mod english;
mod term;

pub use term::{Ends, Term};

use lexforge_domain::text::Language;
use regex::Regex;
use std::sync::LazyLock;
use term::pattern;

/// What a sentence says about how long acts are in force. The words in `of` hold the names of all acts that are
/// repealed together; who asks compares them with the names that he knows.
#[must_use]
pub fn find(text: &str, language: Language) -> Vec<Term> {
    match language {
        Language::Zh => chinese::find(text),
        Language::En => english::find(text),
        Language::Ko | Language::Other => Vec::new(),
    }
}

/// Whether the words that name repealed acts name this one: by the number in its series, or by its whole title.
#[must_use]
pub fn names(words: &str, title: &str, number: Option<&str>) -> bool {
    let words = fold(words);
    let title = fold(title.trim_matches(['《', '》']));
    // A title that stands in brackets is whole. Elsewhere one word stands in other names by chance.
    let is_titled = match words.contains('《') {
        true => !title.is_empty() && words.contains(&format!("《{title}》")),
        false => title.contains(' ') && is_in(&words, &title),
    };
    // `Regulation (EU) No 575/2013` is also cited without `No`.
    let figures = number.and_then(|number| NUMBER.find(number));
    is_titled || figures.is_some_and(|figures| is_in(&words, &fold(figures.as_str())))
}

/// The number of an act of the European Union: `95/46/EC`, `575/2013`.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{1,4}/\d{1,4}(?:/[A-Z]{2,5})?\b"));

/// Lower case, and each run of blanks one blank.
fn fold(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Whether a name stands in a text, not as a part of a longer word or number.
fn is_in(text: &str, name: &str) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '/';
    text.match_indices(name).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_named_by_its_number_or_its_whole_title() {
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
            ("《港口收费办法》", "港口收费办法", None, true),
            ("《港口收费管理办法》", "港口收费办法", None, false),
            ("《西港口收费办法》", "港口收费办法", None, false),
            ("《公司法》", "公司法", None, true),
        ] {
            assert_eq!(names(words, title, number), named, "{words} {title}");
        }
    }
}

//! Short names: those by which people call a document ("DPA"), and those of things that a heading names ("DPO").

use lexforge_domain::api::DocumentRow;
use lexforge_domain::document::DocumentFormat;
use lexforge_store::words;
use std::collections::BTreeMap;

/// Letters of a short name that no document declares.
pub(super) const LETTERS: std::ops::RangeInclusive<usize> = 3..=6;
/// A heading of more words is a sentence.
const MOST_WORDS: usize = 14;

/// All names that people may use for a document: its title, the initials of a name in brackets ("(Data Protection
/// Act)": "DPA"), and the words of its file's name. The name of a corpus file is left out, because such a file holds
/// many documents.
pub(super) fn named(document: &DocumentRow) -> String {
    let title = &document.title;
    if document.format == DocumentFormat::Jsonl {
        return title.clone();
    }
    let file = std::path::Path::new(&document.file);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let words = stem.replace(|c: char| !c.is_alphanumeric(), " ");
    let short = title
        .split_once('(')
        .into_iter()
        .flat_map(|(_, rest)| rest.split('('))
        .filter_map(|part| short_form(part.split(')').next()?));
    let short: Vec<String> = short.collect();
    format!("{title} {words} {}", short.join(" "))
}

/// The first letters of a name of three words or more, each with a capital.
fn short_form(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let letters: String = words
        .iter()
        .filter_map(|word| word.chars().next().filter(|c| c.is_uppercase()))
        .collect();
    (words.len() >= 3 && letters.chars().count() == words.len()).then_some(letters)
}

/// The name with these first letters that is a heading, or that several headings have; of several the most frequent.
pub(super) fn long_form(name: &str, headings: &[String]) -> Option<String> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for heading in headings {
        let heading = heading.to_lowercase();
        let parts: Vec<&str> = heading
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() > MOST_WORDS {
            continue;
        }
        for window in parts.windows(letters.len()) {
            let begins = window.iter().map(|word| word.chars().next());
            // The s of "officer’s" is no word of a name.
            if !window.contains(&"s") && begins.eq(letters.iter().map(|letter| Some(*letter))) {
                let long = window.join(" ");
                // If the name is a whole heading, it counts twice: no second place is needed.
                let whole = usize::from(window.len() == parts.len());
                *found.entry(long).or_default() += 1 + whole;
            }
        }
    }
    found
        .into_iter()
        .filter(|(long, times)| *times > 1 && words(long).len() == letters.len())
        .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
        .map(|(long, _)| long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_has_a_short_name() {
        assert_eq!(short_form("Harbour Dues Act"), Some("HDA".to_owned()));
        assert_eq!(short_form("repealing Harbour Dues"), None);
        assert_eq!(short_form("EU"), None);
    }

    #[test]
    fn a_short_name_has_the_first_letters_of_a_heading() {
        let headings = [
            "Article 3 – Harbour safety officer",
            "Tasks of the harbour safety officer",
            "Night mooring permit",
            "Dues and their payment",
            "Pilots on all vessels",
            "The harbour’s supply office",
            "Hours of the harbour’s supply office",
        ]
        .map(str::to_owned);
        for (short, long) in [
            ("HSO", Some("harbour safety officer")),
            ("NMP", Some("night mooring permit")),
            // Once in a heading, and with a word that names nothing.
            ("TMF", None),
            ("DAT", None),
            ("HSOX", None),
            // The s behind an apostrophe is no word.
            ("SSO", None),
        ] {
            assert_eq!(long_form(short, &headings).as_deref(), long, "{short}");
        }
    }
}

//! Facts that a document states about itself: issuer, number, dates, version. They are read from the lines of the first
//! and last pages, where acts state these facts in fixed forms. A fact that is not stated in such a form is left out,
//! because no fact is better than a wrong one.

mod authorities;
mod chinese;
mod dates;
mod ends;
mod english;
mod european;
mod korean;

pub use dates::day;
pub use ends::Ends;

use lexforge_domain::document::{DocumentMetadata, ParsedDocument};
use lexforge_domain::text::Language;
use lexforge_text::fold::spaced;

/// Pages at the beginning that are looked at.
pub(crate) const FIRST_PAGES: usize = 3;
/// Pages at the end that are looked at.
const LAST_PAGES: usize = 3;
/// Characters of each end that are looked at.
const CHARACTERS: usize = 12_000;

/// Reads what a document says of itself.
pub fn about(ends: &Ends, language: Language) -> DocumentMetadata {
    match language {
        Language::Zh => chinese::about(ends),
        Language::Ko => korean::about(ends),
        Language::En | Language::Other => {
            let european = european::about(ends);
            if european.identifier.is_some() {
                european
            } else {
                english::about(ends)
            }
        }
    }
}

/// Fills in the facts that a document states about itself, unless the metadata of its file already gave them. `running`
/// are the running heads and feet that were removed from its pages.
pub fn describe(document: &mut ParsedDocument, running: &[String]) {
    let first = document.pages.first().map_or("", |p| p.text.as_str());
    let from = document.pages.len().saturating_sub(LAST_PAGES);
    let last: Vec<&str> = document.pages[from..]
        .iter()
        .map(|p| p.text.as_str())
        .collect();
    let last = last.join("\n");
    let over = last.chars().count().saturating_sub(CHARACTERS);
    let ends = Ends {
        title: document.title.clone(),
        first: lines(first),
        running: running
            .iter()
            .map(|l| spaced(l))
            .filter(|l| !l.is_empty())
            .collect(),
        last: last.chars().skip(over).collect(),
    };
    let read = about(&ends, document.language);
    let given = std::mem::take(&mut document.metadata);
    document.metadata = DocumentMetadata {
        issuer: given.issuer.or(read.issuer),
        jurisdiction: given.jurisdiction.or(read.jurisdiction),
        identifier: given.identifier.or(read.identifier),
        date: given.date.or(read.date),
        effective: given.effective.or(read.effective),
        version: given.version.or(read.version),
        owner: given.owner.or(read.owner),
        licence: given.licence.or(read.licence),
    };
}

fn lines(text: &str) -> Vec<String> {
    let text: String = text.chars().take(CHARACTERS).collect();
    text.lines().map(spaced).filter(|l| !l.is_empty()).collect()
}

#[cfg(test)]
mod tests;

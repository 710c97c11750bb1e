//! TermBase eXchange, ISO 30042. Three forms are read: the dialect TBX-Basic in the styles DCA (data categories as
//! attributes) and DCT (as elements), and martif, the form of 2008 that term banks still distribute. Files are written
//! as TBX-Basic in DCA.
//!
//! An entry of the file is a concept. It has a section for each language, which has a section for each term. Each
//! language becomes one entry of the glossary. Its preferred term is the one marked as preferred, or else the first
//! that is neither a variant nor out of use.

mod concepts;
mod written;

pub(super) use written::write;

use super::collector::{Collector, Draft, MOST_ENTRIES, clean, language_of, status_of};
use crate::error::IngestError;
use crate::xml::{Event, Xml};
use concepts::{Concept, Name, Section, concept};
use lexforge_domain::term::ReviewStatus;
use std::collections::HashMap;

/// The encoding that an XML declaration names.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    let declaration = head.split_once("?>")?.0;
    let value = declaration.split_once("encoding=")?.1;
    let quote = value.chars().next()?;
    value.get(1..)?.split(quote).next().map(str::to_owned)
}

pub(super) fn read(text: &str, collector: &mut Collector) -> Result<(), IngestError> {
    let mut xml = Xml::with_doctype(text);
    let (mut concepts, mut root) = (Vec::new(), None);
    let (mut line, mut counted) = (1, 0);
    while let Some(event) = xml.next_event()? {
        let Event::Open(tag) = event else { continue };
        match tag.name() {
            "conceptEntry" | "termEntry" => {
                let (id, at) = (
                    tag.get("id").unwrap_or_default(),
                    xml.position().min(text.len()),
                );
                line += text.as_bytes()[counted..at]
                    .iter()
                    .filter(|b| **b == b'\n')
                    .count() as u64;
                counted = at;
                if concepts.len() >= MOST_ENTRIES {
                    return Err(IngestError::TooLarge(
                        "the file has more than 500,000 concepts".to_owned(),
                    ));
                }
                concepts.push(concept(
                    &mut xml,
                    Concept {
                        id,
                        line,
                        ..Concept::default()
                    },
                    collector,
                )?);
            }
            name => {
                root.get_or_insert_with(|| name.to_owned());
            }
        }
    }
    match root.as_deref() {
        Some("tbx" | "martif" | "TBX") => {}
        Some(other) => {
            return Err(IngestError::Damaged(format!(
                "the file is XML of another kind: it begins with <{other}>"
            )));
        }
        None if concepts.is_empty() => {
            return Err(IngestError::Damaged("the file has no XML in it".to_owned()));
        }
        None => {}
    }
    let preferred: HashMap<(String, Option<String>), String> = concepts
        .iter()
        .flat_map(|concept| {
            concept
                .languages
                .iter()
                .map(move |section| (concept, section))
        })
        .filter_map(|(concept, section)| {
            Some((
                (concept.id.clone(), section.language.clone()),
                chosen(section)?.text.clone(),
            ))
        })
        .collect();
    for concept in concepts {
        if concept.languages.is_empty() {
            collector.reject(
                concept.line,
                &concept.id,
                "the entry has no section of a language",
            );
        }
        for section in &concept.languages {
            match chosen(section) {
                Some(name) => {
                    collector.take(concept.line, draft(&concept, section, name, &preferred))
                }
                None => collector.reject(
                    concept.line,
                    &concept.id,
                    "a section of a language has no term",
                ),
            }
        }
    }
    Ok(())
}

/// The preferred term of a language section. This is the first of these that exists: the term marked as preferred; the
/// first term that is neither a variant nor out of use; the first that is not out of use; the first.
fn chosen(section: &Section) -> Option<&Name> {
    let names = || {
        section
            .names
            .iter()
            .filter(|name| !clean(&name.text).is_empty())
    };
    let out = |name: &&Name| status_of(&name.status) == Some(ReviewStatus::Rejected);
    let variant = |name: &&Name| {
        matches!(
            name.kind.as_str(),
            "variant"
                | "abbreviation"
                | "acronym"
                | "shortForm"
                | "initialism"
                | "synonym"
                | "abbrev"
        )
    };
    names()
        .find(|name| status_of(&name.status) == Some(ReviewStatus::Accepted))
        .or_else(|| names().find(|name| !out(name) && !variant(name)))
        .or_else(|| names().find(|name| !out(name)))
        .or_else(|| names().next())
}

fn draft(
    concept: &Concept,
    section: &Section,
    name: &Name,
    preferred: &HashMap<(String, Option<String>), String>,
) -> Draft {
    let own = &concept.own;
    // A definition at the concept is in whichever language its author wrote; it stands with the entry of its script.
    let shared = own.definitions.iter().filter(|(text, _)| {
        let language = section.language.as_deref().and_then(language_of);
        concept.languages.len() == 1 || language == Some(lexforge_text::language::detect(text))
    });
    let related = |of: fn(&Section) -> &Vec<(String, String)>| {
        let all = of(own).iter().chain(of(section));
        all.filter_map(|(target, text)| {
            let named = preferred.get(&(
                target.trim_start_matches('#').to_owned(),
                section.language.clone(),
            ));
            named
                .cloned()
                .or_else(|| Some(text.clone()).filter(|t| !t.trim().is_empty()))
        })
        .collect()
    };
    let others = section
        .names
        .iter()
        .filter(|other| !std::ptr::eq(*other, name));
    Draft {
        term: name.text.clone(),
        language: section.language.clone(),
        names: others.map(|other| other.text.clone()).collect(),
        definitions: section.definitions.iter().chain(shared).cloned().collect(),
        sources: section
            .sources
            .iter()
            .chain(&own.sources)
            .cloned()
            .collect(),
        class: if section.class.is_empty() {
            own.class.clone()
        } else {
            section.class.clone()
        },
        status: status_of(&name.status),
        related: related(|s| &s.related),
        broader: related(|s| &s.broader),
    }
}

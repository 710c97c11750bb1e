//! The concepts of a file as they are there: what is said of a concept, of a language, and of a term.

use crate::error::IngestError;
use crate::glossary::collector::Collector;
use crate::xml::{Event, Tag, Xml};

/// A term of a language section.
#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) kind: String,
    pub(super) status: String,
}

/// What is said in one section: of the concept, of a language, of a term.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    pub(super) language: Option<String>,
    pub(super) names: Vec<Name>,
    pub(super) definitions: Vec<(String, String)>,
    pub(super) sources: Vec<String>,
    pub(super) class: String,
    /// (target, text) of what it is related to, and of what is above it.
    pub(super) related: Vec<(String, String)>,
    pub(super) broader: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Concept {
    pub(super) id: String,
    pub(super) line: u64,
    pub(super) own: Section,
    pub(super) languages: Vec<Section>,
}

/// The data category of an element: the value of `type` in style DCA, the element's own name in style DCT.
fn category(tag: &Tag) -> String {
    tag.get("type").unwrap_or_else(|| tag.name().to_owned())
}

/// Reads a concept, whose element was just opened.
pub(super) fn concept(
    xml: &mut Xml,
    mut concept: Concept,
    collector: &mut Collector,
) -> Result<Concept, IngestError> {
    while let Some(event) = xml.next_event()? {
        match event {
            Event::Open(tag) => match tag.name() {
                "langSec" | "langSet" => {
                    let mut section = Section {
                        language: tag.get("lang"),
                        ..Section::default()
                    };
                    section_of(xml, &mut section, collector)?;
                    concept.languages.push(section);
                }
                name if name.ends_with("Grp") => {
                    group(xml, &mut concept.own, None, collector)?;
                }
                _ => {
                    let target = tag.get("target").unwrap_or_default();
                    let category = category(&tag);
                    let text = inner(xml)?;
                    put(&mut concept.own, &category, &target, text, collector);
                }
            },
            Event::Close(name) if name == "conceptEntry" || name == "termEntry" => break,
            _ => {}
        }
    }
    Ok(concept)
}

/// Reads a section of a language.
fn section_of(
    xml: &mut Xml,
    section: &mut Section,
    collector: &mut Collector,
) -> Result<(), IngestError> {
    while let Some(event) = xml.next_event()? {
        match event {
            Event::Open(tag) => match tag.name() {
                "termSec" | "tig" | "ntig" => term_of(xml, section, collector)?,
                name if name.ends_with("Grp") => group(xml, section, None, collector)?,
                _ => {
                    let target = tag.get("target").unwrap_or_default();
                    let category = category(&tag);
                    let text = inner(xml)?;
                    put(section, &category, &target, text, collector);
                }
            },
            Event::Close(name) if name == "langSec" || name == "langSet" => break,
            _ => {}
        }
    }
    Ok(())
}

/// Reads a section of a term. What it says of the term's use stays with it; the rest is the language section's.
fn term_of(
    xml: &mut Xml,
    section: &mut Section,
    collector: &mut Collector,
) -> Result<(), IngestError> {
    let mut name = Name::default();
    while let Some(event) = xml.next_event()? {
        match event {
            Event::Open(tag) => match tag.name() {
                // In the form of 2008 the term and its notes stand in a group of their own.
                "termGrp" => {}
                other if other.ends_with("Grp") => group(xml, section, Some(&mut name), collector)?,
                _ => {
                    let target = tag.get("target").unwrap_or_default();
                    let category = category(&tag);
                    let text = inner(xml)?;
                    put_name(section, &mut name, &category, &target, text, collector);
                }
            },
            Event::Close(closed) if matches!(closed.as_str(), "termSec" | "tig" | "ntig") => break,
            _ => {}
        }
    }
    section.names.push(name);
    Ok(())
}

/// Reads a group: what is said, with notes on it. Only the source among the notes is kept.
fn group(
    xml: &mut Xml,
    section: &mut Section,
    name: Option<&mut Name>,
    collector: &mut Collector,
) -> Result<(), IngestError> {
    let (mut said, mut source, mut depth) = (None, String::new(), 1_u32);
    while let Some(event) = xml.next_event()? {
        match event {
            Event::Open(tag) if tag.name().ends_with("Grp") => depth += 1,
            Event::Open(tag) => {
                let target = tag.get("target").unwrap_or_default();
                let category = category(&tag);
                let text = inner(xml)?;
                match category.as_str() {
                    "source" | "sourceIdentifier" => source = text,
                    _ if said.is_none() => said = Some((category, target, text)),
                    _ => collector.unread(&category, 1),
                }
            }
            Event::Close(closed) if closed.ends_with("Grp") => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    match said {
        Some((category, _, text)) if category == "definition" => {
            section.definitions.push((text, source))
        }
        Some((category, target, text)) => {
            match name {
                Some(name) => put_name(section, name, &category, &target, text, collector),
                None => put(section, &category, &target, text, collector),
            }
            collector.unread(
                &format!("source of {category}"),
                u64::from(!source.trim().is_empty()),
            );
        }
        None => section.sources.push(source),
    }
    Ok(())
}

fn put_name(
    section: &mut Section,
    name: &mut Name,
    category: &str,
    target: &str,
    text: String,
    collector: &mut Collector,
) {
    match category {
        "term" => name.text = text,
        "termType" => name.kind = text.trim().to_owned(),
        "administrativeStatus" | "normativeAuthorization" => name.status = text,
        _ => put(section, category, target, text, collector),
    }
}

fn put(
    section: &mut Section,
    category: &str,
    target: &str,
    text: String,
    collector: &mut Collector,
) {
    let is_source = matches!(category, "source" | "sourceIdentifier");
    match category {
        "definition" => section.definitions.push((text, String::new())),
        _ if is_source => section.sources.push(text),
        "subjectField" => section.class = text,
        "crossReference" | "relatedConcept" | "associatedConcept" | "antonymConcept" => {
            section.related.push((target.to_owned(), text));
        }
        "superordinateConceptGeneric" | "broaderConceptGeneric" | "superordinateConcept" => {
            section.broader.push((target.to_owned(), text));
        }
        _ => collector.unread(category, u64::from(!text.trim().is_empty())),
    }
}

/// The text within the element that was just opened, whatever marks it.
fn inner(xml: &mut Xml) -> Result<String, IngestError> {
    let (mut text, mut open) = (String::new(), 1_u32);
    while let Some(event) = xml.next_event()? {
        match event {
            Event::Open(_) => open += 1,
            Event::Text(part) => text.push_str(&part),
            Event::Close(_) => {
                open -= 1;
                if open == 0 {
                    break;
                }
            }
        }
    }
    Ok(text)
}

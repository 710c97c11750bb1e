//! TermBase eXchange, ISO 30042: the dialect TBX-Basic in the styles DCA (data categories as attributes) and DCT (as
//! elements), and martif, the form of 2008 that term banks still give out. Written is TBX-Basic in DCA.
//!
//! An entry is a concept: under it a section for each language, and in that one for each term. Each language becomes an entry
//! of ours, its preferred term the first that is not called something else.

use super::collector::{Collector, Draft, MOST_ENTRIES, clean, language_of, status_of, tag_of};
use crate::error::IngestError;
use crate::xml::{Event, Tag, Xml};
use lexforge_domain::glossary::GlossaryEntry;
use lexforge_domain::term::ReviewStatus;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A term of a language section.
#[derive(Clone, Debug, Default)]
struct Name {
    text: String,
    kind: String,
    status: String,
}

/// What is said in one section: of the concept, of a language, of a term.
#[derive(Clone, Debug, Default)]
struct Section {
    language: Option<String>,
    names: Vec<Name>,
    definitions: Vec<(String, String)>,
    sources: Vec<String>,
    class: String,
    /// (target, text) of what it is related to, and of what is above it.
    related: Vec<(String, String)>,
    broader: Vec<(String, String)>,
}

/// A concept.
#[derive(Clone, Debug, Default)]
struct Concept {
    id: String,
    line: u64,
    own: Section,
    languages: Vec<Section>,
}

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

/// The preferred term of a language section: the one called so, else the first that is not called a variant of another or out of use.
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

/// The data category of an element: the value of `type` in style DCA, the element's own name in style DCT.
fn category(tag: &Tag) -> String {
    tag.get("type").unwrap_or_else(|| tag.name().to_owned())
}

/// Reads a concept, whose element was just opened.
fn concept(
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

/// Reads a group: what is said, with notes on it, of which the source alone has a place.
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

/// Text as it stands in XML. Characters that XML cannot hold become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

pub(super) fn write(entries: &[GlossaryEntry], title: &str) -> String {
    let ids: HashMap<(&str, &str), usize> = entries
        .iter()
        .enumerate()
        .map(|(i, e)| ((tag_of(e.language), e.term.as_str()), i + 1))
        .collect();
    let main = entries.first().map_or("en", |e| tag_of(e.language));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tbx type=\"TBX-Basic\" style=\"dca\" xml:lang=\"{main}\" \
         xmlns=\"urn:iso:std:iso:30042:ed-2\">\n  <tbxHeader>\n    <fileDesc>\n      <sourceDesc>\n        <p>{}</p>\n      \
         </sourceDesc>\n    </fileDesc>\n  </tbxHeader>\n  <text>\n    <body>\n",
        escaped(title)
    );
    // Writing to a string does not fail.
    for (i, e) in entries.iter().enumerate() {
        let language = tag_of(e.language);
        let _ = writeln!(out, "      <conceptEntry id=\"c{}\">", i + 1);
        if !e.class.is_empty() {
            let _ = writeln!(
                out,
                "        <descrip type=\"subjectField\">{}</descrip>",
                escaped(&e.class)
            );
        }
        for name in e.related.iter().chain(&e.broader) {
            let target = ids
                .get(&(language, name.as_str()))
                .map(|id| format!(" target=\"c{id}\""))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "        <ref type=\"crossReference\"{target}>{}</ref>",
                escaped(name)
            );
        }
        let _ = writeln!(out, "        <langSec xml:lang=\"{language}\">");
        for d in &e.definitions {
            let _ = writeln!(out, "          <descripGrp>");
            let _ = writeln!(
                out,
                "            <descrip type=\"definition\">{}</descrip>",
                escaped(&d.text)
            );
            if !d.source.is_empty() {
                let _ = writeln!(
                    out,
                    "            <admin type=\"source\">{}</admin>",
                    escaped(&d.source)
                );
            }
            let _ = writeln!(out, "          </descripGrp>");
        }
        let status = match e.status {
            Some(ReviewStatus::Accepted) => Some("preferredTerm-admn-sts"),
            Some(ReviewStatus::Rejected) => Some("deprecatedTerm-admn-sts"),
            Some(_) => Some("admittedTerm-admn-sts"),
            None => None,
        };
        let names = std::iter::once((&e.term, status, None))
            .chain(e.names.iter().map(|n| (n, None, Some("variant"))));
        for (place, (name, status, kind)) in names.enumerate() {
            let _ = writeln!(
                out,
                "          <termSec>\n            <term>{}</term>",
                escaped(name)
            );
            if let Some(status) = status {
                let _ = writeln!(
                    out,
                    "            <termNote type=\"administrativeStatus\">{status}</termNote>"
                );
            }
            if let Some(kind) = kind {
                let _ = writeln!(
                    out,
                    "            <termNote type=\"termType\">{kind}</termNote>"
                );
            }
            for source in e.sources.iter().filter(|_| place == 0) {
                let _ = writeln!(
                    out,
                    "            <admin type=\"source\">{}</admin>",
                    escaped(source)
                );
            }
            let _ = writeln!(out, "          </termSec>");
        }
        let _ = writeln!(out, "        </langSec>\n      </conceptEntry>");
    }
    out.push_str("    </body>\n  </text>\n</tbx>\n");
    out
}

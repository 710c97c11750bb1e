//! SKOS in Turtle: concepts with labels in several languages (plain or SKOS-XL), definitions (plain, or as resources
//! with a value and a source), and relations. Each language of a concept becomes an entry of the glossary.

mod written;

pub(super) use written::write;

use super::collector::{BEYOND, Collector, Draft, MOST, MOST_ENTRIES, MOST_UNREAD, status_of};
use crate::error::IngestError;
use lexforge_domain::term::ReviewStatus;
use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxttl::TurtleParser;
use std::collections::{HashMap, HashSet};

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const SKOS_XL: &str = "http://www.w3.org/2008/05/skos-xl#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const DC: &str = "http://purl.org/dc/elements/1.1/";
const DC_TERMS: &str = "http://purl.org/dc/terms/";
const STATUS: &str = "http://www.w3.org/2003/06/sw-vocab-status/ns#term_status";

/// Reading a file stops after this many broken statements.
const MOST_BROKEN: usize = 1_000;

/// Most statements of a file.
const MOST_STATEMENTS: u64 = 10_000_000;

/// The most values of one kind (such as labels) that are kept of a resource. The languages of a resource share this
/// number. Further values are only counted. Without a limit, a resource with a million labels would take very long,
/// because each label is compared with all others.
const MOST_VALUES: usize = 10 * MOST;

/// A text with its language.
type Label = (Option<String>, String);

/// A definition in place, or the resource that holds it.
enum Definition {
    Here(Label),
    At(String),
}

/// The statements about one resource.
#[derive(Default)]
struct Resource {
    /// How many statements were read before the first about it.
    line: u64,
    concept: bool,
    preferred: Vec<Label>,
    others: Vec<Label>,
    definitions: Vec<Definition>,
    /// Resources that hold a preferred label, another label.
    preferred_nodes: Vec<String>,
    other_nodes: Vec<String>,
    /// The text of the resource, if it is a label or a note.
    value: Option<Label>,
    sources: Vec<String>,
    class: String,
    status: Option<ReviewStatus>,
    related: Vec<String>,
    broader: Vec<String>,
    unread: HashMap<String, u64>,
}

pub(super) fn read(text: &str, collector: &mut Collector) -> Result<(), IngestError> {
    let mut resources: HashMap<String, Resource> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    let mut broken: Vec<(u64, String)> = Vec::new();
    let mut statements = 0_u64;
    let base = TurtleParser::new()
        .with_base_iri("urn:glossary:")
        .unwrap_or_default();
    for triple in base.for_slice(text.as_bytes()) {
        match triple {
            Ok(triple) => {
                statements += 1;
                if statements > MOST_STATEMENTS || order.len() > MOST_ENTRIES * 4 {
                    return Err(IngestError::TooLarge(
                        "the file has more statements than can be taken at once".to_owned(),
                    ));
                }
                let subject = name_of(&triple.subject);
                let resource = resources.entry(subject.clone()).or_insert_with(|| {
                    order.push(subject);
                    Resource {
                        line: order.len() as u64,
                        ..Resource::default()
                    }
                });
                put(resource, &triple);
            }
            Err(error) => {
                broken.push((error.location().start.line + 1, error.message().to_owned()));
                if broken.len() >= MOST_BROKEN {
                    break;
                }
            }
        }
    }
    let concepts = || {
        order
            .iter()
            .filter_map(|id| Some((id, resources.get(id)?)))
            .filter(|(_, r)| is_concept(r))
    };
    if concepts().next().is_none() {
        return Err(IngestError::Damaged(match broken.first() {
            Some((line, why)) => format!("the file is no Turtle: line {line}: {why}"),
            None if statements > 0 => "the file is Turtle and holds no concept of SKOS".to_owned(),
            None => "the file holds no statement of Turtle".to_owned(),
        }));
    }
    for (line, why) in &broken {
        collector.reject(*line, "", format!("the statement is no Turtle: {why}"));
    }
    for (id, resource) in concepts() {
        let preferred = labels(&resource.preferred, &resource.preferred_nodes, &resources);
        if preferred.is_empty() {
            collector.reject(resource.line, id, "the concept has no preferred label");
        }
        for draft in drafts(resource, &preferred, &resources) {
            collector.take(resource.line, draft);
        }
        for (what, times) in &resource.unread {
            collector.unread(what, *times);
        }
    }
    Ok(())
}

fn is_concept(resource: &Resource) -> bool {
    resource.concept || !resource.preferred.is_empty() || !resource.preferred_nodes.is_empty()
}

fn name_of(subject: &NamedOrBlankNode) -> String {
    match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
        NamedOrBlankNode::BlankNode(node) => format!("_:{}", node.as_str()),
    }
}

/// Keeps a value, or counts it where there are too many of its kind.
fn keep<T>(values: &mut Vec<T>, value: Option<T>, beyond: &mut u64) {
    match value {
        Some(value) if values.len() < MOST_VALUES => values.push(value),
        Some(_) => *beyond += 1,
        None => {}
    }
}

fn put(resource: &mut Resource, triple: &Triple) {
    let mut beyond = 0;
    put_value(resource, triple, &mut beyond);
    if beyond > 0 {
        *resource.unread.entry(BEYOND.to_owned()).or_default() += beyond;
    }
}

fn put_value(resource: &mut Resource, triple: &Triple, beyond: &mut u64) {
    let predicate = triple.predicate.as_str();
    let literal = match &triple.object {
        Term::Literal(literal) => Some((
            literal.language().map(str::to_owned),
            literal.value().to_owned(),
        )),
        _ => None,
    };
    let node = match &triple.object {
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        Term::BlankNode(node) => Some(format!("_:{}", node.as_str())),
        _ => None,
    };
    let text = || {
        literal
            .clone()
            .map(|l| l.1)
            .or_else(|| node.clone())
            .unwrap_or_default()
    };
    let skos = predicate.strip_prefix(SKOS);
    match (skos, predicate) {
        (Some("prefLabel"), _) => keep(&mut resource.preferred, literal, beyond),
        (Some("altLabel"), _) => keep(&mut resource.others, literal, beyond),
        (Some("definition"), _) => {
            keep(
                &mut resource.definitions,
                literal.map(Definition::Here).or(node.map(Definition::At)),
                beyond,
            );
        }
        (Some("related" | "relatedMatch" | "closeMatch"), _) => {
            keep(&mut resource.related, node, beyond)
        }
        (Some("broader" | "broaderTransitive" | "broadMatch"), _) => {
            keep(&mut resource.broader, node, beyond);
        }
        // A scheme and the other direction of a relation say nothing of the term.
        (Some("inScheme" | "topConceptOf" | "narrower" | "narrowerTransitive"), _) => {}
        (None, STATUS) => resource.status = status_of(&text()),
        (None, _) if predicate.strip_prefix(RDF) == Some("type") => {
            resource.concept |=
                node.as_deref().and_then(|n| n.strip_prefix(SKOS)) == Some("Concept");
        }
        (None, _) if predicate.strip_prefix(RDF) == Some("value") => resource.value = literal,
        (None, _) if predicate.starts_with(SKOS_XL) => match &predicate[SKOS_XL.len()..] {
            "prefLabel" => keep(&mut resource.preferred_nodes, node, beyond),
            "altLabel" => keep(&mut resource.other_nodes, node, beyond),
            "literalForm" => resource.value = literal,
            other => unread(resource, other),
        },
        _ => match predicate
            .strip_prefix(DC)
            .or_else(|| predicate.strip_prefix(DC_TERMS))
        {
            Some("source") => keep(&mut resource.sources, Some(text()), beyond),
            Some("type") => resource.class = text(),
            _ => {
                let short = predicate.rsplit(['#', '/']).next().unwrap_or(predicate);
                unread(resource, short);
            }
        },
    }
}

/// Counts a property that the glossary has no place for. The first such properties are counted by name; all further
/// ones are counted together as "others".
fn unread(resource: &mut Resource, name: &str) {
    let known = resource.unread.len() < MOST_UNREAD || resource.unread.contains_key(name);
    *resource
        .unread
        .entry(if known { name } else { "others" }.to_owned())
        .or_default() += 1;
}

/// Labels in place and those that resources hold.
fn labels(plain: &[Label], nodes: &[String], resources: &HashMap<String, Resource>) -> Vec<Label> {
    let held = nodes
        .iter()
        .filter_map(|node| resources.get(node)?.value.as_ref());
    let mut seen: HashSet<&Label> = plain.iter().collect();
    plain
        .iter()
        .chain(held.filter(|label| seen.insert(label)))
        .cloned()
        .collect()
}

/// The preferred label of a resource in a language.
fn label_in<'r>(
    of: &'r Resource,
    language: &Option<String>,
    resources: &'r HashMap<String, Resource>,
) -> Option<&'r String> {
    let held = of
        .preferred_nodes
        .iter()
        .filter_map(|node| resources.get(node)?.value.as_ref());
    of.preferred
        .iter()
        .chain(held)
        .find(|(tag, _)| tag == language)
        .map(|(_, text)| text)
}

/// An entry for each language that the concept has a preferred label in.
fn drafts(
    resource: &Resource,
    preferred: &[Label],
    resources: &HashMap<String, Resource>,
) -> Vec<Draft> {
    let others = labels(&resource.others, &resource.other_nodes, resources);
    let definitions: Vec<(Label, String)> = resource
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::Here(label) => Some((label.clone(), String::new())),
            Definition::At(node) => {
                let held = resources.get(node)?;
                Some((held.value.clone()?, held.sources.join("; ")))
            }
        })
        .collect();
    let alone = preferred.len() == 1;
    preferred
        .iter()
        .map(|(language, term)| {
            let here = |of: &Option<String>| of == language || (of.is_none() && alone);
            let named = |ids: &[String]| -> Vec<String> {
                let found = ids
                    .iter()
                    .filter_map(|id| label_in(resources.get(id)?, language, resources));
                found.cloned().collect()
            };
            Draft {
                term: term.clone(),
                language: language.clone(),
                names: others
                    .iter()
                    .filter(|(of, _)| here(of))
                    .map(|(_, text)| text.clone())
                    .collect(),
                definitions: definitions
                    .iter()
                    .filter(|((of, _), _)| here(of))
                    .map(|((_, text), source)| (text.clone(), source.clone()))
                    .collect(),
                sources: resource.sources.clone(),
                class: resource.class.clone(),
                status: resource.status,
                related: named(&resource.related),
                broader: named(&resource.broader),
            }
        })
        .collect()
}

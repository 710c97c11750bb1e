//! Writes a list of terms as SKOS.

use super::super::collector::tag_of;
use super::{DC, RDF, SKOS, STATUS};
use crate::error::IngestError;
use crate::terms::key;
use lexforge_domain::glossary::GlossaryEntry;
use lexforge_domain::term::ReviewStatus;
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use oxttl::TurtleSerializer;
use sha2::{Digest, Sha256};

/// The name of a term's concept: a UUID (version 8, RFC 9562) computed from the term's language and normal form. So the
/// same term has the same name in every file.
fn concept_of(language: &str, normal: &str) -> NamedNode {
    let mut hash =
        Sha256::digest(format!("lexforge term\n{language}\n{normal}").as_bytes()).to_vec();
    hash.truncate(16);
    hash[6] = (hash[6] & 0x0F) | 0x80;
    hash[8] = (hash[8] & 0x3F) | 0x80;
    let hex: String = hash.iter().map(|b| format!("{b:02x}")).collect();
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    NamedNode::new_unchecked(format!("urn:uuid:{}", parts.join("-")))
}

pub(in crate::glossary) fn write(
    entries: &[GlossaryEntry],
    title: &str,
) -> Result<Vec<u8>, IngestError> {
    let damaged = |why: String| {
        IngestError::Damaged(format!("the glossary cannot be written as Turtle: {why}"))
    };
    let mut serializer = TurtleSerializer::new();
    for (prefix, iri) in [
        ("skos", SKOS),
        ("dc", DC),
        ("rdf", RDF),
        ("vs", "http://www.w3.org/2003/06/sw-vocab-status/ns#"),
    ] {
        serializer = serializer
            .with_prefix(prefix, iri)
            .map_err(|e| damaged(e.to_string()))?;
    }
    let mut writer = serializer.for_writer(Vec::new());
    let mut say = |subject: &NamedOrBlankNode, predicate: String, object: Term| {
        let triple = Triple::new(subject.clone(), NamedNode::new_unchecked(predicate), object);
        writer
            .serialize_triple(triple.as_ref())
            .map_err(|e| damaged(e.to_string()))
    };
    let skos = |name: &str| format!("{SKOS}{name}");
    let plain = |text: &str| Term::from(Literal::new_simple_literal(text));
    let scheme = NamedOrBlankNode::from(concept_of("scheme", title));
    say(
        &scheme,
        format!("{RDF}type"),
        NamedNode::new_unchecked(skos("ConceptScheme")).into(),
    )?;
    say(&scheme, format!("{DC}title"), plain(title))?;
    for (place, e) in entries.iter().enumerate() {
        let tag = tag_of(e.language);
        let node = concept_of(tag, &key(&e.term, e.language));
        let subject = NamedOrBlankNode::from(node);
        let tagged =
            |text: &str| Term::from(Literal::new_language_tagged_literal_unchecked(text, tag));
        say(
            &subject,
            format!("{RDF}type"),
            NamedNode::new_unchecked(skos("Concept")).into(),
        )?;
        say(&subject, skos("inScheme"), Term::from(scheme.clone()))?;
        say(&subject, skos("prefLabel"), tagged(&e.term))?;
        for name in &e.names {
            say(&subject, skos("altLabel"), tagged(name))?;
        }
        for source in &e.sources {
            say(&subject, format!("{DC}source"), plain(source))?;
        }
        if !e.class.is_empty() {
            say(&subject, format!("{DC}type"), plain(&e.class))?;
        }
        if let Some(status) = e.status {
            let word = match status {
                ReviewStatus::Accepted => "stable",
                ReviewStatus::Rejected => "archaic",
                _ => "unstable",
            };
            say(&subject, STATUS.to_owned(), plain(word))?;
        }
        for (relation, names) in [("related", &e.related), ("broader", &e.broader)] {
            for name in names {
                say(
                    &subject,
                    skos(relation),
                    concept_of(tag, &key(name, e.language)).into(),
                )?;
            }
        }
        let mut held = Vec::new();
        for (number, d) in e.definitions.iter().enumerate() {
            if d.source.is_empty() {
                say(&subject, skos("definition"), tagged(&d.text))?;
            } else {
                let note = BlankNode::new_unchecked(format!("d{place}x{number}"));
                say(&subject, skos("definition"), note.clone().into())?;
                held.push((NamedOrBlankNode::from(note), d));
            }
        }
        for (note, d) in held {
            say(&note, format!("{RDF}value"), tagged(&d.text))?;
            say(&note, format!("{DC}source"), plain(&d.source))?;
        }
    }
    writer.finish().map_err(|e| damaged(e.to_string()))
}

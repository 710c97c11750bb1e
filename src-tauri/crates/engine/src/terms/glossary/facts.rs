//! The names and facts that an entry of a glossary adds to its term.

use lexforge_domain::glossary::{GlossaryDefinition, GlossaryEntry};
use lexforge_domain::term::ReviewStatus;
use lexforge_store::GlossaryFact;

/// Kinds of facts.
pub(super) const DEFINITION: &str = "definition";
pub(super) const SOURCE: &str = "source";
const CLASS: &str = "class";
const STATUS: &str = "status";
pub(super) const RELATED: &str = "related";
pub(super) const BROADER: &str = "broader";

pub(super) fn first_definition(entry: &GlossaryEntry) -> Option<String> {
    entry.definitions.first().map(|d| d.text.clone())
}

/// The names of an entry that are not known.
pub(super) fn new_names(known: &GlossaryEntry, entry: &GlossaryEntry) -> Vec<String> {
    entry
        .names
        .iter()
        .filter(|name| **name != known.term && !known.names.contains(name))
        .cloned()
        .collect()
}

/// Further facts of an entry that are new and that no glossary stated before.
pub(super) fn new_facts(
    known: &GlossaryEntry,
    entry: &GlossaryEntry,
    said: &[GlossaryFact],
) -> Vec<GlossaryFact> {
    let mut facts = Vec::new();
    let mut put = |kind: &str, value: &str, source: &str| {
        facts.push(GlossaryFact {
            kind: kind.to_owned(),
            value: value.to_owned(),
            source: source.to_owned(),
        });
    };
    for d in &entry.definitions {
        let same = |k: &GlossaryDefinition| {
            k.text == d.text && (d.source.is_empty() || k.source == d.source)
        };
        if !known.definitions.iter().any(same) {
            put(DEFINITION, &d.text, &d.source);
        }
    }
    for source in entry
        .sources
        .iter()
        .filter(|source| !known.sources.contains(source))
    {
        put(SOURCE, source, "");
    }
    if !entry.class.is_empty() && entry.class != known.class {
        put(CLASS, &entry.class, "");
    }
    if let Some(status) = entry
        .status
        .filter(|s| *s != ReviewStatus::Unreviewed && known.status != Some(*s))
    {
        put(STATUS, status.tag(), "");
    }
    let linked = |name: &&String| known.related.contains(name) || known.broader.contains(name);
    for name in entry.related.iter().filter(|name| !linked(name)) {
        put(RELATED, name, "");
    }
    for name in entry.broader.iter().filter(|name| !linked(name)) {
        put(BROADER, name, "");
    }
    facts.retain(|fact| !said.contains(fact));
    facts
}

//! The terms that the documents define, and where terms are counted.

use lexforge_domain::extract::Defined;
use lexforge_domain::text::SentenceKind;
use std::collections::HashMap;

/// Whether a sentence of this kind is running text that terms are counted in.
pub(super) fn is_text(kind: SentenceKind) -> bool {
    !matches!(kind, SentenceKind::Heading | SentenceKind::TableCell)
}

/// A term that the documents define.
pub(super) struct Named {
    /// As written first.
    pub(super) written: String,
    /// Its first definition.
    pub(super) definition: String,
    /// Other names that the definition gives.
    pub(super) names: Vec<String>,
}

/// The terms that are defined in one of the usual legal forms. `key` makes the key of the map from the name of a term.
/// Descriptions in running text are left out, because they are not certain enough to make a term.
pub(super) fn named(defined: &[Defined], key: impl Fn(&str) -> String) -> HashMap<String, Named> {
    let mut found: HashMap<String, Named> = HashMap::new();
    let legal = defined.iter().filter(|d| d.definition.kind.is_legal());
    for Defined { definition, .. } in legal {
        let all: Vec<&String> = std::iter::once(&definition.term)
            .chain(&definition.aliases)
            .collect();
        for name in &all {
            let normal = key(name);
            if normal.is_empty() {
                continue;
            }
            let others = all
                .iter()
                .filter(|other| key(other) != normal)
                .map(|other| (*other).clone());
            let entry = found.entry(normal.clone()).or_insert_with(|| Named {
                written: (*name).clone(),
                definition: definition.definition.clone(),
                names: Vec::new(),
            });
            for other in others {
                add_name(&mut entry.names, other);
            }
        }
    }
    found
}

/// How often a term stands in the sentences as it is written; what is defined counts once at least.
pub(super) fn count_of(term: &str, sentences: &[(SentenceKind, &str)]) -> u32 {
    let counts = sentences
        .iter()
        .map(|(_, text)| text.matches(term).count() as u32);
    counts.sum::<u32>().max(1)
}

/// Adds a name that is not there yet.
pub(super) fn add_name(names: &mut Vec<String>, name: String) {
    if !names.contains(&name) {
        names.push(name);
    }
}

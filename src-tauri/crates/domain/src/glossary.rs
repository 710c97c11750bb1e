//! Glossaries: what a file of terms says of one term.

use crate::term::ReviewStatus;
use crate::text::Language;
use serde::{Deserialize, Serialize};

/// A definition with its source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlossaryDefinition {
    /// Its words.
    pub text: String,
    /// Document or act, and place; empty = not said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// A term of a glossary, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossaryEntry {
    /// The preferred term.
    pub term: String,
    /// Its language.
    pub language: Language,
    /// Other names for the same thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Its meanings, by source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<GlossaryDefinition>,
    /// The sources of the term itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Its class; empty = none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Its status in the review of the glossary's author. It is only a claim and decides nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ReviewStatus>,
    /// Terms of the same language that are close to it and another thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<String>,
    /// Terms of the same language that it is a kind of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broader: Vec<String>,
}

impl GlossaryEntry {
    /// An entry with nothing but the term.
    pub fn new(term: impl Into<String>, language: Language) -> Self {
        Self {
            term: term.into(),
            language,
            names: Vec::new(),
            definitions: Vec::new(),
            sources: Vec::new(),
            class: String::new(),
            status: None,
            related: Vec::new(),
            broader: Vec::new(),
        }
    }

    /// Takes up what another entry for the same term says and this one does not.
    pub fn join(&mut self, other: Self) {
        fn take<T: PartialEq>(here: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
            for one in more {
                if !here.contains(&one) {
                    here.push(one);
                }
            }
        }
        let other_names = std::iter::once(other.term)
            .chain(other.names)
            .filter(|name| *name != self.term);
        take(&mut self.names, other_names);
        take(&mut self.definitions, other.definitions);
        take(&mut self.sources, other.sources);
        take(&mut self.related, other.related);
        take(&mut self.broader, other.broader);
        if self.class.is_empty() {
            self.class = other.class;
        }
        self.status = self.status.or(other.status);
    }
}

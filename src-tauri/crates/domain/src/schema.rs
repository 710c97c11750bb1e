//! Schemas of terms: the classes of terms, with examples. A language model that finds terms gets them in its prompt,
//! and a reviewer chooses among them.

use crate::text::Language;
use serde::{Deserialize, Serialize};

/// One class of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermSchemaClass {
    /// Its name within the schema, lower case: `authority`.
    pub name: String,
    /// Its name on the screen, in the schema's language.
    pub label: String,
    /// The class above it: `actor`; empty = none.
    #[serde(default)]
    pub parent: String,
    /// The things that belong to it, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Terms of this class.
    pub examples: Vec<String>,
}

/// The classes of terms of one field of law, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermSchema {
    /// Its name: `banking`.
    pub name: String,
    /// Its name on the screen.
    pub label: String,
    /// The language of labels and examples, and of the texts that it is for.
    pub language: Language,
    /// Its classes, in the order in which they are shown.
    pub classes: Vec<TermSchemaClass>,
}

/// A schema that a workspace keeps itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnSchema {
    /// Its name.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Whether it replaces a schema that comes with the product.
    pub shipped: bool,
}

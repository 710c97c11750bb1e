//! Terms, their definitions and their mentions.

use crate::id::{DocumentId, SentenceId, TermId};
use crate::tags::{all, read_by_tag, tagged};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(FoundBy, ReviewStatus);
read_by_tag!(FoundBy);

/// How a term was found. What kind of thing it names is its class, a name of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum FoundBy {
    /// The document defines it.
    Defined,
    /// A multi-word or segmented noun phrase with a high C-value.
    Phrase,
    /// A short form with its long form.
    Abbreviation,
    /// A language model named it, following the schema.
    Model,
    /// An imported glossary contains it.
    Glossary,
    /// A reviewer added it.
    Person,
}

impl FoundBy {
    /// All ways, in the order in which they are listed.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);
}

/// The review status of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ReviewStatus {
    /// Nobody has looked; used under the policy `unreviewed (automatic)`.
    Unreviewed,
    /// Accepted by a person.
    Accepted,
    /// Rejected by a person.
    Rejected,
    /// A term that a person joined to another as its synonym.
    Merged,
    /// Reviewers differ and nobody has adjudicated.
    Conflict,
}

impl ReviewStatus {
    /// All states, in the order in which they are listed.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);

    /// The status of a tag.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.tag() == tag)
    }
}

/// A definition found in a text: `start..end` covers term and definition, in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The term that is defined, as written.
    pub term: String,
    /// Other names for the same that are given with it: `MTF` in "‘multilateral trading facility’ or ‘MTF’ means …".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The meaning that the text gives it.
    pub definition: String,
    /// First scalar value.
    pub start: usize,
    /// One past the last scalar value.
    pub end: usize,
    /// How it is said.
    #[serde(default, skip_serializing_if = "DefinitionKind::is_legal")]
    pub kind: DefinitionKind,
}

/// How a definition is said, and so how sure it is that it is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DefinitionKind {
    /// In the form that legal acts and glossaries have: a term in quotation marks, "means", "shall be understood as".
    #[default]
    Legal,
    /// In running text: "a charge is a right that …". Some of these only describe and do not define.
    Descriptive,
}

impl DefinitionKind {
    /// Whether the definition has the form of legal acts and glossaries.
    pub fn is_legal(&self) -> bool {
        *self == Self::Legal
    }
}

/// A term that the extractor proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermCandidate {
    /// The term as most often written.
    pub text: String,
    /// The key under which variants are one term (case folded, plural folded for English).
    pub normal: String,
    /// How it was found.
    pub found: FoundBy,
    /// C-value, or the segmenter's weight for Chinese; higher is better.
    pub score: f64,
    /// How often it occurs.
    pub count: u32,
    /// Its definition, if the document gives one.
    pub definition: Option<String>,
    /// Other names that the documents give it: the short form, the long form.
    #[serde(default)]
    pub names: Vec<String>,
    /// Its class, a name of the schema, if the extractor gives one; otherwise empty.
    #[serde(default)]
    pub class: String,
    /// Language.
    pub language: Language,
}

impl TermCandidate {
    /// A candidate about which only its text is known; the text is its normal form, and it occurs once.
    pub fn new(text: impl Into<String>, found: FoundBy, language: Language) -> Self {
        let text = text.into();
        Self {
            normal: text.clone(),
            text,
            found,
            score: 1.0,
            count: 1,
            definition: None,
            names: Vec::new(),
            class: String::new(),
            language,
        }
    }

    /// The order in which candidates are listed: higher scores first, equal scores by the key.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then_with(|| self.normal.cmp(&other.normal))
    }
}

/// A term as the workspace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// Its id.
    pub id: TermId,
    /// The term as most often written.
    pub text: String,
    /// The key under which variants are one term.
    pub normal: String,
    /// How it was found.
    pub found: FoundBy,
    /// Its class: a name of the schema, for example `authority`; empty = none given.
    #[serde(default)]
    pub class: String,
    /// The term that it was joined to as a synonym.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<TermId>,
    /// Its review status.
    pub status: ReviewStatus,
    /// The extractor's score.
    pub score: f64,
    /// How many mentions it has.
    pub mentions: u32,
    /// Its definition.
    pub definition: Option<String>,
    /// The sentence that defines it.
    pub definition_sentence: Option<SentenceId>,
    /// The document that defines it.
    pub definition_document: Option<DocumentId>,
    /// Language.
    pub language: Language,
}

impl Term {
    /// A proposed term: nobody has looked at it, and it has no id yet (0).
    pub fn proposed(candidate: &TermCandidate) -> Self {
        Self {
            id: TermId(0),
            text: candidate.text.clone(),
            normal: candidate.normal.clone(),
            found: candidate.found,
            class: candidate.class.clone(),
            merged_into: None,
            status: ReviewStatus::Unreviewed,
            score: candidate.score,
            mentions: candidate.count,
            definition: candidate.definition.clone(),
            definition_sentence: None,
            definition_document: None,
            language: candidate.language,
        }
    }

    /// The candidate that would propose the term again, without its other names.
    pub fn as_proposed(&self) -> TermCandidate {
        TermCandidate {
            normal: self.normal.clone(),
            score: self.score,
            count: self.mentions,
            definition: self.definition.clone(),
            class: self.class.clone(),
            ..TermCandidate::new(&self.text, self.found, self.language)
        }
    }
}

/// An occurrence of a term in a sentence, in Unicode scalar values of the sentence's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mention {
    /// The term.
    pub term: TermId,
    /// The sentence.
    pub sentence: SentenceId,
    /// First scalar value.
    pub start: u32,
    /// One past the last scalar value.
    pub end: u32,
}

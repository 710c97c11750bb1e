//! Terms: lists, details, what finding them did.

use crate::dataset::ReviewPolicy;
use crate::document::Sentence;
use crate::failure::Failure;
use crate::term::{FoundBy, ReviewStatus, Term};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The terms to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TermFilter {
    /// Text that the term or its definition contains.
    pub query: Option<String>,
    /// How it was found.
    pub found: Option<FoundBy>,
    /// Class of the schema; empty = those without one.
    pub class: Option<String>,
    /// Status.
    pub status: Option<ReviewStatus>,
    /// Language.
    pub language: Option<Language>,
    /// First row.
    #[serde(default)]
    pub offset: u64,
    /// Most rows; 0 = all.
    #[serde(default)]
    pub limit: u64,
}

/// A term with its nearest others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermDetail {
    /// The term.
    pub term: Term,
    /// Sentences that mention it (the first 50), with the range.
    pub contexts: Vec<TermContext>,
    /// Similar terms by embedding, nearest first.
    pub confusable: Vec<(Term, f32)>,
}

/// A mention in its sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermContext {
    /// The sentence.
    pub sentence: Sentence,
    /// Title of its document.
    pub document_title: String,
    /// First scalar value of the mention.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// The result of `terms extract`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsReport {
    /// Terms in the workspace now.
    pub terms: u64,
    /// Of these, defined by a document.
    pub defined: u64,
    /// Mentions.
    pub mentions: u64,
    /// Policy under which unreviewed terms are used.
    pub policy: ReviewPolicy,
    /// The method that found them, in words.
    #[serde(default)]
    pub source: String,
    /// Definitions, one a term and sentence.
    #[serde(default)]
    pub definitions: u64,
    /// The number of proposed terms that were rejected, by reason.
    #[serde(default)]
    pub rejected: BTreeMap<String, u64>,
    /// Sentences that speak to a language model instead of a reader; a reviewer is warned of them.
    #[serde(default)]
    pub flagged: u64,
    /// Sentences about which a language model was not asked, or gave no answer that can be read.
    #[serde(default)]
    pub without_answer: u64,
    /// Counts of the requests to the endpoint that proposed them, and their answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<crate::endpoint::AskCounts>,
    /// The pairs that could be taken for each other; `None` where they were not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confusables: Option<ConfusablesReport>,
}

/// Two terms that could be taken for each other, with an example of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfusableRow {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Cosine of their vectors; `None` = at least one has none.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// The score by which they are ranked, 0 to 1.
    pub score: f32,
    /// A sentence that mentions the first term.
    pub one_example: Option<String>,
    /// A sentence that mentions the second term.
    pub other_example: Option<String>,
}

/// The result of finding confusable terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfusablesReport {
    /// Terms that were compared.
    pub terms: u64,
    /// Pairs that are kept.
    pub pairs: u64,
    /// Terms that were compared by spelling alone.
    pub without_vectors: u64,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Failure>,
}

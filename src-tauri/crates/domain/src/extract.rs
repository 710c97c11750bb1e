//! Finding terms: what whoever looks for them is given and gives back.

use crate::id::SentenceId;
use crate::term::{Definition, TermCandidate};
use crate::text::{Language, SentenceKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sentence that terms are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermSource<'a> {
    /// The sentence.
    pub sentence: SentenceId,
    /// What it is.
    pub kind: SentenceKind,
    /// Its text.
    pub text: &'a str,
    /// Whether it addresses a language model instead of a reader.
    pub addressed: bool,
}

/// A definition with the sentence that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The sentence's index among the sources.
    pub source: usize,
    /// The definition.
    pub definition: Definition,
}

/// A proposed term that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedTerm {
    /// The sentence that was looked at.
    pub sentence: SentenceId,
    /// The class that was proposed with it; empty = none.
    #[serde(default)]
    pub class: String,
    /// The proposed text, shortened if it is long.
    pub text: String,
    /// Why it was not taken: a tag.
    pub reason: String,
}

/// The terms found in the sentences of one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction {
    /// The terms, best first.
    pub terms: Vec<TermCandidate>,
    /// Rejected terms in the order of the sentences; only the first ones for each reason.
    pub rejected: Vec<RejectedTerm>,
    /// How many were not taken, by reason: all of them.
    pub reasons: BTreeMap<String, u64>,
    /// Sentences that nobody has said anything about: the model was not asked, or its answer could not be read.
    pub without_answer: u64,
}

impl Extraction {
    /// Rejections of each reason that are kept, to be looked at.
    pub const KEPT: u64 = 200;

    /// Counts what was not taken, and keeps it where it is among the first of its reason.
    pub fn reject(&mut self, term: RejectedTerm) {
        let count = self.reasons.entry(term.reason.clone()).or_default();
        *count += 1;
        if *count <= Self::KEPT {
            self.rejected.push(term);
        }
    }
}

/// Something that finds terms: by counting, or with a language model and a schema.
///
/// An extractor only proposes terms. Their mentions are found afterwards, in the same way for all extractors.
pub trait TermExtractor {
    /// The extractor in words, for reports.
    fn describe(&self) -> String;

    /// The terms of all sentences of one language; `defined` = the definitions that these sentences hold.
    fn extract(
        &mut self,
        sources: &[TermSource<'_>],
        defined: &[Defined],
        language: Language,
    ) -> Extraction;
}

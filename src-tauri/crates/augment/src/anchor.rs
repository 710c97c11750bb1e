//! The data that a question writer gets.

use crate::usage::Usage;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{SentenceId, TermId};
use std::collections::HashMap;

/// A sentence about which questions are to be written, with all that a writer may use.
#[derive(Clone, Debug)]
pub struct Anchor<'a> {
    pub id: SentenceId,
    /// Its text as it is in the document.
    pub text: &'a str,
    pub language: Language,
    /// The kind of the sentence in its document.
    pub kind: SentenceKind,
    /// Path of its section: labels from the top, or empty.
    pub section: &'a str,
    /// Heading of its nearest section without the label, or empty. Questions name it.
    pub heading: &'a str,
    /// Headings of the sections above that one, nearest first.
    pub above: Vec<&'a str>,
    pub document_title: &'a str,
    /// For an item of a list: the sentence that opens the list ("The controller shall:").
    pub lead_in: Option<&'a str>,
    /// Terms that the sentence mentions.
    pub terms: Vec<AnchorTerm<'a>>,
    /// The term that the sentence defines, with its definition.
    pub definition: Option<(&'a str, &'a str)>,
    /// Other acts' definitions of the term that the sentence defines: the defining sentence, and the meaning.
    pub elsewhere: Vec<(SentenceId, &'a str)>,
    /// Sentences that are near in the graph (`S_sen`), nearest first; only these and `nearby` may be borrowed from.
    pub neighbours: Vec<Neighbour<'a>>,
    /// Sentences near this one in the same document and the same part of the dataset, the nearest first. Wrong choices
    /// are taken from these if the graph has too few neighbours.
    pub nearby: Vec<Neighbour<'a>>,
    /// For each term of the sentence, the terms that are similar to it (`C_tok`): id, text and cosine, nearest first.
    /// If it is known which terms are similar to these terms, the map holds them, too. Wrong choices are taken from
    /// both. If all wrong choices were near to the answer, the answer would be in their middle, and a reader could
    /// guess it. If the second kind is not known, the terms similar to the sentence's other terms are used.
    pub similar_terms: HashMap<TermId, Vec<(TermId, &'a str, f32)>>,
    /// Terms that the sentences near mention, nearest first: where too few are similar, wrong choices are these.
    pub local_terms: Vec<(TermId, &'a str)>,
    /// The combinations of words that occur in the whole corpus, if they are known. A word is put into a rule only if
    /// the resulting combination occurs in some document.
    pub usage: Option<&'a Usage>,
}

impl<'a> Anchor<'a> {
    /// An anchor that has its text only: no section, terms or neighbours.
    pub fn new(id: SentenceId, text: &'a str, language: Language, kind: SentenceKind) -> Self {
        Self {
            id,
            text,
            language,
            kind,
            section: "",
            heading: "",
            above: Vec::new(),
            document_title: "",
            lead_in: None,
            terms: Vec::new(),
            definition: None,
            elsewhere: Vec::new(),
            neighbours: Vec::new(),
            nearby: Vec::new(),
            similar_terms: HashMap::new(),
            local_terms: Vec::new(),
            usage: None,
        }
    }

    /// Whether questions are asked about sentences of its kind: not about headings, rows of tables and footnotes.
    pub(crate) fn is_rule(&self) -> bool {
        matches!(
            self.kind,
            SentenceKind::Rule | SentenceKind::Definition | SentenceKind::ListItem
        )
    }
}

/// A mention of a term in the anchor's text.
#[derive(Clone, Debug)]
pub struct AnchorTerm<'a> {
    pub id: TermId,
    /// The term as the list of terms has it (the mention may be in the plural).
    pub text: &'a str,
    /// First scalar value of the mention in the anchor's text.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Its definition, where a document gives one.
    pub definition: Option<&'a str>,
}

/// A sentence near the anchor.
#[derive(Clone, Debug)]
pub struct Neighbour<'a> {
    pub id: SentenceId,
    pub text: &'a str,
    /// For an item of a list: the sentence that opens the list.
    pub lead_in: Option<&'a str>,
    /// Cosine with the anchor.
    pub cosine: f32,
}

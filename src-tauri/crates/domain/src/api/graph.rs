//! The graph as the faces see it: its builds, how old it is, what its thresholds stand on, and who is hub or alone.

use crate::graph::{
    BoundScale, EdgeKind, GraphSettings, GraphStats, NodeClass, Thresholds, TypeOrigin,
};
use crate::id::{DocumentId, GraphBuildId, SentenceId, TermId};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a build came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildKind {
    /// Everything was embedded and joined.
    #[default]
    Whole,
    /// New texts were added to a parent build.
    Update,
}

/// A build of the graph. Its record stays; edges and vectors are those of the newest build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphBuildRow {
    /// Its id.
    pub id: GraphBuildId,
    /// When, RFC 3339, UTC.
    pub created: String,
    /// Whole or an update.
    pub kind: BuildKind,
    /// The build that it was added to.
    pub parent: Option<GraphBuildId>,
    /// SHA-256 over the documents' hashes, hexadecimal.
    pub corpus_hash: String,
    /// Parameters.
    pub settings: GraphSettings,
    /// Documents that it covers; none in a record of an earlier version.
    pub documents: Option<Vec<DocumentId>>,
    /// Terms that it covers.
    pub terms: u64,
    /// Sentences that an update embedded and joined; all of them for a whole build.
    pub joined_sentences: u64,
    /// Terms that an update embedded and joined; all of them for a whole build.
    pub joined_terms: u64,
    /// Figures: sentences, edges, encoders with the identity of their vectors, exactness, time.
    pub stats: GraphStats,
}

/// Then and now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// When the graph was built.
    pub then: u64,
    /// Now.
    pub now: u64,
    /// Here now and not covered by the graph.
    pub added: u64,
    /// Covered by the graph and gone since.
    pub removed: u64,
    /// Covered, but something else than it was: other words, other terms in it.
    pub changed: u64,
}

impl Growth {
    /// The growth in per cent. It is negative if the number fell, and 0 if there was nothing before.
    pub fn percent(&self) -> f64 {
        if self.then == 0 {
            0.0
        } else {
            100.0 * (self.now as f64 - self.then as f64) / self.then as f64
        }
    }
}

/// Reasons to build the graph again. Nobody has to do so: questions can still be written from the present graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum StaleReason {
    /// The corpus grew by more than 15 % in sentences, documents or terms since it was last built whole.
    Grown {
        /// The greatest of the three growths, in per cent.
        percent: f64,
    },
    /// It was last built whole longer ago than a quarter (91 days).
    Old {
        /// Days since.
        days: u32,
    },
    /// Documents that it covers are gone or were replaced by a newer version.
    DocumentsRemoved {
        /// How many.
        documents: u64,
    },
    /// Some of its terms were since rejected, joined or renamed, or are mentioned in other sentences.
    TermsChanged {
        /// How many.
        terms: u64,
    },
    /// It was made by a version that did not record which texts it contains.
    Unknown,
}

/// How old the newest graph is, and whether that matters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphState {
    /// The newest build; `None` = there is no graph.
    pub build: Option<GraphBuildId>,
    /// When the last whole build was made, RFC 3339, UTC; empty without a graph.
    pub created: String,
    /// Whole days since then.
    pub days: u32,
    /// Sentences at the last whole build and now. `added`, `removed` and `changed` are against the newest build.
    pub sentences: Growth,
    /// Documents.
    pub documents: Growth,
    /// Terms.
    pub terms: Growth,
    /// The greatest growth in per cent.
    pub growth_percent: f64,
    /// Why it is stale; empty = it is not.
    pub reasons: Vec<StaleReason>,
    /// Questions whose candidates have changed since they were written: their hard negatives are no longer the nearest.
    #[serde(default)]
    pub questions_changed: u64,
    /// Something is not in the newest build that `graph update` would take in.
    pub can_update: bool,
}

impl GraphState {
    /// Whether the graph should be built again.
    pub fn stale(&self) -> bool {
        !self.reasons.is_empty()
    }
}

/// How many values lie in each of equally wide bins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Lower end of the first bin.
    pub low: f32,
    /// Upper end of the last bin.
    pub high: f32,
    /// Values in each bin; the last one includes its upper end.
    pub counts: Vec<u64>,
    /// Values in all.
    pub total: u64,
    /// (quantile, value): 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99; empty without values.
    pub quantiles: Vec<(f32, f32)>,
}

/// The cosines by which the thresholds of one encoder can be chosen, and the number of links that given thresholds
/// would result in. No graph is built for this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartCalibration {
    /// The encoder.
    pub encoder: String,
    /// Languages of its documents.
    pub languages: Vec<Language>,
    /// Cosine of each entity with the nearest other one.
    pub entity_nearest: Histogram,
    /// Cosines of pairs of entities drawn at random.
    pub entity_pairs: Histogram,
    /// Cosine of each anchor sentence with the nearest sentence that shares an entity or the type.
    pub sentence_nearest: Histogram,
    /// Cosines of pairs of anchor sentences drawn at random.
    pub sentence_pairs: Histogram,
    /// The bounds that the settings asked about come to, as cosines.
    pub thresholds: Thresholds,
    /// The three bounds `entity_low`, `entity_high` and sentence threshold, as quantiles. The quantile of a bound is
    /// the share of the cosines of nearest neighbours that are below it.
    pub at_quantiles: [f32; 3],
    /// Whether calibration lowered the bound of entities, and of sentences.
    pub lowered: [bool; 2],
    /// Pairs of entities within the window.
    pub pairs_in_window: u64,
    /// Entities that would have a similar one, of how many.
    pub entities_with_similar: (u64, u64),
    /// Sentences that would have a candidate, of how many anchors.
    pub sentences_with_candidate: (u64, u64),
    /// Every pair was compared; false = an approximate index was used, as there are too many.
    pub exact: bool,
}

/// The calibration view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphCalibration {
    /// The scale of the bounds in the request.
    pub scale: BoundScale,
    /// The settings asked about.
    pub settings: GraphSettings,
    /// One for each encoder.
    pub parts: Vec<PartCalibration>,
}

/// A distribution of degrees: how many nodes have so many edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DegreeDistribution {
    /// (from, to, nodes): nodes whose degree lies in `from..=to`; 0, 1, 2–3, 4–7, 8–15 …
    pub bins: Vec<(u64, u64, u64)>,
    /// Mean degree.
    pub mean: f64,
    /// Median degree.
    pub median: u64,
    /// Greatest degree.
    pub most: u64,
}

/// An entity that occurs in many sentences. Everything is linked through it, so a link through it means little.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HubEntity {
    /// The term.
    pub term: TermId,
    /// As written.
    pub text: String,
    /// Sentences that mention it.
    pub sentences: u64,
    /// Share of all sentences.
    pub share: f64,
    /// Similar entities.
    pub similar: u64,
}

/// A sentence without an edge to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IsolatedSentence {
    /// The sentence.
    pub sentence: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// Its page, from 1.
    pub page: u32,
    /// Its text.
    pub text: String,
}

/// How many links the sentences and terms of the newest graph have, which terms have links to nearly everything, and
/// which sentences have no link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphCensus {
    /// For sentences: how many other sentences each is linked to by a shared entity, by similar words or by a
    /// reference. Edges between sentences of the same type are left out, because they link every sentence of a type
    /// with every other.
    pub sentence_degrees: DegreeDistribution,
    /// Entities: sentences that mention them.
    pub entity_mentions: DegreeDistribution,
    /// Entities: similar entities.
    pub entity_similar: DegreeDistribution,
    /// Candidates that the sentences have.
    pub candidates: DegreeDistribution,
    /// Entities in at least 5 % of the sentences and in 20 at least, most frequent first, a hundred at most.
    pub hubs: Vec<HubEntity>,
    /// How many such entities there are.
    pub hub_count: u64,
    /// Sentences without an edge to another, the first hundred.
    pub isolated: Vec<IsolatedSentence>,
    /// How many there are.
    pub isolated_count: u64,
    /// Sentences of each class.
    pub classes: BTreeMap<NodeClass, u64>,
    /// Sentences by where their type comes from.
    pub types: BTreeMap<TypeOrigin, u64>,
    /// The types with most sentences, and how many each has; twenty at most.
    pub largest_types: Vec<(String, u64)>,
}

/// `graph stats`: the newest build's figures with their old names, and beside them record, age and census.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphReport {
    /// Figures.
    #[serde(flatten)]
    pub stats: GraphStats,
    /// Every pair was compared.
    pub exact: bool,
    /// The build.
    pub build: GraphBuildId,
    /// Its age.
    pub state: GraphState,
    /// How many links sentences and terms have.
    pub census: GraphCensus,
}

/// A neighbour of a term or a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownNeighbour {
    /// Why it is linked.
    pub kind: EdgeKind,
    /// A term,
    pub term: Option<TermId>,
    /// or a sentence,
    pub sentence: Option<SentenceId>,
    /// its document,
    pub document: Option<DocumentId>,
    /// and page, from 1.
    pub page: Option<u32>,
    /// The text.
    pub text: String,
    /// Cosine; 1 for mentions and references.
    pub weight: f32,
    /// The sentence is a candidate of the one in the middle: it shares an entity or the type, and is near.
    pub candidate: bool,
}

impl Default for ShownNeighbour {
    fn default() -> Self {
        Self {
            kind: EdgeKind::SharedEntity,
            term: None,
            sentence: None,
            document: None,
            page: None,
            text: String::new(),
            weight: 0.0,
            candidate: false,
        }
    }
}

/// The neighbours of a term or a sentence in the graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphShown {
    /// Its text.
    pub centre: String,
    /// The terms of a sentence.
    pub terms: Vec<String>,
    /// Neighbours in all, by kind.
    pub counts: BTreeMap<EdgeKind, u64>,
    /// Candidates of a sentence in all.
    pub candidates: u64,
    /// The strongest of each kind.
    pub neighbours: Vec<ShownNeighbour>,
}

/// A node of an exported graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "node", rename_all = "snake_case")]
pub enum ExportedNode {
    /// A sentence.
    Sentence {
        /// Its id.
        id: SentenceId,
        /// Its document.
        document: DocumentId,
        /// Its page, from 1.
        page: u32,
        /// Path of its section.
        section: String,
        /// Its text.
        text: String,
        /// Its class: whether it is used for the token level, for the sentence level, or for neither.
        class: NodeClass,
    },
    /// An entity.
    Entity {
        /// The term.
        id: TermId,
        /// As written.
        text: String,
        /// Sentences that mention it.
        mentions: u64,
    },
}

/// An edge of an exported graph, between the keys of two nodes: `s12` is sentence 12, `t7` is term 7.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedEdge {
    /// One end.
    pub a: String,
    /// The other.
    pub b: String,
    /// Its kind. Here [`EdgeKind::SharedEntity`] means the mention that links a sentence with its entity.
    pub kind: EdgeKind,
    /// Cosine; 1 for mentions and references.
    pub weight: f32,
}

//! The sentence graph's vocabulary (METHODS §1.1 of TermGPT, arXiv 2511.09854).

use crate::id::{SentenceId, TermId};
use serde::{Deserialize, Serialize};

/// Why two nodes are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// The two sentences mention the same entity.
    SharedEntity,
    /// The two sentences are of the same type.
    SameType,
    /// Two entities are similar yet not synonyms.
    SimilarEntity,
    /// The two sentences use the same words (TF-IDF).
    Lexical,
    /// One sentence refers to the other's clause.
    Reference,
}

/// How many edges of each kind a graph has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeCounts {
    /// Pairs of sentences that share an entity (counted, never stored).
    pub shared_entity: u64,
    /// Pairs of sentences of the same type (counted, never stored).
    pub same_type: u64,
    /// Pairs of similar entities.
    pub similar_entity: u64,
    /// Pairs of sentences with the same words.
    pub lexical: u64,
    /// References from clause to clause.
    pub reference: u64,
}

/// Two entities whose vectors are similar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimilarEntities {
    /// The one with the smaller id.
    pub a: TermId,
    /// The other.
    pub b: TermId,
    /// Cosine similarity.
    pub cosine: f32,
}

/// A stored edge between two sentences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceEdge {
    /// The one (for a reference: the sentence that refers).
    pub a: SentenceId,
    /// The other (for a reference: the first sentence of the clause referred to).
    pub b: SentenceId,
    /// Lexical or reference.
    pub kind: EdgeKind,
    /// Cosine of the TF-IDF vectors, or 1.
    pub weight: f32,
}

/// The parameters of a build; each belongs to one encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphSettings {
    /// Lower cosine bound of similar entities, exclusive (0.75).
    pub entity_low: f32,
    /// Upper cosine bound of similar entities, exclusive (0.90).
    pub entity_high: f32,
    /// Lower cosine bound of a sentence candidate (θ_sen, 0.9).
    pub sentence_threshold: f32,
    /// If fewer than this share of anchors has a sentence candidate, the threshold is lowered to the
    /// quantile of the observed nearest-neighbour cosines that gives this share; the one used is recorded.
    pub calibrate_share: f32,
    /// Lower TF-IDF cosine bound of a lexical edge (0.75).
    pub lexical_threshold: f32,
    /// Most candidates a sentence or term keeps.
    pub max_candidates: usize,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self {
            entity_low: 0.75,
            entity_high: 0.90,
            sentence_threshold: 0.90,
            calibrate_share: 0.8,
            lexical_threshold: 0.75,
            max_candidates: 12,
        }
    }
}

/// What a build contains.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphStats {
    /// Sentence nodes.
    pub sentences: u64,
    /// Entity nodes.
    pub entities: u64,
    /// Edges by kind.
    pub edges: EdgeCounts,
    /// Encoder of the vectors, for example `all-MiniLM-L6-v2 (mean)` or `char-ngram LSA (128)`.
    pub encoder: String,
    /// Sentence threshold in use after calibration.
    pub sentence_threshold: f32,
    /// Lower cosine bound of similar entities in use after calibration, exclusive.
    #[serde(default)]
    pub entity_low: f32,
    /// Upper cosine bound of similar entities in use, exclusive.
    #[serde(default)]
    pub entity_high: f32,
    /// Sentences with at least one sentence-level candidate.
    pub anchors_sentence: u64,
    /// (sentence, term) pairs with at least one token-level candidate.
    pub anchors_token: u64,
    /// Sentences without any edge to another.
    pub isolated: u64,
    /// Time of the build, embedding left out.
    pub seconds: f64,
    /// Peak resident memory of the building process in MiB.
    pub peak_memory_mb: f64,
}

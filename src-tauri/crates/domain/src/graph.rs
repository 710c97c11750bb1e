//! The sentence graph's vocabulary (TermGPT, arXiv 2511.09854; docs/methods.md, "The sentence graph").

pub use crate::edge::{EdgeCounts, EdgeKind, Side};

use crate::id::{SentenceId, TermId};
use crate::tags::tagged;
use crate::text::Language;
use crate::{Code, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::IntoStaticStr;

tagged!(NodeClass, TypeOrigin);

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
    /// One of the kinds that are stored.
    pub kind: EdgeKind,
    /// Cosine of the TF-IDF vectors, or 1.
    pub weight: f32,
}

/// The scale of the bounds of [`GraphSettings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundScale {
    /// Cosines. They belong to one encoder.
    #[default]
    Cosine,
    /// Bounds are quantiles, 0 to 1, of the cosines that an encoder gives. For entities, these are the cosines of each
    /// entity with its nearest other entity. For sentences, they are the cosines of each sentence with its nearest
    /// related sentence. For example, with a lower bound of 0.2 four of five nearest neighbours reach the bound, with
    /// any encoder.
    Quantile,
}

/// The parameters of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphSettings {
    /// The scale of `entity_low`, `entity_high` and `sentence_threshold`.
    pub scale: BoundScale,
    /// Lower bound of similar entities, exclusive (cosine 0.75).
    pub entity_low: f32,
    /// Upper bound of similar entities, exclusive (cosine 0.90).
    pub entity_high: f32,
    /// Lower bound of a sentence candidate (θ_sen, cosine 0.9).
    pub sentence_threshold: f32,
    /// The smallest share of anchors that must have a candidate. If fewer have one, the lower bound is lowered until
    /// this share of the nearest neighbours reaches it. The bound that was used is recorded. Only bounds that are
    /// cosines are lowered, not quantiles.
    pub calibrate_share: f32,
    /// Lower TF-IDF cosine bound of a lexical edge (0.75).
    pub lexical_threshold: f32,
    /// The model, by its name or folder, whose tokenizer's sub-words are counted for lexical edges; `None` = words are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical_tokenizer: Option<String>,
    /// Most candidates a sentence or term keeps.
    pub max_candidates: usize,
    /// Most candidates of a sentence from one section, as long as others reach the threshold.
    pub max_per_section: usize,
    /// Share of the sentences with terms that are anchor nodes: those that are made of terms for the greater part.
    pub anchor_share: f32,
    /// The largest number of different entities, or of sentences, for which every pair is compared. With more,
    /// neighbours are found by an approximate index (HNSW), and its recall is measured.
    pub approximate_over: usize,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self {
            scale: BoundScale::Cosine,
            entity_low: 0.75,
            entity_high: 0.90,
            sentence_threshold: 0.90,
            calibrate_share: 0.8,
            lexical_threshold: 0.75,
            lexical_tokenizer: None,
            max_candidates: 12,
            max_per_section: 4,
            anchor_share: 0.5,
            approximate_over: 200_000,
        }
    }
}

impl GraphSettings {
    /// Refuses bounds that no pair can meet, so that a typing mistake does not give an empty graph.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`], which names the impossible bound.
    pub fn check(&self) -> Result<(), Failure> {
        const HINT: &str =
            "Give one in this range, or leave it out; the calibration shows which values occur.";
        let refused =
            |told: String, hint: &str| Err(Failure::new(Code::InvalidRequest, told, hint));
        let bounds = [self.entity_low, self.entity_high, self.sentence_threshold];
        if self.scale == BoundScale::Quantile
            && let Some(bound) = bounds.iter().find(|b| !(0.0..=1.0).contains(*b))
        {
            let told = format!("The bound {bound} is no quantile: those lie between 0 and 1.");
            return refused(told, HINT);
        }
        let mut cosines = bounds.iter().chain([&self.lexical_threshold]);
        if let Some(bound) = cosines.find(|b| !(-1.0..=1.0).contains(*b)) {
            let told = format!("The bound {bound} is no cosine: those lie between -1 and 1.");
            return refused(told, HINT);
        }
        if self.entity_low >= self.entity_high {
            let told = format!(
                "No terms would be similar: the lower bound {} is not below the upper one {}.",
                self.entity_low, self.entity_high
            );
            return refused(told, "Lower the one or raise the other.");
        }
        Ok(())
    }
}

/// The bounds that a build used, as cosines, after quantiles were looked up and calibration was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// Lower cosine bound of similar entities, exclusive.
    pub entity_low: f32,
    /// Upper cosine bound of similar entities, exclusive.
    pub entity_high: f32,
    /// Lower cosine bound of a sentence candidate.
    pub sentence: f32,
}

/// How well an approximate join found what an exact one finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// Rows that were joined by the index.
    pub rows: u64,
    /// Rows whose neighbours were also computed exactly, drawn with a seed.
    pub sample: u64,
    /// Neighbours that the exact join has for the sampled rows.
    pub expected: u64,
    /// How many of them the index found.
    pub found: u64,
}

impl Recall {
    /// Share of the exact neighbours that were found; 1 where there were none to find.
    pub fn share(&self) -> f64 {
        if self.expected == 0 {
            1.0
        } else {
            self.found as f64 / self.expected as f64
        }
    }
}

/// The use of a sentence (the engineering article's node classes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NodeClass {
    /// Made of terms for the greater part: feeds the token level.
    Anchor,
    /// A rule with fewer terms: feeds the sentence level.
    Context,
    /// Headings, table cells, footnotes and what is too short or too long to ask about.
    Other,
}

/// Where the type of a sentence comes from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TypeOrigin {
    /// The class that the user gave the document.
    UserClass,
    /// The sentence's top-level section, as the document has no class.
    TopSection,
    /// Neither: the sentence has no type.
    #[default]
    None,
}

/// The part of a graph that one encoder covers: cosines of different encoders cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphPart {
    /// Encoder of the vectors, for example `all-MiniLM-L6-v2 (mean)` or `char-ngram LSA (128)`.
    pub encoder: String,
    /// Languages of its documents.
    pub languages: Vec<Language>,
    /// SHA-256 of its vectors, sentences before terms, hexadecimal; empty where it was not recorded.
    pub vectors: String,
    /// Values a vector.
    pub dim: u64,
    /// Sentence nodes.
    pub sentences: u64,
    /// Entity nodes.
    pub entities: u64,
    /// Its edges.
    pub edges: EdgeCounts,
    /// The bounds in use.
    pub thresholds: Thresholds,
    /// The bounds, and the weights of the words for lexical edges, are the parent build's and were not worked out anew.
    pub thresholds_kept: bool,
    /// Whether new texts got their vectors in the vector space of the build before. This applies only to vectors that
    /// are computed from counts of n-grams. The axes of their space are computed at each complete build, and an update
    /// does not change them.
    pub basis_kept: bool,
    /// Recall of the join of entities where it was approximate; `None` = every pair was compared.
    pub entity_recall: Option<Recall>,
    /// Recall of the join of sentences where it was approximate; `None` = every pair was compared.
    pub sentence_recall: Option<Recall>,
}

/// The content of a build.
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
    /// Sentences of each class; empty in a record of an earlier version.
    #[serde(default)]
    pub classes: BTreeMap<NodeClass, u64>,
    /// Sentences by where their type comes from; empty in a record of an earlier version.
    #[serde(default)]
    pub types: BTreeMap<TypeOrigin, u64>,
    /// Its parts, one for each encoder; empty in a record of an earlier version.
    #[serde(default)]
    pub parts: Vec<GraphPart>,
    /// The model whose tokenizer's sub-words were counted for lexical edges; `None` = words were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lexical_tokenizer: Option<String>,
    /// Time of the build, embedding left out.
    pub seconds: f64,
    /// Peak resident memory of the building process in MiB.
    pub peak_memory_mb: f64,
}

impl GraphStats {
    /// Whether every pair of vectors was compared.
    pub fn exact(&self) -> bool {
        self.parts
            .iter()
            .all(|p| p.entity_recall.is_none() && p.sentence_recall.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_no_pair_can_meet_are_refused() {
        let check = |change: fn(&mut GraphSettings), told: Option<&str>| {
            let mut settings = GraphSettings::default();
            change(&mut settings);
            let found = settings.check().err().map(|failure| failure.message);
            let as_told = match (&found, told) {
                (Some(message), Some(words)) => message.contains(words),
                (found, told) => found.is_some() == told.is_some(),
            };
            assert!(as_told, "{found:?} and not {told:?}");
        };
        check(|_| (), None);
        check(|s| s.sentence_threshold = 5.0, Some("5 is no cosine"));
        check(
            |s| s.sentence_threshold = f32::NAN,
            Some("NaN is no cosine"),
        );
        check(|s| s.entity_low = -0.5, None);
        check(
            |s| (s.entity_low, s.entity_high) = (0.9, 0.1),
            Some("not below"),
        );
        check(|s| s.lexical_threshold = 75.0, Some("75 is no cosine"));
        check(
            |s| (s.scale, s.entity_low) = (BoundScale::Quantile, -0.5),
            Some("-0.5 is no quantile"),
        );
        check(
            |s| (s.scale, s.entity_low, s.entity_high) = (BoundScale::Quantile, 0.5, 1.0),
            None,
        );
    }
}

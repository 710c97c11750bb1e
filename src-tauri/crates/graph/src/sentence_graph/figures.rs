//! The figures of a build.

use crate::candidates::{RelatedSentences, SimilarEntityPairs, Window};
use crate::nodes::SentenceNode;
use lexforge_domain::graph::{EdgeCounts, GraphPart, GraphStats, NodeClass, Thresholds};

/// What a build has found.
pub(super) struct Built<'a> {
    pub encoder: &'a str,
    /// Length of the vectors.
    pub dim: usize,
    pub sentences: &'a [SentenceNode],
    /// How many entities there are.
    pub entities: usize,
    /// The entities that each sentence mentions.
    pub entities_of: &'a [Vec<u32>],
    pub related: &'a RelatedSentences,
    pub similar: &'a SimilarEntityPairs,
    /// The thresholds are those of an earlier build.
    pub thresholds_kept: bool,
    /// The class of each sentence.
    pub classes: &'a [NodeClass],
    pub edges: EdgeCounts,
    /// Sentences without any edge to another.
    pub isolated: u64,
}

/// The figures of a build, without its time and its memory.
pub(super) fn figures(built: &Built<'_>) -> GraphStats {
    let (related, similar) = (built.related, built.similar);
    let sentences = built.sentences.len() as u64;
    let entities = built.entities as u64;
    let Window { low, high } = similar.window;
    let mentions = built.entities_of.iter().flatten();
    let with_candidate = mentions.filter(|e| !similar.nearest[**e as usize].is_empty());
    let mut stats = GraphStats {
        sentences,
        entities,
        edges: built.edges,
        encoder: built.encoder.to_owned(),
        sentence_threshold: related.threshold,
        entity_low: low,
        entity_high: high,
        anchors_sentence: related.of.iter().filter(|c| !c.is_empty()).count() as u64,
        anchors_token: with_candidate.count() as u64,
        isolated: built.isolated,
        parts: vec![GraphPart {
            encoder: built.encoder.to_owned(),
            dim: built.dim as u64,
            sentences,
            entities,
            edges: built.edges,
            thresholds: Thresholds {
                entity_low: low,
                entity_high: high,
                sentence: related.threshold,
            },
            thresholds_kept: built.thresholds_kept,
            entity_recall: similar.recall,
            sentence_recall: related.recall,
            ..GraphPart::default()
        }],
        ..GraphStats::default()
    };
    for class in built.classes {
        *stats.classes.entry(*class).or_default() += 1;
    }
    for sentence in built.sentences {
        *stats.types.entry(sentence.type_origin).or_default() += 1;
    }
    stats
}

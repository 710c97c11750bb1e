//! Building the sentence graph, and loading it again.

use crate::embed::{Partition, no_graph};
use crate::watcher::tell;
use crate::{Engine, Result, Watcher};
use lexforge_domain::api::Stage;
use lexforge_domain::graph::{EdgeCounts, GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use lexforge_domain::term::Mention;
use lexforge_domain::{SentenceId, TermId};
use lexforge_graph::SentenceGraph;
use lexforge_store::SentenceCandidate;
use std::collections::HashMap;

/// Where the vectors come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoder {
    /// MiniLM for English, counted vectors otherwise.
    #[default]
    Auto,
    /// MiniLM for everything.
    MiniLm,
    /// Counted vectors (character-n-gram LSA) for everything; needs no model.
    Lsa,
}

/// How to build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphRequest {
    /// Encoder.
    pub encoder: Encoder,
    /// Thresholds.
    pub settings: GraphSettings,
}

impl Engine {
    /// Embed sentences and terms, join them, and keep the graph. Replaces the vectors of an earlier build; its record
    /// stays.
    ///
    /// # Errors
    /// When there are no terms yet, the worker or model is missing, or the caller cancels.
    pub fn build_graph(&self, request: &GraphRequest, watcher: &dyn Watcher) -> Result<GraphStats> {
        let partitions = self.embed_corpus(request.encoder, watcher)?;
        let mut similar: Vec<SimilarEntities> = Vec::new();
        let mut edges: Vec<SentenceEdge> = Vec::new();
        let mut candidates: Vec<SentenceCandidate> = Vec::new();
        let mut all: Vec<GraphStats> = Vec::new();
        for (i, partition) in partitions.iter().enumerate() {
            tell(watcher, Stage::Graph, &partition.encoder, i as u64, partitions.len() as u64);
            let graph = join(partition, &request.settings);
            similar.extend_from_slice(graph.similar_entities());
            edges.extend_from_slice(graph.sentence_edges());
            for node in &partition.sentences {
                let of_node = graph.sentence_candidates(node.id).into_iter();
                candidates.extend(of_node.map(|(candidate, cosine)| SentenceCandidate {
                    anchor: node.id,
                    candidate,
                    cosine,
                }));
            }
            all.push(graph.stats().clone());
        }
        let stats = summed(&all);
        let corpus = self.store.read(|r| r.corpus_hash())?;
        self.store.write(&self.actor, |w| {
            w.insert_graph(&request.settings, &stats, &corpus, &similar, &edges, &candidates)
        })?;
        tell(watcher, Stage::Graph, "", partitions.len() as u64, partitions.len() as u64);
        Ok(stats)
    }

    /// The newest graph's record.
    ///
    /// # Errors
    /// When none was built.
    pub fn graph_stats(&self) -> Result<GraphStats> {
        self.store.read(|r| r.latest_graph())?.map(|g| g.stats).ok_or_else(no_graph)
    }

    /// The newest graph's parameters.
    pub(crate) fn graph_settings(&self) -> Result<GraphSettings> {
        self.store.read(|r| r.latest_graph())?.map(|g| g.settings).ok_or_else(no_graph)
    }

    /// The newest graph in memory, one for each encoder: joined anew from the kept vectors, which is exact and takes
    /// seconds.
    pub(crate) fn load_graphs(&self) -> Result<Vec<(Partition, SentenceGraph)>> {
        let settings = self.graph_settings()?;
        let partitions = self.stored_partitions()?;
        Ok(partitions
            .into_iter()
            .map(|partition| {
                let graph = join(&partition, &settings);
                (partition, graph)
            })
            .collect())
    }
}

/// The graph of a partition.
pub(crate) fn join(p: &Partition, settings: &GraphSettings) -> SentenceGraph {
    lexforge_graph::build(&p.sentences, &p.sentence_vectors, &p.entities, &p.entity_vectors, settings, &p.encoder)
}

/// The record of a graph that has several parts.
fn summed(parts: &[GraphStats]) -> GraphStats {
    let sum = |f: fn(&GraphStats) -> u64| parts.iter().map(f).sum::<u64>();
    let thresholds: Vec<f32> = parts.iter().map(|p| p.sentence_threshold).collect();
    GraphStats {
        sentences: sum(|p| p.sentences),
        entities: sum(|p| p.entities),
        edges: EdgeCounts {
            shared_entity: sum(|p| p.edges.shared_entity),
            same_type: sum(|p| p.edges.same_type),
            similar_entity: sum(|p| p.edges.similar_entity),
            lexical: sum(|p| p.edges.lexical),
            reference: sum(|p| p.edges.reference),
        },
        encoder: parts.iter().map(|p| p.encoder.as_str()).collect::<Vec<_>>().join(" + "),
        sentence_threshold: thresholds.iter().copied().fold(f32::INFINITY, f32::min),
        entity_low: parts.iter().map(|p| p.entity_low).fold(f32::INFINITY, f32::min),
        entity_high: parts.iter().map(|p| p.entity_high).fold(0.0, f32::max),
        anchors_sentence: sum(|p| p.anchors_sentence),
        anchors_token: sum(|p| p.anchors_token),
        isolated: sum(|p| p.isolated),
        seconds: parts.iter().map(|p| p.seconds).sum(),
        peak_memory_mb: parts.iter().map(|p| p.peak_memory_mb).fold(0.0, f64::max),
        ..GraphStats::default()
    }
}

/// The different terms of each sentence, in order of their first mention; `standing` says which term stands for another.
pub(crate) fn terms_by_sentence(
    mentions: &[Mention],
    standing: impl Fn(TermId) -> Option<TermId>,
) -> HashMap<SentenceId, Vec<TermId>> {
    let mut of: HashMap<SentenceId, Vec<TermId>> = HashMap::new();
    for mention in mentions {
        let Some(term) = standing(mention.term) else { continue };
        let terms = of.entry(mention.sentence).or_default();
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_counts_once_a_sentence() {
        let m = |term, sentence| Mention { term: TermId(term), sentence: SentenceId(sentence), start: 0, end: 1 };
        let standing = |t: TermId| match t.0 {
            3 => None,
            4 => Some(TermId(1)),
            _ => Some(t),
        };
        let of = terms_by_sentence(&[m(1, 7), m(2, 7), m(4, 7), m(3, 8)], standing);
        assert_eq!(of.get(&SentenceId(7)), Some(&vec![TermId(1), TermId(2)]));
        assert_eq!(of.get(&SentenceId(8)), None);
    }
}

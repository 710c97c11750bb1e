//! The newest builds, from which a further one goes on.

use super::super::partitions::Partition;
use crate::workspace::{Watcher, tell};
use lexforge_domain::TermId;
use lexforge_domain::api::Stage;
use lexforge_domain::graph::{GraphSettings, SentenceEdge, SimilarEntities};
use lexforge_graph::kept::Kept;
use lexforge_graph::tfidf::TfIdf;
use lexforge_graph::{Earlier, Left, SentenceGraph};
use lexforge_store::GraphBuild;
use std::collections::HashMap;

/// The graphs of all partitions.
pub(super) fn joined(
    partitions: &[Partition],
    watcher: &dyn Watcher,
    join: impl Fn(&Partition) -> SentenceGraph,
) -> Vec<SentenceGraph> {
    let of = partitions.len() as u64;
    let graphs = partitions.iter().enumerate().map(|(i, partition)| {
        tell(watcher, Stage::Graph, &partition.encoder, i as u64, of);
        join(partition)
    });
    let graphs = graphs.collect();
    tell(watcher, Stage::Graph, "", of, of);
    graphs
}

/// The graph of a partition.
pub(crate) fn join(p: &Partition, settings: &GraphSettings) -> SentenceGraph {
    let earlier = Earlier {
        texts: p.lexical_texts(settings, &[]),
        ..Earlier::default()
    };
    lexforge_graph::build_after(
        &p.sentences,
        &p.sentence_vectors,
        &p.entities,
        &p.entity_vectors,
        settings,
        &p.encoder,
        earlier,
    )
}

/// The newest build, with all its data that another build can continue from.
pub(super) struct Newest<'a> {
    pub(super) build: &'a GraphBuild,
    pub(super) covered: HashMap<String, Kept>,
    pub(super) words: HashMap<String, TfIdf>,
    pub(super) similar: Vec<SimilarEntities>,
    pub(super) edges: Vec<SentenceEdge>,
    /// Whether all its pairs of similar entities were stored.
    pub(super) all: bool,
}

impl Newest<'_> {
    /// The graph of a partition on what the build left, with its bounds.
    pub(super) fn and_new(&self, p: &Partition) -> SentenceGraph {
        let part = self
            .build
            .stats
            .parts
            .iter()
            .find(|part| part.encoder == p.encoder);
        let left = part
            .zip(self.covered.get(&p.encoder))
            .filter(|_| self.all)
            .map(|(part, kept)| Left {
                kept,
                similar: &self.similar,
                edges: &self.edges,
                counts: part.edges,
            });
        let earlier = Earlier {
            thresholds: part.map(|part| part.thresholds),
            words: self.words.get(&p.encoder),
            left,
            texts: p.lexical_texts(&self.build.settings, &self.edges),
        };
        lexforge_graph::build_after(
            &p.sentences,
            &p.sentence_vectors,
            &p.entities,
            &p.entity_vectors,
            &self.build.settings,
            &p.encoder,
            earlier,
        )
    }
}

/// Removes the terms that occur in the graphs of several encoders. A stored pair does not say which graph it comes
/// from, so pairs with these terms have to be compared again.
pub(super) fn without_shared_terms(covered: &mut HashMap<String, Kept>) {
    let mut graphs: HashMap<TermId, u32> = HashMap::new();
    covered
        .values()
        .flat_map(|kept| &kept.terms)
        .for_each(|(id, _)| *graphs.entry(*id).or_default() += 1);
    covered
        .values_mut()
        .for_each(|kept| kept.terms.retain(|(id, _)| graphs.get(id) == Some(&1)));
}

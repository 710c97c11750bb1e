//! Building the sentence graph, adding to it, and loading it again.

mod newest;

pub(crate) use newest::join;

use super::Graph;
use super::changed::CANDIDATES_CHANGED;
use super::partitions::Partition;
use super::vectors::Encoder;
use crate::models::{basis_name, no_graph};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{BuildKind, GraphBuildRow};
use lexforge_domain::graph::{GraphSettings, GraphStats, SentenceEdge, SimilarEntities};
use lexforge_domain::{DocumentId, TermId};
use lexforge_graph::SentenceGraph;
use lexforge_graph::kept::Kept;
use lexforge_graph::tfidf::TfIdf;
use lexforge_store::{BuildRecord, GraphBuild, NewGraph, SentenceCandidate};
use newest::{Newest, joined, without_shared_terms};
use std::collections::{BTreeSet, HashMap};

/// How to build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphRequest {
    pub encoder: Encoder,
    /// Thresholds.
    pub settings: GraphSettings,
}

impl Graph<'_> {
    /// Makes vectors of sentences and terms, links those that are alike, and stores the graph. The vectors of an
    /// earlier build are replaced; the record of that build stays.
    ///
    /// # Errors
    /// When there are no terms yet, the worker or model is missing, or the caller cancels.
    pub fn build_graph(&self, request: &GraphRequest, watcher: &dyn Watcher) -> Result<GraphStats> {
        if let Encoder::ByLanguage(named) = &request.encoder {
            self.are_there(named.iter().map(|(language, _)| *language))?;
        }
        self.built(request, watcher)
    }

    fn built(&self, request: &GraphRequest, watcher: &dyn Watcher) -> Result<GraphStats> {
        request.settings.check()?;
        // A tokenizer that cannot be used is told before anything is replaced.
        self.pieces(&request.settings, &["."], watcher)?;
        let mut partitions = self.embed_corpus(&request.encoder, watcher)?;
        self.with_pieces(&mut partitions, &request.settings, watcher)?;
        let graphs = joined(&partitions, watcher, |p| join(p, &request.settings));
        self.keep_graph(&partitions, &graphs, &request.settings, None)
    }

    /// Builds the graph again. Without `settings`, the settings of the newest build are used. Without `encoder`, the
    /// encoder that made the present vectors is used, so that a chosen model stays.
    ///
    /// # Errors
    /// As [`Graph::build_graph`].
    pub fn rebuild_graph(
        &self,
        settings: Option<GraphSettings>,
        encoder: Option<Encoder>,
        watcher: &dyn Watcher,
    ) -> Result<GraphStats> {
        let newest = self.workspace.store.read(|r| r.latest_graph())?;
        let settings = settings
            .or(newest.map(|build| build.settings))
            .unwrap_or_default();
        match encoder {
            Some(encoder) => self.build_graph(&GraphRequest { encoder, settings }, watcher),
            None => {
                let encoder = self.encoder_in_use()?;
                self.built(&GraphRequest { encoder, settings }, watcher)
            }
        }
    }

    /// Adds new and changed sentences to the newest graph. Only these get vectors and are compared, with the bounds of
    /// the present graph. The edges are the same as those of a complete build with these bounds. The whole graph is
    /// built again if the newest graph does not record enough (because an earlier version made it) or if a language is
    /// new.
    ///
    /// # Errors
    /// As [`Graph::build_graph`]; when there is no graph.
    pub fn update_graph(&self, watcher: &dyn Watcher) -> Result<GraphBuildRow> {
        let parent = self
            .workspace
            .store
            .read(|r| r.latest_graph())?
            .ok_or_else(no_graph)?;
        match self.updated(&parent, watcher)? {
            Some(()) => {}
            None => {
                let request = GraphRequest {
                    encoder: self.encoder_in_use()?,
                    settings: parent.settings.clone(),
                };
                self.built(&request, watcher)?;
            }
        }
        self.graph_builds()?.into_iter().next().ok_or_else(no_graph)
    }

    /// Adds to the newest build; `None` where it cannot be added to.
    fn updated(&self, parent: &GraphBuild, watcher: &dyn Watcher) -> Result<Option<()>> {
        if parent.record.is_none() || parent.stats.parts.is_empty() {
            return Ok(None);
        }
        let mut covered: HashMap<String, Kept> = HashMap::new();
        for part in &parent.stats.parts {
            let Some(kept) = self.kept_of(&part.encoder)? else {
                return Ok(None);
            };
            covered.insert(part.encoder.clone(), kept);
        }
        let Some(mut partitions) = self.embed_what_is_new(&covered, watcher)? else {
            return Ok(None);
        };
        self.with_pieces(&mut partitions, &parent.settings, watcher)?;
        let newest = self.newest(parent, covered)?;
        let graphs = joined(&partitions, watcher, |p| newest.and_new(p));
        self.keep_graph(&partitions, &graphs, &parent.settings, Some(parent))
            .map(|_| Some(()))
    }

    /// Records graphs as one build.
    fn keep_graph(
        &self,
        partitions: &[Partition],
        graphs: &[SentenceGraph],
        settings: &GraphSettings,
        parent: Option<&GraphBuild>,
    ) -> Result<GraphStats> {
        let mut similar: Vec<SimilarEntities> = Vec::new();
        let mut edges: Vec<SentenceEdge> = Vec::new();
        let mut candidates: Vec<SentenceCandidate> = Vec::new();
        let mut kept: Vec<(String, Vec<u8>)> = Vec::new();
        let mut all: Vec<GraphStats> = Vec::new();
        let kind = if parent.is_some() {
            BuildKind::Update
        } else {
            BuildKind::Whole
        };
        let mut record = BuildRecord {
            kind,
            ..BuildRecord::default()
        };
        let mut documents: BTreeSet<DocumentId> = BTreeSet::new();
        let mut terms: BTreeSet<TermId> = BTreeSet::new();
        for (partition, graph) in partitions.iter().zip(graphs) {
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
            let name = &partition.encoder;
            kept.push((sentences_name(name), graph.kept().sentence_bytes()));
            kept.push((terms_name(name), graph.kept().term_bytes()));
            kept.push((words_name(name), graph.words().to_bytes()));
            kept.extend(
                partition
                    .basis
                    .clone()
                    .map(|basis| (basis_name(name), basis)),
            );
            documents.extend(partition.sentences.iter().map(|s| s.document));
            terms.extend(partition.entities.iter().map(|e| e.id));
            let (sentences, entities) = graph.compared();
            record.joined_sentences += sentences;
            record.joined_terms += entities;
            let mut stats = graph.stats().clone();
            for part in &mut stats.parts {
                part.languages.clone_from(&partition.languages);
                part.vectors.clone_from(&partition.identity);
                part.basis_kept = parent.is_some() && partition.basis.is_some();
            }
            all.push(stats);
        }
        record.documents = documents.into_iter().collect();
        record.terms = terms.len() as u64;
        let mut stats = summed(all);
        stats
            .lexical_tokenizer
            .clone_from(&settings.lexical_tokenizer);
        let corpus = self.workspace.store.read(|r| r.corpus_hash())?;
        let changed = self.newly_changed(&candidates, &similar)?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.insert_graph(&NewGraph {
                settings,
                stats: &stats,
                corpus_hash: &corpus,
                parent: parent.map(|p| p.id),
                record: &record,
                similar: &similar,
                edges: &edges,
                candidates: &candidates,
                kept: &kept,
            })?;
            match &changed {
                Some(questions) => w.set_setting(CANDIDATES_CHANGED, questions),
                None => Ok(()),
            }
        })?;
        Ok(stats)
    }

    /// All builds of the graph, newest first.
    pub fn graph_builds(&self) -> Result<Vec<GraphBuildRow>> {
        Ok(self
            .workspace
            .store
            .read(|r| r.graph_builds())?
            .into_iter()
            .map(row)
            .collect())
    }

    /// The newest graph's parameters.
    pub(crate) fn graph_settings(&self) -> Result<GraphSettings> {
        self.workspace
            .store
            .read(|r| r.latest_graph())?
            .map(|g| g.settings)
            .ok_or_else(no_graph)
    }

    /// Loads the newest graph: one graph for each encoder. Stored edges are not computed again. Decisions about terms
    /// made since the build are applied.
    pub(crate) fn load_graphs(&self) -> Result<Vec<(Partition, SentenceGraph)>> {
        let build = self
            .workspace
            .store
            .read(|r| r.latest_graph())?
            .ok_or_else(no_graph)?;
        let partitions = self.stored_partitions()?;
        let mut covered: HashMap<String, Kept> = HashMap::new();
        for partition in &partitions {
            covered.extend(
                self.kept_of(&partition.encoder)?
                    .map(|kept| (partition.encoder.clone(), kept)),
            );
        }
        let newest = self.newest(&build, covered)?;
        Ok(partitions
            .into_iter()
            .map(|p| {
                let graph = newest.and_new(&p);
                (p, graph)
            })
            .collect())
    }

    /// The data that the newest build stored for an encoder; `None` if there is nothing that can be read.
    fn kept_of(&self, encoder: &str) -> Result<Option<Kept>> {
        let (sentences, terms) = self.workspace.store.read(|r| {
            Ok((
                r.graph_kept(&sentences_name(encoder))?,
                r.graph_kept(&terms_name(encoder))?,
            ))
        })?;
        Ok(sentences
            .zip(terms)
            .and_then(|(sentences, terms)| Kept::from_bytes(&sentences, &terms)))
    }

    /// The newest build, with all its data that another build can continue from.
    fn newest<'a>(
        &self,
        build: &'a GraphBuild,
        mut covered: HashMap<String, Kept>,
    ) -> Result<Newest<'a>> {
        without_shared_terms(&mut covered);
        let mut words = HashMap::new();
        for encoder in covered.keys() {
            let bytes = self
                .workspace
                .store
                .read(|r| r.graph_kept(&words_name(encoder)))?;
            words.extend(
                bytes
                    .as_deref()
                    .and_then(TfIdf::from_bytes)
                    .map(|w| (encoder.clone(), w)),
            );
        }
        // Beyond this many, not all pairs were stored.
        let all = build.stats.edges.similar_entity <= lexforge_graph::MOST_PAIRS as u64;
        let store = &self.workspace.store;
        let similar = match all {
            true => store.read(|r| r.similar_entities())?,
            false => Vec::new(),
        };
        // Edges by sub-words stand as they are stored, whatever was not.
        let edges = match all || build.settings.lexical_tokenizer.is_some() {
            true => store.read(|r| r.sentence_edges())?,
            false => Vec::new(),
        };
        Ok(Newest {
            build,
            covered,
            words,
            similar,
            edges,
            all,
        })
    }
}

/// The name under which a build leaves its sentences.
fn sentences_name(encoder: &str) -> String {
    format!("sentences {encoder}")
}

/// The name under which a build leaves the weights of its words.
pub(super) fn words_name(encoder: &str) -> String {
    format!("words {encoder}")
}

/// The name under which a build leaves its terms.
pub(super) fn terms_name(encoder: &str) -> String {
    format!("terms {encoder}")
}

/// A build as the faces see it.
fn row(build: GraphBuild) -> GraphBuildRow {
    let known = build.record.is_some();
    let record = build.record.unwrap_or_default();
    GraphBuildRow {
        id: build.id,
        created: build.created,
        kind: record.kind,
        parent: build.parent,
        corpus_hash: build.corpus_hash,
        settings: build.settings,
        documents: known.then_some(record.documents),
        terms: if known {
            record.terms
        } else {
            build.stats.entities
        },
        joined_sentences: if known {
            record.joined_sentences
        } else {
            build.stats.sentences
        },
        joined_terms: if known {
            record.joined_terms
        } else {
            build.stats.entities
        },
        stats: build.stats,
    }
}

/// The record of a graph that has several parts.
fn summed(parts: Vec<GraphStats>) -> GraphStats {
    let sum = |f: fn(&GraphStats) -> u64| parts.iter().map(f).sum::<u64>();
    let mut all = GraphStats {
        sentences: sum(|p| p.sentences),
        entities: sum(|p| p.entities),
        edges: parts.iter().map(|p| p.edges).sum(),
        encoder: parts
            .iter()
            .map(|p| p.encoder.as_str())
            .collect::<Vec<_>>()
            .join(" + "),
        sentence_threshold: parts
            .iter()
            .map(|p| p.sentence_threshold)
            .fold(f32::INFINITY, f32::min),
        entity_low: parts
            .iter()
            .map(|p| p.entity_low)
            .fold(f32::INFINITY, f32::min),
        entity_high: parts.iter().map(|p| p.entity_high).fold(0.0, f32::max),
        anchors_sentence: sum(|p| p.anchors_sentence),
        anchors_token: sum(|p| p.anchors_token),
        isolated: sum(|p| p.isolated),
        seconds: parts.iter().map(|p| p.seconds).sum(),
        peak_memory_mb: parts.iter().map(|p| p.peak_memory_mb).fold(0.0, f64::max),
        ..GraphStats::default()
    };
    for part in parts {
        part.classes
            .into_iter()
            .for_each(|(class, n)| *all.classes.entry(class).or_default() += n);
        part.types
            .into_iter()
            .for_each(|(origin, n)| *all.types.entry(origin).or_default() += n);
        all.parts.extend(part.parts);
    }
    all
}

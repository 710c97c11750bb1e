//! How many links the sentences and terms of the newest graph have.

use super::Graph;
use crate::models::no_graph;
use crate::workspace::Result;
use lexforge_domain::api::{GraphCensus, GraphReport, HubEntity, IsolatedSentence};
use lexforge_domain::{SentenceId, TermId};
use lexforge_graph::census::{self, Census, distribution};
use lexforge_graph::node_classes;
use std::collections::{HashMap, HashSet};

/// Most hubs and isolated sentences that are listed.
const LISTED: usize = 100;
/// Types that are listed.
const TYPES_LISTED: usize = 20;

impl Graph<'_> {
    /// Degrees, hubs, isolated sentences, classes and types of the newest graph.
    ///
    /// # Errors
    /// When no graph was built.
    pub fn graph_census(&self) -> Result<GraphCensus> {
        let settings = self.graph_settings()?;
        let (similar, edges, stored) = self.workspace.store.read(|r| {
            Ok((
                r.similar_entities()?,
                r.sentence_edges()?,
                r.sentence_candidates()?,
            ))
        })?;
        let mut candidates: HashMap<SentenceId, u64> = HashMap::new();
        stored
            .iter()
            .for_each(|c| *candidates.entry(c.anchor).or_default() += 1);
        let mut all = GraphCensus::default();
        let mut degrees = Census::default();
        let mut of_candidates: Vec<u64> = Vec::new();
        let mut isolated: Vec<SentenceId> = Vec::new();
        let mut types: HashMap<String, u64> = HashMap::new();
        for p in self.stored_partitions()? {
            let found = census::census(&p.sentences, &p.entities, &similar, &edges);
            all.hubs.extend(found.hubs.iter().map(|&e| HubEntity {
                term: p.entities[e].id,
                text: p.entities[e].text.clone(),
                sentences: found.mentions[e],
                share: found.mentions[e] as f64 / p.sentences.len().max(1) as f64,
                similar: found.similar[e],
            }));
            isolated.extend(found.isolated.iter().map(|&row| p.sentences[row].id));
            degrees.sentences.extend(found.sentences);
            degrees.mentions.extend(found.mentions);
            degrees.similar.extend(found.similar);
            let classes = node_classes(&p.sentences, &p.entities, settings.anchor_share);
            for (sentence, class) in p.sentences.iter().zip(classes) {
                of_candidates.push(candidates.get(&sentence.id).copied().unwrap_or_default());
                *all.classes.entry(class).or_default() += 1;
                *all.types.entry(sentence.type_origin).or_default() += 1;
                *types.entry(sentence.group.clone()).or_default() += 1;
            }
        }
        all.sentence_degrees = distribution(&degrees.sentences);
        all.entity_mentions = distribution(&degrees.mentions);
        all.entity_similar = distribution(&degrees.similar);
        all.candidates = distribution(&of_candidates);
        all.hubs
            .sort_by_key(|h| (std::cmp::Reverse(h.sentences), h.term));
        all.hub_count = all.hubs.len() as u64;
        all.hubs.truncate(LISTED);
        all.isolated_count = isolated.len() as u64;
        isolated.truncate(LISTED);
        let listed: HashSet<SentenceId> = isolated.iter().copied().collect();
        all.isolated = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&isolated))?
            .into_iter()
            .filter(|s| listed.contains(&s.id))
            .map(|s| IsolatedSentence {
                sentence: s.id,
                document: s.document,
                page: s.page,
                text: s.text,
            })
            .collect();
        all.largest_types = types.into_iter().collect();
        all.largest_types
            .sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all.largest_types.truncate(TYPES_LISTED);
        Ok(all)
    }

    /// The newest graph's figures, its age, and how many links its sentences and terms have.
    ///
    /// # Errors
    /// When no graph was built.
    pub fn graph_report(&self) -> Result<GraphReport> {
        let build = self
            .workspace
            .store
            .read(|r| r.latest_graph())?
            .ok_or_else(no_graph)?;
        Ok(GraphReport {
            exact: build.stats.exact(),
            stats: build.stats,
            build: build.id,
            state: self.graph_state()?,
            census: self.graph_census()?,
        })
    }

    /// A term of the graph by its id, or by its text as written or folded.
    pub(crate) fn entity_named(&self, named: &str) -> Result<Option<(TermId, String)>> {
        let terms = self
            .workspace
            .store
            .read(|r| r.terms(&lexforge_domain::api::TermFilter::default()))?
            .rows;
        let folded = named.to_lowercase();
        let by_id = named.parse().ok().map(TermId);
        let exactly = terms
            .iter()
            .find(|t| Some(t.id) == by_id || t.text == named);
        let found = exactly.or_else(|| terms.iter().find(|t| t.text.to_lowercase() == folded));
        Ok(found.map(|t| (t.id, t.text.clone())))
    }
}

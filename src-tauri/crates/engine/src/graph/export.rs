//! A neighbourhood of the newest graph in words, and the whole graph for other programs.

use super::Graph;
use crate::models::no_graph;
use crate::workspace::Result;
use lexforge_domain::api::{ExportedEdge, ExportedNode, GraphShown, ShownNeighbour};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::{Code, Failure, Remedy, SentenceId, TermId};
use lexforge_graph::node_classes;
use lexforge_text::likeness::nearest;
use std::collections::HashMap;

/// The centre of a neighbourhood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownCentre {
    /// A term by its id or text.
    Term(String),
    Sentence(SentenceId),
}

impl Graph<'_> {
    /// The neighbours of a term or a sentence in the newest graph: at most `limit` neighbours of each kind, strongest
    /// first.
    ///
    /// # Errors
    /// When no graph was built, or there is no such term or sentence.
    pub fn graph_show(&self, centre: &ShownCentre, limit: usize) -> Result<GraphShown> {
        self.workspace
            .store
            .read(|r| r.latest_graph())?
            .ok_or_else(no_graph)?;
        match centre {
            ShownCentre::Term(named) => self.around_term(named, limit),
            ShownCentre::Sentence(id) => self.around_sentence(*id, limit),
        }
    }

    fn around_term(&self, named: &str, limit: usize) -> Result<GraphShown> {
        let Some((id, text)) = self.entity_named(named)? else {
            let terms = self
                .workspace
                .store
                .read(|r| r.terms(&Default::default()))?;
            let message = match nearest(named, terms.rows.iter().map(|t| t.text.as_str())) {
                Some(meant) => format!("There is no term “{named}”. Perhaps “{meant}” is meant."),
                None => format!("There is no term “{named}”."),
            };
            return Err(Failure::new(Code::NotFound, message, Remedy::ListTerms));
        };
        let (similar, mentions, terms) = self.workspace.store.read(|r| {
            Ok((
                r.similar_to(id)?,
                r.mentions()?,
                r.terms(&Default::default())?.rows,
            ))
        })?;
        let names: HashMap<TermId, String> = terms.into_iter().map(|t| (t.id, t.text)).collect();
        let mut shown = GraphShown {
            centre: text,
            ..GraphShown::default()
        };
        shown
            .counts
            .insert(EdgeKind::SimilarEntity, similar.len() as u64);
        shown.neighbours.extend(
            similar
                .iter()
                .take(limit)
                .map(|(other, cosine)| ShownNeighbour {
                    kind: EdgeKind::SimilarEntity,
                    term: Some(*other),
                    text: names.get(other).cloned().unwrap_or_default(),
                    weight: *cosine,
                    ..ShownNeighbour::default()
                }),
        );
        let mut sentences: Vec<SentenceId> = mentions
            .iter()
            .filter(|m| m.term == id)
            .map(|m| m.sentence)
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        shown
            .counts
            .insert(EdgeKind::SharedEntity, sentences.len() as u64);
        sentences.truncate(limit);
        let near: Vec<(SentenceId, f32)> = sentences.into_iter().map(|s| (s, 1.0)).collect();
        self.add_sentences(&mut shown, EdgeKind::SharedEntity, &near)?;
        Ok(shown)
    }

    fn around_sentence(&self, id: SentenceId, limit: usize) -> Result<GraphShown> {
        let (sentence, edges, candidates, mentions, terms) = self.workspace.store.read(|r| {
            let terms = r.terms(&Default::default())?.rows;
            Ok((
                r.sentence(id)?,
                r.sentence_edges()?,
                r.sentence_candidates()?,
                r.mentions()?,
                terms,
            ))
        })?;
        let names: HashMap<TermId, String> = terms.into_iter().map(|t| (t.id, t.text)).collect();
        let mut shown = GraphShown {
            centre: sentence.text,
            ..GraphShown::default()
        };
        let mut own: Vec<TermId> = mentions
            .iter()
            .filter(|m| m.sentence == id)
            .map(|m| m.term)
            .collect();
        own.sort_unstable();
        own.dedup();
        shown.terms = own.iter().filter_map(|t| names.get(t).cloned()).collect();
        shown.candidates = candidates.iter().filter(|c| c.anchor == id).count() as u64;
        let chosen: Vec<(SentenceId, f32)> = candidates
            .iter()
            .filter(|c| c.anchor == id)
            .take(limit)
            .map(|c| (c.candidate, c.cosine))
            .collect();
        self.add_sentences(&mut shown, EdgeKind::SameType, &chosen)?;
        shown.neighbours.iter_mut().for_each(|n| n.candidate = true);
        for &kind in EdgeKind::ALL.iter().filter(|kind| kind.about().stored) {
            let mut near: Vec<(SentenceId, f32)> = edges
                .iter()
                .filter(|e| e.kind == kind && (e.a == id || e.b == id))
                .map(|e| (if e.a == id { e.b } else { e.a }, e.weight))
                .collect();
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            shown.counts.insert(kind, near.len() as u64);
            near.truncate(limit);
            self.add_sentences(&mut shown, kind, &near)?;
        }
        Ok(shown)
    }

    fn add_sentences(
        &self,
        shown: &mut GraphShown,
        kind: EdgeKind,
        near: &[(SentenceId, f32)],
    ) -> Result<()> {
        let ids: Vec<SentenceId> = near.iter().map(|n| n.0).collect();
        let found: HashMap<SentenceId, _> = self
            .workspace
            .store
            .read(|r| r.sentences_by_ids(&ids))?
            .into_iter()
            .map(|s| (s.id, s))
            .collect();
        for (id, weight) in near {
            let Some(sentence) = found.get(id) else {
                continue;
            };
            shown.neighbours.push(ShownNeighbour {
                kind,
                sentence: Some(*id),
                document: Some(sentence.document),
                page: Some(sentence.page),
                text: sentence.text.clone(),
                weight: *weight,
                ..ShownNeighbour::default()
            });
        }
        Ok(())
    }

    /// The newest graph in a form for other programs: its nodes, then its edges. Sentences that share an entity are not
    /// linked directly. Each mention is an edge between a sentence and an entity.
    ///
    /// # Errors
    /// When no graph was built.
    pub fn graph_export(&self) -> Result<(Vec<ExportedNode>, Vec<ExportedEdge>)> {
        let settings = self.graph_settings()?;
        let (similar, stored) = self
            .workspace
            .store
            .read(|r| Ok((r.similar_entities()?, r.sentence_edges()?)))?;
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for p in self.stored_partitions()? {
            let ids: Vec<SentenceId> = p.sentences.iter().map(|s| s.id).collect();
            let pages: HashMap<SentenceId, u32> = self
                .workspace
                .store
                .read(|r| r.sentences_by_ids(&ids))?
                .into_iter()
                .map(|s| (s.id, s.page))
                .collect();
            let classes = node_classes(&p.sentences, &p.entities, settings.anchor_share);
            let mut mentions: HashMap<TermId, u64> = p.entities.iter().map(|e| (e.id, 0)).collect();
            for (s, class) in p.sentences.iter().zip(classes) {
                nodes.push(ExportedNode::Sentence {
                    id: s.id,
                    document: s.document,
                    page: pages.get(&s.id).copied().unwrap_or_default(),
                    section: s.section.clone(),
                    text: s.text.clone(),
                    class,
                });
                for term in &s.entities {
                    let Some(count) = mentions.get_mut(term) else {
                        continue;
                    };
                    *count += 1;
                    let (a, b) = (format!("s{}", s.id), format!("t{term}"));
                    edges.push(ExportedEdge {
                        a,
                        b,
                        kind: EdgeKind::SharedEntity,
                        weight: 1.0,
                    });
                }
            }
            nodes.extend(p.entities.iter().map(|e| ExportedNode::Entity {
                id: e.id,
                text: e.text.clone(),
                mentions: mentions.get(&e.id).copied().unwrap_or_default(),
            }));
        }
        edges.extend(similar.iter().map(|p| ExportedEdge {
            a: format!("t{}", p.a),
            b: format!("t{}", p.b),
            kind: EdgeKind::SimilarEntity,
            weight: p.cosine,
        }));
        edges.extend(stored.iter().map(|e| ExportedEdge {
            a: format!("s{}", e.a),
            b: format!("s{}", e.b),
            kind: e.kind,
            weight: e.weight,
        }));
        Ok((nodes, edges))
    }
}

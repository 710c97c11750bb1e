//! Every anchor sentence with its candidates, made when it is asked for.

use super::material::Material;
use super::rules::{TERMS_AN_ANCHOR, speaks_to_a_model, states_a_rule};
use crate::graph::{Partition, join};
use lexforge_augment::{Anchor, AnchorTerm, Neighbour};
use lexforge_domain::api::{Extent, Per};
use lexforge_domain::graph::GraphSettings;
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{SentenceId, TermId};
use lexforge_graph::split::SplitPlan;
use lexforge_graph::{SentenceGraph, SentenceNode};
use std::collections::HashMap;

/// Neighbours that a writer may choose from, unless it asks about each.
const NEIGHBOURS_AN_ANCHOR: usize = 8;
/// Sentences before and after an anchor that a writer may borrow from, and how far they are looked for.
const NEARBY_AN_ANCHOR: usize = 16;
const NEARBY_WITHIN: usize = 40;
/// Items of other lists that an item may be shown among, and how far they are looked for.
const ITEMS_AN_ANCHOR: usize = 24;
const ITEMS_WITHIN: usize = 200;
/// Similar terms of one term that a writer may choose from.
const SIMILAR_A_TERM: usize = 10;
/// Terms of the sentences near an anchor that a writer may choose from.
const LOCAL_TERMS: usize = 60;

/// The place of an anchor: its partition, and its index in it.
pub(crate) type Place = (usize, usize);

/// The anchors of a corpus, each made when it is asked for.
pub(crate) struct Anchors<'a> {
    views: Vec<(PartitionView<'a>, &'a [SentenceNode])>,
}

impl<'a> Anchors<'a> {
    pub(crate) fn new(
        graphs: &'a [(Partition, SentenceGraph)],
        settings: &GraphSettings,
        plan: &'a SplitPlan,
        material: &'a Material,
        extent: &Extent,
    ) -> Self {
        let view = |(partition, graph): &'a (Partition, SentenceGraph)| {
            (
                PartitionView::new(partition, graph, settings, plan, material, extent.per),
                partition.sentences.as_slice(),
            )
        };
        Self {
            views: graphs.iter().map(view).collect(),
        }
    }

    /// Sentences that are looked at.
    pub(crate) fn sentences(&self) -> u64 {
        self.views.iter().map(|(_, nodes)| nodes.len() as u64).sum()
    }

    /// For each sentence its place and, where it states a rule, its anchor with its part of the dataset.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Place, Option<(Anchor<'_>, Split)>)> {
        self.views
            .iter()
            .enumerate()
            .flat_map(move |(view, (_, nodes))| {
                (0..nodes.len()).map(move |node| ((view, node), self.at((view, node))))
            })
    }

    /// The anchor at a place.
    pub(crate) fn at(&self, (view, at): Place) -> Option<(Anchor<'_>, Split)> {
        let (view, nodes) = self.views.get(view)?;
        let node = nodes.get(at)?;
        let split = view.plan.of.get(&node.id).copied()?;
        (states_a_rule(node) && !speaks_to_a_model(node))
            .then(|| (view.anchor(nodes, at, split), split))
    }

    /// The place of a sentence's anchor.
    pub(crate) fn place_of(&self, sentence: SentenceId) -> Option<Place> {
        let at = |(view, (_, nodes)): (usize, &(PartitionView<'_>, &[SentenceNode]))| {
            nodes
                .iter()
                .position(|node| node.id == sentence)
                .map(|node| (view, node))
        };
        self.views.iter().enumerate().find_map(at)
    }

    /// Sentences that state a rule, and speak to a language model besides: nobody is asked about them.
    pub(crate) fn speaking_to_a_model(&self) -> u64 {
        let nodes = self.views.iter().flat_map(|(_, nodes)| nodes.iter());
        nodes
            .filter(|node| states_a_rule(node) && speaks_to_a_model(node))
            .count() as u64
    }

    /// The number of sentences that could be asked about but belong to no part of the dataset, because nearly the same
    /// sentence is in another part.
    pub(crate) fn set_aside(&self) -> u64 {
        let aside = |view: &PartitionView<'_>, node: &SentenceNode| {
            view.plan.set_aside.contains_key(&node.id)
        };
        let of = |(view, nodes): &(PartitionView<'_>, &[SentenceNode])| {
            nodes
                .iter()
                .filter(|n| aside(view, n) && states_a_rule(n) && !speaks_to_a_model(n))
                .count() as u64
        };
        self.views.iter().map(of).sum()
    }
}

/// A partition with its graphs and the split: everything an anchor borrows from.
struct PartitionView<'a> {
    /// The whole graph: terms are everybody's.
    graph: &'a SentenceGraph,
    /// A graph for each part of the dataset. Wrong choices are taken only from sentences of the same part. So the
    /// nearest neighbours within the part are needed, and these are rarely the nearest in the whole corpus.
    parts: HashMap<Split, SentenceGraph>,
    plan: &'a SplitPlan,
    material: &'a Material,
    texts: HashMap<SentenceId, &'a SentenceNode>,
    /// Most neighbours, and most terms with similar ones, of an anchor.
    most: (usize, usize),
}

impl<'a> PartitionView<'a> {
    fn new(
        partition: &'a Partition,
        graph: &'a SentenceGraph,
        settings: &GraphSettings,
        plan: &'a SplitPlan,
        material: &'a Material,
        per: Per,
    ) -> Self {
        let of_part = |split| {
            join(
                &partition.only(|id| plan.of.get(&id) == Some(&split)),
                settings,
            )
        };
        let parts = Split::ALL
            .into_iter()
            .map(|split| (split, of_part(split)))
            .collect();
        let texts = partition.sentences.iter().map(|s| (s.id, s)).collect();
        Self {
            graph,
            parts,
            plan,
            material,
            texts,
            most: match per {
                Per::Anchor => (NEIGHBOURS_AN_ANCHOR, TERMS_AN_ANCHOR),
                Per::Pair => (usize::MAX, usize::MAX),
            },
        }
    }

    /// Adds to the terms found by likeness (`similar`) those that reviewers marked as confusable with this term, and
    /// puts them first. They come first even if they are not very near, because they make the hardest wrong choices.
    fn confusable_first(&self, term: TermId, similar: Vec<(TermId, f32)>) -> Vec<(TermId, f32)> {
        let Some(settled) = self.material.joined.confusable.get(&term) else {
            return similar;
        };
        let near: HashMap<TermId, f32> = similar.iter().copied().collect();
        let mut ordered: Vec<(TermId, f32)> = settled
            .iter()
            .map(|id| (*id, near.get(id).copied().unwrap_or_default()))
            .collect();
        ordered.extend(similar.into_iter().filter(|(id, _)| !settled.contains(id)));
        ordered
    }

    /// Similar terms with their texts, the nearest of them.
    fn named(&self, similar: Vec<(TermId, f32)>) -> Vec<(TermId, &'a str, f32)> {
        similar
            .into_iter()
            .filter_map(|(id, cosine)| Some((id, self.material.shown(id)?, cosine)))
            .take(SIMILAR_A_TERM)
            .collect()
    }

    /// Sentences of the same document and part before and after the one at `at`, nearest first.
    fn nearby(&self, nodes: &'a [SentenceNode], at: usize, split: Split) -> Vec<Neighbour<'a>> {
        let Some(node) = nodes.get(at) else {
            return Vec::new();
        };
        let within =
            |most: usize| (1..=most).flat_map(|far| [at.checked_sub(far), at.checked_add(far)]);
        let borrowable = |other: &&SentenceNode| {
            other.document == node.document
                && self.plan.of.get(&other.id) == Some(&split)
                && self.plan.group_of.get(&other.id) != self.plan.group_of.get(&node.id)
                && states_a_rule(other)
        };
        let found = |most: usize| {
            within(most)
                .filter_map(|other| nodes.get(other?))
                .filter(borrowable)
        };
        let mut near: Vec<&SentenceNode> = found(NEARBY_WITHIN).take(NEARBY_AN_ANCHOR).collect();
        // The items of other lists could stand in the list of an item.
        if let Some(own) = self.material.lead_in(node.id) {
            let listed = |other: &&SentenceNode| {
                self.material
                    .lead_in(other.id)
                    .is_some_and(|lead| lead != own)
            };
            let items: Vec<&SentenceNode> = found(ITEMS_WITHIN)
                .filter(|o| listed(o) && !near.iter().any(|n| n.id == o.id))
                .take(ITEMS_AN_ANCHOR)
                .collect();
            near.extend(items);
        }
        near.into_iter()
            .map(|other| Neighbour {
                id: other.id,
                text: &other.text,
                lead_in: self.material.lead_in(other.id),
                cosine: 0.0,
            })
            .collect()
    }

    /// Terms that some sentences mention, each once.
    fn local_terms<'n>(&self, of: impl Iterator<Item = &'n Neighbour<'a>>) -> Vec<(TermId, &'a str)>
    where
        'a: 'n,
    {
        let mut found: Vec<(TermId, &'a str)> = Vec::new();
        for mention in of
            .filter_map(|n| self.material.mentions.get(&n.id))
            .flatten()
        {
            let Some((standing, _)) = self.material.standing(mention.term) else {
                continue;
            };
            let Some(shown) = self.material.shown(standing) else {
                continue;
            };
            if !found.iter().any(|f| f.0 == standing) {
                found.push((standing, shown));
            }
            if found.len() == LOCAL_TERMS {
                break;
            }
        }
        found
    }

    /// The nearest candidates of a sentence in its own part of the dataset that state a rule.
    fn neighbours(&self, node: &SentenceNode, split: Split) -> Vec<Neighbour<'a>> {
        self.parts
            .get(&split)
            .map(|part| part.sentence_candidates(node.id))
            .unwrap_or_default()
            .into_iter()
            .filter(|(id, _)| self.plan.group_of.get(id) != self.plan.group_of.get(&node.id))
            .filter_map(|(id, cosine)| {
                let other = self.texts.get(&id)?;
                (states_a_rule(other) && !speaks_to_a_model(other)).then(|| Neighbour {
                    id,
                    text: &other.text,
                    lead_in: self.material.lead_in(id),
                    cosine,
                })
            })
            .take(self.most.0)
            .collect()
    }

    /// The terms that a sentence mentions. If reviewers gave a term a wording that the sentence does not contain, the
    /// wording is used in which the term was found.
    fn terms(&self, node: &SentenceNode) -> Vec<AnchorTerm<'a>> {
        let mut terms: Vec<AnchorTerm<'a>> = Vec::new();
        for mention in self.material.mentions.get(&node.id).into_iter().flatten() {
            if let Some((standing, term)) = self.material.standing(mention.term) {
                let extracted = self
                    .material
                    .extracted
                    .get(&term.id)
                    .filter(|_| !node.text.contains(&term.text));
                terms.push(AnchorTerm {
                    id: standing,
                    text: extracted.unwrap_or(&term.text),
                    start: mention.start,
                    end: mention.end,
                    definition: term.definition.as_deref(),
                });
            }
        }
        terms
    }

    /// The similar terms of the terms that a sentence mentions. Only terms that a question may ask about count. The
    /// similar terms of these similar terms are also returned.
    fn similar_terms(
        &self,
        node: &SentenceNode,
        terms: &[AnchorTerm<'a>],
    ) -> HashMap<TermId, Vec<(TermId, &'a str, f32)>> {
        let mut asked: Vec<TermId> = Vec::new();
        let mut similar_terms = HashMap::new();
        for term in terms {
            if asked.len() >= self.most.1 || asked.contains(&term.id) {
                continue;
            }
            let similar = self.named(
                self.confusable_first(term.id, self.graph.token_candidates(node.id, term.id)),
            );
            if !similar.is_empty() {
                asked.push(term.id);
                // Choose wrong terms that are near each other, not only near the right one. Otherwise the right answer
                // would be the middle of the choices and could be guessed without the question.
                for (id, ..) in &similar {
                    similar_terms
                        .entry(*id)
                        .or_insert_with(|| self.named(self.graph.similar_to(*id)));
                }
                similar_terms.insert(term.id, similar);
            }
        }
        similar_terms
    }

    /// The anchor of the node at index `at`. The sentences for its wrong choices come only from the anchor's own part
    /// of the dataset, so that no training question uses a test sentence. Similar terms come from the whole corpus.
    fn anchor(&self, nodes: &'a [SentenceNode], at: usize, split: Split) -> Anchor<'a> {
        let node = &nodes[at];
        let neighbours = self.neighbours(node, split);
        let terms = self.terms(node);
        let similar_terms = self.similar_terms(node, &terms);
        let nearby = self.nearby(nodes, at, split);
        let local_terms = self.local_terms(nearby.iter().chain(&neighbours));
        let definition = terms
            .iter()
            .filter_map(|t| self.material.terms.get(&t.id))
            .filter(|t| t.definition_sentence == Some(node.id))
            .find_map(|t| Some((t.text.as_str(), t.definition.as_deref()?)));
        let told = self.material.elsewhere.get(&node.id);
        let elsewhere = told
            .into_iter()
            .flat_map(|told| &told.others)
            .filter(|(sentence, _)| self.plan.of.get(sentence) == Some(&split))
            .map(|(sentence, meaning)| (*sentence, meaning.as_str()))
            .collect();
        // The list of terms has one definition of each; another act's own stands here.
        let definition = definition.or_else(|| Some((told?.term.as_str(), told?.meaning.as_str())));
        Anchor {
            id: node.id,
            text: &node.text,
            language: self
                .material
                .languages
                .get(&node.document)
                .copied()
                .unwrap_or(Language::Other),
            kind: node.kind,
            section: self.material.paragraph(node.id).unwrap_or(&node.section),
            heading: self.material.headings(node.id).next().unwrap_or_default(),
            above: self.material.headings(node.id).skip(1).collect(),
            lead_in: self.material.lead_in(node.id),
            document_title: self
                .material
                .titles
                .get(&node.document)
                .map_or("", String::as_str),
            terms,
            definition,
            elsewhere,
            neighbours,
            nearby,
            similar_terms,
            local_terms,
            usage: self.material.usage.as_ref(),
        }
    }
}

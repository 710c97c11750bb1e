//! Writing questions: every anchor sentence meets its candidates and is handed to a writer.

mod corpus;
mod shares;

use crate::drafting::drafts;
use crate::embed::Partition;
use crate::graph::join;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use corpus::Corpus;
use lexforge_augment::{Anchor, AnchorTerm, Neighbour, OfflineWriter};
use lexforge_domain::api::AugmentReport;
use lexforge_domain::graph::GraphSettings;
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{SentenceId, TermId};
use lexforge_graph::split::SplitPlan;
use lexforge_graph::{SentenceGraph, SentenceNode, is_anchor};
use lexforge_ingest::{CONTENTS_SECTION, FOOTNOTES_SECTION, addressed};
use shares::{Half, Shares};
use std::collections::HashMap;

/// Terms of one anchor that are asked for: more would make one rule dominate the lesson.
const TERMS_AN_ANCHOR: usize = 4;
/// Neighbours that a writer may choose from.
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

impl Engine {
    /// Write questions with the offline generator. Replaces the questions that were there; snapshots are not touched.
    ///
    /// They are written twice: how many there are about a sentence shows only then, and the split goes by their number. The
    /// first split is balanced by what is expected; the second begins with it and is balanced by what was written under it, so
    /// that most sentences stay where their questions were counted.
    ///
    /// # Errors
    /// When the graph was not built yet, or the caller cancels.
    pub fn augment_offline(&self, watcher: &dyn Watcher) -> Result<AugmentReport> {
        let corpus = Corpus::load(self)?.with_usage(self)?;
        let (graphs, settings) = (self.load_graphs()?, self.graph_settings()?);
        let write = |plan: &SplitPlan, second: bool| {
            let anchors = Anchors::new(&graphs, &settings, plan, &corpus);
            drafts(&anchors, &mut OfflineWriter::new(DEFAULT_SEED), &Half { watcher, second })
        };
        let expected = Shares::expected(&graphs, &corpus);
        let first = split_from(&graphs, &expected, None);
        let counted = expected.counted(&write(&first, false)?, &first);
        let drafted = write(&split_from(&graphs, &counted, Some(&first)), true)?;
        self.keep_drafted(drafted, false)
    }

    /// Hands out every anchor of the corpus with what a writer may use. The split is balanced by what is expected to be
    /// asked.
    pub(crate) fn with_anchors<T>(&self, f: impl FnOnce(&Anchors<'_>) -> Result<T>) -> Result<T> {
        let corpus = Corpus::load(self)?;
        let (graphs, settings) = (self.load_graphs()?, self.graph_settings()?);
        let plan = split_from(&graphs, &Shares::expected(&graphs, &corpus), None);
        f(&Anchors::new(&graphs, &settings, &plan, &corpus))
    }
}

/// Where an anchor is found: its partition, and its place in it.
pub(crate) type Place = (usize, usize);

/// The anchors of a corpus, each made when it is asked for.
pub(crate) struct Anchors<'a> {
    views: Vec<(PartitionView<'a>, &'a [SentenceNode])>,
}

impl<'a> Anchors<'a> {
    fn new(
        graphs: &'a [(Partition, SentenceGraph)],
        settings: &GraphSettings,
        plan: &'a SplitPlan,
        corpus: &'a Corpus,
    ) -> Self {
        let view = |(partition, graph): &'a (Partition, SentenceGraph)| {
            (PartitionView::new(partition, graph, settings, plan, corpus), partition.sentences.as_slice())
        };
        Self { views: graphs.iter().map(view).collect() }
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
            .flat_map(move |(view, (_, nodes))| (0..nodes.len()).map(move |node| ((view, node), self.at((view, node)))))
    }

    /// The anchor at a place.
    pub(crate) fn at(&self, (view, at): Place) -> Option<(Anchor<'_>, Split)> {
        let (view, nodes) = self.views.get(view)?;
        let node = nodes.get(at)?;
        let split = view.plan.of.get(&node.id).copied()?;
        (states_a_rule(node) && !speaks_to_a_model(node)).then(|| (view.anchor(nodes, at, split), split))
    }

    /// Where a sentence's anchor is found.
    pub(crate) fn place_of(&self, sentence: SentenceId) -> Option<Place> {
        let at = |(view, (_, nodes)): (usize, &(PartitionView<'_>, &[SentenceNode]))| {
            nodes.iter().position(|node| node.id == sentence).map(|node| (view, node))
        };
        self.views.iter().enumerate().find_map(at)
    }

    /// Sentences that state a rule, and speak to a language model besides: nobody is asked about them.
    pub(crate) fn speaking_to_a_model(&self) -> u64 {
        let nodes = self.views.iter().flat_map(|(_, nodes)| nodes.iter());
        nodes.filter(|node| states_a_rule(node) && speaks_to_a_model(node)).count() as u64
    }

    /// Sentences that could be asked about and belong to no part, since nearly the same sentence stands in another part.
    pub(crate) fn set_aside(&self) -> u64 {
        let aside = |view: &PartitionView<'_>, node: &SentenceNode| view.plan.set_aside.contains_key(&node.id);
        let of = |(view, nodes): &(PartitionView<'_>, &[SentenceNode])| {
            nodes.iter().filter(|n| aside(view, n) && states_a_rule(n) && !speaks_to_a_model(n)).count() as u64
        };
        self.views.iter().map(of).sum()
    }
}

/// The split of a whole corpus by the number of questions, beginning with an earlier one where there is one.
fn split_from(graphs: &[(Partition, SentenceGraph)], shares: &Shares, earlier: Option<&SplitPlan>) -> SplitPlan {
    let nodes: Vec<SentenceNode> = graphs.iter().flat_map(|(p, _)| p.sentences.iter().cloned()).collect();
    lexforge_graph::split::split_from(&nodes, |node| shares.of(node.id), earlier, DEFAULT_SEED)
}

/// The units, clusters and groups of a whole corpus, whatever its encoders; the parts are those of a split by sentences.
pub(crate) fn split_plan<'a>(partitions: impl Iterator<Item = &'a Partition>) -> SplitPlan {
    let nodes: Vec<SentenceNode> = partitions.flat_map(|p| p.sentences.iter().cloned()).collect();
    lexforge_graph::split::split(&nodes, DEFAULT_SEED)
}

/// Whether a sentence can be asked about: running text of its document, not an entry of its table of contents or a
/// note under its pages.
fn states_a_rule(node: &SentenceNode) -> bool {
    let top = node.section.split(" › ").next().unwrap_or_default();
    top != CONTENTS_SECTION && top != FOOTNOTES_SECTION && is_anchor(node.kind, &node.text)
}

/// Whether a sentence speaks to a language model instead of a reader. What it says of rules may be a trap: it is neither
/// asked about nor borrowed from.
fn speaks_to_a_model(node: &SentenceNode) -> bool {
    addressed::to_a_model(&node.text)
}

/// A partition with its graphs and the split: everything an anchor borrows from.
struct PartitionView<'a> {
    /// The whole graph: terms are everybody's.
    graph: &'a SentenceGraph,
    /// The graph of each part of the dataset: sentences are borrowed within a part only, and a sentence's nearest
    /// neighbours within its part are rarely among its nearest in the whole.
    parts: HashMap<Split, SentenceGraph>,
    plan: &'a SplitPlan,
    corpus: &'a Corpus,
    texts: HashMap<SentenceId, &'a SentenceNode>,
}

impl<'a> PartitionView<'a> {
    fn new(
        partition: &'a Partition,
        graph: &'a SentenceGraph,
        settings: &GraphSettings,
        plan: &'a SplitPlan,
        corpus: &'a Corpus,
    ) -> Self {
        let of_part = |split| join(&partition.only(|id| plan.of.get(&id) == Some(&split)), settings);
        let parts = Split::ALL.into_iter().map(|split| (split, of_part(split))).collect();
        let texts = partition.sentences.iter().map(|s| (s.id, s)).collect();
        Self { graph, parts, plan, corpus, texts }
    }

    /// Similar terms, those first that reviewers settled as confusable with the term, however near they are: they are the
    /// hard negatives.
    fn confusable_first(&self, term: TermId, similar: Vec<(TermId, f32)>) -> Vec<(TermId, f32)> {
        let Some(settled) = self.corpus.joined.confusable.get(&term) else { return similar };
        let near: HashMap<TermId, f32> = similar.iter().copied().collect();
        let mut ordered: Vec<(TermId, f32)> =
            settled.iter().map(|id| (*id, near.get(id).copied().unwrap_or_default())).collect();
        ordered.extend(similar.into_iter().filter(|(id, _)| !settled.contains(id)));
        ordered
    }

    /// Similar terms with their texts, the nearest of them.
    fn named(&self, similar: Vec<(TermId, f32)>) -> Vec<(TermId, &'a str, f32)> {
        similar
            .into_iter()
            .filter_map(|(id, cosine)| Some((id, self.corpus.shown(id)?, cosine)))
            .take(SIMILAR_A_TERM)
            .collect()
    }

    /// Sentences of the same document and part before and after the one at `at`, nearest first.
    fn nearby(&self, nodes: &'a [SentenceNode], at: usize, split: Split) -> Vec<Neighbour<'a>> {
        let Some(node) = nodes.get(at) else { return Vec::new() };
        let within = |most: usize| (1..=most).flat_map(|far| [at.checked_sub(far), at.checked_add(far)]);
        let borrowable = |other: &&SentenceNode| {
            other.document == node.document
                && self.plan.of.get(&other.id) == Some(&split)
                && self.plan.group_of.get(&other.id) != self.plan.group_of.get(&node.id)
                && states_a_rule(other)
        };
        let found = |most: usize| within(most).filter_map(|other| nodes.get(other?)).filter(borrowable);
        let mut near: Vec<&SentenceNode> = found(NEARBY_WITHIN).take(NEARBY_AN_ANCHOR).collect();
        // The items of other lists could stand in the list of an item.
        if let Some(own) = self.corpus.lead_in(node.id) {
            let listed = |other: &&SentenceNode| self.corpus.lead_in(other.id).is_some_and(|lead| lead != own);
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
                lead_in: self.corpus.lead_in(other.id),
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
        for mention in of.filter_map(|n| self.corpus.mentions.get(&n.id)).flatten() {
            let Some((standing, _)) = self.corpus.standing(mention.term) else { continue };
            let Some(shown) = self.corpus.shown(standing) else { continue };
            if !found.iter().any(|f| f.0 == standing) {
                found.push((standing, shown));
            }
            if found.len() == LOCAL_TERMS {
                break;
            }
        }
        found
    }

    /// The anchor of the node at `at`. What it borrows from is of its own part only: no training question borrows from
    /// test text.
    fn anchor(&self, nodes: &'a [SentenceNode], at: usize, split: Split) -> Anchor<'a> {
        let node = &nodes[at];
        let neighbours: Vec<Neighbour<'a>> = self
            .parts
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
                    lead_in: self.corpus.lead_in(id),
                    cosine,
                })
            })
            .take(NEIGHBOURS_AN_ANCHOR)
            .collect();
        let mut terms: Vec<AnchorTerm<'a>> = Vec::new();
        for mention in self.corpus.mentions.get(&node.id).into_iter().flatten() {
            if let Some((standing, term)) = self.corpus.standing(mention.term) {
                let extracted = self.corpus.extracted.get(&term.id).filter(|_| !node.text.contains(&term.text));
                terms.push(AnchorTerm {
                    id: standing,
                    text: extracted.unwrap_or(&term.text),
                    start: mention.start,
                    end: mention.end,
                    definition: term.definition.as_deref(),
                });
            }
        }
        let mut asked: Vec<TermId> = Vec::new();
        let mut similar_terms = HashMap::new();
        for term in &terms {
            if asked.len() >= TERMS_AN_ANCHOR || asked.contains(&term.id) {
                continue;
            }
            let similar = self.named(self.confusable_first(term.id, self.graph.token_candidates(node.id, term.id)));
            if !similar.is_empty() {
                asked.push(term.id);
                // Wrong terms that are near each other and not only near the right one: otherwise the right answer is
                // the middle of its choices and can be told without the question.
                for (id, ..) in &similar {
                    similar_terms.entry(*id).or_insert_with(|| self.named(self.graph.similar_to(*id)));
                }
                similar_terms.insert(term.id, similar);
            }
        }
        let nearby = self.nearby(nodes, at, split);
        let local_terms = self.local_terms(nearby.iter().chain(&neighbours));
        let definition = terms
            .iter()
            .filter_map(|t| self.corpus.terms.get(&t.id))
            .filter(|t| t.definition_sentence == Some(node.id))
            .find_map(|t| Some((t.text.as_str(), t.definition.as_deref()?)));
        Anchor {
            id: node.id,
            text: &node.text,
            language: self.corpus.languages.get(&node.document).copied().unwrap_or(Language::Other),
            kind: node.kind,
            section: self.corpus.paragraph(node.id).unwrap_or(&node.section),
            heading: self.corpus.headings(node.id).next().unwrap_or_default(),
            above: self.corpus.headings(node.id).skip(1).collect(),
            lead_in: self.corpus.lead_in(node.id),
            document_title: self.corpus.titles.get(&node.document).map_or("", String::as_str),
            terms,
            definition,
            neighbours,
            nearby,
            similar_terms,
            local_terms,
            usage: self.corpus.usage.as_ref(),
        }
    }
}

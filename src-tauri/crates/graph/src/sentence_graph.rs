//! The graph itself: nodes, stored edges, candidate sets, figures (docs/methods.md, "The sentence graph").

mod earlier;
mod figures;

pub use earlier::{Earlier, Left};

use crate::candidates::{self, Anchors};
use crate::counting::{postings, same_group_pairs, shared_entity_pairs, shared_entity_pairs_with};
use crate::join::Pair;
use crate::kept::{Kept, KeptSentence, term_mark, text_mark, ties_mark};
use crate::lexical::{KnownLexical, LexicalPair};
use crate::neighbours::Neighbour;
use crate::nodes::{EntityNode, SentenceNode, entity_rows};
use crate::tfidf::TfIdf;
use crate::threads::{in_chunks, joined};
use crate::{Matrix, classes, lexical, memory, reference};
use earlier::{known_entities, known_sentences, only_added, standing_edges};
use figures::{Built, figures};
use foldhash::{HashMap, HashMapExt};
use lexforge_domain::graph::{
    EdgeCounts, EdgeKind, GraphSettings, GraphStats, NodeClass, SentenceEdge, SimilarEntities,
};
use lexforge_domain::{SentenceId, TermId};
use petgraph::graph::{NodeIndex, UnGraph};
use std::hash::Hash;
use std::time::Instant;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    Sentence(SentenceId),
    /// An entity. Sentences that share it are linked through it.
    Entity(TermId),
}

/// A stored edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// The sentence mentions the entity.
    Mention,
    /// The entities are similar yet not synonyms; the cosine.
    SimilarEntity(f32),
    /// The sentences use the same words; the TF-IDF cosine.
    Lexical(f32),
    /// One sentence refers to the other's clause.
    Reference,
}

/// Sentences and entities with their stored edges and the candidates derived from them.
#[derive(Debug)]
pub struct SentenceGraph {
    graph: UnGraph<Node, Link>,
    stats: GraphStats,
    similar: Vec<SimilarEntities>,
    edges: Vec<SentenceEdge>,
    sentence_candidates: HashMap<SentenceId, Vec<(SentenceId, f32)>>,
    token_candidates: HashMap<TermId, Vec<(TermId, f32)>>,
    mentions: HashMap<SentenceId, Vec<TermId>>,
    classes: HashMap<SentenceId, NodeClass>,
    kept: Kept,
    words: TfIdf,
    compared: (u64, u64),
}

impl SentenceGraph {
    /// The figures of the build.
    pub fn stats(&self) -> &GraphStats {
        &self.stats
    }

    /// The graph: sentence nodes first, then entity nodes, each in the order in which they were given.
    pub fn graph(&self) -> &UnGraph<Node, Link> {
        &self.graph
    }

    /// Pairs of similar entities, ascending.
    pub fn similar_entities(&self) -> &[SimilarEntities] {
        &self.similar
    }

    /// Lexical edges, then reference edges.
    pub fn sentence_edges(&self) -> &[SentenceEdge] {
        &self.edges
    }

    /// `S_sen(s)`: the sentences that share an entity or the type with `s` and whose cosine with `s` reaches the
    /// threshold, nearest first. Of several sentences with the same words only one is listed. At most a limited number
    /// comes from one section, as long as other sections have enough.
    pub fn sentence_candidates(&self, sentence: SentenceId) -> Vec<(SentenceId, f32)> {
        self.sentence_candidates
            .get(&sentence)
            .cloned()
            .unwrap_or_default()
    }

    /// `C_tok(s, c)`: entities similar to `term`, nearest first; none if the sentence does not mention it.
    pub fn token_candidates(&self, sentence: SentenceId, term: TermId) -> Vec<(TermId, f32)> {
        let mentioned = self
            .mentions
            .get(&sentence)
            .is_some_and(|terms| terms.contains(&term));
        if mentioned {
            self.similar_to(term)
        } else {
            Vec::new()
        }
    }

    /// Entities similar to `term` within the window in use, nearest first, at most as many as the settings say.
    pub fn similar_to(&self, term: TermId) -> Vec<(TermId, f32)> {
        self.token_candidates
            .get(&term)
            .cloned()
            .unwrap_or_default()
    }

    /// What the sentence is good for: anchor nodes feed the token level, context nodes the sentence level.
    pub fn class(&self, sentence: SentenceId) -> NodeClass {
        self.classes
            .get(&sentence)
            .copied()
            .unwrap_or(NodeClass::Other)
    }

    /// What this build leaves for the next one.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The weights of the words that lexical edges stand on.
    pub fn words(&self) -> &TfIdf {
        &self.words
    }

    /// How many sentences and how many entities were compared with all others.
    pub fn compared(&self) -> (u64, u64) {
        self.compared
    }
}

/// Builds the graph. Row `i` of a matrix is the vector of sentence or entity `i`; missing rows count as zero vectors,
/// which are similar to nothing. `encoder` is the name of the encoder that made the vectors.
pub fn build(
    sentences: &[SentenceNode],
    sentence_vectors: &Matrix,
    entities: &[EntityNode],
    entity_vectors: &Matrix,
    settings: &GraphSettings,
    encoder: &str,
) -> SentenceGraph {
    build_after(
        sentences,
        sentence_vectors,
        entities,
        entity_vectors,
        settings,
        encoder,
        Earlier::default(),
    )
}

/// Builds the graph on what an earlier build left.
pub fn build_after(
    sentences: &[SentenceNode],
    sentence_vectors: &Matrix,
    entities: &[EntityNode],
    entity_vectors: &Matrix,
    settings: &GraphSettings,
    encoder: &str,
    earlier: Earlier<'_>,
) -> SentenceGraph {
    let begun = Instant::now();
    let entities_of = entity_rows(sentences, entities);
    let occurrences = postings(&entities_of, entities.len());
    let words = candidates::anchor_words(sentences);
    let marks: Vec<(u64, u64)> = in_chunks(sentences, |s| (text_mark(s), ties_mark(s)));
    let term_marks: Vec<u64> = entities.iter().map(term_mark).collect();
    let left = earlier
        .left
        .filter(|_| earlier.thresholds.is_some() && earlier.words.is_some());
    let known_sentences = left.map(|left| known_sentences(sentences, &marks, left.kept));
    let known_entities =
        left.map(|left| known_entities(entities, &term_marks, left.kept, left.similar));
    let new_rows = known_sentences.as_ref().map(|known| known.new.clone());
    let none_new = vec![false; sentences.len()];
    let standing = standing_edges(&earlier, left, new_rows.as_deref(), &none_new);
    let known_lexical = standing.map(|(edges, new)| KnownLexical {
        pairs: lexical::known_pairs(sentences, new, edges),
        new,
    });
    let only_more = left
        .zip(known_sentences.as_ref())
        .and_then(|(left, known)| only_added(left, known));

    // The text stages are serial for the most part: they run beside the joins.
    let (related, similar, (lexical, references)) = std::thread::scope(|scope| {
        let from_text = scope.spawn(|| {
            let compared = lexical::Compared {
                texts: earlier.texts,
                words: earlier.words,
                threshold: settings.lexical_threshold,
            };
            let lexical = lexical::edges(sentences, &words, compared, known_lexical);
            (lexical, reference::reference_pairs(sentences))
        });
        let bound = earlier.thresholds.map(|t| t.sentence);
        let anchors = Anchors::new(sentences, &words, sentence_vectors, &entities_of);
        let related = candidates::sentences(sentences, &anchors, settings, bound, known_sentences);
        drop(anchors);
        let similar = candidates::entities(
            entities,
            entity_vectors,
            &occurrences,
            settings,
            earlier.thresholds,
            known_entities,
        );
        (related, similar, joined(from_text))
    });

    let graph = nodes_and_links(
        sentences,
        entities,
        &entities_of,
        &similar.pairs,
        &lexical.pairs,
        &references,
    );
    let edges = between_sentences(sentences, &lexical.pairs, &references);
    let groups = || {
        sentences
            .iter()
            .map(|s| Some(s.group.as_str()).filter(|g| !g.is_empty()))
    };
    let of_class = classes::classes(
        sentences,
        &words,
        entities,
        &entities_of,
        settings.anchor_share,
    );
    let shared_entity = match &only_more {
        Some((before, new)) => before + shared_entity_pairs_with(new, &entities_of, &occurrences),
        None => shared_entity_pairs(&entities_of, &occurrences),
    };
    let mut stats = figures(&Built {
        encoder,
        dim: sentence_vectors.dim.max(entity_vectors.dim),
        sentences,
        entities: entities.len(),
        entities_of: &entities_of,
        related: &related,
        similar: &similar,
        thresholds_kept: earlier.thresholds.is_some(),
        classes: &of_class,
        edges: EdgeCounts {
            shared_entity,
            same_type: same_group_pairs(groups()),
            similar_entity: similar.count,
            lexical: lexical.count,
            reference: references.len() as u64,
        },
        isolated: isolated(groups(), &graph, &occurrences),
    });
    let pairs = similar_by_ids(entities, &similar.pairs);
    let sentence_candidates = by_ids(&related.of, |row| sentences[row].id);
    let token_candidates = by_ids(&similar.nearest, |row| entities[row].id);
    let terms = entities.iter().map(|e| e.id).zip(term_marks).collect();
    let kept = Kept {
        sentences: kept_sentences(sentences, &marks, related.near, related.chosen),
        terms,
    };
    let mentions = sentences
        .iter()
        .map(|s| (s.id, s.entities.clone()))
        .collect();
    let classes = sentences.iter().map(|s| s.id).zip(of_class).collect();
    let compared = (related.compared as u64, similar.compared as u64);
    stats.seconds = begun.elapsed().as_secs_f64();
    stats.peak_memory_mb = memory::peak_mb();
    SentenceGraph {
        graph,
        stats,
        similar: pairs,
        edges,
        sentence_candidates,
        token_candidates,
        mentions,
        classes,
        kept,
        words: lexical.words,
        compared,
    }
}

/// The nodes with all stored edges.
fn nodes_and_links(
    sentences: &[SentenceNode],
    entities: &[EntityNode],
    entities_of: &[Vec<u32>],
    similar: &[Pair],
    lexical: &[LexicalPair],
    references: &[(usize, usize)],
) -> UnGraph<Node, Link> {
    let mut graph = UnGraph::with_capacity(
        sentences.len() + entities.len(),
        entities_of.iter().map(Vec::len).sum::<usize>()
            + similar.len()
            + lexical.len()
            + references.len(),
    );
    for sentence in sentences {
        graph.add_node(Node::Sentence(sentence.id));
    }
    for entity in entities {
        graph.add_node(Node::Entity(entity.id));
    }
    let sentence_node = |row: usize| NodeIndex::new(row);
    let entity_node = |row: u32| NodeIndex::new(sentences.len() + row as usize);
    for (row, mentioned) in entities_of.iter().enumerate() {
        for &entity in mentioned {
            graph.add_edge(sentence_node(row), entity_node(entity), Link::Mention);
        }
    }
    for pair in similar {
        graph.add_edge(
            entity_node(pair.a),
            entity_node(pair.b),
            Link::SimilarEntity(pair.cosine),
        );
    }
    for pair in lexical {
        graph.add_edge(
            sentence_node(pair.a as usize),
            sentence_node(pair.b as usize),
            Link::Lexical(pair.cosine),
        );
    }
    for &(from, to) in references {
        graph.add_edge(sentence_node(from), sentence_node(to), Link::Reference);
    }
    graph
}

/// The edges between sentences: lexical ones, then references.
fn between_sentences(
    sentences: &[SentenceNode],
    lexical: &[LexicalPair],
    references: &[(usize, usize)],
) -> Vec<SentenceEdge> {
    let edge = |a: usize, b: usize, kind, weight| SentenceEdge {
        a: sentences[a].id,
        b: sentences[b].id,
        kind,
        weight,
    };
    let lexical = lexical
        .iter()
        .map(|p| edge(p.a as usize, p.b as usize, EdgeKind::Lexical, p.cosine));
    let references = references
        .iter()
        .map(|&(from, to)| edge(from, to, EdgeKind::Reference, 1.0));
    lexical.chain(references).collect()
}

/// Pairs of similar entities by their ids, ascending.
fn similar_by_ids(entities: &[EntityNode], similar: &[Pair]) -> Vec<SimilarEntities> {
    let of_rows = |p: &Pair| {
        let (a, b) = (entities[p.a as usize].id, entities[p.b as usize].id);
        SimilarEntities {
            a: a.min(b),
            b: a.max(b),
            cosine: p.cosine,
        }
    };
    let mut pairs: Vec<SimilarEntities> = similar.iter().map(of_rows).collect();
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs
}

/// What the next build needs of each sentence.
fn kept_sentences(
    sentences: &[SentenceNode],
    marks: &[(u64, u64)],
    near: Vec<Vec<Neighbour>>,
    chosen: Vec<u64>,
) -> Vec<KeptSentence> {
    let found = near.into_iter().zip(chosen);
    let rows = sentences.iter().zip(marks).zip(found);
    rows.map(|((s, &(text, ties)), (near, chosen))| KeptSentence {
        id: s.id,
        text,
        ties,
        near,
        chosen,
    })
    .collect()
}

/// What is near to each row that has something near it, by ids, nearest first.
fn by_ids<I: Copy + Eq + Hash>(
    near: &[Vec<Neighbour>],
    id: impl Fn(usize) -> I,
) -> HashMap<I, Vec<(I, f32)>> {
    let with_ids = |near: &[Neighbour]| -> Vec<(I, f32)> {
        near.iter()
            .map(|n| (id(n.row as usize), n.cosine))
            .collect()
    };
    let rows = near.iter().enumerate().filter(|(_, near)| !near.is_empty());
    rows.map(|(row, near)| (id(row), with_ids(near))).collect()
}

/// How many sentences have no edge of any kind to another sentence, directly or through entities.
fn isolated<'a>(
    groups: impl Iterator<Item = Option<&'a str>> + Clone,
    graph: &UnGraph<Node, Link>,
    occurrences: &[Vec<u32>],
) -> u64 {
    let mut sizes: HashMap<&str, u32> = HashMap::new();
    groups
        .clone()
        .flatten()
        .for_each(|g| *sizes.entry(g).or_default() += 1);
    let sentences = graph.node_count() - occurrences.len();
    let elsewhere = |entity: NodeIndex, row: usize| {
        occurrences[entity.index() - sentences]
            .iter()
            .any(|&r| r as usize != row)
    };
    let linked = |row: usize| {
        graph.neighbors(NodeIndex::new(row)).any(|other| {
            other.index() < sentences
                || elsewhere(other, row)
                || graph
                    .neighbors(other)
                    .any(|third| third.index() >= sentences && elsewhere(third, row))
        })
    };
    groups
        .enumerate()
        .filter(|(row, group)| !group.is_some_and(|g| sizes[g] > 1) && !linked(*row))
        .count() as u64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

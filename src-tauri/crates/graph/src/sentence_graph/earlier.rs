//! The parts of an earlier build that a build takes over, and which of its sentences and entities are unchanged.

use crate::candidates::{KnownEntities, KnownSentence, KnownSentences};
use crate::join::Pair;
use crate::kept::Kept;
use crate::lexical::{LexicalTexts, MOST_EDGES};
use crate::neighbours::Neighbour;
use crate::nodes::{EntityNode, SentenceNode};
use crate::tfidf::TfIdf;
use foldhash::{HashMap, HashMapExt};
use lexforge_domain::graph::{EdgeCounts, SentenceEdge, SimilarEntities, Thresholds};
use lexforge_domain::{SentenceId, TermId};

/// What a build takes over from an earlier one of the same settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Earlier<'a> {
    /// Its bounds; `None` = they are worked out from these vectors.
    pub thresholds: Option<Thresholds>,
    /// The weights of its words for lexical edges; `None` = they are learned from these sentences.
    pub words: Option<&'a TfIdf>,
    /// The data that the earlier build stored. With it, only what is new or has changed is compared; the result is the
    /// same as that of a complete build with the same bounds and weights. `None` = everything is compared. The data is
    /// ignored if no bounds and weights of the earlier build are given.
    pub left: Option<Left<'a>>,
    /// What lexical edges compare.
    pub texts: LexicalTexts<'a>,
}

/// The data of an earlier build.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a> {
    /// Its nodes.
    pub kept: &'a Kept,
    /// All its pairs of similar entities.
    pub similar: &'a [SimilarEntities],
    /// Its edges between sentences.
    pub edges: &'a [SentenceEdge],
    /// How many edges it had.
    pub counts: EdgeCounts,
}

/// The sentences of an earlier build as rows of now.
pub(super) fn known_sentences(
    sentences: &[SentenceNode],
    marks: &[(u64, u64)],
    kept: &Kept,
) -> KnownSentences {
    let place_of: HashMap<SentenceId, usize> = kept
        .sentences
        .iter()
        .enumerate()
        .map(|(i, s)| (s.id, i))
        .collect();
    let mut row_of: Vec<Option<u32>> = vec![None; kept.sentences.len()];
    let mut held: Vec<Option<usize>> = Vec::with_capacity(sentences.len());
    for (row, (sentence, marks)) in sentences.iter().zip(marks).enumerate() {
        let as_it_was = place_of.get(&sentence.id).copied().filter(|&place| {
            let then = &kept.sentences[place];
            (then.text, then.ties) == *marks
        });
        if let Some(place) = as_it_was {
            row_of[place] = Some(row as u32);
        }
        held.push(as_it_was);
    }
    let known = |place: usize| {
        let then = &kept.sentences[place];
        let mapped = then.near.iter().map(|n| {
            Some(Neighbour {
                row: row_of[n.row as usize]?,
                ..*n
            })
        });
        Some(KnownSentence {
            near: mapped.collect::<Option<Vec<_>>>()?,
            chosen: then.chosen,
        })
    };
    KnownSentences {
        of: held.iter().map(|place| place.and_then(known)).collect(),
        new: held.iter().map(Option::is_none).collect(),
    }
}

/// The entities of an earlier build as rows of now.
pub(super) fn known_entities(
    entities: &[EntityNode],
    marks: &[u64],
    kept: &Kept,
    pairs: &[SimilarEntities],
) -> KnownEntities {
    let then: HashMap<TermId, u64> = kept.terms.iter().copied().collect();
    let mut row_of: HashMap<TermId, u32> = HashMap::new();
    let mut new = Vec::new();
    for (row, (entity, mark)) in entities.iter().zip(marks).enumerate() {
        if then.get(&entity.id) == Some(mark) {
            row_of.insert(entity.id, row as u32);
        } else {
            new.push(row);
        }
    }
    let both = |p: &SimilarEntities| {
        let (a, b) = (*row_of.get(&p.a)?, *row_of.get(&p.b)?);
        Some(Pair {
            a: a.min(b),
            b: a.max(b),
            cosine: p.cosine,
        })
    };
    KnownEntities {
        pairs: pairs.iter().filter_map(both).collect(),
        new,
    }
}

/// The lexical edges that are taken over, and which rows have none yet. `none_new` says of every row that it has.
pub(super) fn standing_edges<'a>(
    earlier: &Earlier<'a>,
    left: Option<Left<'a>>,
    new: Option<&'a [bool]>,
    none_new: &'a [bool],
) -> Option<(&'a [SentenceEdge], &'a [bool])> {
    match earlier.texts {
        LexicalTexts::AsLeft(edges) => Some((edges, new.unwrap_or(none_new))),
        // Beyond this many, not all pairs were stored.
        _ => left
            .filter(|left| left.counts.lexical <= MOST_EDGES)
            .map(|left| left.edges)
            .zip(new),
    }
}

/// If sentences were only added: how many pairs of the earlier ones share an entity, and the rows of the new ones.
pub(super) fn only_added(left: Left<'_>, known: &KnownSentences) -> Option<(u64, Vec<usize>)> {
    let rows = known.new.len();
    let new: Vec<usize> = (0..rows).filter(|&row| known.new[row]).collect();
    (left.kept.sentences.len() + new.len() == rows).then_some((left.counts.shared_entity, new))
}

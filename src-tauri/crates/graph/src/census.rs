//! How well sentences and terms are linked: how many links each of them has, the terms that link nearly all sentences,
//! and the sentences without any link.

use crate::counting::{postings, shared_degrees};
use crate::nodes::entity_rows;
use crate::{EntityNode, SentenceNode};
use lexforge_domain::api::DegreeDistribution;
use lexforge_domain::graph::{SentenceEdge, SimilarEntities};
use lexforge_domain::{SentenceId, TermId};
use std::collections::HashMap;

/// An entity is a hub from this share of the sentences on …
const HUB_SHARE: f64 = 0.05;
/// … and this many.
const HUB_SENTENCES: u64 = 20;

/// The degrees of a graph's nodes, in the order of the nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    /// Sentences linked to each sentence through a shared entity, plus its lexical and reference edges.
    pub sentences: Vec<u64>,
    /// Sentences that mention each entity.
    pub mentions: Vec<u64>,
    /// Entities similar to each entity.
    pub similar: Vec<u64>,
    /// Rows of the entities in many sentences, most frequent first.
    pub hubs: Vec<usize>,
    /// Rows of the sentences without any edge to another.
    pub isolated: Vec<usize>,
}

/// Counts the degrees of all nodes.
pub fn census(
    sentences: &[SentenceNode],
    entities: &[EntityNode],
    similar: &[SimilarEntities],
    edges: &[SentenceEdge],
) -> Census {
    let entities_of = entity_rows(sentences, entities);
    let occurrences = postings(&entities_of, entities.len());
    let sentence_row: HashMap<SentenceId, usize> = sentences
        .iter()
        .enumerate()
        .map(|(i, s)| (s.id, i))
        .collect();
    let entity_row: HashMap<TermId, usize> = entities
        .iter()
        .enumerate()
        .map(|(i, e)| (e.id, i))
        .collect();
    let mentions: Vec<u64> = occurrences.iter().map(|rows| rows.len() as u64).collect();

    let mut of_entity = vec![0; entities.len()];
    // A sentence whose entity is similar to one of another sentence is linked to it.
    let mut linked_entity: Vec<bool> = vec![false; entities.len()];
    for pair in similar {
        if let (Some(&a), Some(&b)) = (entity_row.get(&pair.a), entity_row.get(&pair.b)) {
            of_entity[a] += 1;
            of_entity[b] += 1;
            let alone = |x: usize, y: usize| {
                // The one sentence of both is no other sentence.
                occurrences[x].is_empty()
                    || (occurrences[x].len() == 1 && occurrences[x] == occurrences[y])
            };
            linked_entity[a] |= !alone(b, a);
            linked_entity[b] |= !alone(a, b);
        }
    }
    let mut degrees: Vec<u64> = shared_degrees(&entities_of, &occurrences);
    for edge in edges {
        for end in [edge.a, edge.b] {
            if let Some(&row) = sentence_row.get(&end) {
                degrees[row] += 1;
            }
        }
    }
    let mut sizes: HashMap<&str, u32> = HashMap::new();
    sentences
        .iter()
        .filter(|s| !s.group.is_empty())
        .for_each(|s| *sizes.entry(&s.group).or_default() += 1);
    let isolated = (0..sentences.len())
        .filter(|&row| {
            degrees[row] == 0
                && sizes
                    .get(sentences[row].group.as_str())
                    .is_none_or(|n| *n < 2)
                && !entities_of[row].iter().any(|e| linked_entity[*e as usize])
        })
        .collect();
    let bound = (HUB_SHARE * sentences.len() as f64).max(HUB_SENTENCES as f64);
    let mut hubs: Vec<usize> = (0..entities.len())
        .filter(|&e| mentions[e] as f64 >= bound)
        .collect();
    hubs.sort_unstable_by_key(|&e| (std::cmp::Reverse(mentions[e]), e));
    Census {
        sentences: degrees,
        mentions,
        similar: of_entity,
        hubs,
        isolated,
    }
}

/// How many nodes have so many edges: 0, 1, 2–3, 4–7, 8–15 …
pub fn distribution(degrees: &[u64]) -> DegreeDistribution {
    let mut sorted = degrees.to_vec();
    sorted.sort_unstable();
    let Some(&most) = sorted.last() else {
        return DegreeDistribution::default();
    };
    let bin = |degree: u64| (u64::BITS - degree.leading_zeros()) as usize;
    let mut bins: Vec<(u64, u64, u64)> = (0..=bin(most))
        .map(|b| match b {
            0 => (0, 0, 0),
            b => (
                1 << (b - 1),
                (1u64 << (b - 1)).wrapping_mul(2).wrapping_sub(1),
                0,
            ),
        })
        .collect();
    sorted.iter().for_each(|d| bins[bin(*d)].2 += 1);
    let mean = sorted.iter().map(|d| *d as f64).sum::<f64>() / sorted.len() as f64;
    DegreeDistribution {
        bins,
        mean,
        median: sorted[(sorted.len() - 1) / 2],
        most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_fall_into_doubling_bins() {
        let found = distribution(&[0, 0, 1, 2, 3, 9]);
        assert_eq!(
            found.bins,
            [(0, 0, 2), (1, 1, 1), (2, 3, 2), (4, 7, 0), (8, 15, 1)]
        );
        assert_eq!((found.mean, found.median, found.most), (2.5, 1, 9));
        assert_eq!(distribution(&[]), DegreeDistribution::default());
        assert_eq!(distribution(&[u64::MAX]).bins.len(), 65);
    }
}

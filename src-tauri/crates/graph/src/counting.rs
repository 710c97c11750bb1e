//! Edges that are counted and never stored: pairs of sentences with a shared entity, pairs of one type.

use crate::threads::{joined, threads};
use std::collections::HashMap;
use std::hash::Hash;

/// Pairs of members that have the same (present) group: Σ c·(c−1)/2.
pub(crate) fn same_group_pairs<G: Eq + Hash>(groups: impl IntoIterator<Item = Option<G>>) -> u64 {
    let mut sizes: HashMap<G, u64> = HashMap::new();
    for group in groups.into_iter().flatten() {
        *sizes.entry(group).or_default() += 1;
    }
    sizes.values().map(|c| c * (c - 1) / 2).sum()
}

/// Where each entity occurs: for entity `e` the ascending rows of the sentences that mention it.
pub fn postings(entities_of: &[Vec<u32>], entities: usize) -> Vec<Vec<u32>> {
    let mut postings = vec![Vec::new(); entities];
    for (row, mentioned) in entities_of.iter().enumerate() {
        for &entity in mentioned {
            let list: &mut Vec<u32> = &mut postings[entity as usize];
            if list.last() != Some(&(row as u32)) {
                list.push(row as u32);
            }
        }
    }
    postings
}

/// The exact number of unordered pairs of sentences that share at least one entity. A pair that shares several entities
/// is counted once. `entities_of[s]` holds the entities of sentence `s`.
///
/// For each sentence, a bit set collects all later sentences that share one of its entities; its set bits are counted.
/// The sentences of a frequent entity are stored as a bit set from the beginning. So a term in every second sentence
/// costs `n / 64` operations and not `n`.
pub(crate) fn shared_entity_pairs(entities_of: &[Vec<u32>], postings: &[Vec<u32>]) -> u64 {
    let n = entities_of.len();
    let words = n.div_ceil(64);
    let dense = frequent(postings, words);
    let (step, dense) = (threads(), &dense);
    let count_from = |first: usize| {
        let mut union = vec![0u64; words];
        let mut touched: Vec<u32> = Vec::new();
        let mut count = 0u64;
        for row in (first..n).step_by(step) {
            let word = row / 64;
            let mut dense_seen = false;
            for entity in &entities_of[row] {
                if let Some(bits) = dense.get(entity) {
                    union[word..]
                        .iter_mut()
                        .zip(&bits[word..])
                        .for_each(|(u, b)| *u |= b);
                    dense_seen = true;
                } else {
                    let rows = &postings[*entity as usize];
                    let later = &rows[rows.partition_point(|&r| r as usize <= row)..];
                    for &r in later {
                        let (slot, bit) = (&mut union[r as usize / 64], 1u64 << (r % 64));
                        if *slot & bit == 0 {
                            *slot |= bit;
                            touched.push(r);
                        }
                    }
                }
            }
            if dense_seen {
                // Bits of this row and of earlier ones in the first word do not count.
                union[word] &= u64::MAX.checked_shl(row as u32 % 64 + 1).unwrap_or(0);
                count += union[word..]
                    .iter()
                    .map(|w| u64::from(w.count_ones()))
                    .sum::<u64>();
                union[word..].fill(0);
            } else {
                count += touched.len() as u64;
                touched.iter().for_each(|&r| union[r as usize / 64] = 0);
            }
            touched.clear();
        }
        count
    };
    let count_from = &count_from;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..step)
            .map(|t| scope.spawn(move || count_from(t)))
            .collect();
        workers.into_iter().map(joined).sum()
    })
}

/// The sentences of each frequent entity as a bit set of so many words.
fn frequent(postings: &[Vec<u32>], words: usize) -> HashMap<u32, Vec<u64>> {
    postings
        .iter()
        .enumerate()
        .filter(|(_, rows)| rows.len() > words)
        .map(|(entity, rows)| {
            let mut bits = vec![0u64; words];
            rows.iter()
                .for_each(|&r| bits[r as usize / 64] |= 1 << (r % 64));
            (entity as u32, bits)
        })
        .collect()
}

/// How many of the pairs of [`shared_entity_pairs`] have at least one of these rows (ascending).
pub(crate) fn shared_entity_pairs_with(
    rows: &[usize],
    entities_of: &[Vec<u32>],
    postings: &[Vec<u32>],
) -> u64 {
    let mut new = vec![false; entities_of.len()];
    rows.iter().for_each(|&row| new[row] = true);
    let mut seen = vec![usize::MAX; entities_of.len()];
    let mut count = 0;
    for &row in rows {
        for &other in entities_of[row].iter().flat_map(|e| &postings[*e as usize]) {
            let other = other as usize;
            // A pair of two of the rows is counted from the later one.
            if seen[other] != row && other != row && !(new[other] && other > row) {
                count += 1;
            }
            seen[other] = row;
        }
    }
    count
}

/// For each sentence how many others share an entity with it.
pub(crate) fn shared_degrees(entities_of: &[Vec<u32>], postings: &[Vec<u32>]) -> Vec<u64> {
    let words = entities_of.len().div_ceil(64);
    let rows: Vec<usize> = (0..entities_of.len()).collect();
    let frequent = frequent(postings, words);
    let of_row = |union: &mut Vec<u64>, row: usize| {
        let mut touched = 0;
        union.fill(0);
        for entity in &entities_of[row] {
            match frequent.get(entity) {
                Some(bits) => union.iter_mut().zip(bits).for_each(|(u, b)| *u |= b),
                None => postings[*entity as usize]
                    .iter()
                    .for_each(|&r| union[r as usize / 64] |= 1 << (r % 64)),
            }
            touched += 1;
        }
        if touched == 0 {
            0
        } else {
            union.iter().map(|w| u64::from(w.count_ones())).sum::<u64>() - 1
        }
    };
    let size = rows.len().div_ceil(threads()).max(1);
    let of_row = &of_row;
    std::thread::scope(|scope| {
        let workers: Vec<_> = rows
            .chunks(size)
            .map(|part| {
                scope.spawn(move || {
                    let mut union = vec![0u64; words];
                    part.iter()
                        .map(|&row| of_row(&mut union, row))
                        .collect::<Vec<u64>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(joined).collect()
    })
}

/// Whether two ascending lists have an element in common.
pub fn intersects(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    #[test]
    fn counts_equal_a_full_comparison() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        for (n, entities) in [(0, 1), (1, 3), (64, 9), (200, 40), (300, 5000)] {
            // Squaring skews the draw: some entities become frequent enough for the bit sets.
            let sentences: Vec<Vec<u32>> = (0..n)
                .map(|_| {
                    let mut e: Vec<u32> = (0..rng.random_range(0..6))
                        .map(|_| (rng.random::<f32>().powi(2) * entities as f32) as u32)
                        .collect();
                    e.sort_unstable();
                    e.dedup();
                    e
                })
                .collect();
            let mut degrees = vec![0; n];
            for a in 0..n {
                for b in (0..n).filter(|b| *b != a) {
                    degrees[a] += u64::from(intersects(&sentences[a], &sentences[b]));
                }
            }
            let postings = postings(&sentences, entities);
            assert_eq!(
                shared_entity_pairs(&sentences, &postings),
                degrees.iter().sum::<u64>() / 2,
                "n = {n}"
            );
            assert_eq!(shared_degrees(&sentences, &postings), degrees, "n = {n}");
            let (old, rows) = (n - n / 4, (n - n / 4..n).collect::<Vec<_>>());
            let before = super::postings(&sentences[..old], entities);
            let counted = shared_entity_pairs(&sentences[..old], &before);
            let more = shared_entity_pairs_with(&rows, &sentences, &postings);
            assert_eq!(
                counted + more,
                shared_entity_pairs(&sentences, &postings),
                "n = {n}"
            );
        }
    }

    #[test]
    fn pairs_of_one_group() {
        assert_eq!(
            same_group_pairs([Some("a"), Some("a"), None, Some("b"), Some("a"), None]),
            3
        );
    }
}

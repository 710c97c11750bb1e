//! Near-duplicates: all pairs of texts whose character shingles have a Jaccard similarity of at least t = 0.8.
//!
//! The pairs are found exactly, by prefix filtering (Chaudhuri, Ganti, Kaushik 2006). The shingles of every text are
//! sorted in one global order, rare ones first. Two sets that reach the threshold then share a shingle among the first
//! `|x| − ⌈t·|x|⌉ + 1` of each set x. So only texts that share such a shingle are compared.

use lexforge_text::likeness::{jaccard, shingles};
use std::collections::HashMap;

/// From this Jaccard similarity on two texts count as the same for splits and leaks (docs/methods.md, "Questions").
pub(crate) const NEAR_DUPLICATE: f32 = 0.8;

/// Two texts (positions in the input, `a < b`) that are the same or nearly so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// The earlier text.
    pub a: usize,
    /// The later text.
    pub b: usize,
    /// Jaccard similarity of their shingles.
    pub jaccard: f32,
}

/// All near-duplicate pairs among `texts` for which `wanted(a, b)` holds, ordered by (b, a).
pub fn near_pairs(texts: &[&str], wanted: impl Fn(usize, usize) -> bool) -> Vec<NearPair> {
    let sets = ranked(texts);
    let mut index: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut last_seen = vec![usize::MAX; texts.len()];
    let mut pairs = Vec::new();
    for (b, set) in sets.iter().enumerate() {
        let (size, first) = (set.len(), pairs.len());
        let prefix = size - (NEAR_DUPLICATE * size as f32).ceil() as usize + usize::from(size > 0);
        for rank in &set[..prefix] {
            let list = index.entry(*rank).or_default();
            for &a in list.iter() {
                let a = a as usize;
                if last_seen[a] == b {
                    continue;
                }
                last_seen[a] = b;
                let (small, large) = (sets[a].len().min(size), sets[a].len().max(size));
                if (small as f32) < NEAR_DUPLICATE * large as f32 || !wanted(a, b) {
                    continue;
                }
                let similarity = jaccard(&sets[a], set);
                if similarity >= NEAR_DUPLICATE {
                    pairs.push(NearPair {
                        a,
                        b,
                        jaccard: similarity,
                    });
                }
            }
            list.push(b as u32);
        }
        pairs[first..].sort_unstable_by_key(|p| p.a);
    }
    pairs
}

/// For each text the index of the first text of its group. Groups are the connected components of near-duplicate pairs;
/// a text without a near-duplicate is a group of its own.
pub fn groups(texts: usize, pairs: &[NearPair]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..texts).collect();
    for pair in pairs {
        let (a, b) = (root(&mut parent, pair.a), root(&mut parent, pair.b));
        parent[a.max(b)] = a.min(b);
    }
    (0..texts).map(|i| root(&mut parent, i)).collect()
}

/// The root of an element of a union-find forest, with path halving.
fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

/// Each text's shingles as ranks in one global order, rare ones first, ascending.
fn ranked(texts: &[&str]) -> Vec<Vec<u32>> {
    let sets: Vec<Vec<u64>> = texts.iter().map(|t| shingles(t)).collect();
    let mut frequency: HashMap<u64, u32> = HashMap::new();
    for shingle in sets.iter().flatten() {
        *frequency.entry(*shingle).or_default() += 1;
    }
    let mut order: Vec<(u32, u64)> = frequency
        .into_iter()
        .map(|(shingle, count)| (count, shingle))
        .collect();
    order.sort_unstable();
    let rank: HashMap<u64, u32> = order
        .iter()
        .enumerate()
        .map(|(rank, (_, s))| (*s, rank as u32))
        .collect();
    sets.iter()
        .map(|set| {
            let mut ranks: Vec<u32> = set.iter().filter_map(|s| rank.get(s).copied()).collect();
            ranks.sort_unstable();
            ranks
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_text::likeness::shingle_jaccard;
    use rand::{Rng, SeedableRng};

    #[test]
    fn finds_exactly_the_pairs_of_a_full_comparison() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(9);
        let words = [
            "bank",
            "shall",
            "report",
            "capital",
            "data",
            "subject",
            "risk",
            "资本",
            "充足率",
            "notify",
        ];
        let base: Vec<Vec<&str>> = (0..30)
            .map(|_| {
                (0..25)
                    .map(|_| words[rng.random_range(0..words.len())])
                    .collect()
            })
            .collect();
        let texts: Vec<String> = (0..240)
            .map(|i| {
                let mut text = base[i % 30].clone();
                for _ in 0..rng.random_range(0..3) {
                    let place = rng.random_range(0..text.len());
                    text[place] = words[rng.random_range(0..words.len())];
                }
                text.join(" ")
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut expected = Vec::new();
        for b in 0..texts.len() {
            for a in 0..b {
                if shingle_jaccard(texts[a], texts[b]) >= NEAR_DUPLICATE {
                    expected.push((a, b));
                }
            }
        }
        let found: Vec<_> = near_pairs(&texts, |_, _| true)
            .iter()
            .map(|p| (p.a, p.b))
            .collect();
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
    }

    #[test]
    fn groups_are_transitive_and_named_by_their_first_text() {
        let texts = [
            "The bank shall report losses.",
            "Other words altogether",
            "the bank shall report losses",
            "",
        ];
        assert_eq!(
            groups(texts.len(), &near_pairs(&texts, |_, _| true)),
            [0, 1, 0, 3]
        );
    }
}

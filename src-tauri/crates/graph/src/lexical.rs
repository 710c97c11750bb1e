//! Lexical edges: all pairs of texts whose word TF-IDF vectors have a cosine of at least the threshold.
//!
//! Exact sparse self-join with an inverted index (All-Pairs, Bayardo, Ma, Srikant 2007): the leading entries
//! of a vector (the frequent words) stay out of the index as long as they alone cannot reach the threshold
//! against any other vector.

use crate::blocks::{joined, threads};
use crate::similarity::folded;
use crate::tfidf::{SparseVector, TfIdf};
use crate::{SentenceNode, is_anchor};
use std::collections::HashMap;

/// A word of more than this share of the sentences says nothing about them and stays out of the vectors …
const COMMON: f64 = 0.5;
/// … where there are enough sentences to tell.
const ENOUGH: usize = 50;
/// Most lexical edges that are stored; beyond, repeated sentences are linked to their first occurrence only.
const MOST_EDGES: u64 = 2_000_000;

/// The lexical edges of a corpus.
pub(crate) struct LexicalEdges {
    /// Pairs of rows, ascending.
    pub pairs: Vec<LexicalPair>,
    /// How many pairs there are, always exact.
    pub count: u64,
}

/// Lexical edges between sentences that can be anchors. Sentences of the same words are compared once.
pub(crate) fn edges(sentences: &[SentenceNode], threshold: f32) -> LexicalEdges {
    let mut rows_of: HashMap<String, usize> = HashMap::new();
    let mut copies: Vec<Vec<u32>> = Vec::new();
    for (row, sentence) in sentences.iter().enumerate() {
        if is_anchor(sentence.kind, &sentence.text) {
            let next = copies.len();
            let distinct = *rows_of.entry(folded(&sentence.text)).or_insert(next);
            if distinct == next {
                copies.push(Vec::new());
            }
            copies[distinct].push(row as u32);
        }
    }
    let texts: Vec<&str> = copies.iter().map(|rows| sentences[rows[0] as usize].text.as_str()).collect();
    let most = if texts.len() < ENOUGH { texts.len() } else { (COMMON * texts.len() as f64) as usize };
    let tfidf = TfIdf::fit_capped(&texts, most);
    let vectors: Vec<SparseVector> = texts.iter().map(|t| tfidf.vector(t)).collect();
    let distinct = lexical_pairs(&vectors, tfidf.features(), threshold);
    let size = |text: u32| copies[text as usize].len() as u64;
    let count = distinct.iter().map(|p| size(p.a) * size(p.b)).sum::<u64>()
        + copies.iter().map(|c| c.len() as u64 * (c.len() as u64 - 1) / 2).sum::<u64>();
    let all = count <= MOST_EDGES;
    let pair = |a: u32, b: u32, cosine| LexicalPair { a: a.min(b), b: a.max(b), cosine };
    let mut pairs = Vec::new();
    for found in &distinct {
        let (left, right) = (&copies[found.a as usize], &copies[found.b as usize]);
        let shown = if all { usize::MAX } else { 1 };
        for &a in left.iter().take(shown) {
            pairs.extend(right.iter().take(shown).map(|&b| pair(a, b, found.cosine)));
        }
    }
    for rows in &copies {
        for (i, &a) in rows.iter().enumerate().take(if all { usize::MAX } else { 1 }) {
            pairs.extend(rows[i + 1..].iter().map(|&b| pair(a, b, 1.0)));
        }
    }
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    LexicalEdges { pairs, count }
}

/// A pair of texts `a < b` and the cosine of their TF-IDF vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LexicalPair {
    /// The earlier text.
    pub a: u32,
    /// The later text.
    pub b: u32,
    /// Cosine similarity.
    pub cosine: f32,
}

/// All pairs with `cosine ≥ threshold`, sorted by (a, b). `features` bounds the vectors' feature numbers;
/// small numbers should be frequent features (as [`crate::tfidf::TfIdf`] gives them).
pub fn lexical_pairs(vectors: &[SparseVector], features: usize, threshold: f32) -> Vec<LexicalPair> {
    let index = Index::new(vectors, features, threshold);
    let (step, index) = (threads(), &index);
    let mut pairs: Vec<LexicalPair> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..step).map(|t| scope.spawn(move || index.search(vectors, t, step))).collect();
        workers.into_iter().flat_map(joined).collect()
    });
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs
}

struct Index {
    threshold: f32,
    /// For each feature (text, weight), ascending by text.
    lists: Vec<Vec<(u32, f32)>>,
    /// What the entries of a text that are not in the index can add to a cosine at most.
    unindexed: Vec<f32>,
}

impl Index {
    fn new(vectors: &[SparseVector], features: usize, threshold: f32) -> Self {
        let mut greatest = vec![0.0f32; features];
        for &(feature, weight) in vectors.iter().flat_map(|v| &v.entries) {
            let held = &mut greatest[feature as usize];
            *held = held.max(weight);
        }
        let mut lists = vec![Vec::new(); features];
        let mut unindexed = Vec::with_capacity(vectors.len());
        for (text, vector) in vectors.iter().enumerate() {
            let (mut bound, mut squares) = (0.0f32, 0.0f32);
            let mut outside = 0.0f32;
            for &(feature, weight) in &vector.entries {
                bound += weight * greatest[feature as usize];
                squares += weight * weight;
                // Cauchy and Schwarz bound the same sum by the norm of the part seen so far.
                let possible = bound.min(squares.sqrt());
                if possible < threshold - ROUNDING {
                    outside = possible;
                } else {
                    lists[feature as usize].push((text as u32, weight));
                }
            }
            unindexed.push(outside);
        }
        Self { threshold, lists, unindexed }
    }

    /// The pairs of every `step`-th text from `first` on with the texts before it.
    fn search(&self, vectors: &[SparseVector], first: usize, step: usize) -> Vec<LexicalPair> {
        let mut sums = vec![0.0f32; vectors.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut pairs = Vec::new();
        for b in (first..vectors.len()).step_by(step) {
            for &(feature, weight) in &vectors[b].entries {
                for &(a, other) in &self.lists[feature as usize] {
                    if a as usize >= b {
                        break;
                    }
                    if sums[a as usize] == 0.0 {
                        touched.push(a);
                    }
                    sums[a as usize] += weight * other;
                }
            }
            for a in touched.drain(..) {
                let seen = std::mem::take(&mut sums[a as usize]);
                if seen + self.unindexed[a as usize] >= self.threshold - ROUNDING {
                    let cosine = vectors[a as usize].cosine(&vectors[b]);
                    if cosine >= self.threshold {
                        pairs.push(LexicalPair { a, b: b as u32, cosine });
                    }
                }
            }
        }
        pairs
    }
}

/// Sums in another order differ by less than this; bounds give way by as much.
const ROUNDING: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfidf::TfIdf;
    use rand::{Rng, SeedableRng};

    #[test]
    fn finds_exactly_the_pairs_of_a_full_comparison() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2);
        let texts: Vec<String> = (0..400)
            .map(|_| {
                let words = (0..rng.random_range(1..9)).map(|_| {
                    let rank = (rng.random::<f32>().powi(3) * 60.0) as u32;
                    format!("w{rank}")
                });
                words.collect::<Vec<_>>().join(" ")
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let tfidf = TfIdf::fit(&texts);
        let vectors: Vec<SparseVector> = texts.iter().map(|t| tfidf.vector(t)).collect();
        let mut expected = Vec::new();
        for a in 0..vectors.len() {
            for b in a + 1..vectors.len() {
                if vectors[a].cosine(&vectors[b]) >= 0.75 {
                    expected.push((a as u32, b as u32));
                }
            }
        }
        let found: Vec<_> = lexical_pairs(&vectors, tfidf.features(), 0.75).iter().map(|p| (p.a, p.b)).collect();
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }
}

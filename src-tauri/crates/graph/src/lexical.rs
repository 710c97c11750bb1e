//! Lexical edges: all pairs of texts whose word TF-IDF vectors have a cosine of at least the threshold.
//!
//! Exact sparse self-join with an inverted index (All-Pairs, Bayardo, Ma, Srikant 2007): the leading entries
//! of a vector (the frequent words) stay out of the index as long as they alone cannot reach the threshold
//! against any other vector.

use crate::SentenceNode;
use crate::tfidf::{SparseVector, TfIdf};
use crate::threads::{in_chunks, joined, threads};
use foldhash::{HashMap, HashMapExt};

/// A word of more than this share of the sentences says nothing about them and stays out of the vectors …
const COMMON: f64 = 0.5;
/// … where there are enough sentences to tell.
const ENOUGH: usize = 50;
/// Most lexical edges that are stored; beyond, repeated sentences are linked to their first occurrence only.
pub(crate) const MOST_EDGES: u64 = 2_000_000;

/// The lexical edges of a corpus.
pub(crate) struct LexicalEdges {
    /// Pairs of rows, ascending.
    pub pairs: Vec<LexicalPair>,
    /// How many pairs there are, always exact.
    pub count: u64,
    /// The words with their weights.
    pub words: TfIdf,
}

/// The lexical edges of an earlier build, as rows of now.
pub(crate) struct KnownLexical<'a> {
    /// All pairs of which both are as they were.
    pub pairs: Vec<LexicalPair>,
    /// Which rows are new or have changed.
    pub new: &'a [bool],
}

/// Lexical edges between sentences that can be anchors, whose folded words `keys` has. Sentences of the same words are
/// compared once. `words` are the weights to use, else they are learned from these sentences; with `known` only what is new
/// is compared.
pub(crate) fn edges(
    sentences: &[SentenceNode],
    keys: &[Option<String>],
    threshold: f32,
    words: Option<&TfIdf>,
    known: Option<KnownLexical<'_>>,
) -> LexicalEdges {
    let mut rows_of: HashMap<&str, usize> = HashMap::new();
    let mut copies: Vec<Vec<u32>> = Vec::new();
    for (row, key) in keys.iter().enumerate() {
        let Some(key) = key.as_deref() else { continue };
        let next = copies.len();
        let distinct = *rows_of.entry(key).or_insert(next);
        if distinct == next {
            copies.push(Vec::new());
        }
        copies[distinct].push(row as u32);
    }
    let texts: Vec<&str> = copies
        .iter()
        .map(|rows| sentences[rows[0] as usize].text.as_str())
        .collect();
    let words = words.cloned().unwrap_or_else(|| {
        let most = if texts.len() < ENOUGH {
            texts.len()
        } else {
            (COMMON * texts.len() as f64) as usize
        };
        TfIdf::fit_capped(&texts, most)
    });
    let vectors: Vec<SparseVector> = in_chunks(&texts, |t| words.vector(t));
    if let Some(known) = known
        && let Some(found) = added(&copies, &vectors, threshold, known)
    {
        let (pairs, count) = found;
        return LexicalEdges {
            pairs,
            count,
            words,
        };
    }
    let distinct = lexical_pairs(&vectors, words.features(), threshold);
    let size = |text: u32| copies[text as usize].len() as u64;
    let count = distinct.iter().map(|p| size(p.a) * size(p.b)).sum::<u64>()
        + copies
            .iter()
            .map(|c| c.len() as u64 * (c.len() as u64 - 1) / 2)
            .sum::<u64>();
    let all = count <= MOST_EDGES;
    let pair = |a: u32, b: u32, cosine| LexicalPair {
        a: a.min(b),
        b: a.max(b),
        cosine,
    };
    let mut pairs = Vec::new();
    for found in &distinct {
        let (left, right) = (&copies[found.a as usize], &copies[found.b as usize]);
        let shown = if all { usize::MAX } else { 1 };
        for &a in left.iter().take(shown) {
            pairs.extend(right.iter().take(shown).map(|&b| pair(a, b, found.cosine)));
        }
    }
    for rows in &copies {
        for (i, &a) in rows
            .iter()
            .enumerate()
            .take(if all { usize::MAX } else { 1 })
        {
            pairs.extend(rows[i + 1..].iter().map(|&b| pair(a, b, 1.0)));
        }
    }
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    LexicalEdges {
        pairs,
        count,
        words,
    }
}

/// The pairs that are known and those of which one at least is new; none if there are too many to have known all.
fn added(
    copies: &[Vec<u32>],
    vectors: &[SparseVector],
    threshold: f32,
    known: KnownLexical<'_>,
) -> Option<(Vec<LexicalPair>, u64)> {
    let new = |row: u32| known.new[row as usize];
    let fresh: Vec<usize> = (0..copies.len())
        .filter(|&text| copies[text].iter().any(|&row| new(row)))
        .collect();
    // Which of the fresh texts have a word, and with which weight.
    let mut lists: HashMap<u32, Vec<(usize, f32)>> = HashMap::new();
    for (place, &text) in fresh.iter().enumerate() {
        for &(feature, weight) in &vectors[text].entries {
            lists.entry(feature).or_default().push((place, weight));
        }
    }
    let mut pairs = known.pairs;
    let mut sums = vec![0.0f32; fresh.len()];
    let mut add = |a: u32, b: u32, cosine: f32| {
        pairs.push(LexicalPair {
            a: a.min(b),
            b: a.max(b),
            cosine,
        })
    };
    for (other, vector) in vectors.iter().enumerate() {
        sums.fill(0.0);
        for (feature, weight) in &vector.entries {
            for &(place, own) in lists.get(feature).into_iter().flatten() {
                sums[place] += weight * own;
            }
        }
        for (place, &text) in fresh.iter().enumerate() {
            if text == other || sums[place] < threshold - ROUNDING {
                continue;
            }
            let cosine = vectors[text.min(other)].cosine(&vectors[text.max(other)]);
            if cosine < threshold {
                continue;
            }
            for &a in copies[text].iter().filter(|&&row| new(row)) {
                // A pair of two new rows is met from both sides.
                let partners = copies[other].iter().filter(|&&b| !new(b) || text < other);
                partners.for_each(|&b| add(a, b, cosine));
            }
        }
    }
    for &text in &fresh {
        for (i, &a) in copies[text].iter().enumerate() {
            copies[text][i + 1..]
                .iter()
                .filter(|&&b| new(a) || new(b))
                .for_each(|&b| add(a, b, 1.0));
        }
    }
    let count = pairs.len() as u64;
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    (count <= MOST_EDGES).then_some((pairs, count))
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
pub fn lexical_pairs(
    vectors: &[SparseVector],
    features: usize,
    threshold: f32,
) -> Vec<LexicalPair> {
    let index = Index::new(vectors, features, threshold);
    let (step, index) = (threads(), &index);
    let mut pairs: Vec<LexicalPair> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..step)
            .map(|t| scope.spawn(move || index.search(vectors, t, step)))
            .collect();
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
        Self {
            threshold,
            lists,
            unindexed,
        }
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
                        pairs.push(LexicalPair {
                            a,
                            b: b as u32,
                            cosine,
                        });
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
        let found: Vec<_> = lexical_pairs(&vectors, tfidf.features(), 0.75)
            .iter()
            .map(|p| (p.a, p.b))
            .collect();
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }
}

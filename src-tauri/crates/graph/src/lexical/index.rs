//! An index by words, which finds the texts that are like one.

use crate::tfidf::SparseVector;
use crate::threads::in_chunks;
use std::cmp::Ordering;

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

/// The index in which pairs are looked for. The entries of a text are ordered from the most frequent to the rarest
/// feature. Together, the first entries of a text have a small norm: they alone cannot bring a pair up to the threshold
/// (Cauchy and Schwarz). So each pair that reaches it shares a feature after these first entries. Only the later
/// entries are listed in the index and looked up.
pub(super) struct Index<'a> {
    pub(super) vectors: &'a [SparseVector],
    pub(super) threshold: f32,
    /// For each text the norms of its entries up to each of them.
    pub(super) norms: Vec<Vec<f32>>,
    /// For each feature (text, norm of the text's entries up to this one), the greatest norm first.
    pub(super) lists: Vec<Vec<(u32, f32)>>,
}

impl<'a> Index<'a> {
    pub(super) fn new(vectors: &'a [SparseVector], features: usize, threshold: f32) -> Self {
        let mut greatest = vec![0.0f32; features];
        for &(feature, weight) in vectors.iter().flat_map(|v| &v.entries) {
            let held = &mut greatest[feature as usize];
            *held = held.max(weight);
        }
        let norms: Vec<Vec<f32>> = in_chunks(vectors, norms_up_to_each);
        let mut lists: Vec<Vec<(u32, f32)>> = vec![Vec::new(); features];
        for (text, (vector, norms)) in vectors.iter().zip(&norms).enumerate() {
            let mut bound = 0.0f64;
            for (&(feature, weight), &norm) in vector.entries.iter().zip(norms) {
                bound += f64::from(weight) * f64::from(greatest[feature as usize]);
                // What the entries up to here can add to a cosine at most.
                if (bound as f32).min(norm) >= threshold - ROUNDING {
                    lists[feature as usize].push((text as u32, norm));
                }
            }
        }
        for list in &mut lists {
            list.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        Self {
            vectors,
            threshold,
            norms,
            lists,
        }
    }

    /// The pairs of every `step`-th text from `first` on with the texts before it.
    pub(super) fn search(&self, first: usize, step: usize) -> Vec<LexicalPair> {
        let least = self.threshold - ROUNDING;
        // With which text each one was compared last.
        let mut met = vec![u32::MAX; self.vectors.len()];
        let mut pairs = Vec::new();
        for b in (first..self.vectors.len()).step_by(step) {
            let own = self.vectors[b].entries.iter().zip(&self.norms[b]).rev();
            for (&(feature, _), &norm) in own.take_while(|(_, norm)| **norm >= least) {
                let listed = self.lists[feature as usize].iter();
                for &(a, _) in listed.take_while(|(_, other)| norm * other >= least) {
                    if a as usize >= b || met[a as usize] == b as u32 {
                        continue;
                    }
                    met[a as usize] = b as u32;
                    if !self.can_reach(a as usize, b, least) {
                        continue;
                    }
                    let cosine = self.vectors[a as usize].cosine(&self.vectors[b]);
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

    /// Whether the cosine of two texts can reach `least`. The entries are compared from the rarest feature on. The
    /// comparison stops as soon as the remaining entries cannot add enough.
    fn can_reach(&self, a: usize, b: usize, least: f32) -> bool {
        let (left, right) = (&self.vectors[a].entries, &self.vectors[b].entries);
        let (mut i, mut j, mut sum) = (left.len(), right.len(), 0.0f32);
        while i > 0 && j > 0 {
            if sum + self.norms[a][i - 1] * self.norms[b][j - 1] < least {
                return false;
            }
            let ((f, v), (g, w)) = (left[i - 1], right[j - 1]);
            match f.cmp(&g) {
                Ordering::Greater => i -= 1,
                Ordering::Less => j -= 1,
                Ordering::Equal => {
                    sum += v * w;
                    i -= 1;
                    j -= 1;
                }
            }
        }
        sum >= least
    }
}

fn norms_up_to_each(vector: &SparseVector) -> Vec<f32> {
    let mut squares = 0.0f64;
    let weights = vector.entries.iter().map(|(_, weight)| f64::from(*weight));
    weights
        .map(|weight| {
            squares += weight * weight;
            squares.sqrt() as f32
        })
        .collect()
}

/// Sums of the same numbers in another order differ by less than this. Bounds are loosened by as much.
pub(super) const ROUNDING: f32 = 1e-4;

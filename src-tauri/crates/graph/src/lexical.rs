//! Lexical edges: all pairs of texts whose TF-IDF vectors have a cosine of at least the threshold. The vectors count
//! words, or the sub-words of a tokenizer (docs/methods.md, "Terminology in practice").
//!
//! The pairs are found exactly with an inverted index (All-Pairs, Bayardo, Ma, Srikant 2007). The entries of a vector
//! are ordered from frequent to rare words. The first entries are not put into the index and not looked up, as long as
//! they alone cannot reach the threshold with any other vector. Two more steps save time (after L2AP, Anastasiu,
//! Karypis 2014): a list is read, and a pair is compared, only until the norms of the remaining entries show that the
//! threshold cannot be reached.

mod index;

pub use index::LexicalPair;

use crate::SentenceNode;
use crate::tfidf::{SparseVector, TfIdf};
use crate::threads::{in_chunks, joined, threads};
use foldhash::{HashMap, HashMapExt};
use index::{Index, ROUNDING};
use lexforge_domain::SentenceId;
use lexforge_domain::graph::{EdgeKind, SentenceEdge};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A word of more than this share of the sentences says nothing about them and stays out of the vectors …
const COMMON: f64 = 0.5;
/// … where there are enough sentences to tell.
const ENOUGH: usize = 50;
/// So many sub-words are counted, the most frequent ones; whole words are all counted (docs/methods.md, "Terminology in
/// practice").
const MOST_PIECES: usize = 50_000;
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
    /// All pairs whose texts are both unchanged.
    pub pairs: Vec<LexicalPair>,
    /// Which rows are new or have changed.
    pub new: &'a [bool],
}

/// What lexical edges compare.
#[derive(Clone, Copy, Debug, Default)]
pub enum LexicalTexts<'a> {
    /// The words of the sentences.
    #[default]
    Words,
    /// Their sub-words: for each sentence the numbers that a tokenizer gives them, with blanks between.
    Pieces(&'a [String]),
    /// Nothing is compared. All these edges of the earlier build stay if both of their sentences still exist.
    AsLeft(&'a [SentenceEdge]),
}

/// How sentences are compared.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'a> {
    /// What of them.
    pub texts: LexicalTexts<'a>,
    /// The weights to use; `None` = they are learned from these sentences.
    pub words: Option<&'a TfIdf>,
    /// The least cosine of an edge.
    pub threshold: f32,
}

/// The weights of the words of texts, or of their sub-words where they are given as these.
pub fn weights(texts: &[&str], pieces: bool) -> TfIdf {
    let most = if texts.len() < ENOUGH {
        texts.len()
    } else {
        (COMMON * texts.len() as f64) as usize
    };
    let words = TfIdf::fit_capped(texts, most);
    match pieces {
        true => words.most_frequent(MOST_PIECES),
        false => words,
    }
}

/// Lexical edges between sentences that can be anchors. `keys` has the folded words of each sentence, or `None` if the
/// sentence cannot be an anchor. Sentences with the same words are compared once. With `known`, only new and changed
/// sentences are compared.
pub(crate) fn edges(
    sentences: &[SentenceNode],
    keys: &[Option<String>],
    compared: Compared<'_>,
    known: Option<KnownLexical<'_>>,
) -> LexicalEdges {
    let Compared {
        texts,
        words,
        threshold,
    } = compared;
    if let LexicalTexts::AsLeft(_) = texts {
        let mut pairs = known.map(|known| known.pairs).unwrap_or_default();
        pairs.sort_unstable_by_key(|p| (p.a, p.b));
        return LexicalEdges {
            count: pairs.len() as u64,
            pairs,
            words: words.cloned().unwrap_or_else(|| TfIdf::fit(&[])),
        };
    }
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
    let pieces = matches!(texts, LexicalTexts::Pieces(_));
    let texts: Vec<&str> = copies
        .iter()
        .map(|rows| match texts {
            LexicalTexts::Pieces(pieces) => pieces[rows[0] as usize].as_str(),
            _ => sentences[rows[0] as usize].text.as_str(),
        })
        .collect();
    let words = words.cloned().unwrap_or_else(|| weights(&texts, pieces));
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

/// The lexical pairs of an earlier build whose texts are both unchanged.
pub(crate) fn known_pairs(
    sentences: &[SentenceNode],
    new: &[bool],
    edges: &[SentenceEdge],
) -> Vec<LexicalPair> {
    let held = sentences.iter().enumerate().filter(|(row, _)| !new[*row]);
    let row_of: HashMap<SentenceId, u32> = held.map(|(row, s)| (s.id, row as u32)).collect();
    let both = |e: &SentenceEdge| {
        let (a, b) = (*row_of.get(&e.a)?, *row_of.get(&e.b)?);
        Some(LexicalPair {
            a: a.min(b),
            b: a.max(b),
            cosine: e.weight,
        })
    };
    edges
        .iter()
        .filter(|e| e.kind == EdgeKind::Lexical)
        .filter_map(both)
        .collect()
}

/// The known pairs, and the pairs with at least one new text; `None` if there were too many to know all.
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

/// All pairs with `cosine ≥ threshold`, sorted by (a, b). Each feature of the vectors has a number below `features`.
/// Frequent features should have small numbers, as [`crate::tfidf::TfIdf`] gives them.
pub fn lexical_pairs(
    vectors: &[SparseVector],
    features: usize,
    threshold: f32,
) -> Vec<LexicalPair> {
    let index = Index::new(vectors, features, threshold);
    let (step, index) = (threads(), &index);
    let mut pairs: Vec<LexicalPair> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..step)
            .map(|t| scope.spawn(move || index.search(t, step)))
            .collect();
        workers.into_iter().flat_map(joined).collect()
    });
    pairs.sort_unstable_by_key(|p| (p.a, p.b));
    pairs
}

/// Chooses at random one of the texts `among` that has little in common with the given text: their cosine is at most
/// `most`. At most `draws` texts are tried, and the result depends only on the seed. Such pairs are chosen when they
/// are needed, because there are far too many to store (docs/methods.md, "Terminology in practice").
pub fn distant(
    vectors: &[SparseVector],
    from: usize,
    among: &[usize],
    most: f32,
    draws: usize,
    seed: u64,
) -> Option<usize> {
    if among.is_empty() {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(from as u64);
    (0..draws)
        .map(|_| among[random.random_range(0..among.len())])
        .find(|&other| other != from && vectors[from].cosine(&vectors[other]) <= most)
}

#[cfg(test)]
mod tests;

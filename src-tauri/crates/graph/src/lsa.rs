//! Latent semantic analysis over character n-grams: vectors for a language without an encoder.
//!
//! TF-IDF of the character 2–4-grams of each text, then a truncated singular value decomposition by
//! randomised subspace iteration (Halko, Martinsson, Tropp 2011). Deterministic for a seed.

mod algebra;

use crate::Matrix;
use crate::threads::{in_chunks, joined, threads};
use algebra::{Eigen, gram, orthonormal, times};
use faer::Mat;
use foldhash::{HashMap, HashMapExt};
use rand::{Rng, SeedableRng};
use std::sync::{Mutex, PoisonError};

/// Lengths of the n-grams, in characters.
const GRAMS: std::ops::RangeInclusive<usize> = 2..=4;
/// Most n-grams kept; the most frequent ones are.
const MOST_FEATURES: usize = 60_000;
/// Directions sampled beyond those asked for.
const OVERSAMPLING: usize = 10;
/// Passes over the matrix and its transpose that sharpen the subspace.
const PASSES: usize = 4;

/// A vector of unit length for each text, with `dim` values. If there are fewer texts or n-grams than `dim`, the last
/// values are zero. A text without any known n-gram has a zero vector.
pub fn char_ngram_lsa(texts: &[&str], dim: usize, seed: u64) -> Matrix {
    fitted(texts, dim, seed).1
}

/// The basis that these texts span, and their vectors on it.
pub fn fitted(texts: &[&str], dim: usize, seed: u64) -> (Basis, Matrix) {
    let vocabulary = Vocabulary::fit(texts);
    let rows = vocabulary.rows(texts);
    let directions = directions(&Sparse::new(&rows, vocabulary.columns.len()), dim, seed);
    let basis = Basis {
        vocabulary,
        directions,
    };
    let vectors = basis.projected(&rows);
    (basis, vectors)
}

/// Turns texts into vectors. A basis is fitted to some texts, and holds their n-grams with weights and their main
/// directions. Texts that are added later get vectors that can be compared with those of the fitted texts. N-grams that
/// no fitted text has are ignored.
#[derive(Clone, Debug)]
pub struct Basis {
    vocabulary: Vocabulary,
    /// `[n-grams, dim]`.
    directions: Matrix,
}

impl Basis {
    /// A unit vector for each text; zero for a text without any known n-gram.
    pub fn vectors(&self, texts: &[&str]) -> Matrix {
        self.projected(&self.vocabulary.rows(texts))
    }

    fn projected(&self, rows: &[Vec<(u32, f32)>]) -> Matrix {
        let mut vectors = product(rows, &self.directions);
        vectors.normalize_rows();
        vectors
    }

    /// The basis as bytes, little-endian. First come its dimension and the number of n-grams. Then comes each n-gram,
    /// in the order of the columns: its length in bytes, its text and its weight. The directions come last.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut grams: Vec<(&Gram, &(u32, f32))> = self.vocabulary.columns.iter().collect();
        grams.sort_unstable_by_key(|(_, (column, _))| *column);
        let mut bytes = Vec::with_capacity(grams.len() * 24 + self.directions.data.len() * 4);
        bytes.extend((self.directions.dim as u32).to_le_bytes());
        bytes.extend((grams.len() as u32).to_le_bytes());
        for (gram, (_, weight)) in grams {
            let gram = text_of(*gram);
            bytes.push(gram.len() as u8);
            bytes.extend(gram.as_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        self.directions
            .data
            .iter()
            .for_each(|v| bytes.extend(v.to_le_bytes()));
        bytes
    }

    /// Reads what [`Basis::to_bytes`] wrote. `None` if the bytes are incomplete or were written by another function.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (dim, rest) = bytes.split_first_chunk()?;
        let (count, mut rest) = rest.split_first_chunk()?;
        let (dim, count) = (
            u32::from_le_bytes(*dim) as usize,
            u32::from_le_bytes(*count),
        );
        let mut columns = HashMap::new();
        for column in 0..count {
            let (length, tail) = rest.split_first()?;
            let (gram, tail) = tail.split_at_checked(usize::from(*length))?;
            let (weight, tail) = tail.split_first_chunk()?;
            let characters: Vec<char> = std::str::from_utf8(gram).ok()?.chars().collect();
            GRAMS.contains(&characters.len()).then_some(())?;
            columns.insert(packed(&characters), (column, f32::from_le_bytes(*weight)));
            rest = tail;
        }
        let rows = count as usize;
        let (values, odd) = rest.as_chunks();
        if !odd.is_empty() || values.len() != rows.checked_mul(dim)? || columns.len() != rows {
            return None;
        }
        let data = values.iter().map(|b| f32::from_le_bytes(*b)).collect();
        Some(Self {
            vocabulary: Vocabulary { columns },
            directions: Matrix { rows, dim, data },
        })
    }
}

/// The leading right singular directions, `[n-grams, dim]`; the last columns are zero where there are fewer.
fn directions(documents: &Sparse<'_>, dim: usize, seed: u64) -> Matrix {
    let columns = documents.columns.len();
    let wanted = dim.min(documents.rows.len()).min(columns);
    let sampled = (wanted + OVERSAMPLING).min(columns);
    if wanted == 0 {
        return Matrix::zeros(columns, dim);
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut basis = Matrix::zeros(columns, sampled);
    basis
        .data
        .iter_mut()
        .for_each(|v| *v = rng.random_range(-1.0..1.0));
    basis = orthonormal(&basis);
    for _ in 0..PASSES {
        basis = orthonormal(&product(
            &documents.columns,
            &product(documents.rows, &basis),
        ));
    }
    // Rayleigh–Ritz: within the subspace the singular directions are the eigenvectors of (A·V)ᵀ(A·V).
    let Some(eigen) = Eigen::of(&gram(&product(documents.rows, &basis))) else {
        return Matrix::zeros(columns, dim);
    };
    let turned = Mat::from_fn(sampled, dim, |i, j| {
        if j < wanted {
            eigen.vectors[(i, sampled - 1 - j)]
        } else {
            0.0
        }
    });
    times(&basis, &turned)
}

/// An n-gram: its characters, 21 bits each. None is the character zero, so that lengths differ too.
type Gram = u128;

fn packed(characters: &[char]) -> Gram {
    characters
        .iter()
        .fold(0, |gram, c| gram << 21 | Gram::from(u32::from(*c)))
}

fn text_of(gram: Gram) -> String {
    let places = (0..*GRAMS.end())
        .rev()
        .map(|place| (gram >> (21 * place)) as u32 & 0x1f_ffff);
    places
        .filter(|c| *c != 0)
        .filter_map(char::from_u32)
        .collect()
}

/// The n-grams that are counted, each with its column and its inverse document frequency.
#[derive(Clone, Debug)]
struct Vocabulary {
    columns: HashMap<Gram, (u32, f32)>,
}

impl Vocabulary {
    fn fit(texts: &[&str]) -> Self {
        let part = texts.len().div_ceil(threads()).max(1);
        let frequency = std::thread::scope(|scope| {
            let workers: Vec<_> = texts
                .chunks(part)
                .map(|texts| {
                    scope.spawn(|| {
                        let mut frequency: HashMap<Gram, u32> = HashMap::new();
                        let of_text = |text: &&str| grams(text);
                        texts
                            .iter()
                            .flat_map(of_text)
                            .for_each(|(gram, _)| *frequency.entry(gram).or_default() += 1);
                        frequency
                    })
                })
                .collect();
            let parts = workers.into_iter().map(joined);
            parts.reduce(|mut all, part| {
                part.into_iter()
                    .for_each(|(gram, df)| *all.entry(gram).or_default() += df);
                all
            })
        });
        let mut kept: Vec<(Gram, u32)> = frequency.unwrap_or_default().into_iter().collect();
        kept.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        kept.truncate(MOST_FEATURES);
        let n = texts.len() as f32;
        let columns = kept
            .into_iter()
            .enumerate()
            .map(|(column, (gram, df))| {
                (
                    gram,
                    (column as u32, ((1.0 + n) / (1.0 + df as f32)).ln() + 1.0),
                )
            })
            .collect();
        Self { columns }
    }

    /// Each text as a unit vector over the columns, ascending.
    fn rows(&self, texts: &[&str]) -> Vec<Vec<(u32, f32)>> {
        in_chunks(texts, |text| {
            let weight = |(gram, tf): (Gram, u32)| {
                self.columns
                    .get(&gram)
                    .map(|(c, idf)| (*c, (1.0 + (tf as f32).ln()) * idf))
            };
            let mut weights: Vec<(u32, f32)> = grams(text).into_iter().filter_map(weight).collect();
            weights.sort_unstable_by_key(|(column, _)| *column);
            let norm = weights.iter().map(|(_, w)| w * w).sum::<f32>().sqrt();
            weights.iter_mut().for_each(|(_, w)| *w /= norm);
            weights
        })
    }
}

/// Texts as sparse rows over n-gram columns, and the same by columns.
struct Sparse<'a> {
    rows: &'a [Vec<(u32, f32)>],
    columns: Vec<Vec<(u32, f32)>>,
}

impl<'a> Sparse<'a> {
    fn new(rows: &'a [Vec<(u32, f32)>], columns: usize) -> Self {
        let mut by_column = vec![Vec::new(); columns];
        for (i, entries) in rows.iter().enumerate() {
            entries
                .iter()
                .for_each(|&(column, weight)| by_column[column as usize].push((i as u32, weight)));
        }
        Self {
            rows,
            columns: by_column,
        }
    }
}

/// Sparse rows times a matrix, on all cores; a row is summed in one order, whoever computes it.
fn product(rows: &[Vec<(u32, f32)>], x: &Matrix) -> Matrix {
    let mut product = Matrix::zeros(rows.len(), x.dim);
    in_rows(&mut product, |i, out| {
        for &(column, weight) in &rows[i] {
            out.iter_mut()
                .zip(x.row(column as usize))
                .for_each(|(o, v)| *o += weight * v);
        }
    });
    product
}

/// Fills the rows of a matrix on all cores, a few at a time, because some take longer than others.
fn in_rows(out: &mut Matrix, fill: impl Fn(usize, &mut [f32]) + Sync) {
    if out.data.is_empty() {
        return;
    }
    let dim = out.dim;
    let open = Mutex::new(out.data.chunks_mut(ROWS_AT_A_TIME * dim).enumerate());
    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                while let Some((block, rows)) = next() {
                    let numbered = rows.chunks_exact_mut(dim).enumerate();
                    numbered.for_each(|(i, row)| fill(block * ROWS_AT_A_TIME + i, row));
                }
            });
        }
    });
}

/// Rows that a worker takes at a time.
const ROWS_AT_A_TIME: usize = 64;

/// The n-grams of the lower-cased text and how often it has each, ascending; words are set apart by one space.
fn grams(text: &str) -> Vec<(Gram, u32)> {
    let spaced = format!(" {} ", lexforge_text::fold::letters(text));
    let characters: Vec<char> = spaced.chars().collect();
    if characters.len() <= 2 {
        return Vec::new();
    }
    let mut all: Vec<Gram> = GRAMS
        .flat_map(|length| characters.windows(length).map(packed))
        .collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len() as u32))
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

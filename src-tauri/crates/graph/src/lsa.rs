//! Latent semantic analysis over character n-grams: vectors for a language without an encoder.
//!
//! TF-IDF of the character 2–4-grams of each text, then a truncated singular value decomposition by
//! randomised subspace iteration (Halko, Martinsson, Tropp 2011). Deterministic for a seed.

use crate::Matrix;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};
use rand::{Rng, SeedableRng};
use std::collections::{BTreeMap, HashMap};

/// Lengths of the n-grams, in characters.
const GRAMS: std::ops::RangeInclusive<usize> = 2..=4;
/// Most n-grams kept; the most frequent ones are.
const MOST_FEATURES: usize = 60_000;
/// Directions sampled beyond those wanted.
const OVERSAMPLING: usize = 10;
/// Passes over the matrix and its transpose that sharpen the subspace.
const PASSES: usize = 4;

/// A unit vector of length `dim` for each text. With fewer texts or n-grams than `dim` the last components
/// are zero; a text without any known n-gram has a zero vector.
pub fn char_ngram_lsa(texts: &[&str], dim: usize, seed: u64) -> Matrix {
    fitted(texts, dim, seed).1
}

/// The basis that these texts span, and their vectors on it.
pub fn fitted(texts: &[&str], dim: usize, seed: u64) -> (Basis, Matrix) {
    let vocabulary = Vocabulary::fit(texts);
    let documents = Sparse { rows: vocabulary.rows(texts), columns: vocabulary.columns.len() };
    let directions = directions(&documents, dim, seed);
    let basis = Basis { vocabulary, directions };
    let vectors = basis.projected(&documents.rows);
    (basis, vectors)
}

/// What turns texts into vectors: the n-grams with their weights, and the directions of the texts that it was fitted to.
/// Texts that came later get vectors that can be compared with those of the fitted ones; n-grams that the fitted texts do
/// not have say nothing.
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
        let mut vectors = Matrix::zeros(rows.len(), self.directions.dim);
        for (i, entries) in rows.iter().enumerate() {
            let out = vectors.row_mut(i);
            for &(column, weight) in entries {
                add_scaled(out, self.directions.row(column as usize), weight);
            }
        }
        vectors.normalize_rows();
        vectors
    }

    /// The basis as bytes, little-endian: dimension and number of n-grams, then for each n-gram, in the order of the
    /// columns, its length in bytes, its text and its weight, then the directions.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut grams: Vec<(&String, &(u32, f32))> = self.vocabulary.columns.iter().collect();
        grams.sort_unstable_by_key(|(_, (column, _))| *column);
        let mut bytes = Vec::with_capacity(grams.len() * 24 + self.directions.data.len() * 4);
        bytes.extend((self.directions.dim as u32).to_le_bytes());
        bytes.extend((grams.len() as u32).to_le_bytes());
        for (gram, (_, weight)) in grams {
            bytes.push(gram.len() as u8);
            bytes.extend(gram.as_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        self.directions.data.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
        bytes
    }

    /// What [`Basis::to_bytes`] wrote; none if the bytes are cut or none of its own.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (dim, rest) = bytes.split_first_chunk()?;
        let (count, mut rest) = rest.split_first_chunk()?;
        let (dim, count) = (u32::from_le_bytes(*dim) as usize, u32::from_le_bytes(*count));
        let mut columns = HashMap::new();
        for column in 0..count {
            let (length, tail) = rest.split_first()?;
            let (gram, tail) = tail.split_at_checked(usize::from(*length))?;
            let (weight, tail) = tail.split_first_chunk()?;
            columns.insert(std::str::from_utf8(gram).ok()?.to_owned(), (column, f32::from_le_bytes(*weight)));
            rest = tail;
        }
        let rows = count as usize;
        let (values, odd) = rest.as_chunks();
        if !odd.is_empty() || values.len() != rows.checked_mul(dim)? || columns.len() != rows {
            return None;
        }
        let data = values.iter().map(|b| f32::from_le_bytes(*b)).collect();
        Some(Self { vocabulary: Vocabulary { columns }, directions: Matrix { rows, dim, data } })
    }
}

/// The leading right singular directions, `[n-grams, dim]`; the last columns are zero where there are fewer.
fn directions(documents: &Sparse, dim: usize, seed: u64) -> Matrix {
    let wanted = dim.min(documents.rows.len()).min(documents.columns);
    let sampled = (wanted + OVERSAMPLING).min(documents.columns);
    let mut directions = Matrix::zeros(documents.columns, dim);
    if wanted == 0 {
        return directions;
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut basis = Matrix::zeros(documents.columns, sampled);
    basis.data.iter_mut().for_each(|v| *v = rng.random_range(-1.0..1.0));
    orthonormalise(&mut basis);
    for _ in 0..PASSES {
        basis = documents.transpose_times(&documents.times(&basis));
        orthonormalise(&mut basis);
    }
    // Rayleigh–Ritz: within the subspace the singular directions are the eigenvectors of (A·V)ᵀ(A·V).
    let Some(turned) = leading_eigenvectors(&gram(&documents.times(&basis)), wanted) else { return directions };
    for i in 0..documents.columns {
        let row = basis.row(i);
        for (out, direction) in directions.row_mut(i).iter_mut().zip(&turned) {
            *out = row.iter().zip(direction).map(|(a, b)| f64::from(*a) * b).sum::<f64>() as f32;
        }
    }
    directions
}

/// The n-grams that are counted, each with its column and its inverse document frequency.
#[derive(Clone, Debug)]
struct Vocabulary {
    columns: HashMap<String, (u32, f32)>,
}

impl Vocabulary {
    fn fit(texts: &[&str]) -> Self {
        let mut frequency: HashMap<String, u32> = HashMap::new();
        for text in texts {
            for gram in grams(text).into_keys() {
                *frequency.entry(gram).or_default() += 1;
            }
        }
        let mut kept: Vec<(String, u32)> = frequency.into_iter().collect();
        kept.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        kept.truncate(MOST_FEATURES);
        let n = texts.len() as f32;
        let columns = kept
            .into_iter()
            .enumerate()
            .map(|(column, (gram, df))| (gram, (column as u32, ((1.0 + n) / (1.0 + df as f32)).ln() + 1.0)))
            .collect();
        Self { columns }
    }

    /// Each text as a unit vector over the columns, ascending.
    fn rows(&self, texts: &[&str]) -> Vec<Vec<(u32, f32)>> {
        let of_text = |text: &&str| {
            let weights: BTreeMap<u32, f32> = grams(text)
                .iter()
                .filter_map(|(gram, tf)| self.columns.get(gram).map(|(c, idf)| (*c, (1.0 + (*tf as f32).ln()) * idf)))
                .collect();
            let norm = weights.values().map(|w| w * w).sum::<f32>().sqrt();
            weights.into_iter().map(|(c, w)| (c, w / norm)).collect()
        };
        texts.iter().map(of_text).collect()
    }
}

/// Texts as sparse rows over n-gram columns.
struct Sparse {
    rows: Vec<Vec<(u32, f32)>>,
    columns: usize,
}

impl Sparse {
    /// `A · X`, `[texts, k]` for `X` of `[n-grams, k]`.
    fn times(&self, x: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.rows.len(), x.dim);
        for (i, entries) in self.rows.iter().enumerate() {
            let out = product.row_mut(i);
            for &(column, weight) in entries {
                add_scaled(out, x.row(column as usize), weight);
            }
        }
        product
    }

    /// `Aᵀ · Y`, `[n-grams, k]` for `Y` of `[texts, k]`.
    fn transpose_times(&self, y: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.columns, y.dim);
        for (i, entries) in self.rows.iter().enumerate() {
            for &(column, weight) in entries {
                add_scaled(product.row_mut(column as usize), y.row(i), weight);
            }
        }
        product
    }
}

/// The character n-grams of the lower-cased text; words are set apart by one space.
fn grams(text: &str) -> HashMap<String, u32> {
    let spaced = format!(" {} ", crate::similarity::folded(text));
    let chars: Vec<char> = spaced.chars().collect();
    let mut counts = HashMap::new();
    if chars.len() > 2 {
        for length in GRAMS {
            for gram in chars.windows(length) {
                *counts.entry(gram.iter().collect()).or_default() += 1;
            }
        }
    }
    counts
}

fn add_scaled(out: &mut [f32], x: &[f32], scale: f32) {
    out.iter_mut().zip(x).for_each(|(o, v)| *o += scale * v);
}

/// `XᵀX` in double precision, `[k, k]`.
fn gram(x: &Matrix) -> Mat<f64> {
    let k = x.dim;
    let mut sums = vec![0.0f64; k * k];
    for i in 0..x.rows {
        let row = x.row(i);
        for (a, out) in sums.chunks_exact_mut(k).enumerate() {
            let left = f64::from(row[a]);
            out[..=a].iter_mut().zip(row).for_each(|(o, v)| *o += left * f64::from(*v));
        }
    }
    Mat::from_fn(k, k, |a, b| if b <= a { sums[a * k + b] } else { sums[b * k + a] })
}

/// The `count` eigenvectors of a symmetric matrix with the greatest eigenvalues, greatest first.
fn leading_eigenvectors(symmetric: &Mat<f64>, count: usize) -> Option<Vec<Vec<f64>>> {
    let eigen = SelfAdjointEigen::new(symmetric.as_ref(), Side::Lower).ok()?;
    let vectors = eigen.U();
    // Eigenvalues come in ascending order.
    let columns = (0..vectors.ncols()).rev().take(count);
    Some(columns.map(|j| (0..vectors.nrows()).map(|i| vectors[(i, j)]).collect()).collect())
}

/// Makes the columns orthonormal by modified Gram–Schmidt, twice; a dependent column becomes zero.
fn orthonormalise(x: &mut Matrix) {
    let (n, k) = (x.rows, x.dim);
    let mut columns: Vec<Vec<f32>> = (0..k).map(|j| (0..n).map(|i| x.data[i * k + j]).collect()).collect();
    for j in 0..k {
        let (done, rest) = columns.split_at_mut(j);
        let column = &mut rest[0];
        let before = norm(column);
        for _ in 0..2 {
            for other in done.iter() {
                let shared = -inner(column, other) as f32;
                add_scaled(column, other, shared);
            }
        }
        let length = norm(column);
        let scale = if length > 1e-5 * before { 1.0 / length } else { 0.0 };
        column.iter_mut().for_each(|v| *v = (f64::from(*v) * scale) as f32);
    }
    for (j, column) in columns.iter().enumerate() {
        column.iter().enumerate().for_each(|(i, v)| x.data[i * k + j] = *v);
    }
}

/// Inner product, summed in double precision over short runs.
fn inner(a: &[f32], b: &[f32]) -> f64 {
    a.chunks(256).zip(b.chunks(256)).map(|(p, q)| f64::from(crate::matrix::dot(p, q))).sum()
}

fn norm(a: &[f32]) -> f64 {
    inner(a, a).sqrt()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::matrix::dot;

    const TEXTS: [&str; 7] = [
        "商业银行应当建立流动性风险管理体系",
        "商业银行应当健全流动性风险管理制度",
        "保险公司不得挪用保险保障基金",
        "保险保障基金不得被保险公司挪用",
        "监督管理机构依法进行检查",
        "",
        "商业银行应当建立流动性风险管理体系",
    ];

    #[test]
    fn similar_texts_are_near_and_others_far() {
        let m = char_ngram_lsa(&TEXTS, 16, 42);
        assert_eq!((m.rows, m.dim), (7, 16));
        let cosine = |a: usize, b: usize| dot(m.row(a), m.row(b));
        assert!(cosine(0, 1) > 0.4 && cosine(2, 3) > 0.4, "{} {}", cosine(0, 1), cosine(2, 3));
        assert!(cosine(0, 2) < 0.2 && cosine(0, 4) < 0.2);
        assert!((cosine(0, 6) - 1.0).abs() < 1e-4);
        assert!(m.row(5).iter().all(|v| *v == 0.0));
    }

    #[test]
    fn full_rank_keeps_the_cosines_of_the_tfidf_vectors() {
        let m = char_ngram_lsa(&TEXTS, 7, 1);
        let rows = Vocabulary::fit(&TEXTS).rows(&TEXTS);
        for a in 0..5 {
            for b in 0..5 {
                let exact: f32 = rows[a]
                    .iter()
                    .map(|(c, w)| w * rows[b].iter().find(|(d, _)| d == c).map_or(0.0, |(_, v)| *v))
                    .sum();
                assert!((dot(m.row(a), m.row(b)) - exact).abs() < 1e-3, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_kept_basis_gives_the_vectors_of_the_fit_and_places_new_texts_among_them() {
        let (basis, fitted) = fitted(&TEXTS, 16, 42);
        let read = Basis::from_bytes(&basis.to_bytes()).unwrap();
        assert_eq!(read.vectors(&TEXTS), fitted);
        let new = read.vectors(&["商业银行应当完善流动性风险管理体系", "cats sleep"]);
        assert!(dot(new.row(0), fitted.row(0)) > 0.6 && dot(new.row(0), fitted.row(2)) < 0.2);
        assert!(new.row(1).iter().all(|v| *v == 0.0), "no n-gram of it is known");
        let bytes = basis.to_bytes();
        for cut in [0, 3, 8, 30, bytes.len() - 1] {
            assert!(Basis::from_bytes(&bytes[..cut]).is_none(), "cut at {cut}");
        }
    }

    #[test]
    fn same_seed_same_vectors() {
        assert_eq!(char_ngram_lsa(&TEXTS, 4, 3), char_ngram_lsa(&TEXTS, 4, 3));
        assert_eq!(char_ngram_lsa(&[], 4, 3), Matrix::zeros(0, 4));
        assert!(char_ngram_lsa(&["", "x"], 4, 3).data.iter().all(|v| v.is_finite()));
    }
}

//! Word TF-IDF: for lexical edges, and as the baseline without weights.
//!
//! Weight of a word in a text: `(1 + ln tf) · (ln((1 + n) / (1 + df)) + 1)`, vectors of unit length. Words are
//! lower-cased runs of letters and digits; CJK runs count as overlapping bigrams (a lone character as itself).

use crate::similarity::is_cjk;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Entries (feature, weight), ascending by feature; unit length unless empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseVector {
    /// The entries.
    pub entries: Vec<(u32, f32)>,
}

impl SparseVector {
    /// The inner product: the cosine, as vectors have unit length.
    pub fn cosine(&self, other: &Self) -> f32 {
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while let (Some((f, v)), Some((g, w))) = (self.entries.get(i), other.entries.get(j)) {
            match f.cmp(g) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    sum += v * w;
                    i += 1;
                    j += 1;
                }
            }
        }
        sum
    }
}

/// A vocabulary with inverse document frequencies.
#[derive(Clone, Debug)]
pub struct TfIdf {
    vocabulary: HashMap<String, (u32, f32)>,
}

impl TfIdf {
    /// Learns words and their document frequencies from a corpus.
    pub fn fit(texts: &[&str]) -> Self {
        Self::fit_capped(texts, texts.len())
    }

    /// Like [`TfIdf::fit`], but words that occur in more than `most` texts are left out of the vectors.
    pub fn fit_capped(texts: &[&str], most: usize) -> Self {
        let mut frequency: HashMap<String, usize> = HashMap::new();
        for text in texts {
            let distinct: HashSet<String> = words(text).into_iter().collect();
            for word in distinct {
                *frequency.entry(word).or_default() += 1;
            }
        }
        let mut kept: Vec<(String, usize)> = frequency.into_iter().filter(|(_, df)| *df <= most).collect();
        // Frequent words get small feature numbers: the join reads vectors in this order.
        kept.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let n = texts.len() as f32;
        let vocabulary = kept
            .into_iter()
            .enumerate()
            .map(|(feature, (word, df))| (word, (feature as u32, ((1.0 + n) / (1.0 + df as f32)).ln() + 1.0)))
            .collect();
        Self { vocabulary }
    }

    /// The vocabulary as bytes, little-endian: how many words, then for each, in the order of the features, its length in
    /// bytes, its text and its weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words: Vec<(&String, &(u32, f32))> = self.vocabulary.iter().collect();
        words.sort_unstable_by_key(|(_, (feature, _))| *feature);
        let mut bytes = (words.len() as u32).to_le_bytes().to_vec();
        for (word, (_, idf)) in words {
            bytes.extend((word.len() as u32).to_le_bytes());
            bytes.extend(word.as_bytes());
            bytes.extend(idf.to_le_bytes());
        }
        bytes
    }

    /// What [`TfIdf::to_bytes`] wrote; none if the bytes are cut or none of its own.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, mut rest) = bytes.split_first_chunk()?;
        let count = u32::from_le_bytes(*count);
        let mut vocabulary = HashMap::new();
        for feature in 0..count {
            let (length, tail) = rest.split_first_chunk()?;
            let (word, tail) = tail.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            let (idf, tail) = tail.split_first_chunk()?;
            vocabulary.insert(std::str::from_utf8(word).ok()?.to_owned(), (feature, f32::from_le_bytes(*idf)));
            rest = tail;
        }
        (rest.is_empty() && vocabulary.len() == count as usize).then_some(Self { vocabulary })
    }

    /// How many features the vectors have.
    pub fn features(&self) -> usize {
        self.vocabulary.len()
    }

    /// The vector of a text; words that the corpus did not have are left out.
    pub fn vector(&self, text: &str) -> SparseVector {
        let mut counts: BTreeMap<u32, (f32, f32)> = BTreeMap::new();
        for word in words(text) {
            if let Some(&(feature, idf)) = self.vocabulary.get(&word) {
                counts.entry(feature).or_insert((0.0, idf)).0 += 1.0;
            }
        }
        let mut entries: Vec<(u32, f32)> =
            counts.into_iter().map(|(feature, (tf, idf))| (feature, (1.0 + tf.ln()) * idf)).collect();
        let norm = entries.iter().map(|(_, w)| w * w).sum::<f32>().sqrt();
        entries.iter_mut().for_each(|(_, w)| *w /= norm);
        SparseVector { entries }
    }

    /// The cosine of a text with each of several others.
    pub fn cosines(&self, text: &str, others: &[&str]) -> Vec<f32> {
        let vector = self.vector(text);
        others.iter().map(|other| vector.cosine(&self.vector(other))).collect()
    }
}

/// The words of a text as TF-IDF counts them.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut cjk: Vec<char> = Vec::new();
    for c in text.chars().chain([' ']) {
        let ideograph = is_cjk(c);
        if !ideograph && !cjk.is_empty() {
            match cjk.len() {
                1 => words.push(cjk.iter().collect()),
                _ => words.extend(cjk.windows(2).map(|pair| pair.iter().collect::<String>())),
            }
            cjk.clear();
        }
        if ideograph {
            cjk.push(c);
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() && !ideograph {
            word.extend(c.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn splits_words_and_bigrams() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text:?}");
        check("The Bank's capital, 8 %.", &["the", "bank", "s", "capital", "8"]);
        check("商业银行", &["商业", "业银", "银行"]);
        check("第8条IRB法", &["第", "8", "条", "irb", "法"]);
        check("", &[]);
    }

    #[test]
    fn weights_follow_the_formula() {
        let tfidf = TfIdf::fit(&["own funds", "own shares own"]);
        let vector = tfidf.vector("own funds");
        let rare = (3.0f32 / 2.0).ln() + 1.0;
        let norm = (1.0 + rare * rare).sqrt();
        assert_eq!(vector.entries, [(0, 1.0 / norm), (1, rare / norm)]);
        assert!((vector.cosine(&vector) - 1.0).abs() < 1e-6);
        assert_eq!(tfidf.cosines("own funds", &["nothing known"]), [0.0]);
        assert_eq!(TfIdf::fit_capped(&["own funds", "own shares"], 1).features(), 2);
    }

    #[test]
    fn a_kept_vocabulary_gives_the_same_vectors() {
        let tfidf = TfIdf::fit(&["own funds of a bank", "own shares own", "资本充足率"]);
        let bytes = tfidf.to_bytes();
        let read = TfIdf::from_bytes(&bytes).unwrap();
        for text in ["own own funds", "充足率 shares", ""] {
            assert_eq!(read.vector(text), tfidf.vector(text));
        }
        for cut in [0, 3, 7, 12, bytes.len() - 1] {
            assert!(TfIdf::from_bytes(&bytes[..cut]).is_none(), "cut at {cut}");
        }
    }
}

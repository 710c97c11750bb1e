//! Word TF-IDF: for lexical edges, and as a baseline that needs no trained model.
//!
//! A word has the weight `(1 + ln tf) · (ln((1 + n) / (1 + df)) + 1)` in a text; the vectors have unit length. Words
//! are lower-cased runs of letters and digits. A run of CJK characters is counted as overlapping bigrams, and a single
//! CJK character as itself.

use foldhash::{HashMap, HashMapExt};
use lexforge_text::is_unspaced;

/// Entries (feature, weight), ascending by feature; unit length unless empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseVector {
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
    pub(crate) fn fit_capped(texts: &[&str], most: usize) -> Self {
        // For each word the number of texts that have it, and the last of these.
        let mut frequency: HashMap<String, (usize, usize)> = HashMap::new();
        for (number, text) in texts.iter().enumerate() {
            each_word(text, |word| match frequency.get_mut(word) {
                Some((df, last)) => {
                    *df += usize::from(*last != number);
                    *last = number;
                }
                None => _ = frequency.insert(word.to_owned(), (1, number)),
            });
        }
        let counted = frequency.into_iter().map(|(word, (df, _))| (word, df));
        let mut kept: Vec<(String, usize)> = counted.filter(|(_, df)| *df <= most).collect();
        // Frequent words get small feature numbers: the join reads vectors in this order.
        kept.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let n = texts.len() as f32;
        let vocabulary = kept
            .into_iter()
            .enumerate()
            .map(|(feature, (word, df))| {
                (
                    word,
                    (feature as u32, ((1.0 + n) / (1.0 + df as f32)).ln() + 1.0),
                )
            })
            .collect();
        Self { vocabulary }
    }

    /// The same weights, but only of the `most` most frequent words. Vectors leave out the others.
    #[must_use]
    pub(crate) fn most_frequent(mut self, most: usize) -> Self {
        // Frequent words have small feature numbers.
        self.vocabulary
            .retain(|_, (feature, _)| (*feature as usize) < most);
        self
    }

    /// The vocabulary as bytes, little-endian. First comes the number of words. Then comes each word, in the order of
    /// the features: its length in bytes, its text and its weight.
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

    /// Reads what [`TfIdf::to_bytes`] wrote. `None` if the bytes are incomplete or were written by another function.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, mut rest) = bytes.split_first_chunk()?;
        let count = u32::from_le_bytes(*count);
        let mut vocabulary = HashMap::new();
        for feature in 0..count {
            let (length, tail) = rest.split_first_chunk()?;
            let (word, tail) = tail.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            let (idf, tail) = tail.split_first_chunk()?;
            vocabulary.insert(
                std::str::from_utf8(word).ok()?.to_owned(),
                (feature, f32::from_le_bytes(*idf)),
            );
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
        let mut known: Vec<(u32, f32)> = Vec::new();
        each_word(text, |word| known.extend(self.vocabulary.get(word)));
        known.sort_unstable_by_key(|(feature, _)| *feature);
        let occurrences = known.chunk_by(|a, b| a.0 == b.0);
        let mut entries: Vec<(u32, f32)> = occurrences
            .map(|of| (of[0].0, (1.0 + (of.len() as f32).ln()) * of[0].1))
            .collect();
        let norm = entries.iter().map(|(_, w)| w * w).sum::<f32>().sqrt();
        entries.iter_mut().for_each(|(_, w)| *w /= norm);
        SparseVector { entries }
    }

    /// The cosine of a text with each of several others.
    pub fn cosines(&self, text: &str, others: &[&str]) -> Vec<f32> {
        let vector = self.vector(text);
        others
            .iter()
            .map(|other| vector.cosine(&self.vector(other)))
            .collect()
    }
}

/// Shows the words of a text as TF-IDF counts them, one after the other, without an allocation for each.
fn each_word(text: &str, mut show: impl FnMut(&str)) {
    let mut word = String::new();
    // Where the characters of a run of ideographs begin.
    let mut run: Vec<usize> = Vec::new();
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let ideograph = is_unspaced(c);
        if ideograph {
            run.push(at);
        } else if !run.is_empty() {
            run.push(at);
            match run[..] {
                [start, end] => show(&text[start..end]),
                _ => run
                    .windows(3)
                    .for_each(|pair| show(&text[pair[0]..pair[2]])),
            }
            run.clear();
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() && !ideograph {
            word.extend(c.to_lowercase());
        } else if !word.is_empty() {
            show(&word);
            word.clear();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn splits_words_and_bigrams() {
        let check = |text: &str, expected: &[&str]| {
            let mut words = Vec::new();
            each_word(text, |word| words.push(word.to_owned()));
            assert_eq!(words, expected, "{text:?}");
        };
        check(
            "The Bank's capital, 8 %.",
            &["the", "bank", "s", "capital", "8"],
        );
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
        assert_eq!(
            TfIdf::fit_capped(&["own funds", "own shares"], 1).features(),
            2
        );
        let frequent = tfidf.clone().most_frequent(1);
        assert_eq!(frequent.vector("own funds").entries, [(0, 1.0)]);
        let twice = ((3.0f32 / 2.0).ln() + 1.0, 1.0 + 2.0f32.ln());
        let norm = (twice.0 * twice.0 + twice.1 * twice.1).sqrt();
        assert_eq!(
            tfidf.vector("shares, own own").entries,
            [(0, twice.1 / norm), (2, twice.0 / norm)]
        );
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

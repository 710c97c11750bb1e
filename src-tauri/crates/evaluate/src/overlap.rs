//! How much of a text stands word for word in a corpus.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Longest run of tokens that is looked up at once: words of Latin script, single characters of Han, kana or
/// Hangul. Longer runs are recognised by their overlapping pieces.
const LONGEST: usize = 4;

/// The word n-grams of a corpus and its whole sentences, as 64-bit hashes: 8 to 16 bytes for each different
/// n-gram, and no text is kept. (One chance in 10¹⁹ a pair that two n-grams are taken for one another.)
#[derive(Clone, Debug, Default)]
pub struct CorpusIndex {
    grams: HashSet<u64>,
    sentences: HashSet<u64>,
}

impl CorpusIndex {
    /// The index of these sentences.
    pub fn new<'a>(sentences: impl IntoIterator<Item = &'a str>) -> Self {
        let mut index = Self::default();
        for sentence in sentences {
            let tokens = tokens(sentence);
            for n in 1..=LONGEST {
                index.grams.extend(tokens.windows(n).map(hash));
            }
            index.sentences.insert(hash(&tokens));
        }
        index
    }

    /// Share of the text's tokens that stand in the corpus within a verbatim run of four (a shorter text: as a
    /// whole), 0 to 1; plus 1 if the text is a whole sentence of the corpus.
    pub fn overlap(&self, text: &str) -> f64 {
        let tokens = tokens(text);
        if tokens.is_empty() {
            return 0.0;
        }
        let n = tokens.len().min(LONGEST);
        let mut covered = vec![false; tokens.len()];
        for (start, gram) in tokens.windows(n).enumerate() {
            if self.grams.contains(&hash(gram)) {
                covered[start..start + n].fill(true);
            }
        }
        let share = covered.iter().filter(|c| **c).count() as f64 / tokens.len() as f64;
        share + f64::from(u8::from(self.sentences.contains(&hash(&tokens))))
    }
}

fn hash(tokens: &[String]) -> u64 {
    // DefaultHasher::new() has fixed keys, so that the figures are the same in every run.
    let mut hasher = DefaultHasher::new();
    tokens.hash(&mut hasher);
    hasher.finish()
}

/// Words in lower case, each East Asian character a token of its own; punctuation and white space fall away.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let alone = is_east_asian(c);
        if alone || !c.is_alphanumeric() {
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if alone {
                tokens.push(c.to_string());
            }
        } else {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    tokens
}

/// Han, kana or Hangul.
pub(crate) fn is_east_asian(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_of_texts_with_a_small_corpus() {
        let corpus =
            ["The bank shall report large exposures to the authority.", "第八条 商业银行应当报告大额风险暴露。"];
        let index = CorpusIndex::new(corpus);
        let check = |text: &str, expected: f64| {
            let found = index.overlap(text);
            assert!((found - expected).abs() < 1e-12, "{text}: {found}");
        };
        check("the BANK shall report large exposures to the authority", 2.0);
        check("shall report large exposures", 1.0);
        // "shall report large exposures": 4 of 6 tokens; "large exposures to nobody" is not there.
        check("shall report large exposures to nobody", 5.0 / 6.0);
        check("bank report", 0.0);
        check("authority", 1.0);
        check("商业银行应当报告", 1.0);
        check("商业银行不得报告", 4.0 / 8.0);
        check("…", 0.0);
    }
}

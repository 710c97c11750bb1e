//! How much of a text stands word for word in a corpus.

use lexforge_text::likeness::hash;
use lexforge_text::words;
use std::collections::HashSet;

/// The longest run of tokens that is looked up. A token is a word, or a single character of a script without blanks. A
/// longer run is found by its overlapping pieces of this length.
const LONGEST: usize = 4;

/// The word n-grams of a corpus and its whole sentences, as 64-bit hashes: 8 to 16 bytes for each different n-gram, and
/// no text is kept. (Two different n-grams have the same hash with a probability of one in 10¹⁹.)
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
            let tokens = words(sentence);
            for n in 1..=LONGEST {
                index.grams.extend(tokens.windows(n).map(hash::<[String]>));
            }
            index.sentences.insert(hash(tokens.as_slice()));
        }
        index
    }

    /// The share of the text's tokens, 0 to 1, that belong to four successive tokens which the corpus contains word for
    /// word. A text with fewer than four tokens is looked up as a whole. If the text is a whole sentence of the corpus,
    /// 1 is added.
    pub fn overlap(&self, text: &str) -> f64 {
        let tokens = words(text);
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
        share + f64::from(u8::from(self.sentences.contains(&hash(tokens.as_slice()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_of_texts_with_a_small_corpus() {
        let corpus = [
            "The bank shall report large exposures to the authority.",
            "第八条 商业银行应当报告大额风险暴露。",
        ];
        let index = CorpusIndex::new(corpus);
        let check = |text: &str, expected: f64| {
            let found = index.overlap(text);
            assert!((found - expected).abs() < 1e-12, "{text}: {found}");
        };
        check(
            "the BANK shall report large exposures to the authority",
            2.0,
        );
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

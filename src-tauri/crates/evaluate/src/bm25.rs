//! BM25 (Robertson and Zaragoza, 2009) between two short texts, with the weights of words in a corpus.

use lexforge_text::words;
use std::collections::{HashMap, HashSet};

/// How soon more of the same word stops to count.
const K1: f64 = 1.2;
/// How far a long text is held back.
const B: f64 = 0.75;

/// The words of a corpus, by how many of its texts have them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bm25 {
    texts_with: HashMap<String, usize>,
    texts: usize,
    mean_length: f64,
}

impl Bm25 {
    /// Counts the words of a corpus.
    pub fn fit<'a>(corpus: impl IntoIterator<Item = &'a str>) -> Self {
        let mut fitted = Self::default();
        let mut length = 0;
        for text in corpus {
            let words = words(text);
            length += words.len();
            fitted.texts += 1;
            for word in words.into_iter().collect::<HashSet<String>>() {
                *fitted.texts_with.entry(word).or_default() += 1;
            }
        }
        fitted.mean_length = length as f64 / fitted.texts.max(1) as f64;
        fitted
    }

    /// How well a text fits a question.
    pub fn score(&self, question: &str, text: &str) -> f64 {
        let of_text = words(text);
        let mut counts: HashMap<&str, f64> = HashMap::new();
        for word in &of_text {
            *counts.entry(word).or_default() += 1.0;
        }
        let long = of_text.len() as f64 / self.mean_length.max(1.0);
        let asked: HashSet<String> = words(question).into_iter().collect();
        let mut scores: Vec<f64> = asked
            .iter()
            .filter_map(|word| {
                let count = counts.get(word.as_str())?;
                let with = self.texts_with.get(word).copied().unwrap_or(0) as f64;
                let weight = (1.0 + (self.texts as f64 - with + 0.5) / (with + 0.5)).ln();
                Some(weight * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * long)))
            })
            .collect();
        // Added in one order, so that the sum is the same each time.
        scores.sort_by(f64::total_cmp);
        scores.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_that_both_have_count() {
        let corpus = [
            "a bank keeps a ledger",
            "a bank keeps a vault",
            "a bank reports",
        ];
        let bm25 = Bm25::fit(corpus);
        let score = |text| bm25.score("Who keeps a ledger?", text);
        assert!(score(corpus[0]) > score(corpus[1]) && score(corpus[1]) > score(corpus[2]));
        assert_eq!(score("nothing alike"), 0.0);
        // By hand: `a` is in all three texts, `keeps` in two; 4 words of 4.333 on average; `a` comes twice.
        let weight = |with: f64| (1.0 + (3.0 - with + 0.5) / (with + 0.5)).ln();
        let held = 1.2 * (0.25 + 0.75 * 5.0 / (13.0 / 3.0));
        let by_hand = weight(3.0) * 2.0 * 2.2 / (2.0 + held) + weight(2.0) * 2.2 / (1.0 + held);
        assert!((score(corpus[1]) - by_hand).abs() < 1e-12);
        assert!((Bm25::fit([]).score("a", "a") - 2.0_f64.ln()).abs() < 1e-12);
    }
}

//! An index of the texts of one side by their words or n-grams. A text of the other side is compared only with the
//! texts that share an entry with it.

use super::bags::Bag;
use foldhash::{HashMap, HashMapExt};

/// Saturation of the frequency of a word.
const K1: f32 = 1.2;
/// Share of the length normalisation.
const B: f32 = 0.75;
/// Greater counts are rare, and what they weigh is computed each time.
const MOST_KEPT: u32 = 1_000;

/// The texts of one side.
#[derive(Clone, Debug)]
pub struct Index {
    /// Texts by entry, each with how often it has the entry.
    places: HashMap<u32, Vec<(u32, u32)>>,
    /// For an entry that at least half of the texts have: what its count weighs in each text, 0 where it is missing.
    /// Going through all texts in order is faster than going from place to place.
    common: HashMap<u32, Vec<f32>>,
    /// In how many texts of both sides an entry stands.
    frequency: HashMap<u32, u32>,
    /// Texts of both sides.
    all: usize,
    /// Length of each text, and the mean.
    lengths: Vec<u32>,
    mean: f32,
    /// Length of each text's TF-IDF vector.
    norms: Vec<f32>,
    /// What a count weighs, by the count: a logarithm for each of many million places would take most of the time.
    tempered: Vec<f32>,
}

impl Index {
    /// The texts to be found; how rare an entry is, is counted over `others` too.
    pub fn new(texts: &[Bag], others: &[Bag]) -> Self {
        let mut frequency: HashMap<u32, u32> = HashMap::new();
        for bag in texts.iter().chain(others) {
            for (entry, _) in &bag.counts {
                *frequency.entry(*entry).or_default() += 1;
            }
        }
        let mut places: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        for (number, bag) in (0..).zip(texts) {
            for (entry, count) in &bag.counts {
                places.entry(*entry).or_default().push((number, *count));
            }
        }
        let counts = texts.iter().flat_map(|bag| &bag.counts);
        let most = counts.map(|(_, count)| *count).max().unwrap_or_default();
        let lengths: Vec<u32> = texts.iter().map(|bag| bag.length).collect();
        let sum: f32 = lengths.iter().map(|n| *n as f32).sum();
        let mut index = Self {
            places,
            common: HashMap::new(),
            frequency,
            all: texts.len() + others.len(),
            mean: (sum / lengths.len().max(1) as f32).max(1.0),
            lengths,
            norms: Vec::new(),
            tempered: (0..=most.min(MOST_KEPT)).map(tempered).collect(),
        };
        index.norms = texts.iter().map(|bag| index.norm(bag)).collect();
        index.common = index
            .places
            .iter()
            .filter(|(_, places)| places.len() * 2 >= texts.len())
            .map(|(entry, places)| {
                let mut weights = vec![0.0; texts.len()];
                for (number, count) in places {
                    weights[*number as usize] = index.tempered(*count);
                }
                (*entry, weights)
            })
            .collect();
        index
    }

    /// BM25 of each text for a text of the other side; a word that it has twice counts twice.
    pub fn bm25(&self, asked: &Bag) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        for (entry, times) in &asked.counts {
            let Some(places) = self.places.get(entry) else {
                continue;
            };
            let n = self.frequency.get(entry).copied().unwrap_or_default() as f32;
            let idf = (1.0 + (self.all as f32 - n + 0.5) / (n + 0.5)).ln() * *times as f32;
            for (number, count) in places {
                let at = *number as usize;
                let (tf, length) = (*count as f32, self.lengths[at] as f32);
                let whole = tf + K1 * (1.0 - B + B * length / self.mean);
                scores[at] += idf * tf * (K1 + 1.0) / whole;
            }
        }
        scores
    }

    /// Cosine of the TF-IDF vectors, `(1 + ln tf) · (ln((1 + n) / (1 + df)) + 1)`.
    pub fn cosines(&self, asked: &Bag) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        for (entry, times) in &asked.counts {
            let Some(places) = self.places.get(entry) else {
                continue;
            };
            let idf = self.idf(*entry);
            let weight = tempered(*times) * idf * idf;
            if let Some(weights) = self.common.get(entry) {
                for (score, own) in scores.iter_mut().zip(weights) {
                    *score += weight * own;
                }
                continue;
            }
            for (number, count) in places {
                scores[*number as usize] += weight * self.tempered(*count);
            }
        }
        let own = self.norm(asked);
        for (score, norm) in scores.iter_mut().zip(&self.norms) {
            *score /= (norm * own).max(f32::MIN_POSITIVE);
        }
        scores
    }

    /// The share of the weights of `asked` that `by` has, too.
    pub fn covered(&self, asked: &Bag, by: &Bag) -> f32 {
        let has = |entry: u32| by.counts.binary_search_by_key(&entry, |c| c.0).is_ok();
        let (mut all, mut held) = (0.0, 0.0);
        for (entry, _) in &asked.counts {
            let weight = self.idf(*entry);
            all += weight;
            if has(*entry) {
                held += weight;
            }
        }
        if all > 0.0 { held / all } else { 0.0 }
    }

    /// What a count weighs.
    fn tempered(&self, count: u32) -> f32 {
        let kept = self.tempered.get(count as usize);
        kept.copied().unwrap_or_else(|| tempered(count))
    }

    fn idf(&self, entry: u32) -> f32 {
        let n = self.frequency.get(&entry).copied().unwrap_or_default() as f32;
        ((1.0 + self.all as f32) / (1.0 + n)).ln() + 1.0
    }

    fn norm(&self, bag: &Bag) -> f32 {
        let weight = |(entry, count): &(u32, u32)| tempered(*count) * self.idf(*entry);
        let squares = bag.counts.iter().map(weight).map(|w| w * w);
        squares.sum::<f32>().sqrt()
    }
}

fn tempered(count: u32) -> f32 {
    1.0 + (count as f32).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::Vocabulary;

    #[test]
    fn a_rare_word_in_a_short_text_counts_most() {
        let mut vocabulary = Vocabulary::default();
        let mut bag = |text: &str| vocabulary.bag(&text.split(' ').collect::<Vec<_>>());
        let texts = [
            bag("the bank reports losses"),
            bag("the bank pays"),
            bag("the customer pays the bank at once and in full"),
        ];
        let asked = bag("the losses");
        let index = Index::new(&texts, std::slice::from_ref(&asked));
        for scores in [index.bm25(&asked), index.cosines(&asked)] {
            assert!(scores[0] > scores[1] && scores[1] > 0.0, "{scores:?}");
        }
        // A text is as like as can be to itself.
        assert!((index.cosines(&texts[2])[2] - 1.0).abs() < 1e-6);
        assert!((index.covered(&asked, &texts[0]) - 1.0).abs() < 1e-6);
        assert!(index.covered(&asked, &texts[1]) < 0.5);
        assert_eq!(index.bm25(&Bag::default()), [0.0; 3]);
    }

    #[test]
    fn what_a_count_weighs_is_the_same_whether_it_was_kept_or_not() {
        let bag = |count: u32| Bag {
            counts: vec![(0, count)],
            length: count,
        };
        let index = Index::new(&[bag(1), bag(7), bag(MOST_KEPT + 1)], &[]);
        assert_eq!(index.tempered.len(), MOST_KEPT as usize + 1);
        for count in [1, 2, 7, MOST_KEPT, MOST_KEPT + 1, 5_000] {
            let expected = 1.0 + (count as f32).ln();
            assert_eq!(
                index.tempered(count).to_bits(),
                expected.to_bits(),
                "{count}"
            );
        }
    }

    #[test]
    fn common_and_rare_entries_weigh_by_one_formula() {
        // Entry 0 is in all texts, 1 in half of them, 2 in one.
        let bag = |counts: &[(u32, u32)]| Bag {
            counts: counts.to_vec(),
            length: counts.iter().map(|(_, n)| n).sum(),
        };
        let texts = [
            bag(&[(0, 1), (1, 3)]),
            bag(&[(0, 2), (2, 1)]),
            bag(&[(0, 1)]),
            bag(&[(0, 4), (1, 1)]),
        ];
        let asked = bag(&[(0, 2), (1, 1), (2, 5)]);
        let index = Index::new(&texts, std::slice::from_ref(&asked));
        assert_eq!((index.common.len(), index.places.len()), (2, 3));
        let found = index.cosines(&asked);
        let weights = |bag: &Bag| -> Vec<f64> {
            let texts_with = [5.0f64, 3.0, 2.0];
            let count = |entry: u32| bag.counts.iter().find(|(e, _)| *e == entry);
            let weight = |(entry, with): (u32, f64)| {
                count(entry).map_or(0.0, |(_, n)| {
                    (1.0 + f64::from(*n).ln()) * ((6.0 / (1.0 + with)).ln() + 1.0)
                })
            };
            (0..).zip(texts_with).map(weight).collect()
        };
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        for (text, found) in texts.iter().zip(found) {
            let (a, b) = (weights(&asked), weights(text));
            let expected = product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
            assert!(
                (f64::from(found) - expected).abs() < 1e-6,
                "{found} {expected}"
            );
        }
    }

    /// Lucene's form: ln(1 + (N − n + ½) / (n + ½)) · tf · 2.2 / (tf + 1.2 · (¼ + ¾ · length / mean)).
    #[test]
    fn a_worked_case() {
        let mut vocabulary = Vocabulary::default();
        let texts = [vocabulary.bag(&["a", "a"]), vocabulary.bag(&["b", "c"])];
        let asked = vocabulary.bag(&["a"]);
        let index = Index::new(&texts, &[]);
        let expected = (1.0f32 + 1.5 / 1.5).ln() * 2.0 * 2.2 / (2.0 + 1.2);
        assert!((index.bm25(&asked)[0] - expected).abs() < 1e-6);
    }
}

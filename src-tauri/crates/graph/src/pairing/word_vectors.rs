//! Vectors of words, and those of texts made of them.

use super::bags::Bag;
use crate::matrix::Matrix;
use foldhash::{HashMap, HashMapExt};

/// Longest vector of a word that is read.
const MOST_DIM: usize = 4_096;
/// A word that is in this share of the texts weighs half of one that is in none (Arora and others, 2017).
const SMOOTH: f64 = 1e-3;

/// Vectors of the entries of a vocabulary, one a row; a row of zeros where a word has none.
#[derive(Clone, Debug, Default)]
pub struct WordVectors {
    /// The vectors.
    pub rows: Matrix,
}

impl WordVectors {
    /// Reads the text form of word2vec (a first line with the number of words and the length) or GloVe (without such a
    /// line). Each line is a word and its values. Only words of the vocabulary are kept. `fold` gives the spellings
    /// under which a word of the file is looked up in the vocabulary.
    ///
    /// # Errors
    /// The number of the line that cannot be read, from 1.
    pub fn read(
        text: &str,
        vocabulary: &[&str],
        fold: impl Fn(&str) -> Vec<String>,
    ) -> Result<Self, usize> {
        let mut numbers: HashMap<&str, usize> = HashMap::with_capacity(vocabulary.len());
        numbers.extend(vocabulary.iter().enumerate().map(|(i, word)| (*word, i)));
        let mut dim = 0;
        let mut sums: HashMap<usize, (Vec<f32>, u32)> = HashMap::new();
        for (i, line) in text.lines().enumerate() {
            let mut parts = line.trim_end().split(' ');
            let word = parts.next().unwrap_or_default();
            let values: Vec<&str> = parts.collect();
            if line.trim().is_empty() || i == 0 && values.len() == 1 && word.parse::<u64>().is_ok()
            {
                continue;
            }
            if dim == 0 {
                dim = values.len();
            }
            if values.len() != dim || dim == 0 || dim > MOST_DIM {
                return Err(i + 1);
            }
            let places: Vec<usize> = fold(word)
                .iter()
                .filter_map(|spelling| numbers.get(spelling.as_str()).copied())
                .collect();
            if places.is_empty() {
                continue;
            }
            let parsed: Result<Vec<f32>, _> = values.iter().map(|v| v.parse::<f32>()).collect();
            let parsed = parsed.map_err(|_| i + 1)?;
            if parsed.iter().any(|value| !value.is_finite()) {
                return Err(i + 1);
            }
            for place in places {
                let (sum, n) = sums.entry(place).or_insert_with(|| (vec![0.0; dim], 0));
                sum.iter_mut().zip(&parsed).for_each(|(s, v)| *s += v);
                *n += 1;
            }
        }
        let mut rows = Matrix::zeros(vocabulary.len(), dim);
        for (place, (sum, n)) in sums {
            for (value, sum) in rows.row_mut(place).iter_mut().zip(sum) {
                *value = sum / n as f32;
            }
        }
        Ok(Self { rows })
    }

    /// Words that have a vector.
    pub fn known(&self) -> usize {
        (0..self.rows.rows)
            .filter(|row| self.rows.row(*row).iter().any(|v| *v != 0.0))
            .count()
    }

    /// A vector of unit length for each text: the mean of the vectors of its words. Each word is weighed by how rare it
    /// is in `texts` and `others` together.
    pub fn texts(&self, texts: &[Bag], others: &[Bag]) -> Matrix {
        let mut seen: HashMap<u32, u64> = HashMap::new();
        let mut all = 0u64;
        for bag in texts.iter().chain(others) {
            for (word, n) in &bag.counts {
                *seen.entry(*word).or_default() += u64::from(*n);
                all += u64::from(*n);
            }
        }
        let weight = |word: u32| {
            let share = seen.get(&word).copied().unwrap_or_default() as f64 / all.max(1) as f64;
            (SMOOTH / (SMOOTH + share)) as f32
        };
        let mut out = Matrix::zeros(texts.len(), self.rows.dim);
        for (row, bag) in texts.iter().enumerate() {
            for (word, n) in &bag.counts {
                let by = weight(*word) * *n as f32;
                if (*word as usize) < self.rows.rows {
                    let vector = self.rows.row(*word as usize);
                    let sum = out.row_mut(row).iter_mut();
                    sum.zip(vector).for_each(|(s, v)| *s += by * v);
                }
            }
        }
        out.normalize_rows();
        out
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::pairing::Vocabulary;

    #[test]
    fn both_text_forms_are_read() {
        let same = |word: &str| vec![word.to_owned()];
        let vocabulary = ["bank", "loss", "fine"];
        let glove = "bank 1 0\nloss 0 1\nother 1 1\n";
        for text in [glove.to_owned(), format!("3 2\n{glove}")] {
            let read = WordVectors::read(&text, &vocabulary, same).unwrap();
            assert_eq!((read.known(), read.rows.row(1)), (2, &[0.0, 1.0][..]));
        }
        let wrong = |text: &str| WordVectors::read(text, &vocabulary, same).unwrap_err();
        assert_eq!(wrong("bank 1 0\nloss 0"), 2);
        assert_eq!(wrong("bank 1 x"), 1);
        assert_eq!(wrong("bank 1 NaN"), 1);
    }

    #[test]
    fn a_text_is_the_mean_of_its_words() {
        let mut vocabulary = Vocabulary::default();
        let bags = [vocabulary.bag(&["bank", "loss"]), vocabulary.bag(&["fine"])];
        let read = WordVectors::read("bank 1 0\nloss 0 1", &vocabulary.words(), |w| {
            vec![w.to_owned()]
        });
        let texts = read.unwrap().texts(&bags, &[]);
        let half = 0.5f32.sqrt();
        assert!(texts.row(0).iter().all(|v| (v - half).abs() < 1e-6));
        assert_eq!(texts.row(1), [0.0, 0.0]);
    }
}

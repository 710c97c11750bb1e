//! Vectors of words trained on the texts themselves: skip-gram with negative sampling (Mikolov and others, 2013).

use super::word_vectors::WordVectors;
use crate::matrix::{Matrix, dot};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Length of a vector.
const DIM: usize = 64;
/// Words on either side that are predicted; a random part of them each time.
const WINDOW: usize = 5;
/// Words drawn for each that is there.
const NEGATIVES: usize = 5;
/// Most passes over the texts.
const PASSES: usize = 12;
/// Positions that are enough in all: a large corpus is read once.
const ENOUGH: usize = 400_000;
/// Step at the beginning; it falls to a hundredth.
const STEP: f32 = 0.05;
/// Places of the table that negatives are drawn from.
const TABLE: usize = 1 << 16;

/// Vectors of the words of a vocabulary of this size, trained on texts as word numbers in order.
pub fn skip_gram(texts: &[Vec<u32>], vocabulary: usize, seed: u64) -> WordVectors {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let table = table(texts, vocabulary);
    let mut rows = Matrix::zeros(vocabulary, DIM);
    let mut beside = Matrix::zeros(vocabulary, DIM);
    rows.data
        .iter_mut()
        .for_each(|value| *value = (draws.random::<f32>() - 0.5) / DIM as f32);
    let positions: usize = texts.iter().map(Vec::len).sum();
    let passes = (ENOUGH / positions.max(1)).clamp(1, PASSES);
    let all = (positions * passes).max(1);
    let mut done = 0usize;
    let mut change = [0.0f32; DIM];
    for _ in 0..passes {
        for text in texts {
            for (at, word) in text.iter().enumerate() {
                let step = STEP * (1.0 - done as f32 / all as f32).max(0.01);
                done += 1;
                let reach = draws.random_range(1..=WINDOW);
                let from = at.saturating_sub(reach);
                let until = (at + reach + 1).min(text.len());
                for near in (from..until).filter(|near| *near != at) {
                    change.fill(0.0);
                    for k in 0..=NEGATIVES {
                        let (other, label) = match k {
                            0 => (text[near], 1.0),
                            _ => (table[draws.random_range(0..table.len())], 0.0),
                        };
                        if k > 0 && other == text[near] {
                            continue;
                        }
                        let own = rows.row(*word as usize);
                        let target = beside.row_mut(other as usize);
                        let by = step * (label - sigmoid(dot(own, target)));
                        for i in 0..DIM {
                            change[i] += by * target[i];
                            target[i] += by * own[i];
                        }
                    }
                    let own = rows.row_mut(*word as usize).iter_mut();
                    own.zip(&change).for_each(|(value, by)| *value += by);
                }
            }
        }
    }
    rows.normalize_rows();
    WordVectors { rows }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Words as often as their count to the power of ¾ says.
fn table(texts: &[Vec<u32>], vocabulary: usize) -> Vec<u32> {
    let mut counts = vec![0u32; vocabulary];
    texts
        .iter()
        .flatten()
        .for_each(|word| counts[*word as usize] += 1);
    let weights: Vec<f64> = counts.iter().map(|n| f64::from(*n).powf(0.75)).collect();
    let sum: f64 = weights.iter().sum();
    let mut table = Vec::with_capacity(TABLE + vocabulary);
    for (word, weight) in (0..).zip(weights) {
        let places = (weight / sum.max(1.0) * TABLE as f64).ceil() as usize;
        table.extend(std::iter::repeat_n(word, places));
    }
    if table.is_empty() {
        table.push(0);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::cosines;

    #[test]
    fn words_in_the_same_company_come_together_and_a_seed_repeats_them() {
        let mut texts = Vec::new();
        for i in 0..300u32 {
            texts.push(vec![i % 2, 2, 3, 4]);
            texts.push(vec![5 + i % 2, 7, 8, 9]);
        }
        let words = skip_gram(&texts, 10, 7).rows;
        let like = cosines(words.row(0), &words);
        assert!(like[1] > like[5] && like[1] > like[6], "{like:?}");
        assert_eq!(words.data, skip_gram(&texts, 10, 7).rows.data);
        assert_eq!(skip_gram(&[], 0, 7).rows.rows, 0);
    }
}

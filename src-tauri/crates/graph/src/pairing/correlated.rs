//! COALS: words as the correlations of their counts beside other words (Rohde, Gonnerman and Plaut, 2006).

use super::word_vectors::WordVectors;
use crate::matrix::Matrix;

/// Words on either side that count, the nearest most.
const WINDOW: usize = 4;
/// The largest number of words whose neighbours are counted: the most frequent ones.
const MOST_COLUMNS: usize = 2_000;

/// Makes vectors of words from texts. A text is given as the numbers of its words, in order, and `vocabulary` is the
/// number of different words. A neighbour of a word counts from 4 (adjacent) down to 1 with growing distance. The
/// counts become correlations of two words; negative ones are dropped, and the square root of positive ones is taken.
pub fn correlated(texts: &[Vec<u32>], vocabulary: usize) -> WordVectors {
    let mut frequency = vec![0u32; vocabulary];
    texts
        .iter()
        .flatten()
        .for_each(|word| frequency[*word as usize] += 1);
    let mut columns: Vec<u32> = (0..vocabulary as u32).collect();
    columns.sort_by(|a, b| {
        frequency[*b as usize]
            .cmp(&frequency[*a as usize])
            .then(a.cmp(b))
    });
    columns.truncate(MOST_COLUMNS);
    let mut column_of = vec![usize::MAX; vocabulary];
    for (column, word) in columns.iter().enumerate() {
        column_of[*word as usize] = column;
    }
    let mut rows = Matrix::zeros(vocabulary, columns.len());
    for text in texts {
        for (at, word) in text.iter().enumerate() {
            let row = rows.row_mut(*word as usize);
            let from = at.saturating_sub(WINDOW);
            let until = (at + WINDOW + 1).min(text.len());
            for (other, beside) in text.iter().enumerate().take(until).skip(from) {
                let column = column_of[*beside as usize];
                if other != at && column != usize::MAX {
                    row[column] += (WINDOW + 1 - at.abs_diff(other)) as f32;
                }
            }
        }
    }
    let row_sums: Vec<f64> = (0..vocabulary)
        .map(|row| rows.row(row).iter().map(|v| f64::from(*v)).sum())
        .collect();
    let mut column_sums = vec![0.0f64; columns.len()];
    for row in rows.data.chunks(columns.len().max(1)) {
        for (sum, value) in column_sums.iter_mut().zip(row) {
            *sum += f64::from(*value);
        }
    }
    let all: f64 = row_sums.iter().sum();
    for (row, a) in row_sums.iter().enumerate() {
        for (value, b) in rows.row_mut(row).iter_mut().zip(&column_sums) {
            let below = (a * (all - a) * b * (all - b)).sqrt();
            let correlation = (all * f64::from(*value) - a * b) / below;
            *value = if below > 0.0 && correlation > 0.0 {
                correlation.sqrt() as f32
            } else {
                0.0
            };
        }
    }
    rows.normalize_rows();
    WordVectors { rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::cosines;

    #[test]
    fn words_in_the_same_company_are_alike() {
        // 0 and 1 occur beside 2 and 3; 4 occurs beside 5 and 6.
        let texts = vec![
            vec![0, 2, 3],
            vec![1, 2, 3],
            vec![4, 5, 6],
            vec![4, 6, 5],
            vec![0, 3, 2],
        ];
        let words = correlated(&texts, 7).rows;
        let like = cosines(words.row(0), &words);
        assert!(like[1] > 0.8 && like[4] < 0.1, "{like:?}");
    }
}

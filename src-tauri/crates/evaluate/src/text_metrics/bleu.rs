//! BLEU (Papineni et al., ACL 2002) as sacrebleu computes it: precision of word n-grams against all right answers, a
//! penalty for answers that are too short, exponential smoothing.

use super::ngrams::Windows;

/// The longest run of words that counts.
pub const ORDERS: usize = 4;

/// The runs of words of one text, the words as numbers.
pub(super) type WordRuns = Windows<ORDERS, 32>;

/// What is counted; the counts of a corpus are the sums of those of its answers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    written: u64,
    right: u64,
    shared: [u64; ORDERS],
    total: [u64; ORDERS],
}

impl Counts {
    /// Counts one answer against its right answers; `words` and `right_words` are their numbers of words. For the
    /// penalty the right answer nearest in length is used; if two are equally near, the shorter one.
    pub(super) fn of(
        answer: &WordRuns,
        words: usize,
        right: &[WordRuns],
        right_words: &[usize],
    ) -> Self {
        let nearest = right_words
            .iter()
            .min_by_key(|length| (length.abs_diff(words), **length));
        let mut counts = Self {
            written: words as u64,
            right: nearest.copied().unwrap_or(0) as u64,
            ..Self::default()
        };
        for n in 1..=ORDERS {
            counts.total[n - 1] = answer.total(n);
            counts.shared[n - 1] = answer.shared(right, n);
        }
        counts
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.written += other.written;
        self.right += other.right;
        for n in 0..ORDERS {
            self.shared[n] += other.shared[n];
            self.total[n] += other.total[n];
        }
    }

    /// BLEU with n-grams of up to 1, 2, 3 and 4 words, 0 to 100. With `effective`, a text that is too short for the
    /// longest n-grams is measured by the n-grams that it has, as is usual for a single answer.
    pub(super) fn scores(&self, effective: bool) -> [f64; ORDERS] {
        std::array::from_fn(|n| self.score(n + 1, effective))
    }

    /// Precision of the runs of each length, in hundredths, smoothed.
    pub(super) fn precisions(&self) -> [f64; ORDERS] {
        let mut smoothing = 1.0;
        let mut precisions = [0.0; ORDERS];
        if self.shared.iter().all(|shared| *shared == 0) {
            return precisions;
        }
        let counts = self.shared.iter().zip(&self.total);
        for (precision, (shared, total)) in precisions.iter_mut().zip(counts) {
            if *total == 0 {
                break;
            }
            *precision = if *shared == 0 {
                smoothing *= 2.0;
                100.0 / (smoothing * *total as f64)
            } else {
                100.0 * *shared as f64 / *total as f64
            };
        }
        precisions
    }

    fn score(&self, orders: usize, effective: bool) -> f64 {
        let precisions = self.precisions();
        let there = (0..orders).take_while(|n| self.total[*n] > 0).count();
        let counted = if effective { there } else { orders };
        // If no n-gram of the counted lengths is shared, the score without smoothing is 0.
        if self.shared[..orders].iter().all(|shared| *shared == 0) || counted == 0 {
            return 0.0;
        }
        if precisions[..counted].contains(&0.0) {
            return 0.0;
        }
        let mean = precisions[..counted].iter().map(|p| p.ln()).sum::<f64>() / counted as f64;
        self.penalty() * mean.exp()
    }

    fn penalty(&self) -> f64 {
        if self.written >= self.right {
            1.0
        } else if self.written == 0 {
            0.0
        } else {
            (1.0 - self.right as f64 / self.written as f64).exp()
        }
    }
}

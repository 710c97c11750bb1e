//! ROUGE-1, ROUGE-2 and ROUGE-L (Lin, 2004) as rouge-score counts them.

use super::common_subsequence;
use super::ngrams::Windows;

/// The runs of up to two words.
type Pairs = Windows<2, 32>;

/// How much of an answer is in the right one, and the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Share of the answer that is in the right one.
    pub precision: f64,
    /// Share of the right one that is in the answer.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Overlap {
    fn of(shared: u64, written: u64, wanted: u64) -> Self {
        let precision = shared as f64 / written.max(1) as f64;
        let recall = shared as f64 / wanted.max(1) as f64;
        let f1 = if shared == 0 {
            0.0
        } else {
            2.0 * precision * recall / (precision + recall)
        };
        Self {
            precision,
            recall,
            f1,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.precision += other.precision;
        self.recall += other.recall;
        self.f1 += other.f1;
    }

    pub(super) fn divided_by(self, n: f64) -> Self {
        Self {
            precision: self.precision / n,
            recall: self.recall / n,
            f1: self.f1 / n,
        }
    }
}

/// ROUGE-1, ROUGE-2 and ROUGE-L of an answer. Each is computed against the nearest right answer, or the first of
/// several that are equally near.
pub(super) fn rouge(answer: &[u32], right: &[Vec<u32>]) -> [Overlap; 3] {
    let mine = Pairs::of(answer);
    let mut best: Option<[Overlap; 3]> = None;
    for one in right {
        let theirs = [Pairs::of(one)];
        let runs = |n| Overlap::of(mine.shared(&theirs, n), mine.total(n), theirs[0].total(n));
        let common = common_subsequence::length(answer, one) as u64;
        let longest = Overlap::of(common, answer.len() as u64, one.len() as u64);
        let found = [runs(1), runs(2), longest];
        match &mut best {
            None => best = Some(found),
            Some(best) => {
                for (best, found) in best.iter_mut().zip(found) {
                    if found.f1 > best.f1 {
                        *best = found;
                    }
                }
            }
        }
    }
    best.unwrap_or_default()
}

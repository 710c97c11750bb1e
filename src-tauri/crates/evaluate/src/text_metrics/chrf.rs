//! chrF (Popović, WMT 2015) as sacrebleu counts it: runs of up to six characters without blanks, recall counting twice.

use super::ngrams::Windows;

const ORDERS: usize = 6;
/// β² with β = 2.
const FACTOR: f64 = 4.0;

/// The runs of characters of one text.
pub(super) type CharacterRuns = Windows<ORDERS, 21>;

/// What is counted; the counts of a corpus are the sums of those of its answers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts([[u64; 3]; ORDERS]);

/// The runs of a text's characters.
pub(super) fn runs(text: &str) -> CharacterRuns {
    let characters: Vec<u32> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(u32::from)
        .collect();
    CharacterRuns::of(&characters)
}

impl Counts {
    /// The counts of an answer against the right answer that it is nearest to.
    pub(super) fn of(answer: &CharacterRuns, right: &[CharacterRuns]) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for one in right.chunks(1) {
            let counts = Self(std::array::from_fn(|n| {
                let (written, wanted) = (answer.total(n + 1), one[0].total(n + 1));
                let written = if wanted == 0 { 0 } else { written };
                [written, wanted, answer.shared(one, n + 1)]
            }));
            let score = counts.score();
            if best.as_ref().is_none_or(|(best, _)| score > *best) {
                best = Some((score, counts));
            }
        }
        best.map_or_else(Self::default, |(_, counts)| counts)
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *mine += theirs;
        }
    }

    /// chrF in hundredths.
    pub(super) fn score(&self) -> f64 {
        let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0_u32);
        for [written, wanted, shared] in self.0 {
            if written > 0 && wanted > 0 {
                precision += shared as f64 / written as f64;
                recall += shared as f64 / wanted as f64;
                orders += 1;
            }
        }
        if precision + recall == 0.0 {
            return 0.0;
        }
        let (precision, recall) = (precision / f64::from(orders), recall / f64::from(orders));
        100.0 * (1.0 + FACTOR) * precision * recall / (FACTOR * precision + recall)
    }
}

//! Permutation over the pooled samples.

use super::side::{Total, Unit};
use crate::resample::Draws;

/// The test stops, and its p-value is final, as soon as this many permutations have a change at least as large as the
/// observed one (Besag and Clifford). If nothing has changed, a few dozen permutations are enough for this.
const HITS: usize = 10;
/// A change that is reached but for rounding.
const ROUNDING: f64 = 1e-12;

/// The units with the recent ones first, which a permutation exchanges.
pub(super) struct Pooled<'u> {
    units: Vec<Unit<'u>>,
    recent: usize,
    all: Total,
    dim: usize,
}

impl<'u> Pooled<'u> {
    pub(super) fn new(earlier: &[Unit<'u>], recent: &[Unit<'u>], dim: usize) -> Self {
        let units: Vec<Unit<'u>> = recent.iter().chain(earlier).copied().collect();
        Self {
            all: Total::of(&units, dim),
            recent: recent.len(),
            units,
            dim,
        }
    }

    /// Recent − earlier mean pairwise cosine.
    pub(super) fn change(&self) -> f64 {
        self.difference(&Total::of(&self.units[..self.recent], self.dim))
    }

    fn difference(&self, recent: &Total) -> f64 {
        recent.closeness() - recent.closeness_of_rest(&self.all)
    }

    /// Changes under random exchanges, without end.
    fn exchanged(&self, draws: &mut Draws) -> impl Iterator<Item = f64> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        let mut recent = Total::new(self.dim);
        std::iter::repeat_with(move || {
            recent.clear();
            for i in 0..self.recent {
                order.swap(i, i + draws.index(self.units.len() - i));
                recent.add(&self.units[order[i]]);
            }
            self.difference(&recent)
        })
    }

    /// Two-sided p-value, exact enough to be compared with `threshold`.
    pub(super) fn p_value(&self, threshold: f64, draws: &mut Draws) -> f64 {
        let observed = self.change().abs() - ROUNDING;
        let most = (HITS as f64 / threshold).ceil() as usize;
        let mut hits = 0;
        for (made, change) in (1..=most).zip(self.exchanged(draws)) {
            if change.abs() >= observed {
                hits += 1;
                if hits == HITS {
                    return hits as f64 / made as f64;
                }
            }
        }
        (hits + 1) as f64 / (most + 1) as f64
    }

    /// Share of exchanges in which the mean pairwise cosine rises by more than `rise`.
    pub(super) fn rises(&self, rise: f64, exchanges: usize, draws: &mut Draws) -> f64 {
        let over = self
            .exchanged(draws)
            .take(exchanges)
            .filter(|change| *change > rise)
            .count();
        over as f64 / exchanges.max(1) as f64
    }
}

/// In how many ways the recent units could be drawn, up to a million: with few, no p-value can be small.
pub(super) fn ways(units: usize, recent: usize) -> f64 {
    let k = recent.min(units - recent);
    let mut ways = 1.0;
    for i in 0..k {
        ways *= (units - i) as f64 / (i + 1) as f64;
        if ways > 1e6 {
            return 1e6;
        }
    }
    ways
}

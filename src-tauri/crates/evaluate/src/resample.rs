//! Seeded draws and percentiles.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A separate random stream for each purpose. So the figures of one measure do not depend on whether another measure
/// was computed before.
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(purpose);
        Self(rng)
    }

    /// An index below `n`, by multiplication (the bias is below n / 2⁶⁴).
    pub(crate) fn index(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// 64 coin flips.
    pub(crate) fn coins(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// The random stream of the bootstrap of a difference between two systems. All comparisons use this stream and
/// [`SWAPS`]. So the same difference always has the same interval and p-value, whichever function computes it.
pub(crate) const DIFFERENCES: u64 = 1;
/// The stream of the swaps.
const SWAPS: u64 = 2;

/// Random swaps of two systems' answers: one random bit for each cluster, in the order of the clusters. A cluster with
/// equal answers also gets a bit, although it changes nothing. Otherwise the bits of the other clusters would depend on
/// which measure is computed.
pub(crate) struct Swaps {
    draws: Draws,
    coins: Vec<u64>,
}

impl Swaps {
    pub(crate) fn of(clusters: usize, seed: u64) -> Self {
        Self {
            draws: Draws::new(seed, SWAPS),
            coins: vec![0; clusters.div_ceil(64)],
        }
    }

    /// Flips all coins.
    pub(crate) fn flip(&mut self) {
        for coins in &mut self.coins {
            *coins = self.draws.coins();
        }
    }

    /// Whether the answers to the cluster at this place are swapped.
    pub(crate) fn swaps(&self, place: usize) -> bool {
        let coins = self.coins.get(place / 64);
        coins.is_some_and(|coins| (coins >> (place % 64)) & 1 == 1)
    }
}

/// The share of the resamples on either side of a 95 % interval.
pub(crate) const TAIL_95: f64 = 0.025;

/// The 2.5 and 97.5 percentiles, as [`central`].
pub(crate) fn central_95(values: Vec<f64>) -> Option<[f64; 2]> {
    central(values, TAIL_95)
}

/// The percentiles that leave out the share `tail` on either side, with linear interpolation between order statistics
/// (numpy's default). NaN values are left out; `None` if nothing is left.
pub(crate) fn central(mut values: Vec<f64>, tail: f64) -> Option<[f64; 2]> {
    values.retain(|v| !v.is_nan());
    values.sort_by(f64::total_cmp);
    Some([percentile(&values, tail)?, percentile(&values, 1.0 - tail)?])
}

/// Evenly spaced quantiles of the values, from the smallest to the largest: `steps` + 1 numbers. They are stored
/// instead of all values, because percentiles computed from them are nearly those of the values. NaN values are left
/// out; without values the result is empty.
pub(crate) fn quantiles(mut values: Vec<f64>, steps: usize) -> Vec<f64> {
    values.retain(|v| !v.is_nan());
    values.sort_by(f64::total_cmp);
    (0..=steps)
        .filter_map(|step| percentile(&values, step as f64 / steps as f64))
        .collect()
}

fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_as_numpy_gives_them() {
        // numpy.percentile([1, 2, 4, 8, 16], [2.5, 97.5]) = [1.1, 15.2]
        let [low, high] = central_95(vec![16.0, 1.0, 8.0, f64::NAN, 2.0, 4.0]).unwrap_or_default();
        assert!(
            (low - 1.1).abs() < 1e-12 && (high - 15.2).abs() < 1e-12,
            "{low} {high}"
        );
        // numpy.percentile([1, 2, 4, 8, 16], [10, 90]) = [1.4, 12.8]
        let [low, high] = central(vec![16.0, 1.0, 8.0, 2.0, 4.0], 0.1).unwrap_or_default();
        assert!(
            (low - 1.4).abs() < 1e-12 && (high - 12.8).abs() < 1e-12,
            "{low} {high}"
        );
        assert_eq!(central_95(vec![3.0]), Some([3.0, 3.0]));
        assert_eq!(central_95(vec![f64::NAN]), None);
    }

    #[test]
    fn quantiles_stand_for_all_values() {
        let values: Vec<f64> = (0..=2_000).map(|i| f64::from(i) / 2_000.0).rev().collect();
        let few = quantiles(values, 400);
        assert_eq!((few.len(), few[0], few[400]), (401, 0.0, 1.0));
        for tail in [0.001, 0.05, 0.2] {
            let [low, high] = central(few.clone(), tail).unwrap_or_default();
            assert!((low - tail).abs() < 1e-9 && (high - 1.0 + tail).abs() < 1e-9);
        }
        assert!(quantiles(vec![f64::NAN], 400).is_empty());
    }

    #[test]
    fn indices_cover_the_range_evenly() {
        let mut draws = Draws::new(7, 0);
        let mut seen = [0u32; 5];
        for _ in 0..50_000 {
            seen[draws.index(5)] += 1;
        }
        // Standard deviation of each count is 89; five of them.
        assert!(seen.iter().all(|&c| c.abs_diff(10_000) < 450), "{seen:?}");
    }

    #[test]
    fn each_cluster_is_swapped_half_of_the_time_by_a_coin_of_its_own() {
        let mut swaps = Swaps::of(130, 7);
        let mut seen = [0_u32; 130];
        let mut alike = 0_u32;
        for _ in 0..2_000 {
            swaps.flip();
            for (place, seen) in seen.iter_mut().enumerate() {
                *seen += u32::from(swaps.swaps(place));
            }
            alike += u32::from(swaps.swaps(0) == swaps.swaps(64));
        }
        // The standard deviation of each count is 22; five of them.
        assert!(seen.iter().all(|n| n.abs_diff(1_000) < 112), "{seen:?}");
        assert!(alike.abs_diff(1_000) < 112, "{alike}");
    }

    #[test]
    fn the_same_seed_gives_the_same_draws_and_another_purpose_others() {
        let first = |seed, purpose| Draws::new(seed, purpose).coins();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }
}

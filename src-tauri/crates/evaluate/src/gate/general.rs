//! General language: how sure the change of a rank correlation is, and what follows of it.

use super::quantile::normal;
use crate::correlation::spearman;
use crate::drawn::resampled;
use crate::resample::{central, quantiles};
use lexforge_domain::gate::{GateGround, GateVerdict};
use lexforge_domain::metrics::Interval;
use std::collections::BTreeSet;

/// A model that lost nothing passes so often where the pairs are enough.
const EQUAL_PASSES: f64 = 0.80;
/// Steps between the quantiles that stand for all resampled changes.
const STEPS: usize = 400;
/// A rank correlation changes by 2 at most.
const WIDEST: f64 = 2.0;
/// The fewest units for which the change is resampled. With fewer, the intervals would be wrong. For example, with two
/// units of which one is a single pair, most resamples are alike, and both bounds would be near the change itself.
const FEWEST_UNITS: u32 = 20;

/// The change of Spearman's rank correlation with people's scores, with its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralChange {
    /// The change with its bounds, one-sided at the policy's level.
    pub change: Interval,
    /// Its standard error; `None` if nothing is known of it.
    pub error: Option<f64>,
    pub pairs: u32,
    /// The units that they are drawn in.
    pub units: u32,
}

/// Quantiles of the change in rank correlation over resamples of the pairs. The change is the rank correlation of the
/// second model's cosines with the scores, minus that of the first model's cosines. The pairs of one unit are
/// always chosen together. Empty if there are fewer than twenty units.
pub fn general_changes(
    [before, after]: [&[f64]; 2],
    scores: &[f64],
    units: &[i64],
    resamples: usize,
    seed: u64,
) -> Vec<f64> {
    if units.iter().collect::<BTreeSet<_>>().len() < FEWEST_UNITS as usize {
        return Vec::new();
    }
    let pick = |from: &[f64], drawn: &[usize]| -> Vec<f64> {
        drawn.iter().filter_map(|&i| from.get(i).copied()).collect()
    };
    let change = |drawn: &[usize]| {
        let said = pick(scores, drawn);
        Some(spearman(&pick(after, drawn), &said)? - spearman(&pick(before, drawn), &said)?)
    };
    quantiles(resampled(units, resamples, seed, change), STEPS)
}

impl GeneralChange {
    /// A change with its bounds, which are computed from the quantiles of resampled changes. Without quantiles, the
    /// bounds are the widest possible. `pairs` is the number of pairs, and `units` the number of units by which they
    /// were resampled.
    pub fn of(change: f64, quantiles: &[f64], level: f64, pairs: u32, units: u32) -> Self {
        let [low, high] = central(quantiles.to_vec(), 1.0 - level).unwrap_or([-WIDEST, WIDEST]);
        let n = quantiles.len() as f64;
        let mean = quantiles.iter().sum::<f64>() / n;
        let squares: f64 = quantiles.iter().map(|q| (q - mean).powi(2)).sum();
        Self {
            change: Interval {
                value: change,
                low,
                high,
            },
            error: (!quantiles.is_empty()).then(|| (squares / n).sqrt()),
            pairs,
            units,
        }
    }

    /// The verdict on general language alone, and its ground. A fall as large as the floor is tolerated.
    pub(super) fn judged(&self, floor: f64, level: f64) -> (GateVerdict, GateGround) {
        let Interval { value, low, high } = self.change;
        // Nothing is known of the spread: bounds of 2 would be no news to anybody.
        if self.error.is_none() && self.units < FEWEST_UNITS {
            let ground = GateGround::GeneralTooFewGroups {
                groups: self.units,
                least: FEWEST_UNITS,
                pairs: self.pairs,
            };
            return (GateVerdict::Undecided, ground);
        }
        if low >= -floor {
            let ground = GateGround::GeneralKept {
                change: value,
                low: Some(low),
                floor,
            };
            return (GateVerdict::Pass, ground);
        }
        if high < 0.0 {
            let ground = GateGround::GeneralLost {
                change: value,
                high: Some(high),
                floor,
            };
            return (GateVerdict::Stop, ground);
        }
        let ground = GateGround::GeneralCannotTell {
            change: value,
            low,
            high,
            floor,
            pairs: self.pairs,
            needed: self.needed(floor, level),
        };
        (GateVerdict::Undecided, ground)
    }

    /// The number of pairs at which two things hold: a model that lost nothing passes in 80 of 100 cases, and a change
    /// as large as the present one is decided. `None` if there is no such number.
    fn needed(&self, floor: f64, level: f64) -> Option<u64> {
        let (error, change) = (self.error?, self.change.value);
        let (sure, pairs) = (normal(level), f64::from(self.pairs));
        let at = |deviates: f64, reach: f64| {
            if reach > 0.0 {
                pairs * (deviates * error / reach).powi(2)
            } else {
                f64::INFINITY
            }
        };
        // A rule that tolerates no loss at all can only pass a gain.
        let equal = if floor > 0.0 {
            at(sure + normal(EQUAL_PASSES), floor)
        } else {
            0.0
        };
        let needed = at(sure, change + floor)
            .min(at(sure, -change))
            .max(equal)
            .max(pairs + 1.0)
            .ceil();
        needed.is_finite().then_some(needed as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::Draws;

    fn change(value: f64, error: f64) -> GeneralChange {
        let reach = normal(0.95) * error;
        GeneralChange {
            change: Interval {
                value,
                low: value - reach,
                high: value + reach,
            },
            error: Some(error),
            pairs: 500,
            units: 500,
        }
    }

    #[test]
    fn the_bound_decides_and_not_the_change() {
        use GateVerdict::{Pass, Stop, Undecided};
        for (value, error, floor, verdict) in [
            (0.01, 0.005, 0.02, Pass),
            // The same changes, from few pairs.
            (0.01, 0.05, 0.02, Undecided),
            (-0.05, 0.05, 0.02, Undecided),
            (-0.05, 0.005, 0.02, Stop),
            // Shown to be a loss, and not shown to be small enough.
            (-0.015, 0.005, 0.02, Stop),
            (-0.010, 0.005, 0.02, Pass),
            (0.0, 0.0, 0.0, Pass),
            (0.0, 0.005, 0.0, Undecided),
            (0.02, 0.005, 0.0, Pass),
        ] {
            let (found, ground) = change(value, error).judged(floor, 0.95);
            assert_eq!(found, verdict, "{value} {error} {floor}");
            let fits = match found {
                Pass => matches!(ground, GateGround::GeneralKept { .. }),
                Stop => matches!(ground, GateGround::GeneralLost { .. }),
                Undecided => matches!(ground, GateGround::GeneralCannotTell { pairs: 500, .. }),
            };
            assert!(fits, "{ground:?}");
        }
        // A fall as large as the floor is tolerated.
        let at_the_floor = GeneralChange {
            change: Interval {
                value: -0.01,
                low: -0.02,
                high: 0.0,
            },
            ..change(0.0, 0.01)
        };
        assert_eq!(at_the_floor.judged(0.02, 0.95).0, Pass);
    }

    #[test]
    fn so_many_pairs_decide_as_are_said() {
        // (1.645 + .842)² · (.02 / .02)² · 500 = 3,091, and (1.645 · .02 / .01)² · 500 = 5,411.
        for (value, floor, needed) in [
            (0.0, 0.02, Some(3_092)),
            (-0.01, 0.02, Some(5_412)),
            (0.0, 0.0, None),
        ] {
            assert_eq!(change(value, 0.02).needed(floor, 0.95), needed, "{value}");
        }
        let unknown = GeneralChange {
            error: None,
            ..change(0.0, 0.02)
        };
        assert_eq!(unknown.needed(0.02, 0.95), None);
    }

    #[test]
    fn resampled_pairs_tell_a_loss_from_none() {
        let mut draws = Draws::new(5, 0);
        let mut noise = || draws.index(1_000) as f64 / 1_000.0 - 0.5;
        let scores: Vec<f64> = (0..300).map(f64::from).map(|i| i / 300.0).collect();
        let before: Vec<f64> = scores.iter().map(|s| s + 0.2 * noise()).collect();
        let spoilt: Vec<f64> = scores.iter().map(|s| s + 2.0 * noise()).collect();
        let moved: Vec<f64> = before.iter().map(|c| 0.5 * c + 0.1).collect();
        let units: Vec<i64> = (0..300).collect();
        let of = |after: &[f64], level| {
            let found = general_changes([&before, after], &scores, &units, 400, 7);
            assert_eq!(found.len(), STEPS + 1);
            let change = spearman(after, &scores).zip(spearman(&before, &scores));
            let change = change.map_or(f64::NAN, |(after, before)| after - before);
            GeneralChange::of(change, &found, level, 300, 300)
        };
        assert_eq!(of(&spoilt, 0.95).judged(0.02, 0.95).0, GateVerdict::Stop);
        // The order stays, so the correlation does.
        let same = of(&moved, 0.95);
        assert_eq!((same.change.low, same.change.high), (0.0, 0.0));
        // A higher level needs wider bounds.
        let (usual, strict) = (of(&spoilt, 0.95).change, of(&spoilt, 0.99).change);
        assert!(strict.low < usual.low && usual.high < strict.high);
        assert!(usual.low < usual.value && usual.value < usual.high);
        // All pairs share a sentence, or all but one do, or there are few such groups: nothing is known of the spread.
        let all_but_one: Vec<i64> = (0..300).map(|pair| i64::from(pair == 7)).collect();
        let few: Vec<i64> = (0..300).map(|pair| pair % 19).collect();
        for (units, groups) in [(vec![1; 300], 1), (all_but_one, 2), (few, 19)] {
            let none = general_changes([&before, &spoilt], &scores, &units, 400, 7);
            let widest = GeneralChange::of(-0.1, &none, 0.95, 300, groups);
            assert_eq!(
                (widest.change.low, widest.change.high, widest.error),
                (-2.0, 2.0, None)
            );
            let (verdict, ground) = widest.judged(0.02, 0.95);
            assert_eq!(verdict, GateVerdict::Undecided);
            let told = GateGround::GeneralTooFewGroups {
                groups,
                least: 20,
                pairs: 300,
            };
            assert_eq!(ground, told);
        }
        let enough: Vec<i64> = (0..300).map(|pair| pair % 20).collect();
        assert!(!general_changes([&before, &spoilt], &scores, &enough, 400, 7).is_empty());
    }
}

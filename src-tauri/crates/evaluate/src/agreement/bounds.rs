//! How intervals are made.

use super::ratings::Figure;
use crate::resample::central_95;
use lexforge_domain::agreement::Interval;

/// How intervals are made: how many resamples, by which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// Resamples.
    pub count: u32,
    pub seed: u64,
}

/// Each figure with the percentiles of its resamples; none where there is no figure or nothing was resampled.
pub(super) fn with_intervals<const N: usize>(
    observed: [Figure; N],
    resampled: Option<[Vec<f64>; N]>,
) -> [Interval; N] {
    let mut resampled = resampled
        .map(|values| values.map(central_95))
        .unwrap_or([None; N])
        .into_iter();
    observed.map(|figure| {
        let bounds = resampled.next().flatten().filter(|_| figure.is_ok());
        Interval {
            value: figure.ok(),
            low: bounds.map(|b| b[0]),
            high: bounds.map(|b| b[1]),
            undefined: figure.err(),
        }
    })
}

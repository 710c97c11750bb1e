//! The interval of any figure, by a bootstrap that draws whole clusters.

use crate::resample::{Draws, central_95};
use std::collections::BTreeMap;

/// The 95 % interval of a figure of items; `clusters` has the cluster of each, and `figure` computes it for a resample, which
/// it gets as the items' places. None with fewer than two clusters; a resample that has no figure is left out.
pub fn interval(
    clusters: &[i64],
    resamples: usize,
    seed: u64,
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Option<[f64; 2]> {
    let mut by_cluster: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (place, cluster) in clusters.iter().enumerate() {
        by_cluster.entry(*cluster).or_default().push(place);
    }
    let groups: Vec<Vec<usize>> = by_cluster.into_values().collect();
    if groups.len() < 2 {
        return None;
    }
    let mut draws = Draws::new(seed, 11);
    let mut figures = Vec::with_capacity(resamples);
    let mut drawn = Vec::with_capacity(clusters.len());
    for _ in 0..resamples {
        drawn.clear();
        for _ in 0..groups.len() {
            if let Some(group) = groups.get(draws.index(groups.len())) {
                drawn.extend_from_slice(group);
            }
        }
        figures.extend(figure(&drawn));
    }
    central_95(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_about_that_of_the_binomial() {
        let right: Vec<f64> = (0..400).map(|i| f64::from(u8::from(i % 4 != 0))).collect();
        let share = |drawn: &[usize]| {
            let sum: f64 = drawn.iter().map(|&i| right[i]).sum();
            Some(sum / drawn.len() as f64)
        };
        let each: Vec<i64> = (0..400).collect();
        let [low, high] = interval(&each, 2000, 7, share).unwrap_or_default();
        // 0.75 ± 1.96 · √(0.75 · 0.25 / 400) = 0.7076 to 0.7924
        assert!(
            (low - 0.7076).abs() < 0.01 && (high - 0.7924).abs() < 0.01,
            "{low} {high}"
        );
        // Four clusters, each wholly right or wrong: much less is known.
        let four: Vec<i64> = (0..400).map(|i| i % 4).collect();
        let [low, high] = interval(&four, 2000, 7, share).unwrap_or_default();
        assert!(high - low > 0.4, "{low} {high}");
        assert_eq!(interval(&[1; 400], 10, 7, share), None);
    }
}

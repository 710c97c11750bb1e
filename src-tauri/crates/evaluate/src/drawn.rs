//! The interval of any figure, by a bootstrap that draws whole clusters.

use crate::resample::{Draws, central_95};
use std::collections::BTreeMap;

/// The 95 % interval of a figure over items. `clusters` gives the cluster of each item. `figure` computes the figure of
/// a resample from the indices of its items. `None` with fewer than two clusters. Resamples without a figure are left
/// out.
pub fn interval(
    clusters: &[i64],
    resamples: usize,
    seed: u64,
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Option<[f64; 2]> {
    central_95(resampled(clusters, resamples, seed, figure))
}

/// The figures of such resamples; none with fewer than two clusters.
pub fn resampled(
    clusters: &[i64],
    resamples: usize,
    seed: u64,
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Vec<f64> {
    let groups: Vec<Vec<usize>> = grouped(clusters.iter().copied().enumerate());
    if groups.len() < 2 {
        return Vec::new();
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
    figures
}

/// Resamples items that each belong to two clusters, or twice to one, and returns the figures of the resamples. An
/// example is a pair of texts: it belongs to the documents of both texts. The clusters are chosen at random. An item
/// occurs as often as the product of its clusters' numbers says: if one was chosen twice and the other three times, it
/// occurs 2 · 3 times. An item that belongs twice to one cluster occurs as often as that cluster was chosen.
///
/// So pairs that share a document are not treated as independent (the pigeonhole bootstrap; Owen 2007). If anything,
/// the interval is too wide and not too narrow.
pub fn resampled_of_two(
    clusters: &[[i64; 2]],
    resamples: usize,
    seed: u64,
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Vec<f64> {
    let mut places: BTreeMap<i64, usize> = BTreeMap::new();
    for cluster in clusters.iter().flatten() {
        let next = places.len();
        places.entry(*cluster).or_insert(next);
    }
    let place = |cluster: &i64| places.get(cluster).copied().unwrap_or_default();
    let sides: Vec<[usize; 2]> = clusters
        .iter()
        .map(|two| [place(&two[0]), place(&two[1])])
        .collect();
    if places.len() < 2 {
        return Vec::new();
    }
    let mut draws = Draws::new(seed, 12);
    let mut figures = Vec::with_capacity(resamples);
    let mut drawn = Vec::with_capacity(clusters.len());
    for _ in 0..resamples {
        let mut times = vec![0usize; places.len()];
        for _ in 0..places.len() {
            times[draws.index(places.len())] += 1;
        }
        drawn.clear();
        for (item, [one, other]) in sides.iter().enumerate() {
            let often = match one == other {
                true => times[*one],
                false => times[*one] * times[*other],
            };
            drawn.extend(std::iter::repeat_n(item, often));
        }
        figures.extend(figure(&drawn));
    }
    figures
}

/// The 95 % interval of resamples; `None` if there is none.
pub fn interval_of(resampled: Vec<f64>) -> Option<[f64; 2]> {
    central_95(resampled)
}

/// The p-value: the probability of a difference at least as large as the observed one if there is no real difference.
/// It is twice the share of resamples below zero or above zero, whichever is smaller. The observed difference counts as
/// one more resample on that side, so the result is never zero. `None` without resamples.
pub fn other_side(resampled: &[f64]) -> Option<f64> {
    let share = |n: usize| (n + 1) as f64 / (resampled.len() + 1) as f64;
    let below = resampled.iter().filter(|d| **d <= 0.0).count();
    let above = resampled.iter().filter(|d| **d >= 0.0).count();
    (!resampled.is_empty()).then(|| (2.0 * share(below.min(above))).min(1.0))
}

fn grouped(of: impl Iterator<Item = (usize, i64)>) -> Vec<Vec<usize>> {
    let mut by_cluster: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (place, cluster) in of {
        by_cluster.entry(cluster).or_default().push(place);
    }
    by_cluster.into_values().collect()
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

    #[test]
    fn pairs_are_drawn_with_the_clusters_of_both_sides() {
        // Each pair joins two of ten clusters; what a cluster adds is what makes the figure.
        let pairs: Vec<[i64; 2]> = (0..10).flat_map(|a| (a..10).map(move |b| [a, b])).collect();
        let value = |at: usize| (pairs[at][0] + pairs[at][1]) as f64;
        let mean = |drawn: &[usize]| {
            let sum: f64 = drawn.iter().map(|&i| value(i)).sum();
            (!drawn.is_empty()).then(|| sum / drawn.len() as f64)
        };
        let width = |[low, high]: [f64; 2]| high - low;
        let of_two = interval_of(resampled_of_two(&pairs, 2000, 7, mean)).unwrap_or_default();
        let each: Vec<i64> = (0..pairs.len() as i64).collect();
        let of_each = interval(&each, 2000, 7, mean).unwrap_or_default();
        // 55 pairs of ten clusters say far less than 55 that have nothing in common.
        assert!(
            width(of_two) > 1.8 * width(of_each),
            "{of_two:?} {of_each:?}"
        );
        assert!(resampled_of_two(&[[1, 1]; 5], 10, 7, mean).is_empty());
    }

    #[test]
    fn a_difference_is_improbable_where_no_resample_crosses_zero() {
        for (resampled, expected) in [
            (vec![], None),
            (vec![1.0; 99], Some(0.02)),
            (vec![-1.0; 99], Some(0.02)),
            (vec![0.0; 99], Some(1.0)),
            (vec![-1.0, 1.0, 1.0], Some(1.0)),
        ] {
            assert_eq!(other_side(&resampled), expected, "{resampled:?}");
        }
    }
}

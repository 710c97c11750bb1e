//! Bounds of cosines that are taken from what was observed.

/// A cosine that no pair reaches.
pub(crate) const NO_CEILING: f32 = 2.0;

/// The lower bound after calibration. If at least the share `share` of the `anchors` has a neighbour at `bound` or
/// above, the result is `bound`. Otherwise the bound is lowered until this share has such a neighbour, but not below
/// `floor`. `best` holds the nearest-neighbour cosines of the anchors that have a neighbour.
pub(super) fn calibrated(
    mut best: Vec<f32>,
    anchors: usize,
    bound: f32,
    share: f32,
    floor: f32,
) -> f32 {
    // A share such as 0.4 is a little more than 2/5 in binary: that must not ask for one more.
    let wanted = (f64::from(share) * anchors as f64 - 1e-6).ceil().max(0.0) as usize;
    if wanted == 0 || best.iter().filter(|c| **c >= bound).count() >= wanted {
        return bound;
    }
    best.sort_unstable_by(|a, b| b.total_cmp(a));
    best.get(wanted - 1)
        .copied()
        .unwrap_or(floor)
        .clamp(floor, bound)
}

/// The value at a quantile, 0 to 1: the smallest one that this share of the values does not exceed.
pub(crate) fn quantile(mut values: Vec<f32>, q: f32) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let rank = (f64::from(q.clamp(0.0, 1.0)) * values.len() as f64 - 1e-6)
        .ceil()
        .max(1.0) as usize;
    values
        .get(rank.min(values.len()).saturating_sub(1))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_gives_way_only_when_too_few_reach_it() {
        let check = |best: &[f32], anchors: usize, expected: f32| {
            assert_eq!(
                calibrated(best.to_vec(), anchors, 0.9, 0.5, 0.3),
                expected,
                "{best:?} of {anchors}"
            );
        };
        check(&[0.95, 0.91, 0.5, 0.4], 4, 0.9);
        check(&[0.95, 0.7, 0.5, 0.4], 4, 0.7);
        check(&[0.8], 4, 0.3);
        check(&[], 0, 0.9);
    }

    #[test]
    fn quantiles_are_values_that_were_seen() {
        let values = || vec![0.4, 0.1, 0.3, 0.2, 0.5];
        for (q, expected) in [
            (0.0, 0.1),
            (0.2, 0.1),
            (0.21, 0.2),
            (0.5, 0.3),
            (0.99, 0.5),
            (1.0, 0.5),
            (7.0, 0.5),
        ] {
            assert_eq!(quantile(values(), q), Some(expected), "{q}");
        }
        assert_eq!(quantile(Vec::new(), 0.5), None);
    }
}

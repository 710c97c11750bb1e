//! How far two series of numbers go together.

use crate::resample::{Draws, central_95};
use std::collections::BTreeMap;

/// Pearson's r; `None` for series of different or too short length, or where one of them does not vary.
pub fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 || !varies(a) || !varies(b) {
        return None;
    }
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    let r = ab / (aa.sqrt() * bb.sqrt());
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// Whether the values are not all equal. The standard deviation does not show this: for equal values it may differ from
/// zero, because their computed mean can be rounded.
fn varies(values: &[f64]) -> bool {
    values.windows(2).any(|two| two[0] != two[1])
}

/// Spearman's ρ: Pearson's r of the ranks. Equal values share their mean rank. `None` in the same cases as for
/// [`pearson`], and if a value is NaN.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.iter().chain(b).any(|v| v.is_nan()) {
        return None;
    }
    pearson(&mean_ranks(a), &mean_ranks(b))
}

/// 95 % intervals of Spearman's ρ and Pearson's r from a bootstrap over whole clusters; `None` with fewer than two
/// clusters. A resample in which one series does not vary is left out.
pub fn intervals(
    a: &[f64],
    b: &[f64],
    clusters: &[usize],
    resamples: usize,
    seed: u64,
) -> [Option<[f64; 2]>; 2] {
    let mut by_cluster: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, cluster) in clusters.iter().enumerate().take(a.len().min(b.len())) {
        by_cluster.entry(*cluster).or_default().push(i);
    }
    let groups: Vec<Vec<usize>> = by_cluster.into_values().collect();
    if groups.len() < 2 {
        return [None, None];
    }
    let mut draws = Draws::new(seed, 7);
    let (mut rho, mut r) = (Vec::new(), Vec::new());
    for _ in 0..resamples {
        let (mut x, mut y) = (Vec::with_capacity(a.len()), Vec::with_capacity(b.len()));
        for _ in 0..groups.len() {
            for &i in &groups[draws.index(groups.len())] {
                x.push(a[i]);
                y.push(b[i]);
            }
        }
        rho.extend(spearman(&x, &y));
        r.extend(pearson(&x, &y));
    }
    [central_95(rho), central_95(r)]
}

fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let end = start
            + order[start..]
                .iter()
                .take_while(|&&i| values[i] == value)
                .count();
        // Ranks start + 1 ..= end, so their mean is (start + 1 + end) / 2.
        let mean = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|&i| ranks[i] = mean);
        start = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    #[test]
    fn coefficients_as_scipy_gives_them() {
        // scipy.stats.spearmanr and pearsonr, scipy 1; both series have ties.
        let a = [2.5, 0.5, 3.0, 2.5, 4.75, 1.0, 0.5, 5.0, 3.25, 2.0];
        let b = [0.61, 0.2, 0.55, 0.61, 0.93, 0.35, 0.41, 0.88, 0.55, 0.1];
        assert_near(
            spearman(&a, &b).unwrap_or(f64::NAN),
            0.791411042944785,
            1e-13,
        );
        assert_near(
            pearson(&a, &b).unwrap_or(f64::NAN),
            0.839964211247605,
            1e-13,
        );
        let backwards: Vec<f64> = a.iter().map(|v| -v).collect();
        assert_near(spearman(&a, &backwards).unwrap_or(f64::NAN), -1.0, 1e-13);
    }

    #[test]
    fn series_without_a_correlation() {
        let check = |a: &[f64], b: &[f64]| {
            assert_eq!((spearman(a, b), pearson(a, b)), (None, None), "{a:?} {b:?}")
        };
        check(&[1.0, 2.0], &[1.0]);
        check(&[1.0], &[1.0]);
        check(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]);
        // The mean of these is not quite a tenth.
        check(&[0.1, 0.1, 0.1], &[1.0, 2.0, 4.0]);
        check(&[1.0, f64::NAN, 2.0], &[1.0, 2.0, 3.0]);
    }
}

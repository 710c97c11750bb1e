//! How far two series of numbers go together.

/// Pearson's r; none for series of different or too short length, or where one of them does not vary.
pub fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 {
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

/// Spearman's ρ: Pearson's r of the ranks, equal values sharing their mean rank; none as for [`pearson`], or
/// where a value is not a number.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.iter().chain(b).any(|v| v.is_nan()) {
        return None;
    }
    pearson(&mean_ranks(a), &mean_ranks(b))
}

fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let end = start + order[start..].iter().take_while(|&&i| values[i] == value).count();
        // Ranks start + 1 ..= end, so their mean is (start + 1 + end) / 2.
        let mean = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|&i| ranks[i] = mean);
        start = end;
    }
    ranks
}

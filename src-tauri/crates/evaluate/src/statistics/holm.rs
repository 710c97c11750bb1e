//! Holm's correction (Scandinavian Journal of Statistics 6, 1979).

/// The corrected p-values of all comparisons of one table, in the order given. After the correction, the chance of even
/// one wrong "different" in the table stays below the level. A p-value that is NaN stays NaN and is not counted.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len())
        .filter(|&i| !p_values[i].is_nan())
        .collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut corrected = vec![f64::NAN; p_values.len()];
    let mut greatest: f64 = 0.0;
    for (place, &i) in order.iter().enumerate() {
        let left = (order.len() - place) as f64;
        greatest = greatest.max((left * p_values[i]).min(1.0));
        corrected[i] = greatest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_as_statsmodels_does() {
        // statsmodels 0.15, multipletests(method="holm").
        let check = |given: &[f64], expected: &[f64]| {
            for (found, expected) in holm(given).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        };
        check(
            &[0.01, 0.04, 0.03, 0.005, 0.5, 0.04],
            &[0.05, 0.12, 0.12, 0.03, 0.5, 0.12],
        );
        check(&[0.6, 0.7], &[1.0, 1.0]);
        check(&[], &[]);
        assert!(holm(&[f64::NAN, 0.02])[0].is_nan());
        check(&holm(&[f64::NAN, 0.02])[1..], &[0.02]);
    }
}

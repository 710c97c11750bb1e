//! Holm's correction (Scandinavian Journal of Statistics 6, 1979).

use lexforge_domain::metrics::Comparison;

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

/// Corrects the p-values of comparisons that make one table.
pub fn correct(table: &mut [Comparison]) {
    let p_values: Vec<f64> = table.iter().map(|one| one.p_value).collect();
    for (one, corrected) in table.iter_mut().zip(holm(&p_values)) {
        one.p_holm = Some(corrected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::metrics::Interval;

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

    #[test]
    fn all_comparisons_of_a_table_are_corrected_together() {
        let of = |p_value: f64| Comparison {
            measure: "accuracy".to_owned(),
            before: 0.5,
            after: 0.6,
            difference: Interval::default(),
            p_value,
            p_holm: None,
            test: String::new(),
            unit: "anchor".to_owned(),
            against: String::new(),
            resamples: 1000,
        };
        let mut table = [0.03, 0.01, 0.04].map(of);
        assert!((table[1].p_decides() - 0.01).abs() < 1e-12);
        correct(&mut table);
        for (one, expected) in table.iter().zip([0.06, 0.03, 0.06]) {
            assert!((one.p_decides() - expected).abs() < 1e-12, "{one:?}");
        }
    }
}

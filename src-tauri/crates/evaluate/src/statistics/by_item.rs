//! The tests of the literature, by item.

use super::distributions::{chi2_one_beyond, fair_coin_at_most, student_two_sided};
use lexforge_domain::statistics::{ByItem, McNemar, PairedT};

/// An error that is a smaller share of the mean comes from rounding alone.
const ROUNDING: f64 = 1e-12;

/// Student's paired t-test of `after` − `before`; `None` for fewer than two items, or differences that do not vary.
pub fn paired_t(before: &[f64], after: &[f64]) -> Option<PairedT> {
    let n = before.len();
    if n != after.len() || n < 2 {
        return None;
    }
    let differences = || before.iter().zip(after).map(|(b, a)| a - b);
    let mean = differences().sum::<f64>() / n as f64;
    let squares = differences().map(|d| (d - mean).powi(2)).sum::<f64>();
    let error = (squares / (n - 1) as f64 / n as f64).sqrt();
    let t = mean / error;
    // Differences that are equal but for rounding do not vary.
    (t.is_finite() && error > ROUNDING * mean.abs()).then(|| PairedT {
        t,
        df: n - 1,
        p_value: student_two_sided(t, (n - 1) as f64),
    })
}

/// McNemar's test: exact by the binomial distribution, and by χ² with Edwards' correction. Both p-values are 1 if the
/// two systems answer every item alike.
pub fn mcnemar(before: &[bool], after: &[bool]) -> McNemar {
    let count = |b: bool| {
        let pairs = before.iter().zip(after);
        pairs.filter(|(x, y)| x != y && **x == b).count() as u64
    };
    let (only_before, only_after) = (count(true), count(false));
    let apart = only_before + only_after;
    let exact = 2.0 * fair_coin_at_most(only_before.min(only_after), apart);
    let chi2 = if apart == 0 {
        0.0
    } else {
        // As in statsmodels: because of the correction, a difference of 0 counts as 1.
        (only_before.abs_diff(only_after) as f64 - 1.0).powi(2) / apart as f64
    };
    McNemar {
        only_before,
        only_after,
        p_value: if apart == 0 { 1.0 } else { exact.min(1.0) },
        chi2,
        chi2_p_value: if apart == 0 {
            1.0
        } else {
            chi2_one_beyond(chi2)
        },
    }
}

/// Both tests; McNemar's only where every value is 0 or 1.
pub fn by_item(before: &[f64], after: &[f64]) -> ByItem {
    let right = |values: &[f64]| -> Option<Vec<bool>> {
        values
            .iter()
            .map(|v| match *v {
                0.0 => Some(false),
                1.0 => Some(true),
                _ => None,
            })
            .collect()
    };
    let both = right(before).zip(right(after));
    ByItem {
        paired_t: paired_t(before, after),
        mcnemar: both.map(|(before, after)| mcnemar(&before, &after)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9, "{found} {expected}");
    }

    /// Two series that scipy was given, too.
    fn series(n: usize) -> (Vec<f64>, Vec<f64>) {
        let before = (0..n).map(|i| ((i * 37 + 11) % 53) as f64 / 53.0);
        let after = (0..n).map(|i| ((i * 29 + 5) % 47) as f64 / 47.0 + 0.06);
        (before.collect(), after.collect())
    }

    #[test]
    fn the_t_test_is_that_of_scipy() {
        // scipy.stats.ttest_rel, scipy 1.17.
        let (before, after) = series(40);
        let found = paired_t(&before, &after).unwrap();
        near(found.t, 0.7680002094473622);
        near(found.p_value, 0.4471124639879802);
        assert_eq!(found.df, 39);
        let (before, after) = series(3);
        let found = paired_t(&before, &after).unwrap();
        near(found.t, -2.6112809551337923);
        near(found.p_value, 0.12067555926419171);
        assert_eq!(paired_t(&[1.0], &[0.0]), None);
        assert_eq!(paired_t(&[0.0, 1.0], &[0.0, 1.0]), None);
        assert_eq!(paired_t(&[0.1, 0.2, 0.7], &[0.16, 0.26, 0.76]), None);
        assert_eq!(paired_t(&[0.0, 1.0], &[0.0]), None);
    }

    #[test]
    fn mcnemar_is_that_of_statsmodels() {
        // statsmodels 0.15, mcnemar with exact=True, then exact=False and correction=True.
        let check = |b: usize, c: usize, exact: f64, chi2: f64, chi2_p: f64| {
            let before: Vec<bool> = (0..b + c).map(|i| i < b).collect();
            let after: Vec<bool> = before.iter().map(|right| !right).collect();
            let found = mcnemar(&before, &after);
            assert_eq!((found.only_before, found.only_after), (b as u64, c as u64));
            near(found.p_value, exact);
            near(found.chi2, chi2);
            near(found.chi2_p_value, chi2_p);
        };
        check(
            9,
            21,
            0.042773945257067694,
            4.033333333333333,
            0.04460971802493953,
        );
        check(0, 7, 0.015625, 5.142857142857143, 0.02334220201289086);
        check(3, 3, 1.0, 0.16666666666666666, 0.6830913983096086);
        check(
            120,
            180,
            0.0006342200069283566,
            11.603333333333333,
            0.000658337169557234,
        );
        check(1, 0, 1.0, 0.0, 1.0);
        check(
            2500,
            2600,
            0.16565587842845939,
            1.921764705882353,
            0.1656622507222343,
        );
        assert_eq!(mcnemar(&[true], &[true]).p_value, 1.0);
    }

    #[test]
    fn mcnemar_asks_for_right_and_wrong() {
        assert!(by_item(&[0.0, 1.0], &[1.0, 1.0]).mcnemar.is_some());
        assert_eq!(by_item(&[0.0, 0.5], &[1.0, 1.0]).mcnemar, None);
    }
}

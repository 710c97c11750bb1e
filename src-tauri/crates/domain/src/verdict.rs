//! The verdict of a comparison, in one word.

use crate::metrics::{Comparison, Interval};
use crate::statistics::PairedComparison;
use strum::IntoStaticStr;

/// The level at which a p-value decides.
const ALPHA: f64 = 0.05;

/// The outcome of a paired comparison in which more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// The whole interval lies above zero, and the test rejects "no difference".
    Better,
    /// The whole interval lies below zero, and the test rejects "no difference".
    Worse,
    /// Any other result: the questions do not show a difference between the systems.
    Undecided,
}

impl Verdict {
    /// The verdict of a comparison. A difference counts only if the interval and the test both show it. With few
    /// clusters a percentile interval is too narrow, and alone would find a difference too easily.
    pub fn of(comparison: &Comparison) -> Self {
        Self::by_interval(&comparison.difference, comparison.p_decides())
    }

    /// As [`Verdict::of`], by the p-value that is corrected over all comparisons of its table.
    pub fn corrected(compared: &PairedComparison) -> Self {
        Self::by_interval(&compared.comparison.difference, compared.p_holm)
    }

    fn by_interval(difference: &Interval, p_value: f64) -> Self {
        Self::by([difference.low, difference.high], p_value)
    }

    /// As [`Verdict::of`], by the bounds of the difference and the p-value that decides.
    pub fn by([low, high]: [f64; 2], p_value: f64) -> Self {
        let decided = p_value < ALPHA;
        if decided && low > 0.0 {
            Self::Better
        } else if decided && high < 0.0 {
            Self::Worse
        } else {
            Self::Undecided
        }
    }

    /// The verdict in one word.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_interval_and_test() {
        let check = |low: f64, high: f64, p: (f64, Option<f64>), expected: Verdict| {
            let (p_value, p_holm) = p;
            let comparison = Comparison {
                measure: "accuracy".to_owned(),
                before: 0.5,
                after: 0.5 + (low + high) / 2.0,
                difference: Interval {
                    value: (low + high) / 2.0,
                    low,
                    high,
                },
                p_value,
                p_holm,
                test: String::new(),
                unit: "anchor".to_owned(),
                against: String::new(),
                resamples: 1000,
            };
            assert_eq!(Verdict::of(&comparison), expected, "{low} {high} {p:?}");
        };
        check(0.01, 0.05, (0.002, None), Verdict::Better);
        check(-0.05, -0.01, (0.002, None), Verdict::Worse);
        check(-0.01, 0.05, (0.002, None), Verdict::Undecided);
        check(0.01, 0.05, (0.2, None), Verdict::Undecided);
        check(0.0, 0.0, (1.0, None), Verdict::Undecided);
        // Corrected over its table.
        check(0.01, 0.05, (0.002, Some(0.006)), Verdict::Better);
        check(0.01, 0.05, (0.02, Some(0.06)), Verdict::Undecided);
    }
}

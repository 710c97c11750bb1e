//! Weights that all rules share, with a constant of its own for each rule.

use lexforge_evaluate::logistic::{Logistic, shift, shifted};

/// How far the constant of a rule is held back: what is decided of it moves it, and a few decisions little.
const HELD_BACK: f64 = 3.0;

/// The figures of a rule, and whether the rule was covered.
pub(super) type Weighable = (usize, Vec<f64>, bool);

/// Weights over all rules and a constant a rule.
pub(super) struct Weights {
    shared: Logistic,
    own: Vec<f64>,
}

impl Weights {
    /// The most likely weights; `None` where all rows say the same.
    pub fn fit(rows: &[Weighable], rules: usize) -> Option<Self> {
        let plain: Vec<(Vec<f64>, bool)> = rows
            .iter()
            .map(|(_, row, positive)| (row.clone(), *positive))
            .collect();
        let shared = Logistic::fit(&plain)?;
        let mut told: Vec<Vec<(f64, bool)>> = vec![Vec::new(); rules];
        for (rule, row, positive) in rows {
            told[*rule].push((shared.probability(row), *positive));
        }
        let own = told.iter().map(|told| shift(told, HELD_BACK)).collect();
        Some(Self { shared, own })
    }

    /// How likely it is for a rule.
    pub fn probability(&self, rule: usize, row: &[f64]) -> f64 {
        let own = self.own.get(rule).copied().unwrap_or_default();
        shifted(self.shared.probability(row), own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_covered_more_often_than_its_scores_say_is_likelier() {
        // Three rules have the same scores. The first is always covered, the second is never covered, and the third is
        // covered when its score is high.
        let rows: Vec<Weighable> = (0..90)
            .map(|i| {
                let high = i % 2 == 0;
                let covered = [true, false, high][i / 30];
                (i / 30, vec![f64::from(u8::from(high))], covered)
            })
            .collect();
        let fitted = Weights::fit(&rows, 4).expect("both kinds");
        let of = |rule: usize| fitted.probability(rule, &[1.0]);
        assert!(
            of(0) > of(2) && of(2) > of(1),
            "{} {} {}",
            of(0),
            of(2),
            of(1)
        );
        // There is no decision about the fourth rule.
        assert!(of(3) < of(0) && of(3) > of(1));
        let same: Vec<Weighable> = rows.into_iter().filter(|row| row.2).collect();
        assert!(Weights::fit(&same, 4).is_none());
    }
}

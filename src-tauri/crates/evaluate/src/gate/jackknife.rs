//! A measure's difference with its spread by cluster.

use super::paired::{Paired, value};
use super::quantile::student;
use crate::clusters::Sums;
use lexforge_domain::gate::GateMeasure;

/// The difference of one measure.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) reference: f64,
    pub(super) candidate: f64,
    /// What each cluster adds to the difference: the jackknife's pseudo-values less their mean.
    pub(super) residuals: Vec<f64>,
    /// Variance that two more questions, one for either side, would bring: see [`smoothing`].
    pub(super) smoothing: f64,
}

impl Spread {
    pub(super) fn of(paired: &Paired, measure: GateMeasure) -> Self {
        let mut total = [Sums::default(), Sums::default()];
        for cluster in &paired.clusters {
            for (sum, of) in total.iter_mut().zip(cluster) {
                add(sum, of);
            }
        }
        let [reference, candidate] = total.clone().map(|sums| value(measure, &sums));
        let without: Vec<f64> = paired
            .clusters
            .iter()
            .map(|cluster| {
                let [r, c] = [0, 1].map(|side| value(measure, &less(&total[side], &cluster[side])));
                c - r
            })
            .collect();
        let count = without.len() as f64;
        let mean = without.iter().sum::<f64>() / count.max(1.0);
        Self {
            reference,
            candidate,
            residuals: without.iter().map(|w| (count - 1.0) * (mean - w)).collect(),
            smoothing: smoothing(measure, paired.questions),
        }
    }

    pub(super) fn difference(&self) -> f64 {
        self.candidate - self.reference
    }

    /// Standard error; none with fewer than two clusters.
    pub(super) fn error(&self) -> Option<f64> {
        let count = self.residuals.len() as f64;
        if count < 2.0 {
            return None;
        }
        let squares: f64 = self.residuals.iter().map(|r| r * r).sum();
        Some((squares / (count * (count - 1.0)) + self.smoothing).sqrt())
    }

    /// One-sided bounds at `level`; the widest possible where nothing is known of the spread.
    pub(super) fn bounds(&self, measure: GateMeasure, level: f64) -> [f64; 2] {
        let widest = if measure.is_share() { 1.0 } else { 4.0 };
        let Some(error) = self.error() else {
            return [-widest, widest];
        };
        let reach = student(level, self.residuals.len() as f64 - 1.0) * error;
        let difference = self.difference();
        [
            (difference - reach).max(-widest),
            (difference + reach).min(widest),
        ]
    }
}

/// A variance that is added because of differences that were not seen. If no answer among n questions differs, this
/// does not prove that answers never differ. So one more differing answer is assumed in each direction, as in the
/// interval of Bonett and Price for paired shares. With a thousand questions this hardly changes the result.
pub(super) fn smoothing(measure: GateMeasure, questions: usize) -> f64 {
    if measure.is_share() {
        2.0 / (questions.max(1) as f64).powi(2)
    } else {
        0.0
    }
}

fn add(sum: &mut Sums, of: &Sums) {
    if sum.confusion.len() < of.confusion.len() {
        sum.confusion.resize(of.confusion.len(), 0);
    }
    sum.add(of);
}

fn less(total: &Sums, part: &Sums) -> Sums {
    Sums {
        n: total.n - part.n,
        right: total.right - part.right,
        gap: total.gap - part.gap,
        with_gap: total.with_gap - part.with_gap,
        confusion: total
            .confusion
            .iter()
            .zip(&part.confusion)
            .map(|(t, p)| t - p)
            .collect(),
    }
}

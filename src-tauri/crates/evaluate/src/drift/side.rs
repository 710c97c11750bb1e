//! Texts of a time, by the sums of their vectors.

use lexforge_domain::drift::DriftSide;

/// What came together.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// When, in days.
    pub day: f64,
    /// Texts.
    pub n: u32,
    /// Sum of their unit vectors.
    pub sum: &'a [f32],
}

/// Sums over units.
#[derive(Clone, Debug)]
pub(super) struct Total {
    pub(super) texts: f64,
    pub(super) sum: Vec<f64>,
}

impl Total {
    pub(super) fn new(dim: usize) -> Self {
        Self {
            texts: 0.0,
            sum: vec![0.0; dim],
        }
    }

    pub(super) fn of<'u>(units: impl IntoIterator<Item = &'u Unit<'u>>, dim: usize) -> Self {
        let mut total = Self::new(dim);
        for unit in units {
            total.add(unit);
        }
        total
    }

    pub(super) fn clear(&mut self) {
        self.texts = 0.0;
        self.sum.fill(0.0);
    }

    pub(super) fn add(&mut self, unit: &Unit<'_>) {
        self.texts += f64::from(unit.n);
        for (sum, v) in self.sum.iter_mut().zip(unit.sum) {
            *sum += f64::from(*v);
        }
    }

    /// Mean cosine over pairs of different texts: (‖s‖² − n) / (n (n − 1)) for unit vectors with sum s. With fewer than
    /// two texts the result is 0.
    pub(super) fn closeness(&self) -> f64 {
        let squared: f64 = self.sum.iter().map(|s| s * s).sum();
        closeness(squared, self.texts)
    }

    /// Mean cosine over pairs of the texts that are in `all` and not here.
    pub(super) fn closeness_of_rest(&self, all: &Self) -> f64 {
        let squared: f64 = all
            .sum
            .iter()
            .zip(&self.sum)
            .map(|(a, s)| (a - s) * (a - s))
            .sum();
        closeness(squared, all.texts - self.texts)
    }
}

fn closeness(squared: f64, n: f64) -> f64 {
    if n < 2.0 {
        0.0
    } else {
        (squared - n) / (n * (n - 1.0))
    }
}

pub(super) fn side(units: &[Unit<'_>], dim: usize) -> DriftSide {
    let total = Total::of(units, dim);
    DriftSide {
        units: units.len() as u32,
        texts: total.texts as u32,
        mean_pairwise_cosine: total.closeness(),
    }
}

/// The direction from the earlier texts to the recent ones, of unit length. All zeros if their means are equal.
pub fn direction(earlier: &[Unit<'_>], recent: &[Unit<'_>], dim: usize) -> Vec<f32> {
    let [old, new] = [earlier, recent].map(|units| Total::of(units, dim));
    let mean = |total: &Total, i: usize| total.sum[i] / total.texts.max(1.0);
    let difference: Vec<f64> = (0..dim).map(|i| mean(&new, i) - mean(&old, i)).collect();
    let length = difference.iter().map(|d| d * d).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length.recip() } else { 0.0 };
    difference.iter().map(|d| (d * scale) as f32).collect()
}

//! Simulated pairs of models, and what the gate says of them.

use super::decide::{judge, together};
use super::quantile::student;
use lexforge_domain::gate::{GateRates, GateVerdict, Margin, MarginOffer};
use std::collections::BTreeMap;

/// Points by which a simulated model is worse.
pub(super) const POINTS: [u32; 3] = [1, 2, 3];
/// Margins are offered with which a model of equal quality passes this often.
const OFFERED: [f64; 2] = [0.80, 0.95];
/// Offered margins are rounded up to a tenth of a point.
const STEP: f64 = 0.001;

/// A measure of one simulated pair: the difference, and the square of its standard error before smoothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    pub(super) difference: f64,
    pub(super) variance: f64,
}

/// Many simulated pairs of equally good models.
pub(super) struct Simulated {
    /// Each pair, measure by measure.
    pub(super) pairs: Vec<Vec<Drawn>>,
    /// See [`super::jackknife::smoothing`], measure by measure.
    pub(super) smoothing: Vec<f64>,
    pub(super) anchors: usize,
    pub(super) level: f64,
    /// There are as many anchors and questions as the rule asks for.
    pub(super) enough: bool,
}

impl Simulated {
    /// How often each verdict is given if the second model is worse by `shift`. It is made worse in the measures that
    /// are shares. It is made worse in the cosine gap only if the rule has no share. Before that, the simulated
    /// differences are multiplied by `scale`. The stated error is the error of the simulation.
    pub(super) fn rates(&self, margins: &[Margin], shift: f64, scale: f64) -> GateRates {
        if !self.enough {
            return GateRates {
                undecided: 1.0,
                ..GateRates::default()
            };
        }
        let reach = student(self.level, self.anchors as f64 - 1.0);
        let (mut passes, mut stopped) = (0u32, 0u32);
        let shares = margins.iter().any(|margin| margin.measure.is_share());
        for pair in &self.pairs {
            let verdicts = pair.iter().zip(&self.smoothing).zip(margins);
            let verdict = together(verdicts.map(|((drawn, smoothing), margin)| {
                let falls = margin.measure.is_share() || !shares;
                let difference = drawn.difference * scale - if falls { shift } else { 0.0 };
                let error = (drawn.variance * scale * scale + smoothing).sqrt();
                judge(
                    difference - reach * error,
                    difference + reach * error,
                    margin.margin,
                )
            }));
            match verdict {
                GateVerdict::Pass => passes += 1,
                GateVerdict::Stop => stopped += 1,
                GateVerdict::Undecided => {}
            }
        }
        let n = self.pairs.len().max(1) as f64;
        let (passes, stopped) = (f64::from(passes) / n, f64::from(stopped) / n);
        GateRates {
            passes,
            stopped,
            undecided: 1.0 - passes - stopped,
            error: share_error(passes, n).max(share_error(stopped, n)),
        }
    }

    /// The margins with which an equally good model passes often enough. They are the margins of the rule, multiplied
    /// by one common factor. `worse_stopped` tells how often worse models are stopped with given margins. If there are
    /// too few questions for the rule, no margins are offered, because no model would pass with any of them.
    pub(super) fn offers(
        &self,
        margins: &[Margin],
        worse_stopped: impl Fn(&[Margin]) -> BTreeMap<String, f64>,
    ) -> Vec<MarginOffer> {
        if !self.enough || self.pairs.is_empty() || margins.is_empty() || self.anchors < 2 {
            return Vec::new();
        }
        let reach = student(self.level, self.anchors as f64 - 1.0);
        let mut factors: Vec<f64> = self
            .pairs
            .iter()
            .map(|pair| {
                pair.iter()
                    .zip(&self.smoothing)
                    .zip(margins)
                    .map(|((drawn, smoothing), margin)| {
                        let low = drawn.difference - reach * (drawn.variance + smoothing).sqrt();
                        -low / margin.margin
                    })
                    .fold(f64::NEG_INFINITY, f64::max)
            })
            .collect();
        factors.sort_by(f64::total_cmp);
        OFFERED
            .into_iter()
            .map(|equal_passes| {
                let place = (equal_passes * factors.len() as f64).ceil() as usize;
                let factor = factors[place.min(factors.len() - 1)];
                let margins: Vec<Margin> = margins
                    .iter()
                    .map(|m| Margin {
                        measure: m.measure,
                        margin: rounded_up(m.margin * factor),
                    })
                    .collect();
                MarginOffer {
                    equal_passes,
                    worse_stopped: worse_stopped(&margins),
                    margins,
                }
            })
            .collect()
    }
}

fn rounded_up(margin: f64) -> f64 {
    // To thousandths, so that the printed margin is exactly the one that is used.
    ((margin / STEP).ceil() / STEP.recip()).max(STEP)
}

/// The standard error of a share that was counted over `n` pairs. If the share is 0 or 1, one pair of the other kind is
/// assumed, because a case that did not occur in `n` pairs may still exist.
fn share_error(share: f64, n: f64) -> f64 {
    let share = share.clamp(1.0 / n, 1.0 - 1.0 / n);
    (share * (1.0 - share) / n).sqrt()
}

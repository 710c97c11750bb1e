//! How often the gate is right, from the differences of two models at hand.

use super::decide::{enough, measured};
use super::jackknife::Spread;
use super::paired::Paired;
use super::simulated::{Drawn, POINTS, Simulated};
use crate::resample::Draws;
use lexforge_domain::gate::{Characteristic, CharacteristicSource, GatePolicy, GateRates, Margin};
use std::collections::BTreeMap;

/// The random stream of the simulation.
const PURPOSE: u64 = 21;

/// Simulates `simulations` pairs of models. For each pair, whole clusters are chosen at random, with replacement. Each
/// cluster contributes its difference between the two models minus the mean difference. So the simulated models are
/// equal on average, and their differences vary as those of the two real models.
///
/// To simulate a model that is worse by k points, k / 100 is subtracted from every measure that is a share. The cosine
/// gap is not changed, because k / 100 can be more than the whole gap, and the rule would then seem to find almost
/// every worse model. Only if the rule has no share, the gap is made k / 100 smaller.
///
/// A rate has two errors: the error of the simulation, and the error of the spread, which was estimated from these
/// clusters.
pub fn characteristic(
    paired: &Paired,
    policy: &GatePolicy,
    simulations: usize,
    seed: u64,
) -> Characteristic {
    let margins: Vec<Margin> = measured(paired, policy).copied().collect();
    let spreads: Vec<Spread> = margins
        .iter()
        .map(|m| Spread::of(paired, m.measure))
        .collect();
    let simulated = Simulated {
        pairs: drawn(&spreads, paired.anchors(), simulations, seed),
        smoothing: spreads.iter().map(|s| s.smoothing).collect(),
        anchors: paired.anchors(),
        level: policy.level,
        enough: enough(paired, policy) && paired.anchors() > 1 && !margins.is_empty(),
    };
    // How far off the spread may be, relatively: the greatest of all measures.
    let doubt = spreads
        .iter()
        .map(|s| doubt(&s.residuals))
        .fold(0.0, f64::max);
    let rates = |points: u32| {
        let shift = f64::from(points) / 100.0;
        let rates = simulated.rates(&margins, shift, 1.0);
        let [less, more] =
            [1.0 - doubt, 1.0 + doubt].map(|scale| simulated.rates(&margins, shift, scale));
        let moved = (more.passes - less.passes)
            .abs()
            .max((more.stopped - less.stopped).abs())
            / 2.0;
        GateRates {
            error: rates.error.hypot(moved),
            ..rates
        }
    };
    let worse_stopped = |margins: &[Margin]| {
        POINTS
            .iter()
            .map(|&k| {
                let rates = simulated.rates(margins, f64::from(k) / 100.0, 1.0);
                (k.to_string(), rates.stopped)
            })
            .collect()
    };
    let all: BTreeMap<String, GateRates> = std::iter::once(0)
        .chain(POINTS)
        .map(|k| (k.to_string(), rates(k)))
        .collect();
    Characteristic {
        from: CharacteristicSource::Measured,
        simulations: simulations as u32,
        discordant: paired.discordant(),
        within: paired.within(),
        equal_passes: all["0"].passes,
        worse_stopped: stopped(&all),
        offers: simulated.offers(&margins, worse_stopped),
        rates: all,
    }
}

/// The share of stopped models by how many points they are worse.
pub(super) fn stopped(rates: &BTreeMap<String, GateRates>) -> BTreeMap<String, f64> {
    POINTS
        .iter()
        .filter_map(|k| {
            let key = k.to_string();
            let stopped = rates.get(&key)?.stopped;
            Some((key, stopped))
        })
        .collect()
}

fn drawn(spreads: &[Spread], anchors: usize, simulations: usize, seed: u64) -> Vec<Vec<Drawn>> {
    if anchors < 2 {
        return Vec::new();
    }
    let mut draws = Draws::new(seed, PURPOSE);
    let mut places = vec![0usize; anchors];
    let count = anchors as f64;
    // Samples of the clusters spread a little less than the clusters do.
    let widen = (count / (count - 1.0)).sqrt();
    (0..simulations)
        .map(|_| {
            places.fill_with(|| draws.index(anchors));
            spreads
                .iter()
                .map(|spread| {
                    let (mut sum, mut squares) = (0.0, 0.0);
                    for &place in &places {
                        let residual = spread.residuals[place] * widen;
                        sum += residual;
                        squares += residual * residual;
                    }
                    let mean = sum / count;
                    Drawn {
                        difference: mean,
                        variance: (squares - count * mean * mean).max(0.0)
                            / (count * (count - 1.0)),
                    }
                })
                .collect()
        })
        .collect()
}

/// Relative standard error of a standard deviation, from the fourth moment.
fn doubt(residuals: &[f64]) -> f64 {
    let n = residuals.len() as f64;
    let squares: f64 = residuals.iter().map(|r| r * r).sum::<f64>() / n;
    if squares <= 0.0 {
        return 0.0;
    }
    let fourth: f64 = residuals.iter().map(|r| r.powi(4)).sum::<f64>() / n;
    let kurtosis = fourth / (squares * squares);
    (((kurtosis - 1.0) / n).max(0.0).sqrt() / 2.0).min(0.5)
}

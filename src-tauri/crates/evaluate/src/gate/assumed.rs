//! How often the gate would be right on these test questions, before there is a second model.

use super::characteristic::stopped;
use super::jackknife::smoothing;
use super::simulated::{Drawn, POINTS, Simulated};
use crate::resample::Draws;
use lexforge_domain::gate::{Characteristic, CharacteristicSource, GatePolicy, GateRates, Margin};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// The random stream of the simulation.
const PURPOSE: u64 = 22;
/// The progress is reported each time this many pairs were simulated.
const EACH: usize = 100;

/// What is assumed of two models that answer the same questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumption {
    /// Share of questions that one of the two answers right and the other wrong.
    pub discordant: f64,
    /// Correlation of the differences within a cluster.
    pub within: f64,
}

impl Default for Assumption {
    /// A tenth of the answers differ, and the differences within a cluster correlate by .2. Nothing is measured here.
    fn default() -> Self {
        Self {
            discordant: 0.10,
            within: 0.20,
        }
    }
}

/// A stream of shares between 0 and 1.
pub(super) fn share(draws: &mut Draws) -> f64 {
    draws.index(1 << 53) as f64 / (1u64 << 53) as f64
}

impl Assumption {
    /// Random differences between two models in a cluster of `size` questions, if the candidate is worse by `shift`. A
    /// difference is the outcome of the candidate minus that of the reference: −1, 0 or 1. One random number is shared
    /// by the whole cluster. Each question uses it with probability √within, and otherwise a random number of its own.
    /// So two questions of a cluster have exactly the correlation `within`.
    pub(super) fn differences(
        self,
        size: usize,
        shift: f64,
        draws: &mut Draws,
    ) -> impl Iterator<Item = i8> {
        let worse = (self.discordant.max(shift) + shift) / 2.0;
        let better = worse - shift;
        let copies = self.within.clamp(0.0, 1.0).sqrt();
        let one = move |draws: &mut Draws| {
            let place = share(draws);
            if place < worse {
                -1
            } else if place < worse + better {
                1
            } else {
                0
            }
        };
        let common = one(draws);
        (0..size).map(move |_| {
            if share(draws) < copies {
                common
            } else {
                one(draws)
            }
        })
    }
}

/// As [`characteristic`](super::characteristic()), but only the sizes of the clusters are known, and how much two
/// models differ is assumed. The figures are for the measures that are shares, which are treated as one measure. Cosine
/// gaps are not simulated.
pub fn assumed(
    sizes: &[usize],
    assumption: Assumption,
    policy: &GatePolicy,
    simulations: usize,
    seed: u64,
) -> Characteristic {
    let never_ends = |_: usize, _: usize| Ok::<(), Infallible>(());
    let Ok(told) = assumed_watched(sizes, assumption, policy, simulations, seed, never_ends);
    told
}

/// As [`assumed`]. After every hundred simulated pairs, `each` is called with the number of these pairs and the total.
///
/// # Errors
/// The error of `each`, which ends the simulation.
pub fn assumed_watched<E>(
    sizes: &[usize],
    assumption: Assumption,
    policy: &GatePolicy,
    simulations: usize,
    seed: u64,
    mut each: impl FnMut(usize, usize) -> Result<(), E>,
) -> Result<Characteristic, E> {
    // Accuracy and F1 move together; the narrower margin decides.
    let margin = policy
        .measures
        .iter()
        .filter(|m| m.measure.is_share())
        .min_by(|a, b| a.margin.total_cmp(&b.margin));
    let margins: Vec<Margin> = margin.copied().into_iter().collect();
    let questions: usize = sizes.iter().sum();
    let enough = sizes.len() > 1
        && sizes.len() >= policy.least_anchors as usize
        && questions >= policy.least_questions as usize
        && !margins.is_empty();
    let mut draws = Draws::new(seed, PURPOSE);
    let pairs = if margins.is_empty() { 0 } else { simulations };
    let of = pairs * (1 + POINTS.len());
    let mut simulated: Vec<Simulated> = Vec::new();
    for points in std::iter::once(0).chain(POINTS) {
        let shift = f64::from(points) / 100.0;
        let before = simulated.len() * pairs;
        let mut drawn = Vec::with_capacity(pairs);
        for pair in 1..=pairs {
            drawn.push(vec![one_pair(
                sizes, questions, assumption, shift, &mut draws,
            )]);
            if pair.is_multiple_of(EACH) || pair == pairs {
                each(before + pair, of)?;
            }
        }
        simulated.push(Simulated {
            pairs: drawn,
            smoothing: margins
                .iter()
                .map(|m| smoothing(m.measure, questions))
                .collect(),
            anchors: sizes.len(),
            level: policy.level,
            enough,
        });
    }
    let rates = |margins: &[Margin]| -> BTreeMap<String, GateRates> {
        std::iter::once(0)
            .chain(POINTS)
            .zip(&simulated)
            .map(|(points, of)| (points.to_string(), of.rates(margins, 0.0, 1.0)))
            .collect()
    };
    let all = rates(&margins);
    Ok(Characteristic {
        from: CharacteristicSource::Assumed,
        simulations: simulations as u32,
        discordant: assumption.discordant,
        within: assumption.within,
        equal_passes: all["0"].passes,
        worse_stopped: stopped(&all),
        offers: simulated[0].offers(&margins, |margins| stopped(&rates(margins))),
        rates: all,
    })
}

/// The share of right answers of one simulated pair.
fn one_pair(
    sizes: &[usize],
    questions: usize,
    assumption: Assumption,
    shift: f64,
    draws: &mut Draws,
) -> Drawn {
    let sums: Vec<f64> = sizes
        .iter()
        .map(|&size| {
            assumption
                .differences(size, shift, draws)
                .map(f64::from)
                .sum()
        })
        .collect();
    let (n, count) = (questions as f64, sizes.len() as f64);
    let difference = sums.iter().sum::<f64>() / n;
    let squares: f64 = sums
        .iter()
        .zip(sizes)
        .map(|(sum, &size)| (sum - difference * size as f64).powi(2))
        .sum();
    Drawn {
        difference,
        variance: squares * count / (count - 1.0) / (n * n),
    }
}

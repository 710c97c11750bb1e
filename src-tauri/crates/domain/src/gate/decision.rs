//! The gate's decision on a run, and how often the gate is right.

use super::general::GeneralMeasured;
use super::ground::GateReason;
use super::rule::{GateMeasure, GatePolicy, GateVerdict, Margin};
use crate::id::{DatasetId, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One measure of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateFigure {
    /// The measure.
    pub measure: GateMeasure,
    /// The figure of the model that it is compared with.
    pub reference: f64,
    /// The figure of the model that is to go live.
    pub candidate: f64,
    /// Candidate − reference.
    pub difference: f64,
    /// Lower bound of the difference, by cluster, one-sided at the policy's level.
    pub low: f64,
    /// Upper bound, likewise.
    pub high: f64,
    /// What is tolerated.
    pub margin: f64,
    /// The verdict on this measure alone.
    pub verdict: GateVerdict,
}

/// Where the figures of a characteristic come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharacteristicSource {
    /// The differences of the two models at hand, cluster by cluster.
    Measured,
    /// Assumed shares of differing answers.
    Assumed,
}

/// How often each verdict is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateRates {
    /// Pass.
    pub passes: f64,
    /// Stop.
    pub stopped: f64,
    /// Undecided.
    pub undecided: f64,
    /// Standard error of the larger of these figures: of the simulation, and of the differences that it draws from.
    pub error: f64,
}

/// Margins under which an equal model passes often enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarginOffer {
    /// An equal model passes so often.
    pub equal_passes: f64,
    /// The margins.
    pub margins: Vec<Margin>,
    /// How often a model that is worse by so many points would be stopped.
    pub worse_stopped: BTreeMap<String, f64>,
}

/// How often the gate is right, by simulation on the clusters of these test questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Characteristic {
    /// The source of the simulated cases.
    pub from: CharacteristicSource,
    /// Pairs of models that were simulated.
    pub simulations: u32,
    /// Share of questions that one of the two models answers right and the other wrong.
    pub discordant: f64,
    /// How far the differences within an anchor go together (intraclass correlation).
    pub within: f64,
    /// How often an equal model passes.
    pub equal_passes: f64,
    /// How often a worse model is stopped, by how many points it is worse.
    pub worse_stopped: BTreeMap<String, f64>,
    /// All rates, by how many points the model is worse in the measures that are shares: `0` is an equal one.
    pub rates: BTreeMap<String, GateRates>,
    /// Margins that give at least 80 and at least 95 %.
    pub offers: Vec<MarginOffer>,
}

impl Characteristic {
    /// Whether there are too few test questions for any verdict. This is so if the gate stays undecided in at least 199
    /// of 200 cases, both for an equal model and for a model that is three points worse.
    pub fn decides_nothing(&self) -> bool {
        ["0", "3"].iter().all(|points| {
            let rates = self.rates.get(*points);
            rates.is_some_and(|rates| rates.undecided >= 0.995)
        })
    }
}

/// How often a rule would be right on the test questions of a snapshot, before there is a model to decide about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GatePlan {
    /// The rule.
    pub policy: GatePolicy,
    /// How often it would be right.
    pub characteristic: Characteristic,
    /// The snapshot.
    pub dataset: DatasetId,
    /// The name of a cluster of its questions, for example `section`.
    pub unit: String,
    /// Its test questions.
    pub questions: u32,
    /// Their clusters.
    pub anchors: u32,
}

/// How a recipe does with other seeds, on the same test questions: what of a difference may be the seed's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateSeeds {
    /// The runs of the recipe whose answers are known, the one that is decided about among them.
    pub runs: Vec<RunId>,
    /// The accuracy of each.
    pub accuracy: Vec<f64>,
}

impl GateSeeds {
    /// The smallest and the largest accuracy.
    pub fn spread(&self) -> [f64; 2] {
        let all = || self.accuracy.iter().copied();
        [
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        ]
    }
}

/// The gate's decision on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateDecision {
    /// The run.
    pub run: RunId,
    /// The verdict.
    pub verdict: GateVerdict,
    /// Why.
    pub reasons: Vec<GateReason>,
    /// The model that it was compared with: `run 3`, or `base all-MiniLM-L6-v2`.
    pub against: String,
    /// The run that it was compared with; `None` = the base model.
    pub against_run: Option<RunId>,
    /// The snapshot.
    pub dataset: DatasetId,
    /// SHA-256 of the snapshot, hexadecimal.
    pub dataset_hash: String,
    /// SHA-256 of the adapter, hexadecimal.
    pub adapter: String,
    /// The scorer of the figures.
    pub scorer: String,
    /// The kind of cluster: `anchor`, `article`, `section`.
    pub unit: String,
    /// Test questions.
    pub questions: u32,
    /// Clusters.
    pub anchors: u32,
    /// The approximate number of anchors with which the gate could decide. With this number an equal model passes in 80
    /// of 100 cases, and a model that is 3 points worse is stopped in 95. `None` if the gate has decided, or if more
    /// anchors would not help.
    pub needed: Option<u64>,
    /// The measures.
    pub figures: Vec<GateFigure>,
    /// How often the gate is right here.
    pub characteristic: Characteristic,
    /// Runs of this recipe with other seeds; `None` where no other run with answers to these questions is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<GateSeeds>,
    /// General language before and after, where the rule has a floor for it and it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub general: Option<GeneralMeasured>,
    /// The rule.
    pub policy: GatePolicy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_decides_nothing_where_neither_model_gets_a_verdict() {
        let undecided = |equal: f64, worse: f64| {
            let rates = |undecided| GateRates {
                undecided,
                ..GateRates::default()
            };
            let of = [("0", rates(equal)), ("3", rates(worse))];
            Characteristic {
                from: CharacteristicSource::Measured,
                simulations: 2000,
                discordant: 0.1,
                within: 0.1,
                equal_passes: 0.0,
                worse_stopped: BTreeMap::new(),
                rates: of.map(|(points, rates)| (points.to_owned(), rates)).into(),
                offers: Vec::new(),
            }
        };
        for (equal, worse, expected) in [
            (1.0, 1.0, true),
            (0.996, 1.0, true),
            (0.9, 1.0, false),
            (1.0, 0.9, false),
        ] {
            let found = undecided(equal, worse).decides_nothing();
            assert_eq!(found, expected, "{equal} {worse}");
        }
        let mut unknown = undecided(1.0, 1.0);
        unknown.rates.clear();
        assert!(!unknown.decides_nothing());
    }
}

//! Sweeps: one training for each combination of a few figures, and the one that is best on the dev part.

use super::{LevelWeights, RunState, TrainRequest};
use crate::{Failure, RunId};
use serde::{Deserialize, Serialize};

/// The figures that are tried. An empty list leaves a figure to the recipe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SweepAxes {
    /// Peak learning rates.
    pub learning_rate: Vec<f64>,
    /// Temperatures τ.
    pub temperature: Vec<f64>,
    /// Weights of the levels.
    pub weights: Vec<LevelWeights>,
    /// Training questions of each rule. With fewer of them the others are the same: each set holds the smaller ones.
    pub items: Vec<ItemsPerAnchor>,
}

/// How many training questions of each rule are learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemsPerAnchor {
    /// At most so many, chosen by lot.
    AtMost(u64),
    /// All questions of the snapshot.
    All,
}

impl ItemsPerAnchor {
    /// The most questions of a rule; `None` = all.
    pub fn most(self) -> Option<u64> {
        match self {
            Self::AtMost(n) => Some(n),
            Self::All => None,
        }
    }
}

/// The training that all combinations share, and the settings that differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRequest {
    /// The settings that all combinations share.
    pub train: TrainRequest,
    /// What is tried.
    pub axes: SweepAxes,
}

/// One value for each setting that is varied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// Peak learning rate.
    pub learning_rate: Option<f64>,
    /// Temperature τ.
    pub temperature: Option<f64>,
    /// Weights of the levels.
    pub weights: Option<LevelWeights>,
    /// Training questions of each rule.
    pub items: Option<ItemsPerAnchor>,
}

/// The measure by which a combination of settings is chosen. The held-out loss cannot be used for this: it depends on a
/// temperature and on weights, and these may differ between combinations. This measure does not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DevMeasure {
    /// Share of the dev questions that are answered rightly.
    Accuracy,
    /// MAP@10 of the questions that were held out.
    Map10,
    /// Share of the dev triplets whose positive is nearer than the negative.
    TripletAccuracy,
    /// MRR@10 of the clauses of held-out questions, each put in order with its negatives.
    Mrr10,
}

impl DevMeasure {
    /// The name that is printed.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Map10 => "map@10",
            Self::Mrr10 => "mrr@10",
            Self::TripletAccuracy => "triplet accuracy",
        }
    }
}

/// A figure on the dev part; the greater, the better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DevFigure {
    /// What was measured.
    pub measure: DevMeasure,
    /// The figure, 0 to 1.
    pub value: f64,
    /// Questions or triplets that it was measured on.
    pub items: u64,
    /// 95 % interval by a bootstrap of whole clusters; `None` if there is no interval. A cluster is a rule with its
    /// near-duplicates. In a workspace of few documents a cluster is an article, or a section of a document without
    /// articles.
    pub interval: Option<[f64; 2]>,
}

/// A combination and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// Its number in the sweep, from 1.
    pub number: u64,
    /// Its figures.
    pub values: Combination,
    /// Its run, once it has one.
    pub run: Option<RunId>,
    /// The state of the run.
    pub state: RunState,
    /// The figure that it is chosen by.
    pub dev: Option<DevFigure>,
    /// Held-out loss of the checkpoint that was chosen.
    pub dev_loss: Option<f64>,
    /// Minutes of training.
    pub minutes: Option<f64>,
    /// Questions that it learnt from, where their number is tried.
    pub learnt_from: Option<u64>,
    /// Why it has no figure.
    pub failure: Option<Failure>,
}

impl SweepRow {
    /// A combination that waits.
    pub fn waiting(number: u64, values: Combination) -> Self {
        Self {
            number,
            values,
            run: None,
            state: RunState::Queued,
            dev: None,
            dev_loss: None,
            minutes: None,
            learnt_from: None,
            failure: None,
        }
    }
}

/// A sweep as the workspace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Its number in the workspace, from 1.
    pub number: u64,
    /// When it was begun, RFC 3339, UTC.
    pub started: String,
    /// The request.
    pub request: SweepRequest,
    /// Most combinations that a sweep may have.
    pub most: u64,
    /// The newest run when it began: its own are newer.
    pub after: Option<RunId>,
    /// The hash of the data that the first run learned from. All other runs must learn from the same data.
    pub data: Option<String>,
    /// The combinations.
    pub rows: Vec<SweepRow>,
    /// Number of the best combination: the greatest figure, and of equal ones the first in the table.
    pub best: Option<u64>,
    /// Numbers of the others that have the same figure as the best.
    pub tied: Vec<u64>,
    /// If the number of questions is varied: the smallest number that is enough. A number is enough if its figure is
    /// within the interval of the combination with the largest number (all other settings being the same).
    pub enough: Option<u64>,
}

impl Sweep {
    /// The combinations that have the same settings as the combination number `of`, except for the number of questions,
    /// and that have a figure. They are ordered by the number of questions. Empty if the number was not varied, or if
    /// only one combination has a figure.
    pub fn curve(&self, of: u64) -> Vec<&SweepRow> {
        let without = |row: &SweepRow| Combination {
            items: None,
            ..row.values
        };
        let Some(of) = self.rows.iter().find(|row| row.number == of) else {
            return Vec::new();
        };
        let mut rows: Vec<&SweepRow> = self.rows.iter().collect();
        rows.retain(|row| row.values.items.is_some() && row.dev.is_some());
        rows.retain(|row| without(row) == without(of));
        rows.sort_by_key(|row| {
            row.values
                .items
                .and_then(ItemsPerAnchor::most)
                .unwrap_or(u64::MAX)
        });
        match rows.len() {
            0 | 1 => Vec::new(),
            _ => rows,
        }
    }
}

//! Why the gate decides as it does, as values and in words.

use super::rule::GateMeasure;
use crate::id::DatasetId;
use serde::{Deserialize, Serialize};

/// One ground of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum GateGround {
    /// The loss by this measure is within the margin.
    WithinMargin {
        /// The measure.
        measure: GateMeasure,
        /// Lower bound.
        low: f64,
        /// Upper bound; none in decisions of earlier versions.
        high: Option<f64>,
        /// What is tolerated.
        margin: f64,
    },
    /// The model is worse by this measure.
    Worse {
        /// The measure.
        measure: GateMeasure,
        /// Candidate − reference.
        difference: f64,
        /// Lower bound; none in decisions of earlier versions.
        low: Option<f64>,
        /// Upper bound.
        high: f64,
        /// What is tolerated.
        margin: f64,
    },
    /// The measure may have fallen by more than the margin, or not at all.
    CannotTell {
        /// The measure.
        measure: GateMeasure,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
        /// What is tolerated.
        margin: f64,
    },
    /// Both models are the same.
    SameModel,
    /// There are too few clusters.
    TooFewAnchors {
        /// Clusters.
        anchors: u32,
        /// The required number.
        least: u32,
        /// The kind of cluster: `anchor`, `article`, `section`.
        #[serde(default)]
        unit: String,
    },
    /// There are too few test questions.
    TooFewQuestions {
        /// Questions.
        questions: u32,
        /// The required number.
        least: u32,
    },
    /// The questions can be answered without being read.
    Shortcut {
        /// The control.
        control: String,
        /// Its share of right answers.
        accuracy: f64,
        /// What guessing scores.
        chance: f64,
    },
    /// Nobody reviewed the questions.
    Unreviewed,
    /// The leak check left leaks in the snapshot.
    Leaks {
        /// How many.
        leaks: u32,
    },
    /// The model lost general language.
    GeneralLost {
        /// Change of the rank correlation.
        change: f64,
        /// Upper bound of the change; none in decisions of earlier versions.
        high: Option<f64>,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// The model lost no more of general language than is tolerated.
    GeneralKept {
        /// Change of the rank correlation.
        change: f64,
        /// Lower bound of the change; none in decisions of earlier versions.
        low: Option<f64>,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// It is open whether the model lost more of general language than is tolerated.
    GeneralCannotTell {
        /// Change of the rank correlation.
        change: f64,
        /// Lower bound of the change.
        low: f64,
        /// Upper bound.
        high: f64,
        /// The largest loss that is tolerated.
        floor: f64,
        /// The pairs that were measured.
        pairs: u32,
        /// About so many pairs would decide; `None` if this cannot be said.
        needed: Option<u64>,
    },
    /// The pairs of general language form too few groups, so it cannot be said how certain the change is. Pairs that
    /// share a sentence are in one group.
    GeneralTooFewGroups {
        /// The groups.
        groups: u32,
        /// So many are needed.
        least: u32,
        /// The pairs that were measured.
        pairs: u32,
    },
    /// The rule asks for general language, and it was not measured.
    GeneralNotMeasured,
    /// The model falls under an attack that keeps the sense.
    AttackLost {
        /// The attack's tag.
        attack: String,
        /// Accuracy under attack − accuracy as it is.
        change: f64,
        /// Upper bound of the change.
        high: f64,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// Under an attack that keeps the sense, it is open whether the model loses more than is tolerated.
    AttackCannotTell {
        /// The attack's tag.
        attack: String,
        /// Lower bound of the change.
        low: f64,
        /// Upper bound.
        high: f64,
        /// The largest loss that is tolerated.
        floor: f64,
    },
    /// The rule asks for attacks, and none was measured.
    AttackNotMeasured,
    /// The rule asks for a proved export, and there is none.
    ExportNotProved,
    /// The other model was trained on another snapshot. It may have been trained on some of these questions, which can
    /// only make it look better.
    OtherSnapshot {
        /// Its snapshot.
        dataset: DatasetId,
    },
}

impl GateGround {
    /// Whether it stops the model whatever the measures say.
    pub fn blocks(&self) -> bool {
        matches!(
            self,
            Self::Shortcut { .. }
                | Self::Unreviewed
                | Self::Leaks { .. }
                | Self::GeneralLost { .. }
                | Self::AttackLost { .. }
                | Self::ExportNotProved
        )
    }
}

/// A ground with its words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateReason {
    /// In words.
    pub text: String,
    /// Whether it stops the model whatever the measures say.
    pub blocking: bool,
    /// As a value.
    #[serde(flatten)]
    pub ground: GateGround,
}

impl From<GateGround> for GateReason {
    fn from(ground: GateGround) -> Self {
        Self {
            text: ground.to_string(),
            blocking: ground.blocks(),
            ground,
        }
    }
}
